#include "headroom/packet/transport.hh"

#include <algorithm>

namespace headroom {

std::optional<uint32_t> ip_header_offset(const Packet& packet) {
  if (!packet.has_network_header()) return std::nullopt;
  const int32_t offset = packet.network_header_offset();
  if (offset < 0 || static_cast<uint32_t>(offset) + sizeof(IpHeader) > packet.length())
    return std::nullopt;
  return static_cast<uint32_t>(offset);
}

std::optional<Transport> find_transport(const Packet& packet) {
  const auto ip_offset = ip_header_offset(packet);
  if (!ip_offset) return std::nullopt;
  Transport transport;
  transport.ip_offset = *ip_offset;
  read_header(packet, *ip_offset, transport.ip);
  const uint32_t header_length = transport.ip.header_length();
  const uint32_t total_length = transport.ip.total_length;
  const uint32_t there = packet.length() - *ip_offset;
  if (transport.ip.version() != 4 || header_length < sizeof(IpHeader) ||
      total_length < header_length || header_length > there)
    return std::nullopt;
  transport.offset = *ip_offset + header_length;
  transport.complete = total_length <= there;
  transport.length = std::min(total_length, there) - header_length;
  return transport;
}

IpHeader* writable_ip_header(Packet& packet, uint32_t behind) {
  const auto offset = ip_header_offset(packet);
  if (!offset) return nullptr;
  uint8_t first = 0;
  packet.copy_out(*offset, &first, 1);
  const uint32_t header_length = (first & 15U) * 4;
  if (header_length < sizeof(IpHeader) || !packet.pullup(*offset + header_length + behind))
    return nullptr;
  return reinterpret_cast<IpHeader*>(packet.data() + *offset);
}

InternetSum sum_of(const Packet& packet, uint32_t offset, uint32_t length) {
  InternetSum sum;
  for (const rte_mbuf* segment = packet.mbuf(); length > 0; segment = segment->next) {
    if (offset >= segment->data_len) {
      offset -= segment->data_len;
      continue;
    }
    const uint32_t here = std::min(length, segment->data_len - offset);
    sum.add(rte_pktmbuf_mtod_offset(segment, const uint8_t*, offset), here);
    length -= here;
    offset = 0;
  }
  return sum;
}

InternetSum transport_sum(const Packet& packet, const Transport& transport, uint32_t length) {
  InternetSum sum = ip_pseudo_header(transport.ip.source, transport.ip.destination,
                                     transport.ip.protocol, static_cast<uint16_t>(length));
  sum.add(sum_of(packet, transport.offset, length));
  return sum;
}

}  // namespace headroom
