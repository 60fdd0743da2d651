#include "headroom/graph/element.hh"

namespace headroom {

class Null final : public PacketElement<Null> {
 public:
  static constexpr ElementSpec spec{.name = "Null", .doc = "Passes packets on unchanged."};
  Verdict process(Packet&) { return to(0); }
};

HEADROOM_ELEMENT(Null);

}  // namespace headroom
