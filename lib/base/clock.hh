// The time that elements see: real, or simulated so that tests with timers run in milliseconds.
#pragma once

#include <cstdint>

namespace headroom {

// Nanoseconds since the epoch. One clock serves one router; workers share it.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t now() = 0;
  // Whether time stands still between events; the scheduler then jumps to the next timer.
  virtual bool simulated() const { return false; }
  // Simulated clocks: moves to `nanoseconds`, never backwards.
  virtual void jump_to(int64_t /*nanoseconds*/) {}
};

// Starts at 1,000,000,000 s, as Click's does. Every look advances it by one nanosecond, so that two
// events never have the same time.
class SimulatedClock final : public Clock {
 public:
  static constexpr int64_t kStart = 1'000'000'000'000'000'000;
  explicit SimulatedClock(int64_t start = kStart) : now_(start) {}
  int64_t now() override { return ++now_; }
  bool simulated() const override { return true; }
  void jump_to(int64_t nanoseconds) override {
    if (nanoseconds > now_) now_ = nanoseconds;
  }

 private:
  int64_t now_;
};

}  // namespace headroom
