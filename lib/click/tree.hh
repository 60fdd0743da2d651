// The syntax tree of a configuration: what stands in the source, before anything is known of
// classes.
//
// The parser makes it, flatten() reads it. Names are parts of the source text and live as long as
// the Sources they came from.
//
//   click::Tree tree = click::parse(file, diagnostics);
//   for (const click::Statement& statement : tree.statements) ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "headroom/base/diagnostics.hh"

namespace headroom::click {

struct PortRange {
  uint32_t first = 0;
  uint32_t last = 0;  // the last one that belongs to it
};

// [0], [0, 2], [1-3], [] or [4,].
struct PortsNode {
  bool given = false;
  bool open = false;  // "[]" or "[4,]": as many further ports as are needed
  std::vector<PortRange> ranges;
  SourceLocation where;

  uint64_t listed() const {
    uint64_t count = 0;
    for (const PortRange& range : ranges) count += uint64_t{range.last} - range.first + 1;
    return count;
  }
};

struct ConfigNode {
  std::string text;
  SourceLocation where;
};

// One element in a chain: a reference, a declaration, or an anonymous element.
struct ElementNode {
  PortsNode inputs;
  std::string_view name;  // or, without "::", the class of an anonymous element
  SourceLocation where;
  bool declares = false;        // "name :: class"
  std::string_view class_name;  // empty when what stood there is not an element class
  SourceLocation class_where;
  std::optional<ConfigNode> config;
  PortsNode outputs;
};

struct ArrowNode {
  bool fat = false;  // "=>"
  SourceLocation where;
};

// Element lists with arrows between them; one list alone is a declaration.
struct ChainNode {
  std::vector<std::vector<ElementNode>> sides;
  std::vector<ArrowNode> arrows;  // arrows[i] leads from sides[i] to sides[i + 1]
  bool broken = false;            // a mistake was reported in it: it can declare, but not connect
  bool skipped = false;           // nothing more is to be reported about it
};

struct RequireNode {
  ConfigNode config;
  SourceLocation where;
};

// A class that the configuration itself defines. Its body is not kept; the name is known.
struct ClassNode {
  std::string_view name;
  SourceLocation where;
};

using Statement = std::variant<ChainNode, RequireNode, ClassNode>;

struct Tree {
  std::vector<Statement> statements;
};

}  // namespace headroom::click
