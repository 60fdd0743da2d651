// The transport header of an IPv4 packet: where it is, how long it and its payload are, and its
// checksum, over as many segments as there are.
//
// For elements that check or write TCP, UDP and ICMP headers. Everything is compared with the
// packet's length first, and only the network header annotation is believed.
//
//   const auto transport = find_transport(packet);
//   if (!transport || transport->length < sizeof(UdpHeader)) return bad_length;
//   if (!transport_sum(packet, *transport).is_valid()) return bad_checksum;
#pragma once

#include <cstdint>
#include <optional>

#include "headroom/net/checksum.hh"
#include "headroom/net/ip.hh"
#include "headroom/packet/packet.hh"

namespace headroom {

struct Transport {
  IpHeader ip{};           // a copy, without options
  uint32_t ip_offset = 0;  // of the IPv4 header from data()
  uint32_t offset = 0;     // of the transport header from data()
  uint32_t length = 0;     // of the transport header and its payload
  bool complete = true;    // all of them are there; else length is what there is

  bool is_fragment() const { return ip.is_fragment(); }
};

// Where the IPv4 header of packets with a network header annotation is, as bytes from data().
// Nothing when there is no annotation, or no 20 bytes at its place.
std::optional<uint32_t> ip_header_offset(const Packet& packet);

// Nothing when there is no IPv4 header, or it is malformed: its version, its header length, a total
// length that is shorter than the header, options beyond the packet's end.
std::optional<Transport> find_transport(const Packet& packet);

// The IPv4 header to be written to, with its options and `behind` bytes behind it in one piece. The
// packet must be private. Null when there is no such header, or less than that in the packet.
IpHeader* writable_ip_header(Packet& packet, uint32_t behind = 0);

// The sum of bytes [offset, offset + length), which must be there.
InternetSum sum_of(const Packet& packet, uint32_t offset, uint32_t length);

// The sum of the pseudo-header and the first `length` bytes of the transport header and payload:
// valid if they contain the right checksum.
InternetSum transport_sum(const Packet& packet, const Transport& transport, uint32_t length);

// Reads a header at `offset`; false when the packet ends before its end.
template <class Header>
bool read_header(const Packet& packet, uint32_t offset, Header& header) {
  return packet.copy_out(offset, &header, sizeof header);
}

}  // namespace headroom
