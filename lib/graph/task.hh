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

  // A scheduled task is run once a round, and stays scheduled until it is unscheduled.
  void schedule();
  void unschedule();
  bool scheduled() const { return scheduled_; }

 private:
  friend class Scheduler;
  friend class Router;
  Element& owner_;
  Scheduler* scheduler_ = nullptr;
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
