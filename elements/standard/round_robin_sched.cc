#include "headroom/graph/element.hh"

namespace headroom {

class RoundRobinSched final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "RoundRobinSched",
      .ports = "1-/1",
      .processing = "l/l",
      .doc = "Pulls a packet from each input in turn; inputs that have none are passed over."};

  void pull(uint32_t, PacketBatch& batch, uint32_t limit) override {
    uint32_t empty = 0;  // inputs that had nothing, in a row
    while (batch.size() < limit && empty < ninputs()) {
      PacketBatch one;
      input(next_).pull(one, 1);
      empty = one.empty() ? empty + 1 : 0;
      batch.append(one);
      if (++next_ == ninputs()) next_ = 0;
    }
  }

 private:
  uint32_t next_ = 0;
};

HEADROOM_ELEMENT(RoundRobinSched);

}  // namespace headroom
