#include <utility>

#include "headroom/graph/element.hh"
#include "headroom/net/icmp.hh"
#include "headroom/packet/transport.hh"

namespace headroom {

class ICMPPingResponder final : public PacketElement<ICMPPingResponder> {
 public:
  static constexpr ElementSpec spec{
      .name = "ICMPPingResponder",
      .ports = "1/1-2",
      .processing = "a/ah",
      .doc =
          "Turns ICMP echo requests into their replies: swaps the addresses, sets the TTL to 255, "
          "the destination address annotation to where the reply goes and the timestamp to now, "
          "and clears the paint. All else goes to output 1 unchanged, or is dropped when that is "
          "not connected.",
      .writes = true};

  Drop no_header{*this, "no-network-header",
                 "It has no network header, which CheckIPHeader or MarkIPHeader sets, or the IPv4 "
                 "header is malformed."};
  Drop not_echo{*this, "not-echo-request", "It is not a whole ICMP echo request."};
  Drop not_unicast{*this, "not-unicast",
                   "Its source or destination is not the address of one host (RFC 1122, 3.2.2.6)."};

  Verdict process(Packet& packet) {
    const auto transport = find_transport(packet);
    if (!transport) [[unlikely]]
      return divert(1, no_header);
    IcmpHeader icmp;
    if (transport->ip.protocol != kIpProtocolIcmp || transport->is_fragment() ||
        !transport->complete || transport->length < sizeof icmp)
      return divert(1, not_echo);
    read_header(packet, transport->offset, icmp);
    if (icmp.type != kIcmpEcho || icmp.code != 0) return divert(1, not_echo);
    if (!may_answer(transport->ip)) [[unlikely]]
      return divert(1, not_unicast);
    IpHeader* ip = writable_ip_header(packet, sizeof(IcmpHeader));
    if (ip == nullptr) [[unlikely]]
      return divert(1, no_header);
    answer(packet, *ip);
    return to(0);
  }

 private:
  static bool is_unicast(IPAddress address) {
    return !address.is_multicast() && !address.is_broadcast() && !address.is_zero();
  }
  static bool may_answer(const IpHeader& ip) {
    return is_unicast(ip.source) && is_unicast(ip.destination);
  }

  void answer(Packet& packet, IpHeader& ip) {
    std::swap(ip.source, ip.destination);
    ip.ttl = 255;
    set_ip_header_checksum(ip);
    auto& icmp =
        *reinterpret_cast<IcmpHeader*>(reinterpret_cast<uint8_t*>(&ip) + ip.header_length());
    icmp.type = kIcmpEchoReply;
    icmp.checksum = update_checksum(icmp.checksum, be16(kIcmpEcho << 8), be16(kIcmpEchoReply << 8));
    packet.set_dst_ip_anno(ip.destination);
    packet.set_paint_anno(0);
    packet.set_timestamp_anno(now());
  }
};

HEADROOM_ELEMENT(ICMPPingResponder);

}  // namespace headroom
