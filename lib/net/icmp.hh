// The ICMP header (RFC 792) as a view of packet bytes, with the types and codes a router needs.
//
// Use it where at least 8 bytes are known to be there. The second word depends on the type; the
// accessors name its uses.
//
//   auto& icmp = *reinterpret_cast<IcmpHeader*>(packet.transport_header());
//   if (icmp.type == kIcmpEcho) icmp.type = kIcmpEchoReply;
#pragma once

#include <cstdint>
#include <type_traits>

#include "headroom/net/addresses.hh"
#include "headroom/net/byte_order.hh"

namespace headroom {

// Types.
inline constexpr uint8_t kIcmpEchoReply = 0;
inline constexpr uint8_t kIcmpUnreachable = 3;
inline constexpr uint8_t kIcmpSourceQuench = 4;
inline constexpr uint8_t kIcmpRedirect = 5;
inline constexpr uint8_t kIcmpEcho = 8;
inline constexpr uint8_t kIcmpRouterAdvertisement = 9;
inline constexpr uint8_t kIcmpRouterSolicitation = 10;
inline constexpr uint8_t kIcmpTimeExceeded = 11;
inline constexpr uint8_t kIcmpParameterProblem = 12;
inline constexpr uint8_t kIcmpTimestamp = 13;
inline constexpr uint8_t kIcmpTimestampReply = 14;

// Codes of kIcmpUnreachable.
inline constexpr uint8_t kIcmpNetUnreachable = 0;
inline constexpr uint8_t kIcmpHostUnreachable = 1;
inline constexpr uint8_t kIcmpProtocolUnreachable = 2;
inline constexpr uint8_t kIcmpPortUnreachable = 3;
inline constexpr uint8_t kIcmpFragmentationNeeded = 4;  // next_hop_mtu() is set: RFC 1191
inline constexpr uint8_t kIcmpSourceRouteFailed = 5;
inline constexpr uint8_t kIcmpAdministrativelyProhibited = 13;  // RFC 1812, 5.2.7.1

// Codes of kIcmpRedirect.
inline constexpr uint8_t kIcmpRedirectNet = 0;
inline constexpr uint8_t kIcmpRedirectHost = 1;

// Codes of kIcmpTimeExceeded.
inline constexpr uint8_t kIcmpTtlExceeded = 0;
inline constexpr uint8_t kIcmpReassemblyTimeExceeded = 1;

struct IcmpHeader {
  uint8_t type;
  uint8_t code;
  be16 checksum;
  be16 word[2];  // by type; see the accessors

  // Echo and timestamp.
  constexpr be16& id() { return word[0]; }
  constexpr be16 id() const { return word[0]; }
  constexpr be16& sequence() { return word[1]; }
  constexpr be16 sequence() const { return word[1]; }
  // Unreachable, fragmentation needed: the MTU of the next hop in bytes (RFC 1191, 4).
  constexpr be16& next_hop_mtu() { return word[1]; }
  constexpr be16 next_hop_mtu() const { return word[1]; }
  // Parameter problem: the offset of the octet in question.
  constexpr uint8_t pointer() const { return static_cast<uint8_t>(word[0] >> 8); }
  constexpr void set_pointer(uint8_t offset) { word[0] = static_cast<uint16_t>(offset << 8); }
  // Redirect: the gateway to use.
  constexpr IPAddress gateway() const {
    return IPAddress::from_host_order(uint32_t{word[0]} << 16 | word[1]);
  }
  constexpr void set_gateway(IPAddress address) {
    word[0] = static_cast<uint16_t>(address.host_order() >> 16);
    word[1] = static_cast<uint16_t>(address.host_order());
  }
};

static_assert(sizeof(IcmpHeader) == 8 && alignof(IcmpHeader) == 1);
static_assert(std::is_standard_layout_v<IcmpHeader> && std::is_trivial_v<IcmpHeader>);

}  // namespace headroom
