// Reads the Click language into a flat graph: source text -> tokens -> tree -> resolved names ->
// flat graph.
//
// This is the door to the language; what lies behind it (lexer.hh, parser.hh, resolve.hh,
// expand.hh) is for the rare reader of tokens or trees.
//
//   click::ReaderEnvironment& classes = ...;
//   click::FlatGraph graph = click::read(file, classes, diagnostics);
//   if (diagnostics.ok()) ...
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

// What one configuration may expand to; beyond it, reading ends with a message. Compound elements
// that contain each other multiply, so a few lines can ask for more than any machine has.
struct ReadLimits {
  uint64_t elements = 1'000'000;  // and as many compound elements
  uint64_t connections = 2'000'000;
  uint64_t text = uint64_t{1} << 28;  // bytes of names and arguments
};

struct ReadOptions {
  // "NAME=value" of a command line: variables of the file's scope, which they override there.
  std::vector<std::pair<std::string, std::string>> parameters;
  // Where require(library FILE) looks: in each of these directories, in its "conf" first, then in
  // that of the file that requires it.
  std::vector<std::string> library_directories;
  // Packages that are written in Click: the text of one, or nothing. It is read as a library is.
  std::function<std::optional<std::string>(std::string_view name)> package_text;
  // Packages that are required before the file begins.
  std::vector<std::string> packages;
  // A name that nothing else is known by is a class, as tools read that only rewrite
  // configurations.
  bool accept_unknown_classes = false;
  // Reads a library: its text, or nothing when there is no such file. Reads files unless set.
  std::function<std::optional<std::string>(const std::string& path)> load;
  ReadLimits limits;
};

// Reads the source `file` (an index from diagnostics.sources().add). All mistakes go to
// `diagnostics`; the graph is of use only when there were none.
FlatGraph read(uint32_t file, ReaderEnvironment& environment, Diagnostics& diagnostics,
               const ReadOptions& options = {});

}  // namespace headroom::click
