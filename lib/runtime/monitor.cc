#include "headroom/runtime/monitor.hh"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <set>
#include <utility>

namespace headroom {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kInterval{100};
// Between two looks at where packets are, for workers that are not stuck to go on.
constexpr milliseconds kMoment{20};
constexpr double kNanosecond = 1e-9;

}  // namespace

Monitor::Monitor(Machine& machine, const Replicas& replicas,
                 std::function<void(const std::string&)> say)
    : machine_(machine),
      replicas_(replicas),
      say_(std::move(say)),
      watched_(machine.workers().size()) {
  // Time that jumps has no pace, so nothing is too slow.
  if (machine.clock().simulated()) return;
  // Signals are the workers' and the program's.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Monitor::~Monitor() {
  {
    std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Monitor::run() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kInterval, [this] { return end_; })) {
    watch_links();
    if (machine_.config().workers.watchdog_ms == 0) continue;
    for (uint32_t worker = 0; worker < watched_.size(); ++worker) watch(worker);
  }
}

void Monitor::watch_links() {
  for (const auto& device : machine_.devices()) {
    if (!device->is_open()) continue;
    if (const auto link = device->watch_link())
      say_("port '" + device->name() + "': link is " + to_text(*link) + "\n");
  }
}

void Monitor::watch(uint32_t worker) {
  const Scheduler& scheduler = machine_.workers()[worker]->scheduler();
  Watched& watched = watched_[worker];
  const std::optional<int64_t> now = scheduler.thread_time();
  if (!now) return;
  const uint64_t rounds = scheduler.rounds();
  if (rounds != std::exchange(watched.rounds, rounds)) {
    if (std::exchange(watched.reported, false))
      say_(fmt::format("worker {} goes on after {:.1f} s\n", worker,
                       static_cast<double>(*now - watched.busy_since) * kNanosecond));
    watched.busy_since = *now;
    return;
  }
  const int64_t busy = *now - watched.busy_since;
  if (watched.reported || rounds == 0 ||
      busy < int64_t{machine_.config().workers.watchdog_ms} * 1'000'000)
    return;
  watched.reported = true;
  const std::string where = where_is(worker);
  // Its round may have ended meanwhile.
  if (scheduler.rounds() == rounds)
    say_(fmt::format("worker {} has been busy for {:.1f} s and does not come round: {}\n", worker,
                     static_cast<double>(busy) * kNanosecond, where));
}

std::string Monitor::where_is(uint32_t worker) const {
  const std::vector<std::string> before = holding(worker);
  std::this_thread::sleep_for(kMoment);
  const std::vector<std::string> after = holding(worker);
  const std::set<std::string> still(after.begin(), after.end());
  std::string names;
  for (const std::string& name : before)
    if (still.contains(name)) names += (names.empty() ? "" : ", ") + name;
  if (!names.empty()) return "packets are in " + names;
  const Element* const at_work = machine_.workers()[worker]->scheduler().at_work();
  return at_work == nullptr ? "it is in no element's task" : "in '" + at_work->label() + "'";
}

// The elements that have packets which they neither let go nor count as held, with how many.
std::vector<std::string> Monitor::holding(uint32_t worker) const {
  std::vector<std::string> names;
  const Ledger ledger = replicas_.ledger();
  for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
    const LedgerEntry& entry = ledger.entries[i];
    if (entry.unaccounted() > 0 && replicas_.placement().runs(static_cast<uint32_t>(i), worker))
      names.push_back(
          fmt::format("'{} :: {}' ({})", entry.element, entry.class_name, entry.unaccounted()));
  }
  return names;
}

}  // namespace headroom
