#include <cstdio>

#include "headroom/graph/element.hh"

namespace headroom {

class AverageCounter final : public BatchElement<AverageCounter> {
 public:
  static constexpr ElementSpec spec{
      .name = "AverageCounter",
      .doc =
          "Counts packets and bytes that pass through it, and their average rates from the first "
          "packet to the latest."};

  Arg<click::Duration> ignore{
      *this,
      "IGNORE",
      click::Duration{},
      {.doc = "How long after the first packet nothing is counted yet.", .positional = true}};

  Count count{*this, "count", "Packets since the start or the last reset."};
  Count byte_count{*this, "byte_count", "Bytes of those packets."};
  ReadHandler rate{*this, "rate", "Packets a second.",
                   [this] { return per_second(static_cast<double>(count.get())); }, Merge::sum};
  ReadHandler byte_rate{*this, "byte_rate", "Bytes a second.",
                        [this] { return per_second(static_cast<double>(byte_count.get())); },
                        Merge::sum};
  ReadHandler bit_rate{*this, "bit_rate", "Bits a second.",
                       [this] { return per_second(8 * static_cast<double>(byte_count.get())); },
                       Merge::sum};
  ReadHandler link_rate{
      *this, "link_rate",
      "Bits a second on an Ethernet link, with the 24 bytes of preamble, checksum "
      "and gap around each frame.",
      [this] {
        return per_second(
            8 * (static_cast<double>(byte_count.get()) + 24 * static_cast<double>(count.get())));
      },
      Merge::sum};
  WriteHandler reset{*this, "reset", "Sets counts and rates to zero.",
                     [this](std::string_view, std::string&) {
                       count.set(0);
                       byte_count.set(0);
                       started_ = false;
                       first_ = last_ = 0;
                       return true;
                     }};

  void process(PacketBatch& batch) {
    last_ = now();
    if (!started_) {
      started_ = true;
      first_ = last_;
    }
    if (last_ - first_ < ignore->nanoseconds) return;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < batch.size(); ++i) bytes += batch[i].length();
    count.add(batch.size());
    byte_count.add(bytes);
  }

  void take_state(Element& old) override {
    auto& counter = static_cast<AverageCounter&>(old);
    count.set(counter.count.get());
    byte_count.set(counter.byte_count.get());
    started_ = counter.started_;
    first_ = counter.first_;
    last_ = counter.last_;
  }

 private:
  std::string per_second(double amount) const {
    const int64_t time = last_ - first_ - ignore->nanoseconds;
    if (time <= 0) return "0";
    char text[32];
    std::snprintf(text, sizeof text, "%.12g", amount * 1e9 / static_cast<double>(time));
    return text;
  }

  bool started_ = false;
  int64_t first_ = 0;
  int64_t last_ = 0;
};

HEADROOM_ELEMENT(AverageCounter);

}  // namespace headroom
