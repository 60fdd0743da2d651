// The Ethernet header and the 802.1Q tag as views of packet bytes.
//
// Use them to read and write frames in place; lengths must have been checked.
//
//   auto& ether = *reinterpret_cast<EtherHeader*>(packet.data());
//   if (ether.type == kEtherTypeIp) std::swap(ether.source, ether.destination);
#pragma once

#include <cstdint>
#include <type_traits>

#include "headroom/net/addresses.hh"
#include "headroom/net/byte_order.hh"

namespace headroom {

// EtherTypes (IEEE 802 numbers, IANA). Values up to 1500 are lengths of IEEE 802.3 frames.
inline constexpr uint16_t kEtherTypeIp = 0x0800;
inline constexpr uint16_t kEtherTypeArp = 0x0806;
inline constexpr uint16_t kEtherTypeVlan = 0x8100;  // IEEE 802.1Q, customer tag
inline constexpr uint16_t kEtherTypeIp6 = 0x86dd;
inline constexpr uint16_t kEtherTypeMpls = 0x8847;
inline constexpr uint16_t kEtherTypeQinQ = 0x88a8;  // IEEE 802.1ad, service tag

struct EtherHeader {
  EtherAddress destination;
  EtherAddress source;
  be16 type;
};

// What follows an EtherType of kEtherTypeVlan or kEtherTypeQinQ.
struct VlanTag {
  be16 tci;   // priority (3 bits), drop eligible (1), VLAN identifier (12)
  be16 type;  // the EtherType of what follows the tag

  constexpr uint16_t id() const { return tci & 0x0fff; }
  constexpr unsigned priority() const { return tci >> 13; }
  constexpr bool drop_eligible() const { return tci & 0x1000; }
};

// A frame that carries one tag.
struct VlanEtherHeader {
  EtherAddress destination;
  EtherAddress source;
  be16 tag_type;
  VlanTag tag;
};

// Where packets to an IPv4 multicast address go: its last 23 bits behind 01-00-5E (RFC 1112, 6.4).
constexpr EtherAddress ether_multicast(IPAddress group) {
  return EtherAddress::from_uint64(0x01005e000000 | (group.host_order() & 0x7fffff));
}

static_assert(sizeof(EtherHeader) == 14 && alignof(EtherHeader) == 1);
static_assert(sizeof(VlanTag) == 4 && alignof(VlanTag) == 1);
static_assert(sizeof(VlanEtherHeader) == 18 && alignof(VlanEtherHeader) == 1);
static_assert(std::is_standard_layout_v<EtherHeader> && std::is_trivially_copyable_v<EtherHeader>);

}  // namespace headroom
