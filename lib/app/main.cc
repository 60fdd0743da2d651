#include <iostream>

#include "doctor.hh"
#include "headroom/base/suggest.hh"
#include "headroom/graph/registry.hh"
#include "headroom/packet/poison.hh"
#include "headroom/runtime/system_config.hh"
#include "inspect.hh"
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
  const Program program = program_of(argv[0]);
  std::string error;
  const std::optional<Options> options =
      parse_options(program, std::vector<std::string>(argv + 1, argv + argc), error);
  if (!options) {
    std::cerr << error << "\n\n" << usage(program);
    return 1;
  }
  switch (options->command) {
    case Options::Command::run:
      return run(*options);
    case Options::Command::check:
      return check(*options);
    case Options::Command::graph:
      return draw(*options);
    case Options::Command::doctor:
      return doctor(*options);
    case Options::Command::flatten:
      return flatten(*options);
    case Options::Command::list:
      std::cout << manual_list(Registry::instance());
      return 0;
    case Options::Command::doc:
      return show_page(options->doc_element);
    case Options::Command::version:
      std::cout << "headroom " HEADROOM_VERSION "\n";
      return 0;
    case Options::Command::help:
      std::cout << usage(program);
      return 0;
    case Options::Command::help_system:
      std::cout << system_schema_text();
      return 0;
  }
  return 1;
}

}  // namespace
}  // namespace headroom

#if HEADROOM_POISON
// net_af_xdp never frees what libxdp made for it when the device is closed.
extern "C" const char* __lsan_default_suppressions();  // NOLINT: the names are the sanitizer's
extern "C" const char* __lsan_default_options();       // NOLINT
extern "C" const char* __lsan_default_suppressions() { return "leak:xsk_umem__create\n"; }
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
#endif

int main(int argc, char** argv) { return headroom::main_with(argc, argv); }
