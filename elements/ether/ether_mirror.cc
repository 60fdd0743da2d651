#include <utility>

#include "headroom/graph/element.hh"
#include "headroom/net/ether.hh"

namespace headroom {

class EtherMirror final : public PacketElement<EtherMirror> {
 public:
  static constexpr ElementSpec spec{
      .name = "EtherMirror",
      .doc = "Swaps source and destination of the Ethernet header at the front of packets.",
      .writes = true,
      .contiguous = sizeof(EtherHeader)};

  Drop too_short{*this, "too-short", "It is shorter than an Ethernet header."};

  Verdict process(Packet& packet) {
    if (packet.length() < sizeof(EtherHeader)) [[unlikely]]
      return too_short;
    EtherHeader& ether = *reinterpret_cast<EtherHeader*>(packet.data());
    std::swap(ether.source, ether.destination);
    return to(0);
  }
};

HEADROOM_ELEMENT(EtherMirror);

}  // namespace headroom
