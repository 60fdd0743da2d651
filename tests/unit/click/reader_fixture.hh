// A reader with a world of a few classes, for tests.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/click/reader.hh"
#include "headroom/click/unparse.hh"

namespace headroom::click {

class FewClasses : public ReaderEnvironment {
 public:
  bool is_class(std::string_view name) const override {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  }
  std::vector<std::string_view> class_names() const override {
    return {names_.begin(), names_.end()};
  }
  void require_package(std::string_view name, SourceLocation where,
                       Diagnostics& diagnostics) override {
    required.emplace_back(name);
    if (name == "extra") {
      names_.emplace_back("Extra");
    } else {
      diagnostics.error(where, "requirement '" + std::string(name) + "' not available");
    }
  }

  std::vector<std::string> required;

 private:
  std::vector<std::string> names_{"Idle", "Discard", "Queue", "Print", "Tee", "Counter"};
};

// A source that was read, and what came of it.
struct Reading {
  explicit Reading(std::string text, const ReadOptions& options = {}) {
    const uint32_t file = diagnostics.sources().add("config", std::move(text));
    graph = read(file, classes, diagnostics, options);
  }

  std::string messages() const { return diagnostics.render(Diagnostics::Form::plain); }
  // "a :: Idle; b :: Queue(5);"
  std::string elements() const {
    std::string text;
    for (const FlatElement& element : graph.elements()) {
      if (!text.empty()) text += ' ';
      text += element.name + " :: " + element.class_name;
      if (!element.config.empty()) text += '(' + element.config + ')';
      text += ';';
    }
    return text;
  }
  // "a[0]->[1]b; ..."
  std::string connections() const {
    std::string text;
    for (const FlatConnection& connection : graph.connections()) {
      if (!text.empty()) text += ' ';
      text += graph.elements()[connection.from].name + '[' + std::to_string(connection.from_port) +
              "]->[" + std::to_string(connection.to_port) + ']' +
              graph.elements()[connection.to].name + ';';
    }
    return text;
  }
  std::string flat() const { return unparse_flat(graph); }
  std::string full() const { return diagnostics.render(Diagnostics::Form::full); }
  std::string hints() const {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      if (!diagnostic.hint.empty()) text += diagnostic.hint + '\n';
    }
    return text;
  }

  Diagnostics diagnostics;
  FewClasses classes;
  FlatGraph graph;
};

}  // namespace headroom::click
