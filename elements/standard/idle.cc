#include "headroom/graph/element.hh"

namespace headroom {

class Idle final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "Idle",
      .ports = "-/-",
      .flow = "x/y",
      .doc =
          "Discards packets that are pushed to it, and never has any. For ports that must be "
          "connected to something."};

  void push(uint32_t, PacketBatch& batch) override {
    count_absorbed(batch.size());
    batch.kill();
  }
};

HEADROOM_ELEMENT(Idle);

}  // namespace headroom
