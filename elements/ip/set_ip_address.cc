#include "headroom/graph/element.hh"

namespace headroom {

class SetIPAddress final : public PacketElement<SetIPAddress> {
 public:
  static constexpr ElementSpec spec{
      .name = "SetIPAddress",
      .doc =
          "Sets packets' destination address annotation to an address: that of a gateway, for "
          "instance."};

  Arg<IPAddress> address{*this,
                         "IPADDR",
                         {.doc = "The address.",
                          .positional = true,
                          .mandatory = true,
                          .live = true,
                          .handler = "addr"}};
  Arg<click::Annotation<4>> annotation{
      *this,
      "ANNO",
      click::Annotation<4>{anno::kDstIp.offset},
      {.doc = "The annotation to set: any of four bytes.", .positional = true}};

  Verdict process(Packet& packet) {
    packet.set_anno_at(annotation->offset, *address);
    return to(0);
  }
};

HEADROOM_ELEMENT(SetIPAddress);

}  // namespace headroom
