#include <algorithm>
#include <memory>

#include "headroom/graph/element.hh"

namespace headroom {

class Queue final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "Queue",
      .ports = "1/1",
      .processing = "h/l",
      .doc =
          "Stores packets in order until they are pulled. When it is full, packets that arrive "
          "are dropped."};

  Arg<uint32_t> capacity{*this,
                         "CAPACITY",
                         1000,
                         {.doc = "Packets that it holds at most.",
                          .unit = "packets",
                          .positional = true,
                          .live = true}};
  Drop full{*this, "queue-full", "The queue holds CAPACITY packets."};
  ReadHandler length{*this, "length", "Packets in the queue.",
                     [this] { return std::to_string(size_); }, Merge::sum};
  ReadHandler highwater{*this, "highwater_length", "The most packets that were ever in the queue.",
                        [this] { return std::to_string(highwater_); }, Merge::max};
  ReadHandler drop_count{*this, "drops", "Packets dropped because the queue was full.",
                         [this] { return std::to_string(full.dropped()); }, Merge::sum};
  WriteHandler reset_counts{*this, "reset_counts",
                            "Sets the high-water mark to the present length.",
                            [this](std::string_view, std::string&) {
                              highwater_ = size_;
                              return true;
                            }};

  ~Queue() override {
    while (size_ != 0) take_first()->kill();
  }

  bool initialize(SetupContext&) override {
    slots_ = std::make_unique<Packet*[]>(*capacity);
    slot_count_ = *capacity;
    nonempty_.sleep();
    return true;
  }

  bool reconfigure(std::string&) override {
    auto slots = std::make_unique<Packet*[]>(*capacity);
    const uint32_t kept = std::min(size_, *capacity);
    for (uint32_t i = 0; i < kept; ++i) slots[i] = take_first();
    while (size_ != 0) full.drop(*take_first());
    slots_ = std::move(slots);
    slot_count_ = *capacity;
    head_ = 0;
    size_ = kept;
    tail_ = kept == slot_count_ ? 0 : kept;
    if (size_ == slot_count_)
      nonfull_.sleep();
    else
      nonfull_.wake();
    return true;
  }

  void push(uint32_t, PacketBatch& batch) override {
    const uint32_t fits = std::min(batch.size(), *capacity - size_);
    for (uint32_t i = 0; i < fits; ++i) add_last(batch[i]);
    for (uint32_t i = fits; i < batch.size(); ++i) full.drop(batch[i]);
    batch.release();
    highwater_ = std::max(highwater_, size_);
    if (fits != 0) nonempty_.wake();
    if (size_ == *capacity) nonfull_.sleep();
  }

  void pull(uint32_t, PacketBatch& batch, uint32_t limit) override {
    const uint32_t taken = std::min(limit, size_);
    for (uint32_t i = 0; i < taken; ++i) batch.push_back(*take_first());
    if (taken != 0) nonfull_.wake();
    if (size_ == 0) nonempty_.sleep();
  }

  uint64_t held() const override { return size_; }
  uint64_t holds_at_most() const override { return *capacity; }

  Notifier* notifier(Notifier::Kind kind, uint32_t) override {
    return kind == Notifier::Kind::nonempty ? &nonempty_ : &nonfull_;
  }

  // The packets move; what does not fit into the new capacity stays behind and ends with the old
  // queue.
  void take_state(Element& old) override {
    auto& from = static_cast<Queue&>(old);
    while (from.size_ != 0 && size_ < *capacity) {
      add_last(*from.take_first());
      from.count_absorbed(1);
      count_created(1);
    }
    highwater_ = std::max(from.highwater_, size_);
    if (size_ != 0) nonempty_.wake();
    if (size_ == *capacity) nonfull_.sleep();
  }

 private:
  void add_last(Packet& packet) {
    slots_[tail_] = &packet;
    if (++tail_ == slot_count_) tail_ = 0;
    ++size_;
  }
  Packet* take_first() {
    Packet* packet = slots_[head_];
    if (++head_ == slot_count_) head_ = 0;
    --size_;
    return packet;
  }

  std::unique_ptr<Packet*[]> slots_;
  uint32_t slot_count_ = 0;
  uint32_t head_ = 0;
  uint32_t tail_ = 0;
  uint32_t size_ = 0;
  uint32_t highwater_ = 0;
  Notifier nonempty_;
  Notifier nonfull_;
};

HEADROOM_ELEMENT(Queue);

}  // namespace headroom
