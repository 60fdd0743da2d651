#include <algorithm>

#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

namespace headroom {

class Unqueue final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "Unqueue",
      .ports = "1/1",
      .processing = "l/h",
      .doc =
          "Pulls packets whenever there are any and pushes them on. While the queues before it are "
          "empty, it sleeps."};

  Arg<int32_t> burst{*this,
                     "BURST",
                     1,
                     {.doc = "Packets at most each time it is scheduled; 0 or less is as many as "
                             "there are.",
                      .unit = "packets",
                      .positional = true,
                      .live = true}};
  Arg<bool> active{*this, "ACTIVE", true, {.doc = "Whether it pulls.", .live = true}};
  Arg<int64_t> limit{
      *this,
      "LIMIT",
      -1,
      {.doc = "Packets in all; 0 or less is without end.", .unit = "packets", .live = true}};

  Count count{*this, "count", "Packets since the start or the last reset."};
  WriteHandler reset{*this, "reset", "Sets the count to zero, so that LIMIT more packets may pass.",
                     [this](std::string_view, std::string&) {
                       count.set(0);
                       task.schedule();
                       return true;
                     }};
  Task task{*this};

  bool initialize(SetupContext&) override {
    signal_ = router().signal(*this, 0, Notifier::Kind::nonempty, task);
    task.schedule();
    return true;
  }

  bool reconfigure(std::string&) override {
    task.schedule();
    return true;
  }

  bool run_task(Task&) override {
    uint64_t wanted = *active ? std::min(burst_size(), left()) : 0;
    if (wanted == 0) {
      task.unschedule();
      return false;
    }
    bool worked = false;
    while (wanted != 0) {
      PacketBatch batch;
      input(0).pull(batch,
                    static_cast<uint32_t>(std::min<uint64_t>(wanted, PacketBatch::kCapacity)));
      if (batch.empty()) break;
      worked = true;
      wanted -= batch.size();
      count.add(batch.size());
      output(0).push(batch);
    }
    if (!worked && !signal_.active()) task.unschedule();
    return worked;
  }

 private:
  // A source that never runs dry must not keep the worker from its other tasks.
  static constexpr uint64_t kEndless = 65536;

  uint64_t burst_size() const { return *burst > 0 ? static_cast<uint64_t>(*burst) : kEndless; }
  uint64_t left() const {
    if (*limit <= 0) return UINT64_MAX;
    const auto bound = static_cast<uint64_t>(*limit);
    return bound - std::min(bound, count.get());
  }

  Signal signal_;
};

HEADROOM_ELEMENT(Unqueue);

}  // namespace headroom
