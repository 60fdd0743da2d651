// The longest prefix match as it is defined, for comparison, and prefixes that make it hard.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <random>

#include "headroom/net/addresses.hh"
#include "headroom/routing/ip4_table.hh"

namespace headroom {

// A prefix of any length, out of few networks, so that prefixes nest and meet again.
inline IPPrefix clustered_prefix(std::mt19937& random) {
  static constexpr uint32_t networks[] = {0x0a000000, 0x0a010200, 0xc0a80100, 0xffffff00, 0};
  unsigned length = random() % 33;
  // Millions of entries each: fewer of these.
  if (length < 8 && length > 0 && random() % 8 != 0) length += 24;
  // Above the last byte few bits vary, in it all do.
  uint32_t bits = networks[random() % std::size(networks)] ^ (random() & 0xff);
  if (random() % 2) bits ^= 1U << random() % 32;
  if (random() % 4 == 0) bits ^= (random() & 7) << 8;
  return IPPrefix(IPAddress::from_host_order(bits), length);
}

// A scan of everything.
class Oracle {
 public:
  bool add(const IPPrefix& prefix, uint32_t next_hop) {
    return routes_.insert_or_assign(prefix.canonical(), next_hop).second;
  }
  bool remove(const IPPrefix& prefix) { return routes_.erase(prefix.canonical()) > 0; }
  uint32_t lookup(IPAddress address) const {
    uint32_t result = kNoRoute;
    int longest = -1;
    for (const auto& [prefix, next_hop] : routes_) {
      if (prefix.length > longest && prefix.contains(address)) {
        result = next_hop;
        longest = prefix.length;
      }
    }
    return result;
  }
  const std::map<IPPrefix, uint32_t>& routes() const { return routes_; }

 private:
  std::map<IPPrefix, uint32_t> routes_;
};

}  // namespace headroom
