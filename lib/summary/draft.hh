// A packet that an IP summary dump describes, while its fields are read; and what comes out when
// they all were.
//
//   Draft draft;
//   find_field("sport")->read("80", draft, error);
//   const Made made = draft.make({.checksum = true});
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headroom/net/ip.hh"

namespace headroom::summary {

struct MakeOptions {
  // Whether the checksums are right, and the packet has all the bytes that its length says.
  bool checksum = false;
  // What the payload that the dump does not tell consists of: zeroes, or the bytes that `noise`
  // makes.
  uint64_t noise = 0;
};

struct Made {
  std::vector<uint8_t> bytes;  // from the IPv4 header on
  uint32_t header_length = 0;  // of the IPv4 header
  uint32_t extra_length = 0;   // what the IPv4 header says, less what is there
};

struct Draft {
  static constexpr uint8_t kTtl = 100;

  // The headers as far as fields say what is in them. Which of the last three counts is known at
  // the end. Lengths are written then.
  std::array<uint8_t, 20> ip{0x45, 0, 0, 0, 0, 0, 0, 0, kTtl};
  std::array<uint8_t, 20> tcp{};
  std::array<uint8_t, 8> udp{};
  std::array<uint8_t, 8> icmp{};
  std::vector<uint8_t> ip_options;
  std::vector<uint8_t> tcp_options;

  std::optional<uint8_t> protocol;  // that the dump says
  uint8_t implied_protocol = 0;     // the one that a field belongs to
  uint8_t default_protocol = kIpProtocolTcp;
  std::optional<uint16_t> total_length;
  std::optional<uint16_t> udp_length;
  unsigned fragment_unit = 1;      // bytes, of the field ip_fragoff: 8 in old dumps
  unsigned header_length = 0;      // at least, of the IPv4 header
  unsigned tcp_header_length = 0;  // at least
  uint8_t icmp_given = 0;          // a bit for each byte of `icmp` that a field says

  std::optional<std::string> payload;
  std::optional<uint32_t> payload_length;
  std::optional<uint32_t> capture_length;

  int64_t timestamp = 0;
  int64_t first_timestamp = 0;
  uint32_t count = 1;
  uint32_t aggregate = 0;
  uint8_t paint = 0;

  uint8_t final_protocol() const {
    if (protocol) return *protocol;
    return implied_protocol != 0 ? implied_protocol : default_protocol;
  }
  Made make(const MakeOptions& options) const;
};

}  // namespace headroom::summary
