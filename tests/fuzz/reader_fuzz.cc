// The reader of the Click language, from source text to rendered messages.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/click/reader.hh"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  FuzzClasses classes;
  Diagnostics diagnostics;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const uint32_t file = diagnostics.sources().add("config", text);
  const headroom::click::FlatGraph graph = headroom::click::read(file, classes, diagnostics);

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
  }
  diagnostics.render(Diagnostics::Form::plain);
  diagnostics.render(Diagnostics::Form::full, true);
  return 0;
}
