#include "headroom/graph/element.hh"
#include "headroom/net/ether.hh"
#include "headroom/net/ip_check.hh"
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
  Arg<IpAddressList> bad_sources{
      *this,
      "BADSRC",
      IpAddressList{},
      {.doc = "Source addresses that are bad, with blanks between them."}};
  Arg<IpAddressList> good_destinations{
      *this,
      "GOODDST",
      IpAddressList{},
      {.doc = "Destination addresses for which any source is good, with blanks between them."}};
  Arg<IpInterfaceList> interfaces{
      *this,
      "INTERFACES",
      IpInterfaceList{},
      {.doc = "This router's addresses with prefix lengths, with blanks between them. Adds each "
              "address to GOODDST, and the broadcast address of each network to BADSRC."}};

  Drop too_short{*this, "too-short", "It ends within a header."};
  Drop bad_version{*this, "bad-version", "The version is not 4."};
  Drop bad_header_length{*this, "bad-header-length", "The header length is below 20."};
  Drop bad_length{*this, "bad-length",
                  "The total length is below the header length or beyond the packet's end."};
  Drop bad_checksum{*this, "bad-checksum", "The header checksum is wrong."};
  Drop bad_source{*this, "bad-source", "The source address is one that no packet may have."};

  ReadHandler drops_total{*this, "drops", "Bad packets.",
                          [this] {
                            uint64_t total = 0;
                            for (const Drop* reason : {&too_short, &bad_version, &bad_header_length,
                                                       &bad_length, &bad_checksum, &bad_source})
                              total += reason->dropped();
                            return std::to_string(total);
                          },
                          Merge::sum};

  bool configure(SetupContext&) override {
    sources_.add_bad(*bad_sources);
    sources_.add_good_destinations(*good_destinations);
    sources_.add_interfaces(*interfaces);
    if (old_form.given()) sources_.add_old_form(*old_form);
    return true;
  }

  Verdict process(Packet& packet) {
    if (packet.length() < kEther + sizeof(IpHeader)) [[unlikely]]
      return too_short;
    const uint32_t room = packet.length() - kEther;
    const IpHeader& ip = *reinterpret_cast<const IpHeader*>(packet.data() + kEther);
    const IpFault fault = check_ip_header(ip, room, true);
    if (fault != IpFault::none) [[unlikely]]
      return reason_of(fault);
    if (sources_.is_bad(ip)) [[unlikely]]
      return bad_source;
    packet.set_paint_anno(*color);
    packet.set_mac_header(0);
    packet.set_network_header(kEther, ip.header_length());
    packet.set_dst_ip_anno(ip.destination);
    if (ip.total_length < room) packet.take(room - ip.total_length);
    packet.pull(kEther);
    return to(0);
  }

 private:
  const Drop& reason_of(IpFault fault) const {
    switch (fault) {
      case IpFault::bad_version:
        return bad_version;
      case IpFault::bad_header_length:
        return bad_header_length;
      case IpFault::bad_length:
        return bad_length;
      case IpFault::bad_checksum:
        return bad_checksum;
      default:
        return too_short;
    }
  }

  SourceCheck sources_;
};

HEADROOM_ELEMENT(IPInputCombo);

}  // namespace headroom
