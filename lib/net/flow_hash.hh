// Which flow a frame belongs to, as receive side scaling (RSS) computes it: the Toeplitz hash of
// Microsoft's "RSS Hashing Functions" over addresses and ports.
//
// What a network card does in hardware, for ports that cannot: frames of one flow have one hash.
//
//   const FlowHash hash(FlowHash::kSymmetricKey);
//   const unsigned worker = hash.of_frame(packet.data(), packet.length()) % workers;
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace headroom {

class FlowHash {
 public:
  using Key = std::array<uint8_t, 40>;
  // Both directions of a flow have the same hash (Woo and Park, "Scalable TCP Session Monitoring
  // with Symmetric Receive-side Scaling", 2012).
  static const Key kSymmetricKey;
  // The one that Microsoft's test vectors are made with, and most drivers' default.
  static const Key kMicrosoftKey;

  explicit FlowHash(const Key& key);

  // Of the input as it lies in the headers, at most 36 bytes.
  uint32_t of_bytes(std::span<const uint8_t> bytes) const {
    uint32_t hash = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      hash ^= table_[2 * i][bytes[i] >> 4] ^ table_[2 * i + 1][bytes[i] & 15];
    return hash;
  }
  // Of an Ethernet frame of which `length` bytes can be read, with VLAN tags or without: by source
  // and destination address, and by the ports of TCP and UDP if it is no fragment (whose later
  // parts have none). 0 of other than IPv4 and IPv6.
  uint32_t of_frame(const uint8_t* frame, uint32_t length) const;

 private:
  static constexpr std::size_t kLongestInput = 36;  // IPv6 addresses and ports

  // By place and value of a half byte.
  std::array<std::array<uint32_t, 16>, 2 * kLongestInput> table_;
};

}  // namespace headroom
