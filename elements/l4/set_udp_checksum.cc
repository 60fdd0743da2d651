#include "headroom/graph/element.hh"
#include "headroom/net/udp.hh"
#include "headroom/packet/transport.hh"

namespace headroom {

class SetUDPChecksum final : public PacketElement<SetUDPChecksum> {
 public:
  static constexpr ElementSpec spec{
      .name = "SetUDPChecksum",
      .doc = "Computes the checksum of UDP in IPv4 packets and writes it.",
      .writes = true};

  Drop no_header{*this, "no-network-header",
                 "It has no network header, which CheckIPHeader or MarkIPHeader sets, or the IPv4 "
                 "header is malformed."};
  Drop fragment{*this, "fragment", "It is a fragment: the checksum covers the whole datagram."};
  Drop bad_length{*this, "bad-length", "It is not a whole UDP datagram."};

  Verdict process(Packet& packet) {
    const auto transport = find_transport(packet);
    if (!transport) [[unlikely]]
      return no_header;
    if (transport->is_fragment()) [[unlikely]]
      return fragment;
    if (transport->length < sizeof(UdpHeader) ||
        !packet.pullup(transport->offset + sizeof(UdpHeader))) [[unlikely]]
      return bad_length;
    UdpHeader& udp = *reinterpret_cast<UdpHeader*>(packet.data() + transport->offset);
    if (udp.length < sizeof udp || udp.length > transport->length) [[unlikely]]
      return bad_length;
    udp.checksum = 0;
    udp.checksum = transport_sum(packet, *transport, udp.length).udp_checksum();
    return to(0);
  }
};

HEADROOM_ELEMENT(SetUDPChecksum);

}  // namespace headroom
