#include "headroom/graph/element.hh"
#include "headroom/net/ether.hh"
#include "headroom/net/ip_check.hh"
#include "ip_header_drops.hh"
#include "source_check.hh"

namespace headroom {

class IPInputCombo final : public PacketElement<IPInputCombo> {
 public:
  static constexpr uint32_t kEther = sizeof(EtherHeader);
  static constexpr ElementSpec spec{
      .name = "IPInputCombo",
      .doc =
          "What an IPv4 router does on the way in, in one element: sets the paint (Paint), takes "
          "off the Ethernet header (Strip(14)), checks the IPv4 header (CheckIPHeader) and sets "
          "the destination address annotation (GetIPAddress(16)). Bad packets are dropped.",
      .contiguous = kEther + 60};

  Arg<uint8_t> color{
      *this,
      "COLOR",
      {.doc = "The paint to set.", .positional = true, .mandatory = true, .live = true}};
  Arg<IpAddressList> old_form{
      *this,
      "BADSRC2",
      IpAddressList{},
      {.doc = "Like BADSRC, and 0.0.0.0 and 255.255.255.255 are added (Click's old form).",
       .positional = true}};
  SourceCheck sources{*this};

  IpHeaderDrops bad_header{*this};

  bool configure(SetupContext&) override {
    sources.configure();
    if (old_form.given()) sources.add_old_form(*old_form);
    return true;
  }

  Verdict process(Packet& packet) {
    if (packet.length() < kEther + sizeof(IpHeader)) [[unlikely]]
      return bad_header.too_short;
    const uint32_t room = packet.length() - kEther;
    const IpHeader& ip = *reinterpret_cast<const IpHeader*>(packet.data() + kEther);
    const IpFault fault = check_ip_header(ip, room, true);
    if (fault != IpFault::none) [[unlikely]]
      return bad_header[fault];
    if (sources.is_bad(ip)) [[unlikely]]
      return bad_header.source;
    packet.set_paint_anno(*color);
    packet.set_mac_header(0);
    packet.set_network_header(kEther, ip.header_length());
    packet.set_dst_ip_anno(ip.destination);
    if (ip.total_length < room) packet.take(room - ip.total_length);
    packet.pull(kEther);
    return to(0);
  }
};

HEADROOM_ELEMENT(IPInputCombo);

}  // namespace headroom
