// Workers that do not come round, as the monitor sees them.
#include "headroom/runtime/monitor.hh"

#include <chrono>
#include <mutex>
#include <thread>

#include "machine_fixture.hh"

namespace headroom::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

// So much of the processor's time passes.
void compute(double seconds) {
  timespec start{};
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
  const auto passed = [&] {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec - start.tv_sec) +
           static_cast<double>(now.tv_nsec - start.tv_nsec) * 1e-9;
  };
  while (passed() < seconds) {
  }
}

// Computes for a second over the hundredth packet.
class Ponder final : public PacketElement<Ponder> {
 public:
  static constexpr ElementSpec spec{.name = "Ponder"};
  Verdict process(Packet&) {
    if (++seen_ == 100) compute(1);
    return to(0);
  }

 private:
  int seen_ = 0;
};
HEADROOM_ELEMENT(Ponder);

// Computes for a second in a task of its own, once, and then stops the router.
class Brood final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "Brood", .ports = "0/0"};
  Task task{*this};
  bool initialize(SetupContext&) override {
    task.schedule();
    return true;
  }
  bool run_task(Task&) override {
    compute(1);
    task.unschedule();
    return true;
  }
};
HEADROOM_ELEMENT(Brood);

// What the monitor says while the configuration runs for so long.
std::string lines_of(const std::string& system, const std::string& config, double seconds) {
  MachineRun run(system, config, MachineRun::RealTime{});
  std::mutex mutex;
  std::string lines;
  {
    const Monitor monitor(run.machine, run.replicas, [&](const std::string& line) {
      const std::lock_guard lock(mutex);
      lines += line;
    });
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
      run.machine.request_stop();
    });
    run.machine.run();
    stopper.join();
  }
  return lines;
}

constexpr char kSystem[] =
    "ports: {a: {vdev: net_null0}}\nworkers: {watchdog_ms: 300, idle: sleep}";

TEST(Monitor, NamesTheElementThatHasThePackets) {
  in_child([] {
    const std::string lines = lines_of(
        kSystem, "FromPort(a) -> before :: Counter -> p :: Ponder -> Counter -> Discard", 2.5);
    EXPECT_THAT(lines, HasSubstr("worker 0 has been busy for "));
    EXPECT_THAT(lines, HasSubstr("does not come round: packets are in 'p :: Ponder' (64)\n"));
    EXPECT_THAT(lines, HasSubstr("worker 0 goes on after "));
  });
}

TEST(Monitor, NamesTheElementWhoseTaskIsAtWork) {
  in_child([] {
    EXPECT_THAT(lines_of(kSystem, "b :: Brood; FromPort(a) -> Discard", 2.5),
                HasSubstr("does not come round: in 'b :: Brood'\n"));
  });
}

TEST(Monitor, SaysNothingWhereNothingIsStuck) {
  in_child([] { EXPECT_EQ(lines_of(kSystem, "FromPort(a) -> Counter -> Discard", 1), ""); });
  in_child([] { EXPECT_EQ(lines_of("workers: {watchdog_ms: 0}", "b :: Brood", 1.5), ""); });
}

}  // namespace
}  // namespace headroom::test
