#include "inspect.hh"

#include "graphviz.hh"
#include "headroom/click/unparse.hh"
#include "headroom/graph/registry.hh"
#include "headroom/runtime/machine.hh"
#include "headroom/runtime/replicas.hh"
#include "inputs.hh"

namespace headroom {
namespace {

// Knows the program's classes, and loads nothing.
class KnownClasses final : public click::ReaderEnvironment {
 public:
  bool is_class(std::string_view name) const override {
    return Registry::instance().is_class(name);
  }
  std::vector<std::string_view> class_names() const override {
    return Registry::instance().class_names();
  }
  void require_package(std::string_view, SourceLocation, Diagnostics&) override {}
};

const std::string& output_of(const Options& options) {
  static const std::string standard_output = "-";
  return options.output_file.empty() ? standard_output : options.output_file;
}

// Builds the router as far as it goes without a machine, and hands it to `use`.
template <class Use>
int with_router(const Options& options, Use use) {
  Inputs inputs(options);
  Diagnostics& diagnostics = inputs.diagnostics();
  const auto graph = inputs.read_configuration(Registry::instance());
  SystemConfig system = inputs.system();
  if (graph && diagnostics.ok()) {
    Machine machine(std::move(system));
    Replicas replicas;
    if (replicas.build(*graph, machine, diagnostics))
      use(replicas.first(), inputs.name(), diagnostics);
  }
  inputs.show_diagnostics();
  return diagnostics.ok() ? 0 : 1;
}

}  // namespace

int check(const Options& options) {
  return with_router(options, [](const Router&, const std::string&, Diagnostics&) {});
}

int draw(const Options& options) {
  return with_router(options,
                     [&](const Router& router, const std::string& name, Diagnostics& diagnostics) {
                       write_output(output_of(options), as_graphviz(router, name), diagnostics);
                     });
}

int flatten(const Options& options) {
  Inputs inputs(options);
  Diagnostics& diagnostics = inputs.diagnostics();
  KnownClasses classes;
  const auto graph = inputs.read_configuration(classes, true);
  if (graph && diagnostics.ok())
    write_output(output_of(options), click::unparse_flat(*graph), diagnostics);
  inputs.show_diagnostics();
  return diagnostics.ok() ? 0 : 1;
}

}  // namespace headroom
