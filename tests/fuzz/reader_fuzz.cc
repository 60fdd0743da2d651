// The reader of the Click language, from source text to rendered messages.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/click/reader.hh"
#include "headroom/click/unparse.hh"

namespace {

using headroom::Diagnostics;
using headroom::SourceLocation;

class FuzzClasses : public headroom::click::ReaderEnvironment {
 public:
  bool is_class(std::string_view name) const override {
    const auto names = class_names();
    return std::find(names.begin(), names.end(), name) != names.end();
  }
  std::vector<std::string_view> class_names() const override {
    return {"Idle", "Discard", "Queue", "Print", "Tee", "A"};
  }
  void require_package(std::string_view name, SourceLocation where,
                       Diagnostics& diagnostics) override {
    if (name != "x") diagnostics.error(where, "requirement '" + std::string(name) + "'");
  }
};

void check(bool good) {
  if (!good) std::abort();
}

// The flat form, read again, is the same graph.
void check_flat_form(const headroom::click::FlatGraph& graph, FuzzClasses& classes) {
  const std::string flat = unparse_flat(graph);
  // Unterminated comments and quotes swallow what follows; variables may be defined by the flat
  // form's own text no more.
  for (const auto& element : graph.elements()) {
    if (element.config.find_first_of("/'\"\\$()\r#") != std::string::npos) return;
  }
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("flat", flat);
  const headroom::click::FlatGraph again = headroom::click::read(file, classes, diagnostics);
  check(diagnostics.ok());
  check(again.elements().size() == graph.elements().size());
  check(unparse_flat(again) == flat);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  FuzzClasses classes;
  Diagnostics diagnostics;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const uint32_t file = diagnostics.sources().add("config", text);
  headroom::click::ReadOptions options;
  options.parameters = {{"p", "1, \"$p\""}};
  // What multiplies is cut off early, to leave time for other inputs.
  options.limits = {.elements = 20'000, .connections = 40'000, .text = 1 << 22};
  options.load = [](const std::string& path) -> std::optional<std::string> {
    if (path == "l") return "elementclass L { $a | -> Print($a) -> } require(library m)";
    if (path == "m") return "require(library l) -> $x {";
    return std::nullopt;
  };
  const headroom::click::FlatGraph graph =
      headroom::click::read(file, classes, diagnostics, options);

  const std::size_t count = graph.elements().size();
  for (const auto& connection : graph.connections()) {
    check(connection.from < count && connection.to < count);
    check(connection.from_port <= 65535 && connection.to_port <= 65535);
  }
  if (diagnostics.ok()) {
    // Without a mistake, every element has a name of its own and a class that exists.
    for (std::size_t i = 0; i < count; ++i) {
      check(graph.find(graph.elements()[i].name) == i);
      check(classes.is_class(graph.elements()[i].class_name));
    }
    check_flat_form(graph, classes);
  }
  diagnostics.render(Diagnostics::Form::plain);
  diagnostics.render(Diagnostics::Form::full, true);
  return 0;
}
