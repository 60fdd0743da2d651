// What a command line names: the router configuration, the system configuration, and the reporter
// of their mistakes.
#pragma once

#include <optional>
#include <string>

#include "headroom/base/diagnostics.hh"
#include "headroom/click/flat_graph.hh"
#include "headroom/click/reader.hh"
#include "headroom/runtime/system_config.hh"
#include "options.hh"

namespace headroom {

class Inputs {
 public:
  explicit Inputs(const Options& options) : options_(options) {}

  // Nothing when the file cannot be read. Other mistakes are in the diagnostics.
  std::optional<click::FlatGraph> read_configuration(click::ReaderEnvironment& classes,
                                                     bool accept_unknown_classes = false);
  // Reads it when it is asked for the first time.
  const SystemConfig& system();
  // As messages show it: "router.click", "<stdin>" or "config".
  const std::string& name() const { return name_; }

  Diagnostics& diagnostics() { return diagnostics_; }
  // Writes the messages that it has not written yet to standard error, in the form that the command
  // line asks for.
  void show_diagnostics();

 private:
  SystemConfig read_system();
  std::optional<std::string> read_text();
  std::vector<std::string> library_directories() const;

  const Options& options_;
  Diagnostics diagnostics_;
  std::optional<SystemConfig> system_;
  std::string name_;
  std::size_t shown_ = 0;
};

// Writes `text` to a file, or to standard output when that is "-". Reports why it cannot.
bool write_output(const std::string& file, const std::string& text, Diagnostics& diagnostics);

}  // namespace headroom
