// IPv4 datagrams of TCP, UDP and ICMP with correct checksums, which are computed here byte by byte,
// and what tests of the elements that handle them share.
#pragma once

#include "drills.hh"
#include "headroom/net/icmp.hh"
#include "headroom/net/ip.hh"
#include "headroom/net/tcp.hh"
#include "headroom/net/udp.hh"

namespace headroom::test {

struct Datagram {
  IPAddress source{10, 0, 0, 1};
  IPAddress destination{10, 0, 0, 2};
  std::size_t options = 0;  // bytes of options
  uint8_t ttl = 64;
};

// The header and `payload`. Options are "no operation".
inline Bytes ip_datagram(uint8_t protocol, const Bytes& payload, const Datagram& datagram = {}) {
  Bytes bytes(20 + datagram.options, kIpOptionNop);
  auto& ip = *reinterpret_cast<IpHeader*>(bytes.data());
  ip = IpHeader{};
  ip.set_header_length(static_cast<unsigned>(bytes.size()));
  ip.total_length = static_cast<uint16_t>(bytes.size() + payload.size());
  ip.id = 77;
  ip.ttl = datagram.ttl;
  ip.protocol = protocol;
  ip.source = datagram.source;
  ip.destination = datagram.destination;
  fix_ip_checksum(bytes);
  return concat({bytes, payload});
}

// Writes the checksum at `place` of a transport header that ends the datagram.
inline void fix_transport_checksum(Bytes& bytes, std::size_t place) {
  const std::size_t header = (bytes[0] & 15U) * 4;
  bytes[header + place] = bytes[header + place + 1] = 0;
  const std::size_t length = bytes.size() - header;
  const Bytes transport = without_first(bytes, header);
  const Bytes addresses(bytes.begin() + 12, bytes.begin() + 20);
  uint16_t sum = slow_checksum(
      concat({addresses,
              {0, bytes[9], static_cast<uint8_t>(length >> 8), static_cast<uint8_t>(length)},
              transport}));
  if (bytes[9] == kIpProtocolIcmp) sum = slow_checksum(transport);
  if (bytes[9] == kIpProtocolUdp && sum == 0) sum = 0xffff;
  bytes[header + place] = static_cast<uint8_t>(sum >> 8);
  bytes[header + place + 1] = static_cast<uint8_t>(sum);
}

inline Bytes udp_datagram(std::size_t payload, const Datagram& datagram = {}) {
  Bytes udp(8);
  auto& header = *reinterpret_cast<UdpHeader*>(udp.data());
  header = {1000, 2000, static_cast<uint16_t>(8 + payload), 0};
  Bytes bytes = ip_datagram(kIpProtocolUdp, concat({udp, numbered(payload, 200)}), datagram);
  fix_transport_checksum(bytes, 6);
  return bytes;
}

inline Bytes tcp_datagram(std::size_t payload, const Datagram& datagram = {}) {
  Bytes tcp(20);
  auto& header = *reinterpret_cast<TcpHeader*>(tcp.data());
  header = {};
  header.source_port = 1000;
  header.destination_port = 80;
  header.sequence = 12345;
  header.set_header_length(20);
  header.flags = kTcpSyn;
  header.window = 8192;
  Bytes bytes = ip_datagram(kIpProtocolTcp, concat({tcp, numbered(payload, 200)}), datagram);
  fix_transport_checksum(bytes, 16);
  return bytes;
}

inline Bytes icmp_datagram(uint8_t type, const Bytes& payload, const Datagram& datagram = {}) {
  Bytes bytes =
      ip_datagram(kIpProtocolIcmp, concat({{type, 0, 0, 0, 0x12, 0x34, 0, 9}, payload}), datagram);
  fix_transport_checksum(bytes, 2);
  return bytes;
}

// Packets as long as `good` are prepared as the drill says, and others not at all.
inline Drill with_header_when(Drill drill, const Bytes& good) {
  drill.prepare = [prepare = drill.prepare, size = good.size()](Packet& packet) {
    if (packet.length() == size) prepare(packet);
  };
  return drill;
}

}  // namespace headroom::test
