// The TCP header (RFC 9293) as a view of packet bytes.
//
// Use it where at least 20 bytes are known to be there; options lie behind it, up to
// header_length().
//
//   auto& tcp = *reinterpret_cast<TcpHeader*>(packet.transport_header());
//   if ((tcp.flags & (kTcpSyn | kTcpAck)) == kTcpSyn) open_flow(tcp.source_port);
#pragma once

#include <cstdint>
#include <type_traits>

#include "headroom/net/byte_order.hh"

namespace headroom {

inline constexpr uint8_t kTcpFin = 0x01;
inline constexpr uint8_t kTcpSyn = 0x02;
inline constexpr uint8_t kTcpRst = 0x04;
inline constexpr uint8_t kTcpPsh = 0x08;
inline constexpr uint8_t kTcpAck = 0x10;
inline constexpr uint8_t kTcpUrg = 0x20;
inline constexpr uint8_t kTcpEce = 0x40;  // RFC 3168
inline constexpr uint8_t kTcpCwr = 0x80;  // RFC 3168

struct TcpHeader {
  be16 source_port;
  be16 destination_port;
  be32 sequence;
  be32 acknowledgement;
  uint8_t data_offset;  // header length in 32-bit words (4 bits), reserved (4)
  uint8_t flags;
  be16 window;
  be16 checksum;
  be16 urgent_pointer;

  // In bytes: 0 to 60; below 20 the header is malformed.
  constexpr unsigned header_length() const { return (data_offset >> 4) * 4U; }
  // `bytes`: 20 to 60, a multiple of 4. Clears the reserved bits.
  constexpr void set_header_length(unsigned bytes) {
    data_offset = static_cast<uint8_t>(bytes / 4 << 4);
  }
};

static_assert(sizeof(TcpHeader) == 20 && alignof(TcpHeader) == 1);
static_assert(std::is_standard_layout_v<TcpHeader> && std::is_trivial_v<TcpHeader>);

}  // namespace headroom
