// Writing the checksum of TCP and UDP over IPv4.
#pragma once

#include "headroom/packet/transport.hh"

namespace headroom {

// Where the checksum of a transport header is, as an offset from the header; nothing for protocols
// whose checksum does not cover the IPv4 addresses.
constexpr std::optional<uint32_t> checksum_place(uint8_t protocol) {
  if (protocol == kIpProtocolTcp) return 16;
  if (protocol == kIpProtocolUdp) return 6;
  return std::nullopt;
}

// An address of the IPv4 header is about to change: updates the checksum of TCP or UDP behind it.
// Packets without such a checksum, later fragments among them, stay as they are. The packet must be
// private; its bytes may be moved to lie in one piece.
void update_transport_checksum(Packet& packet, IPAddress before, IPAddress after);

}  // namespace headroom
