// What Replay and ReplayUnqueue share: packets that were collected once and are sent over and over.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

namespace headroom {

class ReplayBase : public Element {
 public:
  Arg<int64_t> stop{*this,
                    "STOP",
                    -1,
                    {.doc = "How often the packets are sent before the router stops; negative is "
                            "without end.",
                     .positional = true}};
  Arg<uint32_t> limit{
      *this,
      "LIMIT",
      65'536,
      {.doc = "Packets that are collected at most; others stay upstream.", .unit = "packets"}};
  Arg<bool> quick_clone{*this,
                        "QUICK_CLONE",
                        false,
                        {.doc = "Whether the packets that are sent share the bytes of those that "
                                "were collected; what changes them then copies them."}};
  Arg<bool> active{*this, "ACTIVE", true, {.doc = "Whether it sends packets.", .live = true}};
  ReadHandler loops{*this, "loops", "How often all packets were sent.",
                    [this] { return std::to_string(loops_); }};
  Count count{*this, "count", "Packets sent."};
  Task task{*this};

  ~ReplayBase() override {
    for (Packet* packet : packets_) packet->kill();
  }

  bool initialize(SetupContext&) override {
    signal_ = router().signal(*this, 0, Notifier::Kind::nonempty, task);
    task.schedule();
    return true;
  }
  uint64_t held() const override { return packets_.size(); }
  uint64_t holds_at_most() const override { return *limit; }

 protected:
  // Takes what there is upstream; true when that was all. While a source may have more to come, or
  // has not begun, it is waited for.
  bool collect() {
    while (packets_.size() < *limit) {
      PacketBatch batch;
      const uint64_t room = *limit - packets_.size();
      input(0).pull(batch, static_cast<uint32_t>(std::min<uint64_t>(room, worker().batch_size)));
      if (batch.empty()) {
        if (signal_.active()) return false;
        task.unschedule();  // until there is something upstream
        return !packets_.empty();
      }
      for (uint32_t i = 0; i < batch.size(); ++i) packets_.push_back(&batch[i]);
      batch.release();
    }
    return true;
  }
  bool over() const { return *stop >= 0 && loops_ >= static_cast<uint64_t>(*stop); }

  // Up to so many of the packets to send, copies of those that are kept. Fewer at the end of a
  // loop.
  void send(PacketBatch& batch, uint32_t wanted) {
    while (batch.size() < wanted && !over()) {
      Packet* const kept = packets_[at_];
      Packet* const packet = *quick_clone ? kept->clone() : kept->copy();
      count_created(1);
      if (packet == nullptr)
        no_buffer.count_lost(1);
      else
        batch.push_back(*packet);
      if (++at_ == packets_.size()) {
        at_ = 0;
        ++loops_;
      }
    }
    count.add(batch.size());
  }
  void stop_once() {
    if (std::exchange(may_stop_, false)) router().stop_event();
  }

  bool collected_ = false;

 private:
  Signal signal_;
  std::vector<Packet*> packets_;
  std::size_t at_ = 0;
  uint64_t loops_ = 0;
  bool may_stop_ = true;
};

}  // namespace headroom
