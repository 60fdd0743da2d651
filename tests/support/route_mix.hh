// Routes about as a full Internet table has them, from a seed.
#pragma once

#include <cstdint>
#include <random>
#include <unordered_set>
#include <vector>

#include "headroom/net/addresses.hh"

namespace headroom::test {

// Different prefixes in unicast space. Of 1,000, so many are of each length: the shares of a BGP
// table, and 30 routes of a provider's own that are longer than /24.
inline std::vector<IPPrefix> internet_prefixes(std::size_t count, uint32_t seed) {
  static constexpr struct {
    uint8_t length;
    uint16_t share;
  } kShares[] = {{24, 592}, {23, 98}, {22, 106}, {21, 50}, {20, 43}, {19, 25}, {18, 14},
                 {17, 9},   {16, 14}, {15, 3},   {14, 3},  {13, 2},  {12, 2},  {11, 1},
                 {10, 1},   {9, 1},   {8, 1},    {25, 2},  {26, 3},  {27, 3},  {28, 4},
                 {29, 4},   {30, 6},  {31, 1},   {32, 7},  {23, 5}};
  std::vector<uint8_t> lengths;
  for (const auto& [length, share] : kShares) lengths.insert(lengths.end(), share, length);
  std::mt19937 random(seed);
  std::unordered_set<IPPrefix> seen;
  std::vector<IPPrefix> prefixes;
  while (prefixes.size() < count) {
    const uint8_t length = lengths[random() % lengths.size()];
    const uint32_t first = 1 + random() % 222;
    if (first == 127) continue;
    const IPPrefix prefix =
        IPPrefix(IPAddress::from_host_order(first << 24 | (random() & 0xffffff)), length)
            .canonical();
    if (seen.insert(prefix).second) prefixes.push_back(prefix);
  }
  return prefixes;
}

}  // namespace headroom::test
