#include "headroom/runtime/worker.hh"

#include <rte_cycles.h>
#include <rte_pause.h>
#include <unistd.h>

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
  thread_.set(static_cast<uint64_t>(gettid()));
  started_.set(rte_rdtsc());
  uint64_t idle_rounds = 0;
  // The clock is read where work ends or begins, so that it costs nothing while there is some.
  const auto end_idleness = [this] {
    unoccupied_.add(rte_rdtsc() - idle_since_.get());
    idle_since_.set(0);
  };
  while (!scheduler_.stopped()) {
    if (scheduler_.run_round()) {
      if (idle_rounds != 0) end_idleness();
      idle_rounds = 0;
    } else if (scheduler_.in_transit() == 0 && !scheduler_.jump_to_next_timer()) {
      if (idle_rounds == 0) idle_since_.set(rte_rdtsc());
      rest(++idle_rounds);
    }
  }
  // What is still on its way is delivered; a packet that circles for ever is left to the ledger as
  // held.
  for (int pass = 0; pass < 64 && scheduler_.run_inbox(); ++pass) {
  }
  if (idle_rounds != 0) end_idleness();
  stopped_.set(rte_rdtsc());
  scheduler_.release_thread();
}

uint64_t Worker::busy_cycles() const {
  if (started_.get() == 0) return 0;
  const uint64_t idle = unoccupied_.get();
  const uint64_t since = idle_since_.get();
  const uint64_t now = stopped_.get() != 0 ? stopped_.get() : rte_rdtsc();
  const uint64_t not_busy = idle + (since != 0 && since < now ? now - since : 0);
  const uint64_t all = now - started_.get();
  return all - std::min(all, not_busy);
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
