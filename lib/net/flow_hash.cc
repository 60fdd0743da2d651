#include "headroom/net/flow_hash.hh"

#include <cstring>

#include "headroom/net/ether.hh"
#include "headroom/net/ip.hh"
#include "headroom/net/ip6.hh"

namespace headroom {
namespace {

constexpr FlowHash::Key repeated(uint8_t first, uint8_t second) {
  FlowHash::Key key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = i % 2 == 0 ? first : second;
  return key;
}

bool has_ports(uint8_t protocol) {
  return protocol == kIpProtocolTcp || protocol == kIpProtocolUdp;
}

}  // namespace

const FlowHash::Key FlowHash::kSymmetricKey = repeated(0x6d, 0x5a);
const FlowHash::Key FlowHash::kMicrosoftKey{
    0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
    0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
    0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa};

FlowHash::FlowHash(const Key& key) {
  // The 32 bits of the key from `bit` on.
  const auto window = [&](std::size_t bit) {
    uint64_t bits = 0;
    for (std::size_t i = 0; i < 5; ++i)
      bits = bits << 8 | (bit / 8 + i < key.size() ? key[bit / 8 + i] : 0);
    return static_cast<uint32_t>(bits >> (8 - bit % 8));
  };
  for (std::size_t nibble = 0; nibble < table_.size(); ++nibble)
    for (uint32_t value = 0; value < 16; ++value) {
      uint32_t hash = 0;
      for (std::size_t bit = 0; bit < 4; ++bit)
        if (value >> (3 - bit) & 1) hash ^= window(4 * nibble + bit);
      table_[nibble][value] = hash;
    }
}

uint32_t FlowHash::of_frame(const uint8_t* frame, uint32_t length) const {
  uint32_t offset = sizeof(EtherHeader);
  if (length < offset) return 0;
  uint16_t type = reinterpret_cast<const EtherHeader*>(frame)->type;
  while ((type == kEtherTypeVlan || type == kEtherTypeQinQ) && length >= offset + sizeof(VlanTag)) {
    type = reinterpret_cast<const VlanTag*>(frame + offset)->type;
    offset += sizeof(VlanTag);
  }
  uint8_t input[kLongestInput];
  std::size_t addresses = 0;
  uint32_t ports = 0;  // where they are, or 0
  if (type == kEtherTypeIp && length >= offset + sizeof(IpHeader)) {
    const auto& ip = *reinterpret_cast<const IpHeader*>(frame + offset);
    addresses = 8;
    std::memcpy(input, &ip.source, addresses);
    if (has_ports(ip.protocol) && !ip.is_fragment()) ports = offset + ip.header_length();
  } else if (type == kEtherTypeIp6 && length >= offset + sizeof(Ip6Header)) {
    const auto& ip = *reinterpret_cast<const Ip6Header*>(frame + offset);
    addresses = 32;
    std::memcpy(input, &ip.source, addresses);
    if (has_ports(ip.next_header)) ports = offset + sizeof ip;
  }
  std::size_t size = addresses;
  if (ports != 0 && length >= ports + 4) {
    std::memcpy(input + size, frame + ports, 4);
    size += 4;
  }
  return of_bytes({input, size});
}

}  // namespace headroom
