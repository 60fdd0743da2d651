#include "headroom/graph/fusion.hh"
#include "headroom/packet/transport.hh"

namespace headroom {

class FixIPSrc final : public PacketElement<FixIPSrc> {
 public:
  static constexpr ElementSpec spec{
      .name = "FixIPSrc",
      .doc =
          "Sets the IPv4 source address of packets whose fix-source annotation is set, as "
          "ICMPError sets it, and clears that annotation. The header checksum is computed anew.",
      .writes = true};

  Arg<IPAddress> address{*this,
                         "IPADDR",
                         {.doc = "The address: that of the interface by which packets leave.",
                          .positional = true,
                          .mandatory = true}};

  Drop no_header{*this, "no-network-header",
                 "It has no network header, which CheckIPHeader or MarkIPHeader sets."};

  [[gnu::always_inline]] bool passes(FastPacket& p) const {
    return p.packet.anno_u8(anno::kFixIpSrc.offset) == 0;
  }
  [[gnu::always_inline]] void apply(FastPacket&) {}

  Verdict process(Packet& packet) {
    if (packet.anno_u8(anno::kFixIpSrc.offset) == 0) return to(0);
    IpHeader* ip = writable_ip_header(packet);
    if (ip == nullptr) [[unlikely]]
      return no_header;
    packet.set_anno_u8(anno::kFixIpSrc.offset, 0);
    ip->source = *address;
    set_ip_header_checksum(*ip);
    return to(0);
  }
};

HEADROOM_ELEMENT(FixIPSrc);

}  // namespace headroom
