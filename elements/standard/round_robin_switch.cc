#include "headroom/graph/element.hh"

namespace headroom {

class RoundRobinSwitch final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "RoundRobinSwitch",
                                    .ports = "1/1-",
                                    .processing = "h/h",
                                    .doc = "Sends packets to its outputs in turn."};

  void push(uint32_t, PacketBatch& batch) override {
    Split parts;
    for (uint32_t i = 0; i < batch.size(); ++i) {
      parts.add(batch[i], Verdict::to(next_));
      if (++next_ == noutputs()) next_ = 0;
    }
    batch.release();
    uint32_t likely = 0;
    dispatch(batch, parts, likely);
  }

 private:
  uint32_t next_ = 0;
};

HEADROOM_ELEMENT(RoundRobinSwitch);

}  // namespace headroom
