#include "headroom/graph/element.hh"
#include "headroom/packet/restore.hh"

namespace headroom {

class UnstripIPHeader final : public PacketElement<UnstripIPHeader> {
 public:
  static constexpr ElementSpec spec{
      .name = "UnstripIPHeader",
      .doc =
          "Puts the IPv4 header back that StripIPHeader took off. Packets that have theirs pass "
          "unchanged."};

  Drop no_header{*this, "no-network-header",
                 "It has no network header annotation, or the header's bytes are gone."};

  Verdict process(Packet& packet) {
    if (!packet.has_network_header()) [[unlikely]]
      return no_header;
    const int32_t offset = packet.network_header_offset();
    if (offset >= 0) return to(0);
    return restore_front(packet, static_cast<uint32_t>(-offset)) ? to(0) : no_header;
  }
};

HEADROOM_ELEMENT(UnstripIPHeader);

}  // namespace headroom
