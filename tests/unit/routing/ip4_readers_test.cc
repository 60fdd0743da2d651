// Lookups while routes change: each must give the route from before or from after a change.
//
// What every address's route is after every change is worked out beforehand by a scan, and every
// change brings next hops that nothing had before, so a route that never was is told from one that
// was. Readers note which changes were made around a lookup.
#include <gtest/gtest.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <map>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "headroom/routing/ip4_routes.hh"

namespace headroom {
namespace {

using Hop = std::optional<NextHop>;

constexpr std::size_t kSteps = 600;
constexpr std::size_t kAddresses = 96;

class Plan {
 public:
  explicit Plan(uint32_t seed) : random_(seed) {
    addresses_ = {IPAddress(), IPAddress::broadcast()};
    while (addresses_.size() < kAddresses) addresses_.push_back(random_prefix().address);
    std::map<IPPrefix, NextHop> routes;
    note(routes);
    for (std::size_t step = 1; step < kSteps; ++step) {
      std::vector<Ip4Routes::Change> changes;
      for (auto count = 1 + random_() % 5; count > 0; --count) {
        const IPPrefix prefix = random_prefix();
        const auto near = routes.lower_bound(prefix);
        if (near != routes.end() && random_() % 2 == 0) {
          changes.push_back({near->first, std::nullopt});
        } else {
          const uint32_t number = static_cast<uint32_t>(step * 8 + changes.size());
          changes.push_back({prefix, NextHop{IPAddress::from_host_order(number), number % 4}});
        }
      }
      for (const auto& change : changes) {
        routes.erase(change.prefix.canonical());
        if (change.hop) routes.emplace(change.prefix.canonical(), *change.hop);
      }
      steps_.push_back(std::move(changes));
      note(routes);
    }
    // The last step leads back to the beginning.
    steps_.emplace_back();
    for (const auto& [prefix, hop] : routes) steps_.back().push_back({prefix, std::nullopt});
  }

  const std::vector<IPAddress>& addresses() const { return addresses_; }
  // What to change for step number `step`, of which there is no end.
  const std::vector<Ip4Routes::Change>& changes(uint64_t step) const {
    return steps_[step % kSteps];
  }
  // Whether the address has had this route at some moment when `first` to `last` steps were made.
  bool was(std::size_t address, const Hop& hop, uint64_t first, uint64_t last) const {
    if (last - first >= kSteps) return true;  // too long ago to tell
    for (uint64_t made = first; made <= last; ++made)
      if (expected_[made % kSteps][address] == hop) return true;
    return false;
  }

 private:
  // Few prefixes that nest, on both sides of the /24 where the table's structure changes.
  IPPrefix random_prefix() {
    static constexpr unsigned lengths[] = {0,  8,  15, 16, 22, 23, 24, 24,
                                           25, 26, 28, 31, 32, 32, 32};
    const uint32_t bits = 0x0a010000 | (random_() & 0x3) << 8 | (random_() & 0xff);
    return IPPrefix(IPAddress::from_host_order(bits), lengths[random_() % std::size(lengths)]);
  }
  void note(const std::map<IPPrefix, NextHop>& routes) {
    std::vector<Hop> hops;
    for (const IPAddress address : addresses_) {
      Hop best;
      int longest = -1;
      for (const auto& [prefix, hop] : routes)
        if (prefix.length > longest && prefix.contains(address)) {
          best = hop;
          longest = prefix.length;
        }
      hops.push_back(best);
    }
    expected_.push_back(std::move(hops));
  }

  std::mt19937 random_;
  std::vector<IPAddress> addresses_;
  std::vector<std::vector<Ip4Routes::Change>> steps_;
  std::vector<std::vector<Hop>> expected_;
};

using Indexes = std::array<uint32_t, kAddresses>;

// How many of the addresses had a route that never was.
std::size_t count_wrong(const Plan& plan, const Ip4Routes& routes, const Indexes& found,
                        uint64_t first, uint64_t last) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < kAddresses; ++i)
    wrong +=
        !plan.was(i, found[i] == kNoRoute ? Hop() : Hop(routes.next_hop(found[i])), first, last);
  return wrong;
}

// --- one thread, which a signal interrupts at any instruction to make changes: threads hardly ever
// meet within the same few instructions

class InterruptedReader final : public GracePeriods {
 public:
  uint64_t begin() override { return epoch + 1; }
  bool ended(uint64_t period) override { return epoch >= period; }
  volatile uint64_t epoch = 0;  // raised between lookups
};

struct Interrupting {
  static inline const Plan* plan = nullptr;
  static inline Ip4Routes* routes = nullptr;
  static inline volatile uint64_t made = 0;
  static inline volatile uint32_t signals = 0;

  // The lookups that it interrupts allocate nothing, so it may.
  static void handler(int) {
    const uint32_t count = signals % 3 + 1;
    for (uint32_t i = 0; i < count; ++i) {
      routes->apply(plan->changes(made));
      made = made + 1;
    }
    signals = signals + 1;
  }
};

TEST(Ip4Routes, AWriterThatInterruptsAReader) {
  const Plan plan(1);
  InterruptedReader reader;
  Ip4Routes routes(&reader);
  Interrupting::plan = &plan;
  Interrupting::routes = &routes;
  Interrupting::made = 0;
  Interrupting::signals = 0;
  struct sigaction action {};
  action.sa_handler = &Interrupting::handler;
  struct sigaction before {};
  ASSERT_EQ(sigaction(SIGALRM, &action, &before), 0);
  std::mt19937 random(2);
  uint64_t wrong = 0;
  uint64_t met = 0;
  constexpr uint32_t kSignals = 20000;
  for (uint32_t signal = 0; signal < kSignals; ++signal) {
    const itimerval once{{0, 0}, {0, static_cast<suseconds_t>(1 + random() % 20)}};
    setitimer(ITIMER_REAL, &once, nullptr);
    const bool bulk = signal % 2 != 0;
    while (Interrupting::signals == signal) {
      Indexes found;
      reader.epoch = reader.epoch + 1;
      const uint64_t first = Interrupting::made;
      if (bulk)
        routes.lookup_bulk(plan.addresses().data(), kAddresses, found.data());
      else
        for (std::size_t i = 0; i < kAddresses; ++i)
          routes.lookup_bulk(&plan.addresses()[i], 1, &found[i]);
      const uint64_t last = Interrupting::made;
      met += last != first;
      wrong += count_wrong(plan, routes, found, first, last);
    }
  }
  sigaction(SIGALRM, &before, nullptr);
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(met, kSignals / 100) << "lookups were hardly ever interrupted";
  EXPECT_LT(routes.table().groups_made(), 100U);
  EXPECT_LT(routes.next_hops().made(), 2000U);
}

// --- threads

class Readers final : public GracePeriods {
 public:
  static constexpr std::size_t kCount = 2;
  uint64_t begin() override { return ++now_; }
  bool ended(uint64_t period) override {
    return std::all_of(seen_.begin(), seen_.end(), [&](const auto& one) { return one >= period; });
  }
  void quiescent(std::size_t reader) { seen_[reader] = now_.load(); }

 private:
  std::atomic<uint64_t> now_{0};
  std::array<std::atomic<uint64_t>, kCount> seen_{};
};

TEST(Ip4Routes, ReadersBesideAWriter) {
  const Plan plan(3);
  Readers readers;
  Ip4Routes routes(&readers);
  std::atomic<uint64_t> made{0};
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> wrong{0};
  std::atomic<uint64_t> met{0};
  const auto read = [&](std::size_t reader) {
    Indexes found;
    while (!stop.load(std::memory_order_relaxed)) {
      const uint64_t first = made.load();
      routes.lookup_bulk(plan.addresses().data(), kAddresses, found.data());
      // The change that is being made counts as well.
      const uint64_t last = made.load() + 1;
      wrong += count_wrong(plan, routes, found, first, last);
      met += last > first + 1;
      readers.quiescent(reader);
    }
  };
  std::thread threads[Readers::kCount];
  for (std::size_t i = 0; i < Readers::kCount; ++i) threads[i] = std::thread(read, i);
  uint64_t step = 0;
  while (step < 50 * kSteps || (met < 100 && step < 5000 * kSteps)) {
    routes.apply(plan.changes(step));
    made = ++step;
    if (step % 64 == 0) std::this_thread::yield();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(met, 0U) << "readers and the writer never met";
}

}  // namespace
}  // namespace headroom
