// Tasks and timers: how an element gets to run without being pushed to or pulled from.
//
// Both are members of their element and call its run_task() or run_timer(). They belong to one
// scheduler (one worker), and are used on its thread only.
#pragma once

#include <cstdint>

namespace headroom {

class Element;
class Scheduler;

class Task {
 public:
  explicit Task(Element& owner);
  ~Task();
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  // A scheduled task is run once a round (see tickets), and stays scheduled until it is
  // unscheduled.
  void schedule();
  void unschedule();
  bool scheduled() const { return scheduled_; }

  // Its share of the worker: with twice the tickets it is run twice as often. From 1 to
  // kMaxTickets.
  static constexpr uint32_t kDefaultTickets = 1024;
  static constexpr uint32_t kMaxTickets = 32768;
  uint32_t tickets() const { return tickets_; }
  void set_tickets(uint32_t tickets) { tickets_ = tickets; }

 private:
  friend class Scheduler;
  friend class Router;
  // How often it is run in this round.
  uint32_t take_turns() {
    if (tickets_ == kDefaultTickets) [[likely]]
      return 1;
    credit_ += tickets_;
    const uint32_t turns = credit_ / kDefaultTickets;
    credit_ %= kDefaultTickets;
    return turns;
  }

  Element& owner_;
  Scheduler* scheduler_ = nullptr;
  uint32_t tickets_ = kDefaultTickets;
  uint32_t credit_ = 0;
  bool scheduled_ = false;
};

class Timer {
 public:
  explicit Timer(Element& owner);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Fires once, at or soon after the time; scheduling again moves it. Nanoseconds.
  void schedule_at(int64_t time);
  void schedule_after(int64_t delay);
  void unschedule();
  bool scheduled() const { return scheduled_; }
  int64_t expiry() const { return expiry_; }

 private:
  friend class Scheduler;
  friend class Router;
  Element& owner_;
  Scheduler* scheduler_ = nullptr;
  int64_t expiry_ = 0;
  uint64_t order_ = 0;  // among timers of the same time, the one scheduled first fires first
  bool scheduled_ = false;
};

}  // namespace headroom
