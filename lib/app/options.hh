// The command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

// The program is also installed under the names `click` and `click-flatten`, whose command lines
// people and scripts know: the first takes no subcommands, the second does nothing but flatten.
enum class Program : uint8_t { headroom, click, click_flatten };

struct Options {
  enum class Command : uint8_t {
    run,
    check,
    graph,
    doctor,
    flatten,
    list,
    doc,
    version,
    help,
    help_system
  };
  enum class Report : uint8_t { automatic, always, never };
  enum class Form : uint8_t { automatic, plain, full, json };

  Command command = Command::run;
  std::optional<std::string> config_file;                       // or standard input
  std::optional<std::string> config_text;                       // -e
  std::vector<std::pair<std::string, std::string>> parameters;  // NAME=value
  std::string click_path;                                       // -C, directories with ":" between
  std::string doc_element;
  bool quit = false;                       // -q
  std::vector<std::string> handlers;       // -h
  std::string exit_handler;                // -x
  std::string output_file;                 // -o
  std::string system_file;                 // --system
  std::vector<std::string> overrides;      // --set
  std::vector<std::string> eal_arguments;  // --dpdk ... --
  std::optional<uint32_t> workers;         // -j
  std::optional<uint32_t> first_core;      // --affinity=N
  bool pinned = true;                      // unless --no-affinity
  std::optional<int64_t> simulated_time;   // --simtime, nanoseconds
  double run_for = 0;                      // seconds; 0 is without end
  double sample = 0;                       // seconds between lines of counters; 0 is none
  bool times = false;                      // -t
  bool warn_when_empty = true;             // unless -w
  bool nba = false;                        // --compat=nba
  bool json = false;                       // --json
  std::string root = "/";                  // --root, for tests
  Report report = Report::automatic;
  Form diagnostics = Form::automatic;
};

// By the name under which it was called.
Program program_of(const char* name);

// Reads the command line. On a mistake returns nothing, with the message in `error`.
std::optional<Options> parse_options(Program program, std::vector<std::string> arguments,
                                     std::string& error);

// The text of --help.
std::string usage(Program program);

}  // namespace headroom
