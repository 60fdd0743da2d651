#include "headroom/graph/element.hh"

using namespace headroom;

class OddDrop final : public PacketElement<OddDrop> {
 public:
  static constexpr ElementSpec spec{.name = "OddDrop",
                                    .ports = "1/1",
                                    .doc = "Drops packets whose length is odd and counts them."};
  Drop odd{*this, "odd-length", "The length is odd."};
  Verdict process(Packet& packet) { return packet.length() % 2 ? odd : to(0); }
};
HEADROOM_ELEMENT(OddDrop);
