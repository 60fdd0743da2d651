#include "headroom/graph/signals.hh"

#include <signal.h>

#include <array>
#include <atomic>
#include <mutex>

#include "headroom/graph/scheduler.hh"

namespace headroom {
namespace {

// All that the handler does is to count; workers look at the counts.
std::array<std::atomic<uint32_t>, NSIG> arrivals;
static_assert(std::atomic<uint32_t>::is_always_lock_free);

struct Slot {
  uint32_t listeners = 0;
  struct sigaction before {};
};
std::array<Slot, NSIG> slots;
std::mutex slots_mutex;

std::atomic<uint32_t>& arrivals_of(int number) {
  return arrivals[static_cast<std::size_t>(number)];
}

void on_arrival(int number) { arrivals_of(number).fetch_add(1, std::memory_order_relaxed); }

void take(int number) {
  const std::lock_guard lock(slots_mutex);
  Slot& slot = slots[static_cast<std::size_t>(number)];
  if (slot.listeners++ != 0) return;
  struct sigaction action {};
  action.sa_handler = on_arrival;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, &slot.before);
}

void give_back(int number) {
  const std::lock_guard lock(slots_mutex);
  Slot& slot = slots[static_cast<std::size_t>(number)];
  if (--slot.listeners == 0) sigaction(number, &slot.before, nullptr);
}

}  // namespace

bool SignalListener::can_listen(int number) {
  switch (number) {
    case SIGHUP:
    case SIGINT:
    case SIGQUIT:
    case SIGTERM:
    case SIGUSR1:
    case SIGUSR2:
    case SIGPIPE:
    case SIGCHLD:
    case SIGCONT:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGWINCH:
    case SIGURG:
      return true;
    default:
      return false;
  }
}

void SignalListener::listen(Scheduler& scheduler, const std::vector<int>& numbers) {
  stop();
  scheduler_ = &scheduler;
  for (const int number : numbers) {
    taken_.push_back({number, arrivals_of(number).load(std::memory_order_relaxed)});
    take(number);
  }
  scheduler.add(*this);
}

void SignalListener::stop() {
  if (scheduler_ == nullptr) return;
  for (const Taken& one : taken_) give_back(one.number);
  taken_.clear();
  scheduler_->remove(*this);
  scheduler_ = nullptr;
}

bool SignalListener::deliver() {
  bool any = false;
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    const uint32_t now = arrivals_of(taken_[i].number).load(std::memory_order_relaxed);
    if (now == std::exchange(taken_[i].seen, now)) continue;
    any = true;
    run_(taken_[i].number);  // which may stop it
  }
  return any;
}

}  // namespace headroom
