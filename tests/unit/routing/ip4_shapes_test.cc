// 100,000 lookups and more in tables of every shape, each compared with a scan of all prefixes.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "../../support/route_mix.hh"
#include "linear_scan.hh"

namespace headroom {
namespace {

using Random = std::mt19937;

IPPrefix make_prefix(uint32_t bits, unsigned length) {
  return IPPrefix(IPAddress::from_host_order(bits), length).canonical();
}

struct Shape {
  std::string name;
  std::function<std::vector<IPPrefix>(Random&)> make;
};

// All prefixes of one address, in any order.
std::vector<IPPrefix> nested(Random& random, unsigned shortest) {
  const uint32_t bits = random() % 4 == 0 ? random() % 2 - 1 : static_cast<uint32_t>(random());
  std::vector<IPPrefix> prefixes;
  for (unsigned length = shortest; length <= 32; ++length)
    prefixes.push_back(make_prefix(bits, length));
  std::shuffle(prefixes.begin(), prefixes.end(), random);
  return prefixes;
}

std::vector<IPPrefix> many(Random& random, std::size_t count, uint32_t network, uint32_t varying,
                           unsigned shortest, unsigned longest) {
  std::vector<IPPrefix> prefixes;
  while (prefixes.size() < count)
    prefixes.push_back(make_prefix(network | (random() & varying),
                                   shortest + random() % (longest - shortest + 1)));
  return prefixes;
}

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {"nothing", [](Random&) { return std::vector<IPPrefix>{}; }},
      {"default route", [](Random&) { return std::vector{make_prefix(0, 0)}; }},
      {"two halves",
       [](Random&) {
         return std::vector{make_prefix(0, 1), make_prefix(~0U, 1)};
       }},
      {"nested, with a default route", [](Random& random) { return nested(random, 0); }},
      {"nested, without", [](Random& random) { return nested(random, 1); }},
      {"nested in a /24", [](Random& random) { return nested(random, 24); }},
      {"hosts of one network",
       [](Random& random) { return many(random, 200, 0x0a010200, 0xff, 32, 32); }},
      {"hosts anywhere", [](Random& random) { return many(random, 300, 0, ~0U, 32, 32); }},
      {"/25 to /31 of one network",
       [](Random& random) { return many(random, 150, 0xc0a80100, 0xff, 25, 31); }},
      {"/25 to /31 of neighbours",
       [](Random& random) { return many(random, 300, 0xc0a80000, 0x3ff, 25, 31); }},
      {"/23 to /26 of neighbours",
       [](Random& random) { return many(random, 100, 0xc0a80000, 0xfff, 23, 26); }},
      {"the first and the last addresses",
       [](Random& random) {
         auto prefixes = many(random, 60, 0, 0x1ff, 20, 32);
         const auto last = many(random, 60, 0xfffffe00, 0x1ff, 20, 32);
         prefixes.insert(prefixes.end(), last.begin(), last.end());
         return prefixes;
       }},
      {"short ones", [](Random& random) { return many(random, 12, 0, ~0U, 3, 12); }},
      {"any length", [](Random& random) { return many(random, 300, 0, ~0U, 8, 32); }},
      {"clustered",
       [](Random& random) {
         std::vector<IPPrefix> prefixes;
         for (int i = 0; i < 200; ++i) prefixes.push_back(clustered_prefix(random));
         return prefixes;
       }},
      {"as in the Internet", [](Random& random) {
         return test::internet_prefixes(400, static_cast<uint32_t>(random()));
       }}};
  return all;
}

// Around a prefix: its first and last addresses, those beside them, and some inside.
void add_addresses(const IPPrefix& prefix, Random& random, std::vector<IPAddress>& addresses) {
  const uint32_t first = prefix.network().host_order();
  const uint32_t last = prefix.last().host_order();
  for (const uint32_t at :
       {first - 1, first, first + 1, last - 1, last, last + 1,
        first | (static_cast<uint32_t>(random()) & ~prefix.mask().host_order())})
    addresses.push_back(IPAddress::from_host_order(at));
}

TEST(Ip4Table, EveryShapeAgreesWithAScan) {
  std::size_t compared = 0;
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    for (const Shape& shape : shapes()) {
      SCOPED_TRACE(shape.name + ", seed " + std::to_string(seed));
      Random random(seed);
      Ip4Table table;
      Oracle oracle;
      const std::vector<IPPrefix> prefixes = shape.make(random);
      std::vector<IPAddress> addresses;
      for (const IPPrefix& prefix : prefixes) add_addresses(prefix, random, addresses);
      while (addresses.size() < 500)
        addresses.push_back(IPAddress::from_host_order(static_cast<uint32_t>(random())));
      const auto compare = [&] {
        std::vector<uint32_t> hops(addresses.size());
        table.lookup_bulk(addresses.data(), addresses.size(), hops.data());
        for (std::size_t i = 0; i < addresses.size(); ++i) {
          const uint32_t expected = oracle.lookup(addresses[i]);
          ASSERT_EQ(hops[i], expected) << addresses[i].to_string();
          ASSERT_EQ(table.lookup(addresses[i]), expected) << addresses[i].to_string();
        }
        compared += addresses.size();
      };
      for (const IPPrefix& prefix : prefixes) {
        const auto hop = static_cast<uint32_t>(random()) & kMaxNextHop;
        ASSERT_EQ(table.add(prefix, hop), oracle.add(prefix, hop));
      }
      compare();
      // Half of them go, in another order, and then the rest.
      std::vector<IPPrefix> victims = prefixes;
      std::shuffle(victims.begin(), victims.end(), random);
      for (std::size_t i = 0; i < victims.size() / 2; ++i)
        ASSERT_EQ(table.remove(victims[i]), oracle.remove(victims[i]));
      compare();
      for (const IPPrefix& victim : victims) ASSERT_EQ(table.remove(victim), oracle.remove(victim));
      compare();
      ASSERT_EQ(table.groups_in_use(), 0U);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GE(compared, 100'000U);
}

}  // namespace
}  // namespace headroom
