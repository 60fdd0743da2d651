#include "run.hh"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <optional>

#include "handler_output.hh"
#include "headroom/base/clock.hh"
#include "headroom/graph/registry.hh"
#include "headroom/runtime/machine.hh"
#include "headroom/runtime/monitor.hh"
#include "headroom/runtime/replicas.hh"
#include "headroom/runtime/report.hh"
#include "inputs.hh"
#include "sampler.hh"

namespace headroom {
namespace {

Machine* running_machine = nullptr;
volatile sig_atomic_t got_signal = 0;

void on_signal(int number) {
  if (number != SIGALRM) got_signal = 1;
  if (running_machine != nullptr) running_machine->request_stop();
}

// While it lives, SIGINT and SIGTERM stop the workers between two rounds, or before the first; a
// second one ends the program at once.
class SignalGuard {
 public:
  explicit SignalGuard(Machine& machine) {
    running_machine = &machine;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESETHAND | SA_RESTART;
    for (const int number : {SIGINT, SIGTERM, SIGALRM}) sigaction(number, &action, nullptr);
  }
  ~SignalGuard() { running_machine = nullptr; }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
};

void set_alarm(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec =
      static_cast<suseconds_t>((seconds - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
  if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) timer.it_value.tv_usec = 1;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options), inputs_(options) {}

  int execute() {
    const std::optional<click::FlatGraph> graph = inputs_.read_configuration(Registry::instance());
    SystemConfig system = inputs_.system();
    Diagnostics& diagnostics = inputs_.diagnostics();
    if (!diagnostics.ok() || !graph) return fail();
    if (graph->elements().empty()) {
      if (options_.warn_when_empty)
        diagnostics.warning({}, inputs_.name() + ": configuration has no elements, exiting");
      inputs_.show_diagnostics();
      return 0;
    }
    std::unique_ptr<SimulatedClock> simulated;
    if (options_.simulated_time)
      simulated = std::make_unique<SimulatedClock>(*options_.simulated_time);
    Machine machine(std::move(system), simulated.get());
    const SignalGuard signals(machine);
    Replicas replicas;
    if (!replicas.build(*graph, machine, diagnostics)) return fail_initialize();
    if (!machine.start(replicas.first(), diagnostics) || !replicas.initialize(machine, diagnostics))
      return fail_initialize();
    if (!options_.output_file.empty())
      write_output(options_.output_file, replicas.first().flat_configuration(), diagnostics);
    inputs_.show_diagnostics();  // warnings

    double seconds = 0;
    if (!options_.quit) {
      if (options_.run_for > 0) set_alarm(options_.run_for);
      if (options_.sample > 0) sampler_.emplace(machine, options_.sample, std::cout).start();
      const auto start = std::chrono::steady_clock::now();
      {
        const Monitor monitor(machine, replicas,
                              [](const std::string& line) { std::cerr << "headroom: " + line; });
        machine.run();
      }
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    if (options_.times) show_times(seconds);
    return finish(machine, replicas, seconds);
  }

 private:
  int finish(Machine& machine, Replicas& replicas, double seconds) {
    Diagnostics& diagnostics = inputs_.diagnostics();
    print_handlers(replicas, options_.handlers, std::cout, diagnostics);
    int status = diagnostics.ok() ? 0 : 1;
    if (!options_.exit_handler.empty()) {
      const int asked = exit_status(replicas, options_.exit_handler, diagnostics);
      if (status == 0) status = asked;
    }
    inputs_.show_diagnostics();
    const RunReport report = make_report(machine, replicas, seconds);
    if (sampler_) sampler_->finish(report.ledger);
    if (wants_report(machine)) std::cerr << render(report);
    if (!report.ledger.balanced()) {
      if (!wants_report(machine))
        std::cerr << "ledger not balanced:\n" << report.ledger.complaint();
      status = 1;
    }
    replicas.clear();
    if (const uint64_t missing = machine.stop(); missing != 0) {
      std::cerr << "headroom: " << missing << " packet buffers did not come back to the pool\n";
      status = 1;
    }
    return status;
  }

  int fail() {
    inputs_.show_diagnostics();
    return 1;
  }

  int fail_initialize() {
    inputs_.show_diagnostics();
    // Not a message of its own: editors that read the JSON have all that there is.
    if (options_.diagnostics != Options::Form::json)
      std::cerr << "Router could not be initialized!\n";
    return 1;
  }

  static void show_times(double elapsed) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    std::cerr << fmt::format("ran {:.3f} s; user {:.3f} s, system {:.3f} s in all\n", elapsed,
                             seconds(usage.ru_utime), seconds(usage.ru_stime));
  }

  bool wants_report(const Machine& machine) const {
    if (options_.report != Options::Report::automatic)
      return options_.report == Options::Report::always;
    return !options_.quit &&
           (!machine.devices().empty() || got_signal != 0 || isatty(STDERR_FILENO) != 0);
  }

  static RunReport make_report(Machine& machine, const Replicas& replicas, double seconds) {
    RunReport report;
    report.ledger = replicas.ledger();
    for (const auto& device : machine.devices()) {
      PortReport port{device->name(), device->driver(), device->stats(), device->link()};
      const auto& elements = replicas.first().elements();
      for (std::size_t i = 0; i < elements.size(); ++i) {
        const LedgerEntry& entry = report.ledger.entries[i];
        if (elements[i]->receives_from(device->name())) port.taken += entry.created;
        if (elements[i]->transmits_on(device->name())) port.handed += entry.absorbed;
      }
      report.ports.push_back(std::move(port));
    }
    report.seconds = seconds;
    report.workers = static_cast<uint32_t>(machine.workers().size());
    return report;
  }

  const Options& options_;
  Inputs inputs_;
  std::optional<Sampler> sampler_;
};

}  // namespace

int run(const Options& options) { return Run(options).execute(); }

}  // namespace headroom
