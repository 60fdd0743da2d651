// An IPv4 header in front of a packet.
//
//   const IpHeader pattern = ip_header_pattern(kIpProtocolUdp, source, destination);
//   if (packet.length() > kMaxIpPayload) return too_long;
//   if (!push_ip_header(packet, pattern, id++)) return no_buffer;
#pragma once

#include <cstdint>
#include <cstring>

#include "headroom/net/checksum.hh"
#include "headroom/net/ip.hh"
#include "headroom/packet/packet.hh"

namespace headroom {

inline constexpr uint32_t kMaxIpPayload = 65535 - sizeof(IpHeader);

// A header without options; what differs from packet to packet is zero.
constexpr IpHeader ip_header_pattern(uint8_t protocol, IPAddress source, IPAddress destination,
                                     uint8_t ttl = 250) {
  IpHeader header{};
  header.set_header_length(sizeof(IpHeader));
  header.ttl = ttl;
  header.protocol = protocol;
  header.source = source;
  header.destination = destination;
  return header;
}

// Pushes the pattern with length, id and checksum filled in, and sets the network and transport
// header and the destination address annotation. The packet must be private and of at most
// kMaxIpPayload bytes. False, with nothing done, when there is no buffer.
inline bool push_ip_header(Packet& packet, const IpHeader& pattern, uint16_t id) {
  if (!packet.push(sizeof(IpHeader))) return false;
  IpHeader& ip = *reinterpret_cast<IpHeader*>(packet.data());
  std::memcpy(&ip, &pattern, sizeof ip);
  ip.total_length = static_cast<uint16_t>(packet.length());
  ip.id = id;
  set_ip_header_checksum(ip);
  packet.set_network_header(0, sizeof(IpHeader));
  packet.set_dst_ip_anno(ip.destination);
  return true;
}

}  // namespace headroom
