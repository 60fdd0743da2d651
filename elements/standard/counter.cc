#include "headroom/graph/element.hh"

namespace headroom {

class Counter final : public BatchElement<Counter> {
 public:
  static constexpr ElementSpec spec{.name = "Counter",
                                    .doc = "Counts packets and bytes that pass through it."};

  Count count{*this, "count", "Packets since the start or the last reset."};
  Count byte_count{*this, "byte_count", "Bytes of those packets."};
  WriteHandler reset{*this, "reset", "Sets the counts to zero.",
                     [this](std::string_view, std::string&) {
                       count.set(0);
                       byte_count.set(0);
                       return true;
                     }};

  void process(PacketBatch& batch) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < batch.size(); ++i) bytes += batch[i].length();
    count.add(batch.size());
    byte_count.add(bytes);
  }

  void take_state(Element& old) override {
    auto& counter = static_cast<Counter&>(old);
    count.set(counter.count.get());
    byte_count.set(counter.byte_count.get());
  }
};

HEADROOM_ELEMENT(Counter);

}  // namespace headroom
