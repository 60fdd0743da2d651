#include <iostream>

#include "headroom/base/suggest.hh"
#include "headroom/graph/registry.hh"
#include "headroom/runtime/system_config.hh"
#include "manual.hh"
#include "options.hh"
#include "run.hh"

namespace headroom {
namespace {

int show_page(const std::string& name) {
  const Registry& registry = Registry::instance();
  const ElementClass* element_class = registry.find(name);
  if (element_class == nullptr) {
    std::cerr << "headroom: no element class '" << name << "'";
    const std::string hint = did_you_mean(name, registry.class_names());
    if (!hint.empty()) std::cerr << "; " << hint;
    std::cerr << "\n";
    return 1;
  }
  std::cout << manual_page(*element_class);
  return 0;
}

int main_with(int argc, char** argv) {
  std::string error;
  const std::optional<Options> options = parse_options(argc, argv, error);
  if (!options) {
    std::cerr << "headroom: " << error << "\nTry 'headroom --help'.\n";
    return 1;
  }
  switch (options->command) {
    case Options::Command::run:
      return run(*options);
    case Options::Command::list:
      std::cout << manual_list(Registry::instance());
      return 0;
    case Options::Command::doc:
      return show_page(options->doc_element);
    case Options::Command::version:
      std::cout << "headroom " HEADROOM_VERSION "\n";
      return 0;
    case Options::Command::help:
      std::cout << usage();
      return 0;
    case Options::Command::help_system:
      std::cout << system_schema_text();
      return 0;
  }
  return 1;
}

}  // namespace
}  // namespace headroom

int main(int argc, char** argv) { return headroom::main_with(argc, argv); }
