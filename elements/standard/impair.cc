#include <algorithm>
#include <deque>

#include "headroom/base/random.hh"
#include "headroom/graph/element.hh"

namespace headroom {

class Impair final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "Impair",
      .processing = "h/h",
      .doc =
          "A bad network for tests: loses, corrupts, duplicates, delays and reorders packets, each "
          "with a probability of its own. With the same SEED and the same packets every run is the "
          "same.",
      .once = true};

  Arg<double> loss{
      *this, "LOSS", 0.0, {.doc = "How likely a packet is lost: 0 to 1.", .live = true}};
  Arg<double> corrupt{*this,
                      "CORRUPT",
                      0.0,
                      {.doc = "How likely one bit of a packet is flipped: 0 to 1.", .live = true}};
  Arg<double> duplicate{
      *this, "DUPLICATE", 0.0, {.doc = "How likely a packet is sent twice: 0 to 1.", .live = true}};
  Arg<double> delay{*this,
                    "DELAY",
                    0.0,
                    {.doc = "How likely a packet is held back for TIME: 0 to 1.", .live = true}};
  Arg<double> reorder{*this,
                      "REORDER",
                      0.0,
                      {.doc = "How likely a packet is held back until the next one that is not has "
                              "passed, or for TIME at most: 0 to 1.",
                       .live = true}};
  Arg<click::Duration> time{
      *this, "TIME", click::Duration{10'000'000}, {.doc = "How long packets are held back."}};
  Arg<uint32_t> capacity{*this,
                         "CAPACITY",
                         1000,
                         {.doc = "Packets that are held back at a time at most; more are dropped.",
                          .unit = "packets"}};
  Arg<uint64_t> seed{*this, "SEED", 1, {.doc = "Of the random numbers."}};

  Drop lost{*this, "lost", "It was lost, as LOSS asks for."};
  Drop too_many{*this, "too-many-held", "CAPACITY packets are held back already."};
  Count corrupted{*this, "corrupted", "Packets of which a bit was flipped."};
  Count duplicated{*this, "duplicated", "Packets that were sent twice."};
  Count delayed{*this, "delayed", "Packets that were held back for TIME."};
  Count reordered{*this, "reordered", "Packets that were held back until another had passed."};

  Timer timer{*this};

  ~Impair() override {
    for (auto* list : {&delayed_, &reordered_})
      for (const Held& held : *list) held.packet->kill();
  }

  bool reconfigure(std::string& error) override {
    for (const Arg<double>* arg : {&loss, &corrupt, &duplicate, &delay, &reorder})
      if (!is_probability(**arg)) {
        error = std::string(arg->name()) + ": should be a probability, 0 to 1";
        return false;
      }
    return true;
  }

  bool configure(SetupContext& context) override {
    random_ = Random(*seed);
    bool ok = true;
    for (const Arg<double>* arg : {&loss, &corrupt, &duplicate, &delay, &reorder})
      if (!is_probability(**arg))
        ok = context.error(std::string(arg->name()) + ": should be a probability, 0 to 1");
    return ok;
  }

  void push(uint32_t, PacketBatch& batch) override {
    PacketBatch out;
    const int64_t due = now() + time->nanoseconds;
    for (uint32_t i = 0; i < batch.size(); ++i) impair(batch[i], due, out);
    batch.release();
    output(0).push(out);
  }

  void run_timer(Timer&) override {
    PacketBatch out;
    const int64_t present = now();
    for (auto* list : {&delayed_, &reordered_})
      while (!list->empty() && list->front().due <= present) {
        emit(*list->front().packet, out);
        list->pop_front();
      }
    set_timer();
    output(0).push(out);
  }

  uint64_t held() const override { return delayed_.size() + reordered_.size(); }
  uint64_t holds_at_most() const override { return *capacity; }

 private:
  struct Held {
    Packet* packet;
    int64_t due;
  };

  static bool is_probability(double value) { return value >= 0 && value <= 1; }

  void impair(Packet& original, int64_t due, PacketBatch& out) {
    if (random_.happens(*loss)) return lost.drop(original);
    Packet* packet = &original;
    if (random_.happens(*corrupt)) packet = flip_bit(original);
    if (packet == nullptr) return;
    Packet* copy = nullptr;
    if (random_.happens(*duplicate)) {
      count_created(1);
      copy = packet->clone();
      copy == nullptr ? no_buffer.count_lost(1) : duplicated.add(1);
    }
    pass(*packet, due, out);
    if (copy != nullptr) pass(*copy, due, out);
  }

  void pass(Packet& packet, int64_t due, PacketBatch& out) {
    if (random_.happens(*delay)) return hold(packet, due, delayed_, delayed);
    if (random_.happens(*reorder)) return hold(packet, due, reordered_, reordered);
    emit(packet, out);
    for (; !reordered_.empty(); reordered_.pop_front()) emit(*reordered_.front().packet, out);
  }

  void hold(Packet& packet, int64_t due, std::deque<Held>& list, Count& count) {
    if (held() >= *capacity) return too_many.drop(packet);
    list.push_back({&packet, due});
    count.add(1);
    set_timer();
  }

  void emit(Packet& packet, PacketBatch& out) {
    if (out.full()) output(0).push(out);
    out.push_back(packet);
  }

  // Both lists are in the order of their times.
  void set_timer() {
    int64_t next = INT64_MAX;
    for (const auto* list : {&delayed_, &reordered_})
      if (!list->empty()) next = std::min(next, list->front().due);
    if (next == INT64_MAX)
      timer.unschedule();
    else if (!timer.scheduled() || timer.expiry() != next)
      timer.schedule_at(next);
  }

  Packet* flip_bit(Packet& original) {
    if (original.length() == 0) return &original;
    Packet* packet = prepare(original, true, 0);
    if (packet == nullptr) return nullptr;
    uint64_t bit = random_.below(uint64_t{packet->length()} * 8);
    rte_mbuf* segment = packet->mbuf();
    for (; bit / 8 >= segment->data_len; segment = segment->next)
      bit -= uint64_t{segment->data_len} * 8;
    *rte_pktmbuf_mtod_offset(segment, uint8_t*, bit / 8) ^= static_cast<uint8_t>(1 << bit % 8);
    corrupted.add(1);
    return packet;
  }

  Random random_;
  std::deque<Held> delayed_;
  std::deque<Held> reordered_;
};

HEADROOM_ELEMENT(Impair);

}  // namespace headroom
