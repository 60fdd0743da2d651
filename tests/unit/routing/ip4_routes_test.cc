#include "headroom/routing/ip4_routes.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "../../support/route_mix.hh"
#include "linear_scan.hh"

namespace headroom {
namespace {

using Changes = std::vector<Ip4Routes::Change>;

IPPrefix prefix(const char* text) { return IPPrefix::parse(text).value(); }
IPAddress address(const char* text) { return IPAddress::parse(text).value(); }
NextHop via(const char* gateway, uint32_t port) { return {address(gateway), port}; }
NextHop direct(uint32_t port) { return {IPAddress(), port}; }

TEST(Ip4Routes, SetAndRemove) {
  Ip4Routes routes;
  EXPECT_EQ(routes.apply({{prefix("10.1.2.3/8"), via("1.1.1.1", 1)},
                          {prefix("10.1.0.0/16"), direct(0)},
                          {prefix("0/0"), via("2.2.2.2", 2)}}),
            0U);
  EXPECT_EQ(routes.size(), 3U);
  EXPECT_EQ(routes.find(prefix("10.9.9.9/8")), via("1.1.1.1", 1));
  EXPECT_EQ(routes.find(prefix("10.0/9")), std::nullopt);
  EXPECT_EQ(routes.lookup(address("10.1.255.255")), direct(0));
  EXPECT_EQ(routes.lookup(address("10.2.0.0")), via("1.1.1.1", 1));
  EXPECT_EQ(routes.lookup(address("11.0.0.0")), via("2.2.2.2", 2));
  EXPECT_EQ(routes.apply({{prefix("10.1/16"), std::nullopt},
                          {prefix("99/8"), std::nullopt},
                          {prefix("0/0"), std::nullopt}}),
            0U);
  EXPECT_EQ(routes.lookup(address("10.1.255.255")), via("1.1.1.1", 1));
  EXPECT_EQ(routes.lookup(address("11.0.0.0")), std::nullopt);
  EXPECT_EQ(routes.next_hops().size(), 1U);
  routes.clear();
  EXPECT_EQ(routes.size(), 0U);
  EXPECT_EQ(routes.next_hops().size(), 0U);
  EXPECT_EQ(routes.lookup(address("10.1.255.255")), std::nullopt);
}

TEST(Ip4Routes, TheLastChangeForAPrefixCounts) {
  Ip4Routes routes;
  EXPECT_EQ(routes.apply({{prefix("10.0.0.1/8"), direct(1)},
                          {prefix("11/8"), direct(1)},
                          {prefix("10.0.0.2/8"), std::nullopt},
                          {prefix("11/8"), std::nullopt},
                          {prefix("10.0.0.3/8"), direct(2)}}),
            3U);
  EXPECT_EQ(routes.find(prefix("10/8")), direct(2));
  EXPECT_EQ(routes.find(prefix("11/8")), std::nullopt);
  EXPECT_EQ(routes.next_hops().size(), 1U);
}

TEST(Ip4Routes, ReplacingKeepsWhatStays) {
  Ip4Routes routes;
  routes.apply({{prefix("10/8"), direct(1)},
                {prefix("10.1/16"), direct(2)},
                {prefix("10.1.1.1/32"), direct(3)},
                {prefix("12/8"), direct(4)}});
  EXPECT_EQ(routes.replace({{prefix("11.1.1.1/8"), direct(5)},
                            {prefix("10.1/16"), direct(2)},
                            {prefix("12.1.1.1/8"), direct(6)},
                            {prefix("11/8"), direct(7)}}),
            1U);
  std::vector<std::string> seen;
  routes.for_each([&](const IPPrefix& one, const NextHop& hop) {
    seen.push_back(one.to_string() + " " + std::to_string(hop.port));
  });
  EXPECT_EQ(seen, (std::vector<std::string>{"10.1.0.0/16 2", "11.0.0.0/8 7", "12.0.0.0/8 6"}));
}

TEST(Ip4Routes, ChangesTogetherOrNotAtAll) {
  Ip4Routes routes;
  routes.apply({{prefix("10/8"), direct(1)}, {prefix("11/8"), direct(1)}});
  Ip4RouteChanges changes(routes);
  changes.set(prefix("10.1.1.1/8"), std::nullopt);
  changes.set(prefix("12/8"), direct(2));
  EXPECT_EQ(changes.find(prefix("10/8")), std::nullopt);
  EXPECT_EQ(changes.find(prefix("11.1.1.1/8")), direct(1));
  EXPECT_EQ(changes.find(prefix("12/8")), direct(2));
  EXPECT_EQ(routes.find(prefix("10/8")), direct(1)) << "not yet";
  changes.set(prefix("10/8"), direct(3));
  changes.commit();
  EXPECT_EQ(routes.find(prefix("10/8")), direct(3));
  EXPECT_EQ(routes.size(), 3U);
}

TEST(Ip4Routes, BehaveLikeAMap) {
  std::mt19937 random(5);
  Ip4Routes routes;
  std::map<IPPrefix, NextHop> model;
  for (int round = 0; round < 400; ++round) {
    const bool replace = random() % 8 == 0;
    Changes changes;
    std::vector<Ip4Route> wanted;
    if (replace) model.clear();
    for (auto count = random() % 40; count > 0; --count) {
      const IPPrefix one = clustered_prefix(random);
      std::optional<NextHop> hop;
      if (replace || random() % 2 == 0)
        hop =
            NextHop{IPAddress::from_host_order(random() % 20), static_cast<uint32_t>(random() % 3)};
      model.erase(one.canonical());
      if (hop) model.emplace(one.canonical(), *hop);
      if (replace)
        wanted.push_back({one, *hop});
      else
        changes.push_back({one, hop});
    }
    if (replace)
      routes.replace(wanted);
    else
      routes.apply(changes);
    std::map<IPPrefix, NextHop> seen;
    routes.for_each([&](const IPPrefix& one, const NextHop& hop) { seen.emplace(one, hop); });
    ASSERT_TRUE(seen == model) << round;
    std::set<std::pair<IPAddress, uint32_t>> hops;
    for (const auto& [one, hop] : model) hops.emplace(hop.gateway, hop.port);
    ASSERT_EQ(routes.next_hops().size(), hops.size());
    ASSERT_LE(routes.next_hops().made(), 100U);
  }
}

// Pages that the process has in memory, in MB.
double resident() {
  std::size_t all = 0;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> all >> pages;
  return static_cast<double>(pages) * 4096 / 1e6;
}

// A grace period ends when it is asked about for the third time.
class SlowReaders final : public GracePeriods {
 public:
  uint64_t begin() override {
    asked_ = 0;
    return ++begun_;
  }
  bool ended(uint64_t) override { return ++asked_ >= 3; }

 private:
  uint64_t begun_ = 0;
  int asked_ = 0;
};

// A session that goes up and down: 10,000 routes come and go, a thousand times, in either order.
TEST(Ip4Routes, FlapsLeakNothing) {
#ifdef __SANITIZE_ADDRESS__
  constexpr int kFlaps = 100;
#else
  constexpr int kFlaps = 1000;
#endif
  std::mt19937 random(6);
  SlowReaders readers;
  Ip4Routes routes(&readers);
  Changes up{{prefix("0/0"), direct(0)}};
  for (const IPPrefix& one : test::internet_prefixes(20000, 7)) {
    routes.apply({{one, NextHop{IPAddress::from_host_order(random() % 300), 1}}});
  }
  const std::size_t present = routes.size();
  for (int i = 0; i < 10000; ++i)
    up.push_back({IPPrefix(IPAddress::from_host_order(0xe0000000 | random()), 16 + random() % 17),
                  NextHop{IPAddress::from_host_order(random()), 2}});
  Changes down = up;
  for (auto& change : down) change.hop = std::nullopt;
  double memory = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int flap = 0; flap < kFlaps; ++flap) {
    routes.apply(up);
    // What is in use, and as much that waits until nobody reads it: never more.
    ASSERT_LE(routes.table().groups_made(), 2 * routes.table().groups_in_use()) << flap;
    ASSERT_LE(routes.next_hops().made(), 2 * routes.next_hops().size()) << flap;
    routes.apply(down);
    ASSERT_EQ(routes.size(), present);
    if (flap == 4) memory = resident();
  }
  const auto seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::cout << kFlaps << " flaps of " << up.size() << " routes: " << seconds << " s, "
            << routes.table().groups_made() << " groups, " << routes.next_hops().made()
            << " next hops, " << memory << " MB, at the end " << resident() << " MB\n";
#ifndef __SANITIZE_ADDRESS__  // which keeps freed memory for a while
  EXPECT_LT(resident(), memory + 5);
#endif
  routes.clear();
  EXPECT_EQ(routes.table().groups_in_use(), 0U);
  EXPECT_EQ(routes.next_hops().size(), 0U);
}

}  // namespace
}  // namespace headroom
