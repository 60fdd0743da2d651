// The IPv6 header and its fragment extension header (RFC 8200) as views of packet bytes.
//
// Use Ip6Header where at least 40 bytes are known to be there. Next header values are the protocol
// numbers of ip.hh.
//
//   auto& ip6 = *reinterpret_cast<Ip6Header*>(packet.network_header());
//   if (ip6.version() == 6 && ip6.hop_limit > 1) --ip6.hop_limit;
#pragma once

#include <cstdint>
#include <type_traits>

#include "headroom/net/addresses.hh"
#include "headroom/net/byte_order.hh"

namespace headroom {

struct Ip6Header {
  be32 version_class_flow;  // version (4 bits), traffic class (8), flow label (20)
  be16 payload_length;      // bytes behind this header
  uint8_t next_header;
  uint8_t hop_limit;
  IP6Address source;
  IP6Address destination;

  constexpr unsigned version() const { return version_class_flow >> 28; }
  constexpr unsigned traffic_class() const { return version_class_flow >> 20 & 0xff; }
  constexpr uint32_t flow_label() const { return version_class_flow & 0xfffff; }
  // Sets version 6, the traffic class (8 bits) and the flow label (20 bits).
  constexpr void set_version_class_flow(unsigned traffic_class, uint32_t flow_label) {
    version_class_flow = 6U << 28 | (traffic_class & 0xff) << 20 | (flow_label & 0xfffff);
  }
};

// RFC 8200, 4.5.
struct Ip6FragmentHeader {
  uint8_t next_header;
  uint8_t reserved;
  be16 offset_and_flags;  // offset in units of 8 bytes (13 bits), reserved (2), more fragments (1)
  be32 id;

  // In bytes.
  constexpr unsigned fragment_offset() const { return offset_and_flags & 0xfff8; }
  constexpr bool more_fragments() const { return offset_and_flags & 1; }
};

static_assert(sizeof(Ip6Header) == 40 && alignof(Ip6Header) == 1);
static_assert(sizeof(Ip6FragmentHeader) == 8 && alignof(Ip6FragmentHeader) == 1);
static_assert(std::is_standard_layout_v<Ip6Header> && std::is_trivially_copyable_v<Ip6Header>);

}  // namespace headroom
