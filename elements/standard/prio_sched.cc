#include "headroom/graph/element.hh"

namespace headroom {

class PrioSched final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "PrioSched",
                                    .ports = "1-/1",
                                    .processing = "l/l",
                                    .doc = "Pulls packets from the first input that has any."};

  void pull(uint32_t, PacketBatch& batch, uint32_t limit) override {
    for (uint32_t port = 0; port < ninputs() && batch.size() < limit; ++port) {
      PacketBatch part;
      input(port).pull(part, limit - batch.size());
      batch.append(part);
    }
  }
};

HEADROOM_ELEMENT(PrioSched);

}  // namespace headroom
