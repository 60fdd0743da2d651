#include "headroom/graph/element.hh"
#include "headroom/packet/transport.hh"

namespace headroom {

class StripIPHeader final : public PacketElement<StripIPHeader> {
 public:
  static constexpr ElementSpec spec{
      .name = "StripIPHeader",
      .doc =
          "Takes off the IPv4 header, with its options and what lies before it. UnstripIPHeader "
          "puts the header back."};

  Drop no_header{*this, "no-network-header",
                 "It has no network header, which CheckIPHeader or MarkIPHeader sets, or ends "
                 "within it."};

  Verdict process(Packet& packet) {
    const auto offset = ip_header_offset(packet);
    if (!offset) [[unlikely]]
      return no_header;
    uint8_t first = 0;
    packet.copy_out(*offset, &first, 1);
    const uint32_t end = *offset + (first & 15U) * 4;
    if (end > packet.length()) [[unlikely]]
      return no_header;
    packet.pull(end);
    return to(0);
  }
};

HEADROOM_ELEMENT(StripIPHeader);

}  // namespace headroom
