// The command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace headroom {

struct Options {
  enum class Command { run, list, doc, version, help, help_system };
  enum class Report { automatic, always, never };
  enum class Form { automatic, plain, full };

  Command command = Command::run;
  std::string config_file = "-";           // "-" is standard input
  std::optional<std::string> config_text;  // -e
  std::string doc_element;
  bool quit = false;                      // -q
  std::vector<std::string> handlers;      // -h
  std::string system_file;                // --system
  std::vector<std::string> overrides;     // --set
  std::optional<uint32_t> workers;        // -j
  std::optional<int64_t> simulated_time;  // --simtime, nanoseconds
  double run_for = 0;                     // seconds; 0 is without end
  Report report = Report::automatic;
  Form diagnostics = Form::automatic;
};

// Reads the command line. On a mistake returns nothing, with the message in `error`.
std::optional<Options> parse_options(int argc, char** argv, std::string& error);

// The text of --help.
std::string usage();

}  // namespace headroom
