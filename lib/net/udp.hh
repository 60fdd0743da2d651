// The UDP header (RFC 768) as a view of packet bytes.
//
// Use it where at least 8 bytes are known to be there.
//
//   auto& udp = *reinterpret_cast<UdpHeader*>(packet.transport_header());
//   if (udp.destination_port == 53 && udp.length >= sizeof(UdpHeader)) ...
#pragma once

#include <cstdint>
#include <type_traits>

#include "headroom/net/byte_order.hh"

namespace headroom {

struct UdpHeader {
  be16 source_port;
  be16 destination_port;
  be16 length;    // bytes, header included
  be16 checksum;  // 0: the sender computed none (IPv4 only); a computed 0 is sent as 0xffff
};

static_assert(sizeof(UdpHeader) == 8 && alignof(UdpHeader) == 1);
static_assert(std::is_standard_layout_v<UdpHeader> && std::is_trivial_v<UdpHeader>);

}  // namespace headroom
