#include <algorithm>
#include <utility>
#include <vector>

#include "headroom/base/token_bucket.hh"
#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"
#include "source_bytes.hh"

namespace headroom {

class RatedSource final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "RatedSource",
      .ports = "0/1",
      .doc =
          "Makes packets with the same bytes at a rate. When it falls behind, it catches up with "
          "at most a hundredth of a second's packets at once.",
      .once = true};

  Arg<std::string> data{
      *this, "DATA", kSourceData, {.doc = "The packets' bytes.", .positional = true, .live = true}};
  Arg<uint32_t> rate{
      *this,
      "RATE",
      10,
      {.doc = "Packets a second.", .unit = "packets/s", .positional = true, .live = true}};
  Arg<int64_t> limit{*this,
                     "LIMIT",
                     -1,
                     {.doc = "Packets in all; negative is without end.",
                      .unit = "packets",
                      .positional = true,
                      .live = true}};
  Arg<bool> active{*this,
                   "ACTIVE",
                   true,
                   {.doc = "Whether it makes packets.", .positional = true, .live = true}};
  Arg<int64_t> length{
      *this,
      "LENGTH",
      -1,
      {.doc = "The packets' length: DATA is repeated or cut; negative is that of DATA.",
       .unit = "bytes",
       .live = true}};
  Arg<bool> stop{*this, "STOP", false, {.doc = "Whether the router stops at the end of LIMIT."}};

  Count count{*this, "count", "Packets made."};
  WriteHandler reset{*this, "reset", "Sets the count to zero, so that LIMIT more packets are made.",
                     [this](std::string_view, std::string&) {
                       count.set(0);
                       return wake();
                     }};
  Task task{*this};
  Timer timer{*this};

  bool reconfigure(std::string& error) override {
    if (!make_source_bytes(*data, *length, bytes_, error)) return false;
    bucket_.tokens(now());  // up to now the old rate counts
    bucket_.configure(*rate, burst_of_rate(*rate));
    // What it did not make while it was not active it does not catch up with.
    if (*active && !was_active_) bucket_.start(now(), 1);
    was_active_ = *active;
    return wake();
  }

  bool configure(SetupContext& context) override {
    bucket_.configure(*rate, burst_of_rate(*rate));
    std::string reason;
    return make_source_bytes(*data, *length, bytes_, reason) || context.error(reason);
  }

  bool initialize(SetupContext&) override {
    bucket_.start(now(), 1);
    was_active_ = *active;
    return wake();
  }

  bool run_task(Task&) override {
    if (!*active || left() == 0) {
      task.unschedule();
      // One scheduling after the last packet, so that what is downstream has been offered it.
      if (*active && *stop && std::exchange(may_stop_, false)) router().stop_event();
      return true;
    }
    PacketBatch batch;
    const bool worked = make(batch, worker().batch_size);
    output(0).push(batch);
    if (!worked) task.unschedule();  // the timer goes on
    return worked;
  }

  void run_timer(Timer&) override { go_on(); }

  void pull(uint32_t, PacketBatch& batch, uint32_t wanted) override {
    if (!*active || !make(batch, wanted)) nonempty_.sleep();
  }

  Notifier* notifier(Notifier::Kind kind, uint32_t) override {
    return kind == Notifier::Kind::nonempty ? &nonempty_ : nullptr;
  }

 private:
  uint64_t left() const {
    if (*limit < 0) return UINT64_MAX;
    const auto bound = static_cast<uint64_t>(*limit);
    return bound - std::min(bound, count.get());
  }

  // Something was changed by a person.
  bool wake() {
    may_stop_ = true;
    go_on();
    return true;
  }

  void go_on() {
    if (output_kind(0) == PortKind::push)
      task.schedule();
    else
      nonempty_.wake();
  }

  // False when it is not time yet; then the timer is set for when it will be.
  bool make(PacketBatch& batch, uint32_t wanted) {
    const int64_t time = now();
    const uint64_t allowed = std::min({bucket_.tokens(time), uint64_t{wanted}, left()});
    if (allowed == 0) {
      const int64_t next = bucket_.time_of(1);
      if (next != INT64_MAX && left() != 0) timer.schedule_at(std::max(next, time));
      return false;
    }
    bucket_.take(allowed);
    for (uint64_t n = 0; n < allowed; ++n) {
      Packet* packet = Packet::make(pool(), bytes_);
      count_created(1);
      if (packet == nullptr) {
        no_buffer.count_lost(1);
        continue;
      }
      packet->set_timestamp_anno(time);
      batch.push_back(*packet);
    }
    count.add(allowed);
    return true;
  }

  std::vector<uint8_t> bytes_;
  TokenBucket bucket_;
  Notifier nonempty_;
  bool may_stop_ = true;
  bool was_active_ = true;
};

HEADROOM_ELEMENT(RatedSource);

}  // namespace headroom
