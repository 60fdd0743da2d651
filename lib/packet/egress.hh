// The port that a packet leaves by, where one element chooses it and another, behind some more,
// sends the packet there.
//
//   set_egress(packet, {.port = 1});               // IPlookup, L2Forward
//   if (const auto egress = egress_of(packet)) ... // EgressSwitch
#pragma once

#include <cstdint>
#include <optional>

#include "headroom/packet/packet.hh"

namespace headroom {

struct Egress {
  static constexpr uint32_t kMostPorts = 127;

  uint32_t port = 0;       // less than kMostPorts
  bool addressed = false;  // the frame's destination address is that of the next hop already
};

// One byte: the port, from 1, so that 0 is none; and a bit.
inline void set_egress(Packet& packet, Egress egress) {
  packet.set_anno_u8(anno::kEgress.offset,
                     static_cast<uint8_t>((egress.port + 1) | (egress.addressed ? 0x80 : 0)));
}

inline std::optional<Egress> egress_of(const Packet& packet) {
  const uint8_t byte = packet.anno_u8(anno::kEgress.offset);
  if ((byte & 0x7f) == 0) return std::nullopt;
  return Egress{.port = (byte & 0x7fU) - 1, .addressed = (byte & 0x80) != 0};
}

}  // namespace headroom
