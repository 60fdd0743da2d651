// What IP summary dumps say of a packet: its bytes as far as there are any, and its annotations.
//
// The bytes may end anywhere and say anything; every accessor compares before it reads.
//
//   PacketView view{.network = bytes, .length = 60};
//   if (const uint8_t* ttl = view.ip(8, 1)) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace headroom::summary {

struct PacketView {
  std::span<const uint8_t> link;     // the Ethernet header, if there is one
  std::span<const uint8_t> network;  // from the IPv4 header to the packet's end; may be empty
  uint32_t length = 0;               // of the packet, with what lies before the IPv4 header
  uint32_t extra_length = 0;         // bytes that the packet had beside those that are here
  int64_t timestamp = 0;             // nanoseconds
  int64_t first_timestamp = 0;
  uint32_t extra_packets = 0;
  uint32_t aggregate = 0;
  uint8_t paint = 0;

  // There is an IPv4 header, or the beginning of one.
  bool has_ip() const;
  unsigned header_length() const { return (network[0] & 15U) * 4; }
  // The IPv4 total length; nothing when it is not there.
  std::optional<uint32_t> total_length() const;
  // The bytes of the datagram that are here: those that follow it (padding) are not its own.
  std::span<const uint8_t> datagram() const;
  // The datagram's bytes here and elsewhere.
  uint32_t datagram_length() const;
  bool is_later_fragment() const;
  // Nothing when it is not there.
  std::optional<uint8_t> protocol() const;

  // `size` bytes at an offset of the IPv4 header with its options; null when they are not there.
  const uint8_t* ip(std::size_t offset, std::size_t size) const;
  // The same of the header of a transport protocol; null when the packet's is another, too.
  const uint8_t* transport(uint8_t wanted, std::size_t offset, std::size_t size) const;
  // How much of the datagram the IPv4, TCP and UDP headers are. Nothing when the header that says
  // so is not there.
  std::optional<uint32_t> payload_offset() const;

  // What is wrong with the headers, for people; empty when nothing is.
  const char* fault() const;
};

}  // namespace headroom::summary
