// Which ports an arrow connects: the rules for port lists, comma lists, "->" and "=>".
//
//   Side left{{0, &element.outputs}}, right{{1, &other.inputs}};
//   PairingResult result = pair_ports(left, right, false);
//   for (const PortPair& pair : result.pairs) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "headroom/click/tree.hh"

namespace headroom::click {

// The most connections that one arrow may make.
inline constexpr uint64_t kMaxPairs = 65536;

// An element at one end of an arrow, with the ports that stand on that side of it.
struct ArrowEnd {
  uint32_t element = 0;
  const PortsNode* ports = nullptr;
};
using Side = std::vector<ArrowEnd>;

struct PortPair {
  uint32_t from = 0;
  uint32_t from_port = 0;
  uint32_t to = 0;
  uint32_t to_port = 0;
};

struct PairingResult {
  std::vector<PortPair> pairs;
  std::string error;  // empty when all is well
  std::string hint;
};

// Neither side may be empty.
PairingResult pair_ports(const Side& left, const Side& right, bool fat_arrow);

}  // namespace headroom::click
