// ARP for IPv4 over Ethernet (RFC 826) as a view of packet bytes.
//
// Use it on the bytes behind an Ethernet header of type kEtherTypeArp, 28 of them.
//
//   if (find_arp_fault(packet.data(), packet.length()) != ArpFault::none) return malformed;
//   auto& arp = reinterpret_cast<ArpFrame*>(packet.data())->arp;
//   if (arp.operation == kArpRequest) answer(arp.sender_ip, arp.target_ip);
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

// The whole frame, without a VLAN tag.
struct ArpFrame {
  EtherHeader ether;
  ArpHeader arp;
};

// What is wrong with a frame.
enum class ArpFault : uint8_t {
  none,
  too_short,     // than ArpFrame
  not_arp,       // by its EtherType
  hardware,      // not Ethernet, or not of addresses of six bytes
  protocol,      // not IPv4, or not of addresses of four bytes
  operation,     // neither request nor reply
  sender_ether,  // zero, or the address of a group
  sender_ip      // nobody's own: broadcast, multicast, loopback; zero in a reply
};

// Checks the frame, of which at least the first sizeof(ArpFrame) bytes, if it has so many, can be
// read at `bytes`. A request may come from 0.0.0.0: it is a probe (RFC 5227, 1.1).
ArpFault find_arp_fault(const uint8_t* bytes, uint32_t length);

// A request for `target`, to everybody.
void make_arp_request(ArpFrame& frame, const EtherAddress& sender_ether, IPAddress sender_ip,
                      IPAddress target_ip);
// Turns a request into the reply that its target has the address `ether`.
void make_arp_reply(ArpFrame& frame, const EtherAddress& ether);

static_assert(sizeof(ArpHeader) == 28 && alignof(ArpHeader) == 1);
static_assert(sizeof(ArpFrame) == 42 && alignof(ArpFrame) == 1);
static_assert(std::is_standard_layout_v<ArpHeader> && std::is_trivially_copyable_v<ArpHeader>);

}  // namespace headroom
