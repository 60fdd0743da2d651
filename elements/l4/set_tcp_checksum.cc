#include "headroom/graph/element.hh"
#include "headroom/net/tcp.hh"
#include "headroom/packet/transport.hh"

namespace headroom {

class SetTCPChecksum final : public PacketElement<SetTCPChecksum> {
 public:
  static constexpr ElementSpec spec{
      .name = "SetTCPChecksum",
      .doc = "Computes the checksum of TCP in IPv4 packets and writes it.",
      .writes = true};

  Arg<bool> fix_offset{
      *this,
      "FIXOFF",
      false,
      {.doc = "Whether a header length that is too small or beyond the packet's end "
              "is corrected before; else such packets are dropped.",
       .positional = true}};

  Drop no_header{*this, "no-network-header",
                 "It has no network header, which CheckIPHeader or MarkIPHeader sets, or the IPv4 "
                 "header is malformed."};
  Drop fragment{*this, "fragment", "It is a fragment: the checksum covers the whole datagram."};
  Drop bad_length{*this, "bad-length", "It is not a whole TCP segment."};

  Verdict process(Packet& packet) {
    const auto transport = find_transport(packet);
    if (!transport) [[unlikely]]
      return no_header;
    if (transport->is_fragment()) [[unlikely]]
      return fragment;
    if (!transport->complete || transport->length < sizeof(TcpHeader) ||
        !packet.pullup(transport->offset + sizeof(TcpHeader))) [[unlikely]]
      return bad_length;
    TcpHeader& tcp = *reinterpret_cast<TcpHeader*>(packet.data() + transport->offset);
    if (tcp.header_length() < sizeof tcp || tcp.header_length() > transport->length) [[unlikely]] {
      if (!*fix_offset) return bad_length;
      tcp.set_header_length(tcp.header_length() < sizeof tcp ? static_cast<unsigned>(sizeof tcp)
                                                             : transport->length & ~3U);
    }
    tcp.checksum = 0;
    tcp.checksum = transport_sum(packet, *transport, transport->length).checksum();
    return to(0);
  }
};

HEADROOM_ELEMENT(SetTCPChecksum);

}  // namespace headroom
