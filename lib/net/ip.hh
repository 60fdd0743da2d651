// The IPv4 header (RFC 791) as a view of packet bytes, and IP protocol numbers.
//
// Use it where at least 20 bytes are known to be there; options lie behind it, up to
// header_length(). Checksums are in checksum.hh.
//
//   auto& ip = *reinterpret_cast<IpHeader*>(packet.network_header());
//   if (ip.version() == 4 && !ip.is_later_fragment() && ip.protocol == kIpProtocolUdp) ...
#pragma once

#include <cstdint>
#include <type_traits>

#include "headroom/net/addresses.hh"
#include "headroom/net/byte_order.hh"

namespace headroom {

// Protocol numbers (IANA), also the next header values of IPv6.
inline constexpr uint8_t kIpProtocolHopByHop = 0;
inline constexpr uint8_t kIpProtocolIcmp = 1;
inline constexpr uint8_t kIpProtocolIgmp = 2;
inline constexpr uint8_t kIpProtocolIpIp = 4;
inline constexpr uint8_t kIpProtocolTcp = 6;
inline constexpr uint8_t kIpProtocolUdp = 17;
inline constexpr uint8_t kIpProtocolDccp = 33;
inline constexpr uint8_t kIpProtocolIp6 = 41;
inline constexpr uint8_t kIpProtocolIp6Routing = 43;
inline constexpr uint8_t kIpProtocolIp6Fragment = 44;
inline constexpr uint8_t kIpProtocolGre = 47;
inline constexpr uint8_t kIpProtocolEsp = 50;
inline constexpr uint8_t kIpProtocolAh = 51;
inline constexpr uint8_t kIpProtocolIcmp6 = 58;
inline constexpr uint8_t kIpProtocolIp6NoNext = 59;
inline constexpr uint8_t kIpProtocolIp6Options = 60;
inline constexpr uint8_t kIpProtocolSctp = 132;

// Flags and the mask of the offset in IpHeader::fragment.
inline constexpr uint16_t kIpReservedFlag = 0x8000;
inline constexpr uint16_t kIpDontFragment = 0x4000;
inline constexpr uint16_t kIpMoreFragments = 0x2000;
inline constexpr uint16_t kIpFragmentOffsetMask = 0x1fff;

// Option types (RFC 791, 3.1; router alert: RFC 2113).
inline constexpr uint8_t kIpOptionEnd = 0;
inline constexpr uint8_t kIpOptionNop = 1;
inline constexpr uint8_t kIpOptionRecordRoute = 7;
inline constexpr uint8_t kIpOptionTimestamp = 68;
inline constexpr uint8_t kIpOptionLooseSourceRoute = 131;
inline constexpr uint8_t kIpOptionStrictSourceRoute = 137;
inline constexpr uint8_t kIpOptionRouterAlert = 148;

struct IpHeader {
  uint8_t version_and_length;  // version (4 bits), header length in 32-bit words (4)
  uint8_t tos;                 // DSCP (6 bits), ECN (2)
  be16 total_length;           // bytes, header included
  be16 id;
  be16 fragment;  // flags (3 bits), offset in units of 8 bytes (13)
  uint8_t ttl;
  uint8_t protocol;
  be16 checksum;
  IPAddress source;
  IPAddress destination;

  constexpr unsigned version() const { return version_and_length >> 4; }
  // In bytes: 0 to 60; below 20 the header is malformed.
  constexpr unsigned header_length() const { return (version_and_length & 15U) * 4; }
  // Sets version 4 and a header length of `bytes`: 20 to 60, a multiple of 4.
  constexpr void set_header_length(unsigned bytes) {
    version_and_length = static_cast<uint8_t>(0x40 | bytes / 4);
  }

  constexpr unsigned dscp() const { return tos >> 2; }
  constexpr unsigned ecn() const { return tos & 3U; }

  constexpr bool dont_fragment() const { return fragment & kIpDontFragment; }
  constexpr bool more_fragments() const { return fragment & kIpMoreFragments; }
  // In bytes.
  constexpr unsigned fragment_offset() const { return (fragment & kIpFragmentOffsetMask) * 8U; }
  // A part of a datagram: the first, one in the middle, or the last.
  constexpr bool is_fragment() const {
    return fragment & (kIpMoreFragments | kIpFragmentOffsetMask);
  }
  // A fragment without the transport header.
  constexpr bool is_later_fragment() const { return fragment & kIpFragmentOffsetMask; }
};

static_assert(sizeof(IpHeader) == 20 && alignof(IpHeader) == 1);
static_assert(std::is_standard_layout_v<IpHeader> && std::is_trivially_copyable_v<IpHeader>);

}  // namespace headroom
