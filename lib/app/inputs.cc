#include "inputs.hh"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "diagnostics_json.hh"
#include "headroom/base/file.hh"
#include "headroom/graph/registry.hh"
#include "nba_package.hh"

namespace headroom {

std::optional<std::string> Inputs::read_text() {
  if (options_.config_text) {
    name_ = "config";
    return options_.config_text;
  }
  if (!options_.config_file || *options_.config_file == "-") {
    name_ = "<stdin>";
    return std::string(std::istreambuf_iterator<char>(std::cin), {});
  }
  name_ = *options_.config_file;
  std::string error;
  std::optional<std::string> text = read_file(name_, error);
  if (!text) diagnostics_.error({}, error);
  return text;
}

std::vector<std::string> Inputs::library_directories() const {
  std::string path = options_.click_path;
  if (const char* variable = std::getenv("CLICKPATH"); path.empty() && variable != nullptr)
    path = variable;
  std::vector<std::string> directories;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find(':', start), path.size());
    if (end > start) directories.push_back(path.substr(start, end - start));
    start = end + 1;
  }
  directories.emplace_back(HEADROOM_DATA_DIR);
  return directories;
}

std::optional<click::FlatGraph> Inputs::read_configuration(click::ReaderEnvironment& classes,
                                                           bool accept_unknown_classes) {
  const std::optional<std::string> text = read_text();
  if (!text) return std::nullopt;
  click::ReadOptions read_options;
  read_options.parameters = options_.parameters;
  read_options.library_directories = library_directories();
  read_options.accept_unknown_classes = accept_unknown_classes;
  read_options.package_text = [this](std::string_view package) {
    return package == kNbaPackage ? std::optional(nba_package(system())) : std::nullopt;
  };
  if (options_.nba) read_options.packages.emplace_back(kNbaPackage);
  Registry& registry = Registry::instance();
  for (const std::string& directory : read_options.library_directories) {
    registry.add_package_directory(directory + "/lib");
    registry.add_package_directory(directory);
  }
  if (options_.config_file)
    registry.add_package_directory(std::filesystem::absolute(name_).parent_path().string());
  registry.add_package_directory(".");
  click::FlatGraph graph =
      click::read(diagnostics_.sources().add(name_, *text), classes, diagnostics_, read_options);
  graph.set_source(*text);
  return graph;
}

const SystemConfig& Inputs::system() {
  if (!system_) {
    system_ = read_system();
    check_system_config(*system_, diagnostics_);
  }
  return *system_;
}

SystemConfig Inputs::read_system() {
  SystemConfig config = default_system_config();
  if (!options_.system_file.empty()) {
    std::string error;
    std::optional<std::string> text = read_file(options_.system_file, error);
    if (!text) {
      diagnostics_.error({}, error);
      return config;
    }
    config = read_system_config(diagnostics_.sources().add(options_.system_file, std::move(*text)),
                                diagnostics_);
  }
  if (options_.nba)
    for (const std::string& assignment : nba_overrides())
      apply_override(config, assignment, diagnostics_);
  for (const std::string& assignment : options_.overrides)
    apply_override(config, assignment, diagnostics_);
  if (options_.workers)
    apply_override(config, "workers.count=" + std::to_string(*options_.workers), diagnostics_);
  if (options_.first_core) {
    std::string cores;
    for (uint32_t i = 0; i < config.workers.count; ++i)
      cores += (i == 0 ? "" : ", ") + std::to_string(*options_.first_core + i);
    apply_override(config, "workers.cores=[" + cores + "]", diagnostics_);
  }
  if (!options_.pinned) config.workers.pinned = false;
  config.eal.arguments.insert(config.eal.arguments.end(), options_.eal_arguments.begin(),
                              options_.eal_arguments.end());
  return config;
}

void Inputs::show_diagnostics() {
  if (options_.diagnostics == Options::Form::json) {
    std::cerr << diagnostics_as_json(diagnostics_, shown_);
  } else {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const bool full = options_.diagnostics == Options::Form::full ||
                      (options_.diagnostics == Options::Form::automatic && terminal);
    std::cerr << diagnostics_.render(full ? Diagnostics::Form::full : Diagnostics::Form::plain,
                                     terminal, shown_);
  }
  shown_ = diagnostics_.all().size();
}

bool write_output(const std::string& file, const std::string& text, Diagnostics& diagnostics) {
  if (file == "-") {
    std::cout << text << std::flush;
    return true;
  }
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text << std::flush;
  if (!out) diagnostics.error({}, file + ": " + std::strerror(errno));
  return static_cast<bool>(out);
}

}  // namespace headroom
