// Tests that need a started machine. EAL starts only once in a process, so each runs its body in a
// child, where the machine starts its own, as the program does; what fails there is printed, and
// fails the test.
//
//   TEST(Ports, Something) {
//     in_child([] {
//       MachineRun run("ports: {a: {vdev: net_null0}}", "f :: FromPort(a) -> out :: TestSink");
//       run.rounds(2);
//       EXPECT_EQ(run.sink("out").packets.size(), 128u);
//     });
//   }
#pragma once

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../elements/io/capture_file.hh"
#include "headroom/click/reader.hh"
#include "headroom/runtime/machine.hh"
#include "headroom/runtime/replicas.hh"
#include "headroom/runtime/report.hh"
#include "test_router.hh"

namespace headroom::test {

inline void in_child(const std::function<void()>& body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int status = 1;
    try {
      body();
      status = ::testing::Test::HasFailure() ? 1 : 0;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    std::fflush(nullptr);
    _exit(status);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "see above";
}

inline SystemConfig system_config(std::string_view text, Diagnostics& diagnostics) {
  const uint32_t file = diagnostics.sources().add("system.yaml", std::string(text));
  SystemConfig config = read_system_config(file, diagnostics);
  EXPECT_TRUE(diagnostics.ok()) << diagnostics.render(Diagnostics::Form::full);
  return config;
}
inline SystemConfig system_config(std::string_view text) {
  Diagnostics diagnostics;
  return system_config(text, diagnostics);
}

// A capture file of these frames; returns its path.
inline std::string write_capture(const std::string& path, const std::vector<Bytes>& packets) {
  std::vector<CapturedPacket> captured;
  for (const Bytes& bytes : packets)
    captured.push_back({static_cast<int64_t>(captured.size() + 1) * 1'000, bytes, 0});
  return write_file(path, pcap_file(captured, {.nanoseconds = false}));
}

// A configuration on a machine, as far as it gets: built, then started.
class MachineRun {
 public:
  struct Unstarted {};
  // For tests that let the workers run; the others have a simulated clock.
  struct RealTime {};

  MachineRun(std::string_view system, std::string_view config, Unstarted)
      : MachineRun(system, config, &clock, Unstarted{}) {}
  MachineRun(std::string_view system, std::string_view config)
      : MachineRun(system, config, Unstarted{}) {
    start_or_throw();
  }
  MachineRun(std::string_view system, std::string_view config, RealTime)
      : MachineRun(system, config, nullptr, Unstarted{}) {
    start_or_throw();
  }
  // The ledger must be balanced and every packet home, always.
  ~MachineRun() {
    if (!started) return;
    const Ledger ledger = replicas.ledger();
    EXPECT_TRUE(ledger.balanced()) << ledger.complaint();
    replicas.clear();
    EXPECT_EQ(machine.stop(), 0u) << "packets did not come home";
  }
  MachineRun(const MachineRun&) = delete;
  MachineRun& operator=(const MachineRun&) = delete;

  bool start() {
    return machine.start(replicas.first(), diagnostics) &&
           replicas.initialize(machine, diagnostics);
  }
  std::string messages() const { return diagnostics.render(Diagnostics::Form::full); }

  void rounds(uint64_t count, uint32_t worker = 0) {
    for (uint64_t i = 0; i < count; ++i) machine.workers()[worker]->scheduler().run_round();
  }
  Pool& pool() { return *machine.context_of(0).pool; }
  TestSink& sink(std::string_view name) { return *find<TestSink>(name); }
  void send(std::string_view source, std::vector<Packet*> packets, uint32_t batch_size = 64) {
    find<TestSource>(source)->emit(std::move(packets), batch_size);
  }
  void send(std::string_view source, const std::vector<Bytes>& packets, uint32_t batch_size = 64) {
    std::vector<Packet*> made;
    for (const Bytes& bytes : packets) made.push_back(Packet::make(pool(), bytes));
    send(source, std::move(made), batch_size);
  }
  std::string read(std::string_view handler) {
    std::string error;
    const auto value = replicas.read_handler(handler, error);
    EXPECT_TRUE(value) << error;
    return value.value_or("");
  }
  uint64_t dropped(std::string_view element, std::string_view reason) {
    for (const LedgerDrop& drop : replicas.ledger().drops)
      if (drop.element == element && drop.reason == reason) return drop.packets;
    return 0;
  }

  SimulatedClock clock;
  Diagnostics diagnostics;
  Machine machine;
  Replicas replicas;
  bool built = false;
  bool started = false;

 private:
  MachineRun(std::string_view system, std::string_view config, Clock* time, Unstarted)
      : machine(system_config(system, diagnostics), time) {
    const uint32_t file = diagnostics.sources().add("config", std::string(config));
    const click::FlatGraph graph = click::read(file, Registry::instance(), diagnostics);
    built = diagnostics.ok() && replicas.build(graph, machine, diagnostics);
  }

  void start_or_throw() {
    started = built && start();
    if (!started) throw std::runtime_error(messages());
  }

  template <class T>
  T* find(std::string_view name) {
    T* element = replicas.first().find_as<T>(name);
    if (element == nullptr) throw std::runtime_error("no element " + std::string(name));
    return element;
  }
};

}  // namespace headroom::test
