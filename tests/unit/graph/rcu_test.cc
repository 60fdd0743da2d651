#include "headroom/graph/rcu.hh"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "graph_elements.hh"

namespace headroom::test {
namespace {

TEST(Rcu, WaitsForThoseThatAreOnline) {
  Rcu rcu(3);
  EXPECT_TRUE(rcu.ended(rcu.begin())) << "nobody is";
  rcu.online(0);
  rcu.online(2);
  const uint64_t first = rcu.begin();
  EXPECT_FALSE(rcu.ended(first));
  rcu.quiescent(0);
  EXPECT_FALSE(rcu.ended(first));
  rcu.quiescent(2);
  EXPECT_TRUE(rcu.ended(first));
  const uint64_t second = rcu.begin();
  EXPECT_TRUE(rcu.ended(first));
  EXPECT_FALSE(rcu.ended(second));
  rcu.quiescent(2);
  rcu.offline(0);
  EXPECT_TRUE(rcu.ended(second)) << "who goes is not waited for";
  rcu.online(1);
  EXPECT_TRUE(rcu.ended(second)) << "nor who came later";
  const uint64_t third = rcu.begin();
  rcu.quiescent(2);
  EXPECT_FALSE(rcu.ended(third));
  rcu.offline(1);
  rcu.offline(2);
  EXPECT_TRUE(rcu.ended(third));
}

// A scheduler reports for its thread: after each round, and not at all while nothing runs it.
TEST(Rcu, ASchedulerIsAReader) {
  Rcu rcu(2);
  SimulatedClock clock;
  Scheduler scheduler(clock, &rcu, 1);
  EXPECT_TRUE(rcu.ended(rcu.begin()));
  scheduler.adopt_thread();
  const uint64_t period = rcu.begin();
  EXPECT_FALSE(rcu.ended(period));
  bool during = true;
  scheduler.post([&] { during = rcu.ended(period); });
  scheduler.run_round();
  EXPECT_FALSE(during) << "the round had not ended";
  EXPECT_TRUE(rcu.ended(period));
  const uint64_t last = rcu.begin();
  EXPECT_FALSE(rcu.ended(last));
  scheduler.release_thread();
  EXPECT_TRUE(rcu.ended(last));
}

// Readers follow a pointer to what the writer takes out, wipes and frees after a grace period: one
// that is freed too early is found wiped, or by AddressSanitizer.
TEST(Rcu, NothingIsFreedUnderAReader) {
  constexpr uint32_t kReaders = 3;
  constexpr uint64_t kGood = 0x600d;
  struct Item {
    std::atomic<uint64_t> words[16];
  };
  const auto make = [] {
    auto item = std::make_unique<Item>();
    for (auto& word : item->words) word.store(kGood, std::memory_order_relaxed);
    return item;
  };
  Rcu rcu(kReaders);
  auto current = make();
  std::atomic<const Item*> published{current.get()};
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> wrong{0};
  std::atomic<uint64_t> reads{0};
  std::vector<std::thread> threads;
  for (uint32_t reader = 0; reader < kReaders; ++reader)
    threads.emplace_back([&, reader] {
      while (!stop.load(std::memory_order_relaxed)) {
        rcu.online(reader);
        for (int round = 0; round < 1000; ++round) {
          const Item* item = published.load(std::memory_order_acquire);
          if (round % 16 == 0) std::this_thread::yield();  // and hold it for a while
          for (const auto& word : item->words)
            wrong += word.load(std::memory_order_relaxed) != kGood;
          rcu.quiescent(reader);
        }
        rcu.offline(reader);
        reads += 1000;
      }
    });
  std::vector<std::unique_ptr<Item>> retired;
  std::size_t waiting = 0;
  uint64_t period = 0;
  uint64_t freed = 0;
  while (freed < 20000 || reads < 100000) {
    retired.push_back(std::move(current));
    current = make();
    published.store(current.get(), std::memory_order_release);
    if (waiting != 0 && !rcu.ended(period)) {
      if (retired.size() > 1000) std::this_thread::yield();
      continue;
    }
    for (std::size_t i = 0; i < waiting; ++i)
      for (auto& word : retired[i]->words) word.store(0, std::memory_order_relaxed);
    freed += waiting;
    retired.erase(retired.begin(), retired.begin() + static_cast<std::ptrdiff_t>(waiting));
    waiting = retired.size();
    period = rcu.begin();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace headroom::test
