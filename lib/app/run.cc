#include "run.hh"

#include <fmt/format.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "headroom/base/clock.hh"
#include "headroom/click/reader.hh"
#include "headroom/graph/registry.hh"
#include "headroom/runtime/machine.hh"
#include "headroom/runtime/replicas.hh"
#include "headroom/runtime/report.hh"

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
  explicit Run(const Options& options) : options_(options) {}

  int execute() {
    const std::optional<click::FlatGraph> graph = read_configuration();
    SystemConfig system = read_system();
    if (!diagnostics_.ok() || !graph) return fail();
    if (graph->elements().empty()) {
      diagnostics_.warning({}, source_name_ + ": configuration has no elements, exiting");
      show_diagnostics();
      return 0;
    }
    std::unique_ptr<SimulatedClock> simulated;
    if (options_.simulated_time)
      simulated = std::make_unique<SimulatedClock>(*options_.simulated_time);
    Machine machine(std::move(system), simulated.get());
    const SignalGuard signals(machine);
    Replicas replicas;
    if (!replicas.build(*graph, machine, diagnostics_)) return fail_initialize();
    const uint32_t workers = machine.workers_for(replicas.first(), diagnostics_);
    if (!machine.start(replicas.first(), workers, diagnostics_) ||
        !replicas.initialize(machine, diagnostics_))
      return fail_initialize();
    show_diagnostics();  // warnings

    double seconds = 0;
    if (!options_.quit) {
      if (options_.run_for > 0) set_alarm(options_.run_for);
      const auto start = std::chrono::steady_clock::now();
      machine.run();
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    int status = print_handlers(replicas);
    const RunReport report = make_report(machine, replicas, seconds);
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

 private:
  std::optional<click::FlatGraph> read_configuration() {
    std::string text;
    if (options_.config_text) {
      source_name_ = "config";
      text = *options_.config_text;
    } else if (options_.config_file == "-") {
      source_name_ = "<stdin>";
      text.assign(std::istreambuf_iterator<char>(std::cin), {});
    } else {
      source_name_ = options_.config_file;
      std::ifstream file(options_.config_file, std::ios::binary);
      std::error_code error;
      if (!file || std::filesystem::is_directory(options_.config_file, error)) {
        diagnostics_.error({}, source_name_ + ": " + (file ? "is a directory" : strerror(errno)));
        return std::nullopt;
      }
      text.assign(std::istreambuf_iterator<char>(file), {});
      Registry::instance().add_package_directory(
          std::filesystem::absolute(options_.config_file).parent_path().string());
    }
    Registry::instance().add_package_directory(".");
    return click::read(diagnostics_.sources().add(source_name_, std::move(text)),
                       Registry::instance(), diagnostics_);
  }

  SystemConfig read_system() {
    SystemConfig config = default_system_config();
    if (!options_.system_file.empty()) {
      std::ifstream file(options_.system_file, std::ios::binary);
      if (!file) {
        diagnostics_.error({}, options_.system_file + ": " + strerror(errno));
        return config;
      }
      std::string text{std::istreambuf_iterator<char>(file), {}};
      config = read_system_config(diagnostics_.sources().add(options_.system_file, std::move(text)),
                                  diagnostics_);
    }
    for (const std::string& assignment : options_.overrides)
      apply_override(config, assignment, diagnostics_);
    if (options_.workers)
      apply_override(config, "workers.count=" + std::to_string(*options_.workers), diagnostics_);
    return config;
  }

  void show_diagnostics() {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const bool full = options_.diagnostics == Options::Form::full ||
                      (options_.diagnostics == Options::Form::automatic && terminal);
    std::cerr << diagnostics_.render(full ? Diagnostics::Form::full : Diagnostics::Form::plain,
                                     terminal);
  }

  int fail() {
    show_diagnostics();
    return 1;
  }

  int fail_initialize() {
    show_diagnostics();
    std::cerr << "Router could not be initialized!\n";
    return 1;
  }

  int print_handlers(const Replicas& replicas) {
    int status = 0;
    for (const std::string& name : options_.handlers) {
      std::string error;
      std::optional<std::string> value = replicas.read_handler(name, error);
      if (!value) {
        std::cerr << error << "\n";
        status = 1;
        continue;
      }
      if (value->empty() || value->back() != '\n') *value += '\n';
      if (options_.handlers.size() > 1)
        std::cout << name << ":\n" << *value << "\n";
      else
        std::cout << *value;
    }
    std::cout.flush();
    return status;
  }

  bool wants_report(const Machine& machine) const {
    if (options_.report != Options::Report::automatic)
      return options_.report == Options::Report::always;
    return !options_.quit &&
           (!machine.devices().empty() || got_signal != 0 || isatty(STDERR_FILENO) != 0);
  }

  static RunReport make_report(Machine& machine, const Replicas& replicas, double seconds) {
    RunReport report;
    for (const auto& device : machine.devices())
      report.ports.push_back({device->name(), device->driver(), device->stats()});
    report.ledger = replicas.ledger();
    report.seconds = seconds;
    report.workers = static_cast<uint32_t>(machine.workers().size());
    return report;
  }

  const Options& options_;
  Diagnostics diagnostics_;
  std::string source_name_;
};

}  // namespace

int run(const Options& options) { return Run(options).execute(); }

}  // namespace headroom
