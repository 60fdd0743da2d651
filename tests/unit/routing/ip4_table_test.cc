#include "headroom/routing/ip4_table.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

#include "../../support/grace_by_hand.hh"
#include "linear_scan.hh"

namespace headroom {
namespace {

IPPrefix prefix(const char* text) { return IPPrefix::parse(text).value(); }
IPAddress address(const char* text) { return IPAddress::parse(text).value(); }

uint32_t random_next_hop(std::mt19937& random) {
  const uint32_t choice = random() % 16;
  return choice == 0 ? 0 : choice == 1 ? kMaxNextHop : random() & kMaxNextHop;
}

void expect_equal(const Ip4Table& table, const Oracle& oracle, std::mt19937& random,
                  size_t samples) {
  std::vector<IPAddress> addresses = {IPAddress(), IPAddress::broadcast()};
  for (const auto& [prefix, next_hop] : oracle.routes()) {
    // The edges of a prefix and their neighbours, of a sample.
    if (addresses.size() > samples) break;
    if (random() % 8 != 0) continue;
    const uint32_t first = prefix.network().host_order();
    const uint32_t last = prefix.last().host_order();
    for (uint32_t at : {first - 1, first, last, last + 1})
      addresses.push_back(IPAddress::from_host_order(at));
  }
  while (addresses.size() < 2 * samples)
    addresses.push_back(random() % 8 == 0 ? IPAddress::from_host_order(random())
                                          : clustered_prefix(random).address);
  std::vector<uint32_t> next_hops(addresses.size());
  table.lookup_bulk(addresses.data(), addresses.size(), next_hops.data());
  for (size_t i = 0; i < addresses.size(); ++i) {
    const uint32_t expected = oracle.lookup(addresses[i]);
    ASSERT_EQ(table.lookup(addresses[i]), expected) << addresses[i].to_string();
    ASSERT_EQ(next_hops[i], expected) << addresses[i].to_string();
  }
  ASSERT_EQ(table.size(), oracle.routes().size());
}

TEST(Ip4Table, EmptyHasNoRoute) {
  const Ip4Table table;
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.lookup(address("1.2.3.4")), kNoRoute);
  EXPECT_EQ(table.find(prefix("0/0")), std::nullopt);
}

TEST(Ip4Table, AddReplaceRemove) {
  Ip4Table table;
  EXPECT_TRUE(table.add(prefix("10/8"), 1));
  EXPECT_TRUE(table.add(prefix("10.1.2.128/25"), 2));
  EXPECT_TRUE(table.add(prefix("10.1/16"), 3));
  EXPECT_TRUE(table.add(prefix("0/0"), 4));
  EXPECT_EQ(table.lookup(address("10.1.2.129")), 2U);
  EXPECT_EQ(table.lookup(address("10.1.2.127")), 3U);
  EXPECT_EQ(table.lookup(address("10.2.0.0")), 1U);
  EXPECT_EQ(table.lookup(address("11.0.0.0")), 4U);
  EXPECT_FALSE(table.add(prefix("10.1.99.99/16"), 5));  // host bits do not matter
  EXPECT_EQ(table.lookup(address("10.1.2.127")), 5U);
  EXPECT_EQ(table.find(prefix("10.1/16")), 5U);
  EXPECT_EQ(table.find(prefix("10.1/15")), std::nullopt);
  EXPECT_EQ(table.size(), 4U);
  EXPECT_FALSE(table.remove(prefix("10.1.0/17")));
  EXPECT_TRUE(table.remove(prefix("10.1/16")));
  EXPECT_FALSE(table.remove(prefix("10.1/16")));
  EXPECT_EQ(table.lookup(address("10.1.2.127")), 1U);
  EXPECT_EQ(table.lookup(address("10.1.2.129")), 2U);
  EXPECT_TRUE(table.remove(prefix("10.1.2.128/25")));
  EXPECT_EQ(table.lookup(address("10.1.2.129")), 1U);
  EXPECT_TRUE(table.remove(prefix("0/0")));
  EXPECT_EQ(table.lookup(address("11.0.0.0")), kNoRoute);
  table.clear();
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.lookup(address("10.1.2.129")), kNoRoute);
}

TEST(Ip4Table, NextHopZeroIsARoute) {
  Ip4Table table;
  table.add(prefix("0/0"), 7);
  table.add(prefix("10/8"), 0);
  EXPECT_EQ(table.lookup(address("10.0.0.1")), 0U);
  table.add(prefix("10.0.0.1/32"), kMaxNextHop);
  EXPECT_EQ(table.lookup(address("10.0.0.1")), kMaxNextHop);
  EXPECT_EQ(table.lookup(address("10.0.0.2")), 0U);
  EXPECT_EQ(table.lookup(address("9.0.0.2")), 7U);
}

TEST(Ip4Table, RefusesWhatItCannotStore) {
  Ip4Table table;
  EXPECT_THROW(table.add(prefix("10/8"), kMaxNextHop + 1), std::invalid_argument);
  EXPECT_THROW(table.add(prefix("10/8"), kNoRoute), std::invalid_argument);
  EXPECT_THROW(table.add(IPPrefix(IPAddress(), 33), 1), std::invalid_argument);
  EXPECT_FALSE(table.remove(IPPrefix(IPAddress(), 33)));
  EXPECT_EQ(table.find(IPPrefix(IPAddress(), 33)), std::nullopt);
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.lookup(address("10.0.0.1")), kNoRoute);
}

TEST(Ip4Table, VisitsInPrefixOrder) {
  Ip4Table table;
  for (const char* text : {"192.168.1/24", "10/8", "0/0", "10.0/16", "10.0.0.1/32", "10.128/9"})
    table.add(prefix(text), 1);
  std::vector<std::string> seen;
  table.for_each([&](const IPPrefix& each, uint32_t) { seen.push_back(each.to_string()); });
  const std::vector<std::string> expected = {"0.0.0.0/0",   "10.0.0.0/8",   "10.0.0.0/16",
                                             "10.0.0.1/32", "10.128.0.0/9", "192.168.1.0/24"};
  EXPECT_EQ(seen, expected);
}

TEST(Ip4Table, AgreesWithLinearScan) {
  std::mt19937 random(1);
  Ip4Table table;
  Oracle oracle;
  for (int round = 0; round < 60; ++round) {
    // Growing, then shrinking.
    const unsigned removals_of_8 = round < 40 ? 2 : 7;
    for (int i = 0; i < 300; ++i) {
      if (random() % 8 >= removals_of_8) {
        const auto prefix = clustered_prefix(random);
        const uint32_t next_hop = random_next_hop(random);
        ASSERT_EQ(table.add(prefix, next_hop), oracle.add(prefix, next_hop));
        ASSERT_EQ(table.find(prefix), next_hop);
      } else {
        auto prefix = clustered_prefix(random);
        const auto near = oracle.routes().lower_bound(prefix);
        if (random() % 4 != 0 && near != oracle.routes().end()) prefix = near->first;
        ASSERT_EQ(table.remove(prefix), oracle.remove(prefix));
        ASSERT_EQ(table.find(prefix), std::nullopt);
      }
    }
    expect_equal(table, oracle, random, 400);
    if (HasFatalFailure()) return;
  }
  std::map<IPPrefix, uint32_t> visited;
  table.for_each([&](const IPPrefix& prefix, uint32_t hop) { visited.emplace(prefix, hop); });
  EXPECT_EQ(visited, oracle.routes());
  while (!oracle.routes().empty()) {
    const auto prefix = oracle.routes().begin()->first;
    ASSERT_TRUE(table.remove(prefix));
    oracle.remove(prefix);
  }
  expect_equal(table, oracle, random, 100);
  EXPECT_EQ(table.groups_in_use(), 0U);
}

TEST(Ip4Table, ThousandsOfRoutesAgreeWithLinearScan) {
  std::mt19937 random(2);
  Ip4Table table;
  Oracle oracle;
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 2500; ++i) {
      // Uniform networks of 64 /16s and lengths as in the Internet, with the rest mixed in.
      const uint32_t bits = 0x20000000 | (random() & 0x3fffff);
      const unsigned length = random() % 3 == 0 ? 25 + random() % 8 : 8 + random() % 17;
      const IPPrefix prefix(IPAddress::from_host_order(bits), length);
      const uint32_t next_hop = random_next_hop(random);
      ASSERT_EQ(table.add(prefix, next_hop), oracle.add(prefix, next_hop));
    }
    expect_equal(table, oracle, random, 1000);
    std::vector<IPPrefix> victims;
    for (const auto& [prefix, next_hop] : oracle.routes())
      if (random() % 3 == 0) victims.push_back(prefix);
    for (const auto& victim : victims) {
      ASSERT_TRUE(table.remove(victim));
      oracle.remove(victim);
    }
    expect_equal(table, oracle, random, 1000);
    if (HasFatalFailure()) return;
  }
}

TEST(Ip4Table, BulkOfEveryLength) {
  Ip4Table table;
  for (uint32_t i = 0; i < 256; ++i) {
    table.add(IPPrefix(IPAddress(10, 0, static_cast<uint8_t>(i), 0), i % 2 ? 24 : 25), i);
    table.add(IPPrefix(IPAddress(10, 0, static_cast<uint8_t>(i), 200), 32), 1000 + i);
  }
  for (size_t count = 0; count <= 300; ++count) {
    std::vector<IPAddress> addresses;
    for (size_t i = 0; i < count; ++i)
      addresses.emplace_back(10, 0, static_cast<uint8_t>(i * 7), i % 3 ? 200 : i % 2 ? 1 : 129);
    std::vector<uint32_t> next_hops(count + 1, 0xabcdef);
    table.lookup_bulk(addresses.data(), count, next_hops.data());
    for (size_t i = 0; i < count; ++i) ASSERT_EQ(next_hops[i], table.lookup(addresses[i]));
    ASSERT_EQ(next_hops[count], 0xabcdefU);
  }
}

TEST(Ip4Table, FlapsDoNotGrow) {
  std::mt19937 random(3);
  std::vector<IPPrefix> routes;
  for (int i = 0; i < 10000; ++i)
    routes.emplace_back(IPAddress::from_host_order(random()), 16 + random() % 17);
  Ip4Table table;
  table.add(prefix("0/0"), 1);
  size_t made = 0;
  for (int round = 0; round < 50; ++round) {
    for (const auto& route : routes) table.add(route, random() & kMaxNextHop);
    for (const auto& route : routes) table.remove(route);
    ASSERT_EQ(table.size(), 1U);
    ASSERT_EQ(table.groups_in_use(), 0U);
    if (round == 0) made = table.groups_made();
    ASSERT_EQ(table.groups_made(), made);
    std::shuffle(routes.begin(), routes.end(), random);
  }
  EXPECT_GT(made, 1000U);
}

TEST(Ip4Table, GroupsComeBackAfterAGracePeriod) {
  test::GraceByHand readers;
  Ip4Table table(&readers);
  table.add(prefix("10.0.0.1/32"), 1);
  table.remove(prefix("10.0.0.1/32"));
  EXPECT_EQ(table.groups_in_use(), 0U);
  EXPECT_EQ(table.groups_retired(), 1U);
  table.add(prefix("10.0.1.1/32"), 2);
  EXPECT_EQ(table.groups_made(), 2U) << "the first may be in use";
  readers.over = readers.begun;
  table.add(prefix("10.0.2.1/32"), 3);
  EXPECT_EQ(table.groups_made(), 2U);
  EXPECT_EQ(table.groups_in_use(), 2U);
  EXPECT_EQ(table.groups_retired(), 0U);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Prints times, which depend on the machine; checks only the answers.
TEST(Ip4Table, AMillionRoutes) {
  std::mt19937 random(4);
  std::vector<IPPrefix> routes;
  for (int i = 0; i < 1000000; ++i) {
    // About as the Internet's table: most /24, few beyond it.
    const unsigned choice = random() % 100;
    const unsigned length = choice < 60 ? 24 : choice < 95 ? 16 + random() % 8 : 25 + random() % 8;
    routes.emplace_back(IPAddress::from_host_order(random()), length);
  }
  auto start = std::chrono::steady_clock::now();
  Ip4Table table;
  std::cout << "empty table: " << seconds_since(start) * 1e6 << " us\n";
  start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < routes.size(); ++i)
    table.add(routes[i], static_cast<uint32_t>(i) & kMaxNextHop);
  std::cout << "a million adds: " << seconds_since(start) << " s, " << table.size() << " prefixes, "
            << table.groups_in_use() << " groups\n";

  constexpr size_t kBatch = 64;
  std::vector<IPAddress> addresses(1 << 20);
  for (auto& each : addresses) each = IPAddress::from_host_order(random());
  std::vector<uint32_t> next_hops(kBatch);
  const auto measure = [&](size_t distinct, const char* what) {
    double best = 1e9;
    uint32_t sum = 0;
    for (int round = 0; round < 20; ++round) {
      const auto begin = std::chrono::steady_clock::now();
      for (size_t i = 0; i < addresses.size(); i += kBatch) {
        table.lookup_bulk(&addresses[i % distinct], kBatch, next_hops.data());
        sum += next_hops[i % kBatch];
      }
      best = std::min(best, seconds_since(begin));
    }
    std::cout << "lookup_bulk, " << what << ": "
              << best * 1e9 / static_cast<double>(addresses.size()) << " ns (" << (sum & 1)
              << ")\n";
  };
  measure(kBatch, "64 addresses");
  measure(4096, "4096 addresses");
  measure(addresses.size(), "random addresses");
  for (size_t i = 0; i < addresses.size(); i += kBatch * 16) {
    table.lookup_bulk(&addresses[i], kBatch, next_hops.data());
    for (size_t j = 0; j < kBatch; ++j) ASSERT_EQ(next_hops[j], table.lookup(addresses[i + j]));
  }

  start = std::chrono::steady_clock::now();
  for (const auto& route : routes) table.remove(route);
  std::cout << "a million removals: " << seconds_since(start) << " s\n";
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.groups_in_use(), 0U);
}

}  // namespace
}  // namespace headroom
