#include "headroom/runtime/worker.hh"

#include <rte_pause.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace headroom {
namespace {

// An adaptive worker polls for so many empty rounds, then sleeps a little longer each time. A
// packet that arrives meanwhile waits no longer than kLongestSleep.
constexpr uint64_t kPolledRounds = 2000;
constexpr int64_t kShortestSleep = 20'000;    // ns
constexpr int64_t kLongestSleep = 1'000'000;  // ns

}  // namespace

void Worker::run() {
  scheduler_.adopt_thread();
  uint64_t idle_rounds = 0;
  while (!scheduler_.stopped()) {
    if (scheduler_.run_round()) {
      idle_rounds = 0;
    } else if (scheduler_.in_transit() == 0 && !scheduler_.jump_to_next_timer()) {
      rest(++idle_rounds);
    }
  }
  // What is still on its way is delivered; a packet that circles for ever is left to the ledger as
  // held.
  for (int pass = 0; pass < 64 && scheduler_.run_inbox(); ++pass) {
  }
  scheduler_.release_thread();
}

void Worker::rest(uint64_t rounds) {
  const bool polling = idle_ == SystemConfig::Idle::poll ||
                       (idle_ == SystemConfig::Idle::adaptive && rounds < kPolledRounds);
  if (polling) {
    rte_pause();
    return;
  }
  const uint64_t doublings = idle_ == SystemConfig::Idle::sleep ? rounds : rounds - kPolledRounds;
  int64_t sleep = kShortestSleep << std::min<uint64_t>(doublings / 16, 10);
  sleep = std::min(sleep, kLongestSleep);
  if (const auto timer = scheduler_.next_timer())
    sleep = std::min(sleep, *timer - scheduler_.clock().now());
  if (sleep > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(sleep));
}

}  // namespace headroom
