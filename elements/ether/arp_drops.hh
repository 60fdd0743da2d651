// The drops that elements which read ARP have in common: one for each ArpFault.
//
//   ArpDrops malformed{*this};
//   if (fault != ArpFault::none) return malformed[fault];
#pragma once

#include <cstddef>

#include "headroom/graph/element.hh"
#include "headroom/net/arp.hh"

namespace headroom {

class ArpDrops {
 public:
  explicit ArpDrops(Element& owner)
      : drops_{
            {owner, "too-short", "It is shorter than an Ethernet header and an ARP packet."},
            {owner, "not-arp", "Its EtherType is not that of ARP."},
            {owner, "arp-hardware", "Its hardware addresses are not those of Ethernet."},
            {owner, "arp-protocol", "Its protocol addresses are not those of IPv4."},
            {owner, "arp-operation", "It is neither a request nor a reply."},
            {owner, "sender-ether", "The sender's Ethernet address is zero or a group's."},
            {owner, "sender-ip",
             "The sender's IP address is broadcast, multicast or loopback, or zero in a reply."}} {}

  // Of a fault that is one.
  Drop& operator[](ArpFault fault) { return drops_[static_cast<std::size_t>(fault) - 1]; }

 private:
  Drop drops_[static_cast<std::size_t>(ArpFault::sender_ip)];
};

}  // namespace headroom
