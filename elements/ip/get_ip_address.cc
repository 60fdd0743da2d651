#include "headroom/graph/element.hh"
#include "headroom/packet/transport.hh"
#include "ip_address_place.hh"

namespace headroom {

class GetIPAddress final : public PacketElement<GetIPAddress> {
 public:
  static constexpr ElementSpec spec{
      .name = "GetIPAddress",
      .doc = "Sets packets' destination address annotation to four of their bytes."};

  Arg<IpAddressPlace> offset{
      *this,
      "OFFSET",
      IpAddressPlace{},
      {.doc = "Where the address is. 16 is the destination of an IPv4 header "
              "at the packet's start.",
       .unit = "bytes",
       .positional = true}};
  Arg<click::Annotation<4>> annotation{
      *this,
      "ANNO",
      click::Annotation<4>{anno::kDstIp.offset},
      {.doc = "The annotation to set: any of four bytes.", .positional = true}};
  Arg<IpAddressPlace> field{*this,
                            "IP",
                            IpAddressPlace{},
                            {.doc = "src or dst: that address of the IPv4 header that the network "
                                    "header annotation points to. Instead of OFFSET."}};

  Drop too_short{*this, "too-short", "It ends before the address does."};
  Drop no_header{*this, "no-network-header",
                 "It has no network header, which CheckIPHeader or MarkIPHeader sets."};

  bool configure(SetupContext& context) override {
    if (offset.given() == field.given()) return context.error("needs either OFFSET or IP");
    place_ = offset.given() ? *offset : *field;
    return !field.given() || place_.kind != IpAddressPlace::Kind::offset ||
           context.error("IP: should be src or dst");
  }

  Verdict process(Packet& packet) {
    uint32_t at = place_.offset;
    if (place_.kind != IpAddressPlace::Kind::offset) {
      const auto header = ip_header_offset(packet);
      if (!header) [[unlikely]]
        return no_header;
      at += *header;
    }
    IPAddress address;
    if (!packet.copy_out(at, &address, sizeof address)) [[unlikely]]
      return too_short;
    packet.set_anno_at(annotation->offset, address);
    return to(0);
  }

 private:
  IpAddressPlace place_;
};

HEADROOM_ELEMENT(GetIPAddress);

}  // namespace headroom
