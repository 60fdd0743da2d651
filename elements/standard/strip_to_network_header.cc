#include "headroom/graph/element.hh"
#include "headroom/packet/restore.hh"

namespace headroom {

class StripToNetworkHeader final : public PacketElement<StripToNetworkHeader> {
 public:
  static constexpr ElementSpec spec{
      .name = "StripToNetworkHeader",
      .doc =
          "Takes off what lies before the network header, which CheckIPHeader or MarkIPHeader "
          "sets; puts bytes back when the network header itself was stripped."};

  Drop no_header{*this, "no-network-header",
                 "It has no network header, or too little is left of it."};

  Verdict process(Packet& packet) {
    if (!packet.has_network_header()) [[unlikely]]
      return no_header;
    const int32_t offset = packet.network_header_offset();
    if (offset < 0)
      return restore_front(packet, static_cast<uint32_t>(-offset)) ? to(0) : no_header;
    if (static_cast<uint32_t>(offset) > packet.length()) [[unlikely]]
      return no_header;
    packet.pull(static_cast<uint32_t>(offset));
    return to(0);
  }
};

HEADROOM_ELEMENT(StripToNetworkHeader);

}  // namespace headroom
