// The header fields that rules are looked up by, gathered into 48 bytes.
//
// A key has the IP header without options, the ports (or ICMP type and code), TCP's flags and
// window, the Ethernet addresses, and a bit for every number of bytes that are there: a rule that
// tests a field asks for its bit too, so that bytes behind the packet's end never match. A set of
// such demands is a Cube.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "headroom/classify/field_test.hh"

namespace headroom::classify {

struct PacketKey {
  static constexpr unsigned kWords = 6;
  // Bytes of the key.
  static constexpr unsigned kIp = 0;               // 20
  static constexpr unsigned kTransport = 20;       // bytes 0 to 3
  static constexpr unsigned kTransportFlags = 24;  // bytes 12 to 15
  static constexpr unsigned kEther = 28;           // destination and source
  static constexpr unsigned kPresent = 40;
  // Bits of the last word: the IP header has at least 1, 2, .. 20 bytes, then likewise the
  // transport header up to 16.
  static constexpr unsigned kIpBits = 20;
  static constexpr unsigned kTransportBits = 16;
  static constexpr uint64_t kTcpOrUdpBit = uint64_t{1} << 36;
  static constexpr uint64_t kEtherBit = uint64_t{1} << 37;

  std::array<uint64_t, kWords> words{};

  PacketKey() = default;
  explicit PacketKey(const HeaderView& view) {
    auto* bytes = reinterpret_cast<uint8_t*>(words.data());
    const uint32_t ip_length = std::min(view.length, kIpBits);
    const uint32_t length = std::min(view.transport_length(), kTransportBits);
    if (ip_length == kIpBits) [[likely]]
      std::memcpy(bytes + kIp, view.ip, kIpBits);
    else
      std::memcpy(bytes + kIp, view.ip, ip_length);
    uint64_t present = (uint64_t{1} << ip_length) - 1;
    present |= ((uint64_t{1} << length) - 1) << kIpBits;
    const uint8_t* transport = view.ip + view.transport;
    if (length == kTransportBits) [[likely]] {
      std::memcpy(bytes + kTransport, transport, 4);
      std::memcpy(bytes + kTransportFlags, transport + 12, 4);
    } else if (length != 0) {
      std::memcpy(bytes + kTransport, transport, std::min(length, 4U));
      if (length > 12) std::memcpy(bytes + kTransportFlags, transport + 12, length - 12);
    }
    // Only with a transport header, so that this bit alone is enough to ask for.
    if (length != 0 && (view.ip[9] == 6 || view.ip[9] == 17)) present |= kTcpOrUdpBit;
    if (view.ether != nullptr) {
      std::memcpy(bytes + kEther, view.ether, 12);
      present |= kEtherBit;
    }
    words[kPresent / 8] = present;
  }
};

// What a key must have: certain bits with certain values.
struct Cube {
  PacketKey mask;
  PacketKey value;

  bool matches(const PacketKey& key) const {
    uint64_t differences = 0;
    for (unsigned i = 0; i < PacketKey::kWords; ++i)
      differences |= (key.words[i] & mask.words[i]) ^ value.words[i];
    return differences == 0;
  }
  // Both demands together; false, with this unchanged, when they contradict each other.
  bool add(const Cube& other) {
    for (unsigned i = 0; i < PacketKey::kWords; ++i)
      if (((value.words[i] ^ other.value.words[i]) & mask.words[i] & other.mask.words[i]) != 0)
        return false;
    for (unsigned i = 0; i < PacketKey::kWords; ++i) {
      mask.words[i] |= other.mask.words[i];
      value.words[i] |= other.value.words[i];
    }
    return true;
  }
  void demand(uint64_t present_bit) {
    mask.words[PacketKey::kPresent / 8] |= present_bit;
    value.words[PacketKey::kPresent / 8] |= present_bit;
  }
  // Bits of a field at these bytes of the key, as a number in network order.
  void demand(unsigned at, unsigned size, uint64_t field_mask, uint64_t field_value) {
    auto* masks = reinterpret_cast<uint8_t*>(mask.words.data());
    auto* values = reinterpret_cast<uint8_t*>(value.words.data());
    for (unsigned i = size; i-- > 0; field_mask >>= 8, field_value >>= 8) {
      masks[at + i] = static_cast<uint8_t>(masks[at + i] | field_mask);
      values[at + i] = static_cast<uint8_t>(values[at + i] | (field_value & field_mask));
    }
  }
};

// Where the key has the field of a test, if it has it.
inline std::optional<unsigned> key_offset(const FieldTest& test) {
  switch (test.base) {
    case Base::ip:
      if (test.end() <= 20) return PacketKey::kIp + test.offset;
      break;
    case Base::transport:
      if (test.end() <= 4) return PacketKey::kTransport + test.offset;
      if (test.offset >= 12 && test.end() <= 16)
        return PacketKey::kTransportFlags + test.offset - 12;
      break;
    case Base::ether:
      return PacketKey::kEther + test.offset;
  }
  return std::nullopt;
}

}  // namespace headroom::classify
