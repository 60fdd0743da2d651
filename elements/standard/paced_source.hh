// What sources of packets at a rate have in common: the pace, LIMIT, ACTIVE and STOP.
//
// Derive, declare the live arguments `rate`, `limit` and `active` and the argument `stop` in the
// order that positions have, and make packets:
//
//   class Source final : public PacedSource<Source> {
//    public:
//     Arg<uint32_t> rate{...};
//     bool as_fast_as_possible() const { return *rate == 0; }   // no pace; or always false
//     Packet* next_packet();                                    // null when the pool is empty
//   };
#pragma once

#include <algorithm>
#include <utility>

#include "headroom/base/token_bucket.hh"
#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

namespace headroom {

template <class T>
class PacedSource : public Element {
 public:
  Count count{*this, "count", "Packets made."};
  WriteHandler reset{*this, "reset", "Sets the count to zero, so that LIMIT more packets are made.",
                     [this](std::string_view, std::string&) {
                       count.set(0);
                       return wake();
                     }};
  Task task{*this};
  Timer timer{*this};

  bool reconfigure(std::string&) override {
    bucket_.tokens(now());  // up to now the old rate counts
    set_pace();
    // What it did not make while it was not active it does not catch up with.
    if (*self().active && !was_active_) bucket_.start(now(), 1);
    was_active_ = *self().active;
    return wake();
  }

  bool initialize(SetupContext&) override {
    set_pace();
    bucket_.start(now(), 1);
    was_active_ = *self().active;
    return wake();
  }

  bool run_task(Task&) override {
    const bool active = *self().active;
    if (!active || left() == 0) {
      task.unschedule();
      // One scheduling after the last packet, so that what is downstream has been offered it.
      if (active && *self().stop && std::exchange(may_stop_, false)) router().stop_event();
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
    if (!*self().active || !make(batch, wanted)) nonempty_.sleep();
  }

  Notifier* notifier(Notifier::Kind kind, uint32_t) override {
    return kind == Notifier::Kind::nonempty ? &nonempty_ : nullptr;
  }

 private:
  T& self() { return static_cast<T&>(*this); }
  const T& self() const { return static_cast<const T&>(*this); }

  void set_pace() { bucket_.configure(*self().rate, burst_of_rate(*self().rate)); }

  uint64_t left() const {
    if (*self().limit < 0) return UINT64_MAX;
    const auto bound = static_cast<uint64_t>(*self().limit);
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
    uint64_t allowed = std::min<uint64_t>(wanted, left());
    const int64_t time = now();
    if (!self().as_fast_as_possible()) {
      allowed = std::min(allowed, bucket_.tokens(time));
      if (allowed == 0) {
        const int64_t next = bucket_.time_of(1);
        if (next != INT64_MAX && left() != 0) timer.schedule_at(std::max(next, time));
        return false;
      }
      bucket_.take(allowed);
    }
    for (uint64_t n = 0; n < allowed; ++n) {
      Packet* const packet = self().next_packet();
      count_created(1);
      if (packet == nullptr) {
        no_buffer.count_lost(1);
        continue;
      }
      packet->set_timestamp_anno(time);
      batch.push_back(*packet);
    }
    count.add(allowed);
    return allowed != 0;
  }

  TokenBucket bucket_;
  Notifier nonempty_;
  bool may_stop_ = true;
  bool was_active_ = true;
};

}  // namespace headroom
