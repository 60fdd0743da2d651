// What elements have in common that read packets from a file, one after the other: at the pace of
// who takes them or, with TIMING, at that of their timestamps.
//
// Derive, declare a spec, and say where packets come from:
//
//   class FromFile final : public FileSource {
//     Next next(Packet*& packet) override;
//   };
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "headroom/base/random.hh"
#include "headroom/graph/element.hh"
#include "headroom/graph/handler_call.hh"
#include "headroom/graph/router.hh"

namespace headroom {

class FileSource : public Element {
 public:
  Arg<bool> stop{*this, "STOP", false, {.doc = "Whether the router stops at the end of the file."}};
  Arg<bool> active{*this, "ACTIVE", true, {.doc = "Whether it reads.", .live = true}};
  Arg<uint32_t> burst{
      *this, "BURST", 1, {.doc = "Packets each time it is scheduled.", .unit = "packets"}};
  Arg<bool> timing{
      *this,
      "TIMING",
      false,
      {.doc = "Whether as much time passes between packets as between their timestamps. "
              "The first one comes at once."}};
  Arg<double> sample{
      *this, "SAMPLE", 1.0, {.doc = "The part of the packets that comes, by chance: 0 to 1."}};

  HandlerCall end_call{*this, "END_CALL",
                       "A handler that is called at the end of the file: HANDLER [VALUE]. STOP's "
                       "stop event comes after it."};

  Count count{*this, "count", "Packets read."};
  ReadHandler packets{*this, "packets", "The same as count.",
                      [this] { return std::to_string(count.get()); }};
  ReadHandler sampling{*this, "sampling_prob", "SAMPLE.",
                       [this] { return click::ArgType<double>::unparse(*sample); }};
  WriteHandler end_now{*this, "stop", "Stops reading, and is a stop event for the router.",
                       [this](std::string_view, std::string&) {
                         active.set(false);
                         was_active_ = false;
                         router().stop_event();
                         return true;
                       }};
  WriteHandler reset_counts{*this, "reset_counts", "Sets the count to zero.",
                            [this](std::string_view, std::string&) {
                              count.set(0);
                              return true;
                            }};
  WriteHandler reset_timing{*this, "reset_timing",
                            "TIMING begins anew: the next packet comes at once.",
                            [this](std::string_view, std::string&) {
                              forget_timing();
                              return true;
                            }};
  Task task{*this};
  Timer timer{*this};

  ~FileSource() override {
    if (waiting_ != nullptr) waiting_->kill();
  }

  bool configure(SetupContext& context) override {
    bool good = true;
    if (*burst < 1 || *burst > PacketBatch::kCapacity)
      good = context.error(burst,
                           "BURST: out of range, 1 to " + std::to_string(PacketBatch::kCapacity));
    if (!(*sample >= 0 && *sample <= 1))
      good = context.error(sample, "SAMPLE: out of range, 0 to 1");
    return good;
  }

  bool initialize(SetupContext& context) override {
    if (!end_call.check(context) || !open(context)) return false;
    was_active_ = *active;
    if (output_kind(0) != PortKind::push) return true;
    nonfull_ = router().signal(*this, 0, Notifier::Kind::nonfull, task);
    task.schedule();
    return true;
  }

  bool reconfigure(std::string&) override {
    // What it did not read while it was not active it does not catch up with.
    if (*active && !was_active_) forget_timing();
    was_active_ = *active;
    if (*active) wake();
    return true;
  }

  bool run_task(Task&) override {
    if (!*active) {
      task.unschedule();
      return false;
    }
    if (ended_) {
      // One scheduling after the last packet, so that what is downstream has been offered it.
      task.unschedule();
      announce_end();
      return true;
    }
    if (!nonfull_.active()) {
      task.unschedule();
      return false;
    }
    PacketBatch batch;
    read(batch, *burst);
    if (batch.empty() && timer.scheduled()) task.unschedule();
    output(0).push(batch);
    return true;
  }

  void run_timer(Timer&) override { wake(); }

  void pull(uint32_t, PacketBatch& batch, uint32_t limit) override {
    if (*active && !ended_) read(batch, limit);
    if (ended_) announce_end();
    if (!*active || ended_ || (batch.empty() && timer.scheduled())) nonempty_.sleep();
  }

  Notifier* notifier(Notifier::Kind kind, uint32_t) override {
    return kind == Notifier::Kind::nonempty ? &nonempty_ : nullptr;
  }

  uint64_t held() const override { return waiting_ != nullptr ? 1 : 0; }
  uint64_t holds_at_most() const override { return 1; }

 protected:
  enum class Next {
    packet,
    skipped,  // one that does not come
    end
  };

  // Called once, when the router starts: false, with an error reported, when there is nothing to
  // read from.
  virtual bool open(SetupContext& context) = 0;
  // The next packet. Who makes one, or loses one, counts it as created.
  virtual Next next(Packet*& packet) = 0;

  // There is more behind the end.
  void resume() {
    ended_ = announced_ = false;
    wake();
  }

  // By chance, as SAMPLE says.
  bool sampled() { return *sample >= 1 || random_.happens(*sample); }

 private:
  // So many packets that do not come hold the worker up no longer than a batch does.
  static constexpr uint32_t kMostSkipped = 4 * PacketBatch::kCapacity;

  void announce_end() {
    if (std::exchange(announced_, true)) return;
    end_call.call([this] {
      if (*stop) router().stop_event();
    });
  }

  void forget_timing() {
    offset_.reset();
    timer.unschedule();
    wake();
  }

  void wake() {
    if (noutputs() == 0) return;
    if (output_kind(0) == PortKind::push)
      task.schedule();
    else
      nonempty_.wake();
  }

  void read(PacketBatch& batch, uint32_t limit) {
    uint32_t skipped = 0;
    while (batch.size() < limit) {
      if (waiting_ == nullptr) {
        const Next what = next(waiting_);
        if (what == Next::end) {
          ended_ = true;
          break;
        }
        if (what == Next::skipped && ++skipped == kMostSkipped) break;
        if (what == Next::skipped) continue;
      }
      if (*timing && !is_due(*waiting_)) break;
      batch.push_back(*std::exchange(waiting_, nullptr));
    }
    count.add(batch.size());
  }

  // Else the timer is set for when it is.
  bool is_due(const Packet& packet) {
    const int64_t time = now();
    if (!offset_) offset_ = time - packet.timestamp_anno();
    const int64_t when = packet.timestamp_anno() + *offset_;
    if (when <= time) return true;
    timer.schedule_at(when);
    return false;
  }

  Packet* waiting_ = nullptr;
  std::optional<int64_t> offset_;  // from timestamps to the clock
  Random random_;
  Signal nonfull_;
  Notifier nonempty_;
  bool ended_ = false;
  bool announced_ = false;  // the end
  bool was_active_ = true;
};

}  // namespace headroom
