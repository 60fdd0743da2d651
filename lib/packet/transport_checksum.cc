#include "headroom/packet/transport_checksum.hh"

namespace headroom {

void update_transport_checksum(Packet& packet, IPAddress before, IPAddress after) {
  const auto transport = find_transport(packet);
  if (!transport || transport->ip.is_later_fragment()) return;
  const auto place = checksum_place(transport->ip.protocol);
  if (!place || transport->length < *place + sizeof(be16)) return;
  const uint32_t at = transport->offset + *place;
  if (!packet.pullup(at + sizeof(be16))) return;
  be16& checksum = *reinterpret_cast<be16*>(packet.data() + at);
  checksum = transport->ip.protocol == kIpProtocolUdp ? update_udp_checksum(checksum, before, after)
                                                      : update_checksum(checksum, before, after);
}

}  // namespace headroom
