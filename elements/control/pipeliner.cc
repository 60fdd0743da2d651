#include "headroom/graph/element.hh"

namespace headroom {

class Pipeliner final : public PacketElement<Pipeliner> {
 public:
  static constexpr ElementSpec spec{
      .name = "Pipeliner",
      .processing = "h/h",
      .doc =
          "Hands packets over to one worker, which does what follows: the first one, or that "
          "which StaticThreadSched says.",
      .once = true};

  Verdict process(Packet&) { return to(0); }
};

HEADROOM_ELEMENT(Pipeliner);

}  // namespace headroom
