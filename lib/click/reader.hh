// Reads the Click language into a flat graph: source text -> tokens -> tree -> flat graph.
//
// This is the door to the language; what lies behind it (lexer.hh, parser.hh, flatten.hh) is for
// the rare reader of tokens or trees.
//
//   click::ReaderEnvironment& classes = ...;
//   click::FlatGraph graph = click::read(file, classes, diagnostics);
//   if (diagnostics.ok()) ...
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "headroom/base/diagnostics.hh"
#include "headroom/click/flat_graph.hh"

namespace headroom::click {

// What the reader must know of the world around a configuration.
class ReaderEnvironment {
 public:
  virtual ~ReaderEnvironment() = default;
  virtual bool is_class(std::string_view name) const = 0;
  // All class names, for suggestions.
  virtual std::vector<std::string_view> class_names() const = 0;
  // `require(package NAME)`: makes the package's classes known, or reports why it cannot.
  virtual void require_package(std::string_view name, SourceLocation where,
                               Diagnostics& diagnostics) = 0;
};

// Reads the source `file` (an index from diagnostics.sources().add). All mistakes go to
// `diagnostics`; the graph is of use only when there were none.
FlatGraph read(uint32_t file, ReaderEnvironment& environment, Diagnostics& diagnostics);

}  // namespace headroom::click
