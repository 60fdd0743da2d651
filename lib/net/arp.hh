// ARP for IPv4 over Ethernet (RFC 826) as a view of packet bytes.
//
// Use it on the bytes behind an Ethernet header of type kEtherTypeArp, 28 of them.
//
//   auto& arp = *reinterpret_cast<ArpHeader*>(packet.data() + sizeof(EtherHeader));
//   if (arp.is_ether_ip() && arp.operation == kArpRequest) answer(arp.sender_ip, arp.target_ip);
#pragma once

#include <cstdint>
#include <type_traits>

#include "headroom/net/addresses.hh"
#include "headroom/net/byte_order.hh"
#include "headroom/net/ether.hh"

namespace headroom {

inline constexpr uint16_t kArpHardwareEther = 1;
inline constexpr uint16_t kArpRequest = 1;
inline constexpr uint16_t kArpReply = 2;

struct ArpHeader {
  be16 hardware_type;
  be16 protocol_type;
  uint8_t hardware_length;
  uint8_t protocol_length;
  be16 operation;
  EtherAddress sender_ether;
  IPAddress sender_ip;
  EtherAddress target_ether;
  IPAddress target_ip;

  // The four fields in front say Ethernet and IPv4, so that the addresses are where they are here.
  constexpr bool is_ether_ip() const {
    return hardware_type == kArpHardwareEther && protocol_type == kEtherTypeIp &&
           hardware_length == 6 && protocol_length == 4;
  }
  // Writes these four fields.
  constexpr void set_ether_ip() {
    hardware_type = kArpHardwareEther;
    protocol_type = kEtherTypeIp;
    hardware_length = 6;
    protocol_length = 4;
  }
};

static_assert(sizeof(ArpHeader) == 28 && alignof(ArpHeader) == 1);
static_assert(std::is_standard_layout_v<ArpHeader> && std::is_trivially_copyable_v<ArpHeader>);

}  // namespace headroom
