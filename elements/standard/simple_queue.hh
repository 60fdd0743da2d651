// The queue itself: packets in order, in a ring. SimpleQueue is just that; Queue, which derives
// from it, tells those before and behind it when it is full and when there is something to pull.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "headroom/graph/element.hh"

namespace headroom {

class SimpleQueue : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "SimpleQueue",
      .ports = "1/1",
      .processing = "h/l",
      .doc =
          "Stores packets in order until they are pulled. When it is full, packets that arrive "
          "are dropped. Unlike Queue it wakes nobody: what pulls from it must poll."};

  Arg<uint32_t> capacity{*this,
                         "CAPACITY",
                         1000,
                         {.doc = "Packets that it holds at most.",
                          .unit = "packets",
                          .positional = true,
                          .live = true}};
  Drop full{*this, "queue-full", "The queue holds CAPACITY packets."};
  Drop flushed{*this, "flushed", "A handler emptied the queue, or made it too small."};
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
  WriteHandler reset{*this, "reset", "Drops all packets in the queue.",
                     [this](std::string_view, std::string&) {
                       while (size_ != 0) flushed.drop(*take_first());
                       contents_changed();
                       return true;
                     }};

  ~SimpleQueue() override {
    while (size_ != 0) take_first()->kill();
  }

  bool initialize(SetupContext&) override {
    slot_count_ = *capacity;
    slots_ = std::make_unique<Packet*[]>(slot_count_);
    return true;
  }

  bool reconfigure(std::string&) override {
    resize(*capacity);
    return true;
  }

  void push(uint32_t, PacketBatch& batch) override {
    const uint32_t fits = std::min(batch.size(), *capacity - size_);
    for (uint32_t i = 0; i < fits; ++i) add_last(batch[i]);
    for (uint32_t i = fits; i < batch.size(); ++i) full.drop(batch[i]);
    batch.release();
    highwater_ = std::max(highwater_, size_);
  }

  void pull(uint32_t, PacketBatch& batch, uint32_t limit) override {
    const uint32_t taken = std::min(limit, size_);
    for (uint32_t i = 0; i < taken; ++i) batch.push_back(*take_first());
  }

  uint64_t held() const override { return size_; }
  uint64_t holds_at_most() const override { return *capacity; }

  // The packets move; what does not fit into the new capacity stays behind and ends with the old
  // queue.
  void take_state(Element& old) override {
    auto& from = static_cast<SimpleQueue&>(old);
    while (from.size_ != 0 && size_ < *capacity) {
      add_last(*from.take_first());
      from.count_absorbed(1);
      count_created(1);
    }
    highwater_ = std::max(from.highwater_, size_);
    contents_changed();
  }

 protected:
  uint32_t size() const { return size_; }
  bool is_full() const { return size_ == *capacity; }
  // Called when packets came or went otherwise than by push() and pull().
  virtual void contents_changed() {}

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

  // The first packets stay, as many as fit.
  void resize(uint32_t wanted) {
    auto slots = std::make_unique<Packet*[]>(wanted);
    uint32_t kept = 0;
    while (size_ != 0) {
      Packet* packet = take_first();
      if (kept < wanted)
        slots[kept++] = packet;
      else
        flushed.drop(*packet);
    }
    slots_ = std::move(slots);
    slot_count_ = wanted;
    head_ = 0;
    tail_ = kept == wanted ? 0 : kept;
    size_ = kept;
    contents_changed();
  }

  std::unique_ptr<Packet*[]> slots_;
  uint32_t slot_count_ = 0;
  uint32_t head_ = 0;
  uint32_t tail_ = 0;
  uint32_t size_ = 0;
  uint32_t highwater_ = 0;
};

}  // namespace headroom
