// The real clock: the time stamp counter, tied to the system's time once at the start.
#pragma once

#include <rte_cycles.h>
#include <time.h>

#include <cstdint>

#include "headroom/base/clock.hh"

namespace headroom {

// Needs EAL, which has measured the counter's frequency.
class TscClock final : public Clock {
 public:
  TscClock() {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    start_ = time.tv_sec * 1'000'000'000 + time.tv_nsec;
    start_cycles_ = rte_rdtsc();
    nanoseconds_per_cycle_ = 1e9 / static_cast<double>(rte_get_tsc_hz());
  }
  int64_t now() override {
    return start_ + static_cast<int64_t>(static_cast<double>(rte_rdtsc() - start_cycles_) *
                                         nanoseconds_per_cycle_);
  }

 private:
  int64_t start_ = 0;
  uint64_t start_cycles_ = 0;
  double nanoseconds_per_cycle_ = 0;
};

}  // namespace headroom
