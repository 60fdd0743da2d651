// Tasks, timers and work from other threads.
#include <atomic>
#include <thread>

#include "graph_elements.hh"

namespace headroom::test {
namespace {

constexpr int64_t kStart = SimulatedClock::kStart;
constexpr int64_t kSecond = 1'000'000'000;

// Timers and a task whose behaviour the test gives.
class Ticker final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "Ticker", .ports = "0/0"};
  Task task{*this};
  Task other_task{*this};
  Timer timers[4]{Timer{*this}, Timer{*this}, Timer{*this}, Timer{*this}};
  std::unique_ptr<Timer> extra = std::make_unique<Timer>(*this);

  bool run_task(Task& one) override { return on_task ? on_task(one) : false; }
  void run_timer(Timer& timer) override {
    const int index = &timer == extra.get() ? 9 : static_cast<int>(&timer - timers);
    fired.push_back(index);
    times.push_back(now());
    if (on_timer) on_timer(index);
  }
  std::function<bool(Task&)> on_task;
  std::function<void(int)> on_timer;
  std::vector<int> fired;
  std::vector<int64_t> times;
};
HEADROOM_ELEMENT(Ticker);

class SchedulerTest : public testing::Test {
 protected:
  TestRouter test{"t :: Ticker"};
  Ticker& ticker = *test.router->find_as<Ticker>("t");
  Scheduler& scheduler = *test.scheduler;
  using Fired = std::vector<int>;
};

TEST_F(SchedulerTest, TimersFireInOrderOfTimeThenOfScheduling) {
  ticker.timers[0].schedule_at(kStart + 3 * kSecond);
  ticker.timers[1].schedule_at(kStart + 1 * kSecond);
  ticker.timers[2].schedule_at(kStart + 2 * kSecond);
  ticker.timers[3].schedule_at(kStart + 1 * kSecond);
  EXPECT_EQ(scheduler.next_timer(), kStart + kSecond);
  test.run();
  EXPECT_EQ(ticker.fired, (Fired{1, 3, 2, 0}));
  EXPECT_FALSE(scheduler.next_timer());
}

TEST_F(SchedulerTest, TheSimulatedClockJumpsAndNeverRunsEarly) {
  ticker.timers[0].schedule_after(3600 * kSecond);
  const int64_t expiry = ticker.timers[0].expiry();
  test.run();
  ASSERT_EQ(ticker.times.size(), 1u);
  EXPECT_GE(ticker.times[0], expiry);
  EXPECT_LT(ticker.times[0], expiry + 1000);
}

TEST_F(SchedulerTest, SchedulingAgainMoves) {
  ticker.timers[0].schedule_at(kStart + kSecond);
  ticker.timers[1].schedule_at(kStart + 2 * kSecond);
  ticker.timers[0].schedule_at(kStart + 3 * kSecond);
  test.run();
  EXPECT_EQ(ticker.fired, (Fired{1, 0}));
}

TEST_F(SchedulerTest, UnscheduledTimersDoNotFire) {
  ticker.timers[0].schedule_at(kStart + kSecond);
  ticker.timers[1].schedule_at(kStart + 2 * kSecond);
  ticker.timers[0].unschedule();
  ticker.timers[0].unschedule();
  EXPECT_FALSE(ticker.timers[0].scheduled());
  // Also from another one's turn at the same time.
  ticker.timers[2].schedule_at(kStart + 2 * kSecond);
  ticker.on_timer = [&](int) { ticker.timers[2].unschedule(); };
  test.run();
  EXPECT_EQ(ticker.fired, Fired{1});
}

TEST_F(SchedulerTest, ATimerIsFreeToScheduleItselfAgain) {
  ticker.on_timer = [&](int index) {
    EXPECT_FALSE(ticker.timers[index].scheduled());
    if (ticker.fired.size() < 5) ticker.timers[index].schedule_after(kSecond);
  };
  ticker.timers[0].schedule_after(kSecond);
  test.run();
  EXPECT_EQ(ticker.fired, (Fired{0, 0, 0, 0, 0}));
  EXPECT_GT(ticker.times.back(), kStart + 5 * kSecond - 1);
}

TEST_F(SchedulerTest, ATimerThatIsAlwaysDueRunsOnceARoundAndStarvesNobody) {
  ticker.on_timer = [&](int index) {
    if (index == 0) ticker.timers[0].schedule_at(kStart - kSecond);  // long past
  };
  ticker.timers[0].schedule_at(kStart - kSecond);
  ticker.timers[1].schedule_at(kStart);
  scheduler.run_round();
  EXPECT_EQ(ticker.fired, (Fired{0, 1}));
  ticker.timers[1].schedule_at(kStart);
  scheduler.run_round();
  EXPECT_EQ(ticker.fired, (Fired{0, 1, 0, 1}));
}

TEST_F(SchedulerTest, ADestroyedTimerIsForgotten) {
  ticker.extra->schedule_at(kStart + kSecond);
  ticker.timers[0].schedule_at(kStart + kSecond);
  ticker.extra.reset();
  test.run();
  EXPECT_EQ(ticker.fired, Fired{0});
}

TEST_F(SchedulerTest, ATimerDestroyedByAnotherAtTheSameTime) {
  ticker.timers[0].schedule_at(kStart + kSecond);
  ticker.extra->schedule_at(kStart + kSecond);
  ticker.on_timer = [&](int) { ticker.extra.reset(); };
  test.run();
  EXPECT_EQ(ticker.fired, Fired{0});
}

TEST_F(SchedulerTest, TimersInTheFarFuture) {
  ticker.timers[0].schedule_after(INT64_MAX);
  EXPECT_EQ(ticker.timers[0].expiry(), INT64_MAX);
  EXPECT_FALSE(scheduler.run_round());
  ticker.timers[0].unschedule();
}

TEST_F(SchedulerTest, ARouterThatEndsWithScheduledTimersAndTasks) {
  ticker.timers[0].schedule_after(kSecond);
  ticker.task.schedule();
  test.router.reset();
  EXPECT_FALSE(scheduler.has_scheduled_tasks());
  EXPECT_FALSE(scheduler.next_timer());
  EXPECT_FALSE(scheduler.run_round());
}

TEST_F(SchedulerTest, ASchedulerThatEndsFirst) {
  ticker.timers[0].schedule_after(kSecond);
  ticker.task.schedule();
  test.scheduler.reset();
  EXPECT_FALSE(ticker.timers[0].scheduled());
  ticker.task.unschedule();
  ticker.timers[0].unschedule();
}

TEST_F(SchedulerTest, TasksRunOnceARoundWhileScheduled) {
  std::vector<int> runs;
  ticker.on_task = [&](Task& task) {
    runs.push_back(&task == &ticker.task ? 1 : 2);
    if (runs.size() >= 5) task.unschedule();
    return true;
  };
  ticker.task.schedule();
  ticker.task.schedule();  // twice is once
  ticker.other_task.schedule();
  test.run();
  EXPECT_EQ(runs, (std::vector<int>{1, 2, 1, 2, 1, 2}));
  EXPECT_FALSE(scheduler.has_scheduled_tasks());
}

TEST_F(SchedulerTest, StopEndsTheRun) {
  int runs = 0;
  ticker.on_task = [&](Task&) {
    if (++runs == 3) test.router->stop_event();
    return true;
  };
  ticker.task.schedule();
  test.run();
  EXPECT_EQ(runs, 3);
  EXPECT_TRUE(scheduler.stopped());
  EXPECT_TRUE(test.router->wants_stop());
}

TEST_F(SchedulerTest, WithATaskThatFindsNothingTheClockStillGoesOn) {
  ticker.task.schedule();  // polls for ever
  ticker.timers[0].schedule_after(kSecond);
  ticker.on_timer = [&](int) { ticker.task.unschedule(); };
  test.run(1000);
  EXPECT_EQ(ticker.fired, Fired{0});
}

TEST_F(SchedulerTest, PostedWorkRunsAlsoWhatItPosts) {
  std::vector<int> done;
  scheduler.post([&] {
    done.push_back(1);
    scheduler.post([&] {
      done.push_back(2);
      scheduler.post([&] { done.push_back(3); });
    });
  });
  test.run();
  EXPECT_EQ(done, (std::vector<int>{1, 2, 3}));
}

TEST_F(SchedulerTest, CallOnTheOwnThreadIsDoneAtOnce) {
  bool done = false;
  scheduler.call([&] { done = true; });  // nobody runs it
  EXPECT_TRUE(done);
  scheduler.adopt_thread();
  done = false;
  scheduler.call([&] { done = true; });
  EXPECT_TRUE(done);
  scheduler.release_thread();
}

TEST_F(SchedulerTest, CallsFromOtherThreadsRunOnTheWorker) {
  std::atomic<bool> running{false};
  std::thread worker([&] {
    scheduler.adopt_thread();
    running = true;
    while (!scheduler.stopped()) scheduler.run_round();
    scheduler.release_thread();
  });
  while (!running) std::this_thread::yield();
  uint64_t plain = 0;  // only the worker touches it
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      for (int n = 0; n < 500; ++n)
        scheduler.call([&] {
          EXPECT_EQ(std::this_thread::get_id(), worker.get_id());
          ++plain;
        });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(plain, 2000u);
  scheduler.stop();
  worker.join();
}

TEST_F(SchedulerTest, NoCallIsLeftWaitingWhenTheWorkerLeaves) {
  // Whoever calls just then is served by the worker, or does it on its own.
  for (int round = 0; round < 300; ++round) {
    std::atomic<bool> running{false}, leave{false};
    std::thread worker([&] {
      scheduler.adopt_thread();
      running = true;
      while (!leave) scheduler.run_round();
      scheduler.release_thread();
    });
    while (!running) std::this_thread::yield();
    std::atomic<int> done{0};
    std::thread caller([&] {
      for (int i = 0; i < 20; ++i) scheduler.call([&] { ++done; });
    });
    leave = true;
    caller.join();
    worker.join();
    EXPECT_EQ(done, 20);
  }
}

}  // namespace
}  // namespace headroom::test
