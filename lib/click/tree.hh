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
#include <memory>
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

struct BodyNode;
struct GroupNode;

// One element in a chain: a reference, a declaration, an anonymous element, a group, or the ports
// of the enclosing compound element or group themselves.
struct ElementNode {
  enum class Kind : uint8_t {
    named,         // `name` and, with "::", a class
    compound,      // "{ ... }"
    group,         // "( ... )"
    inner_input,   // "input" left out: an arrow or [ports] begins the chain
    inner_output,  // "output" left out: an arrow or [ports] ends it
  };

  PortsNode inputs;
  Kind kind = Kind::named;
  std::string_view name;  // or, without "::", the class of an anonymous element
  SourceLocation where;
  bool declares = false;        // "name :: class"
  std::string_view class_name;  // empty when what stood there is not the name of a class
  SourceLocation class_where;
  std::unique_ptr<BodyNode> body;  // in the place of the class
  std::unique_ptr<GroupNode> group;
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
  SourceLocation where;
  std::vector<ArrowNode> arrows;  // arrows[i] leads from sides[i] to sides[i + 1]
  bool broken = false;            // a mistake was reported in it: it can declare, but not connect
  bool skipped = false;           // nothing more is to be reported about it
};

struct RequireNode {
  ConfigNode config;
  SourceLocation where;
};

struct DefineNode {
  ConfigNode config;
  SourceLocation where;
};

// "elementclass name { ... }" or "elementclass name synonym_of".
struct ClassNode {
  std::string_view name;
  SourceLocation where;
  std::unique_ptr<BodyNode> body;
  std::string_view synonym_of;
  SourceLocation synonym_where;
};

using Statement = std::variant<ChainNode, RequireNode, DefineNode, ClassNode>;

// What a compound element expects in its configuration string: "$variable", "KEYWORD $variable" or
// "__REST__ $variable".
struct FormalNode {
  std::string_view keyword;
  std::string_view variable;  // without the "$"
  SourceLocation where;
};

// One alternative of a compound element.
struct CompoundNode {
  std::vector<FormalNode> formals;
  std::vector<Statement> statements;
  SourceLocation where;
};

// "{ ... || ... }".
struct BodyNode {
  std::vector<CompoundNode> alternatives;
  bool extends = false;  // "|| ..." at the end
  SourceLocation where;
};

// "( ... )".
struct GroupNode {
  std::vector<Statement> statements;
  SourceLocation where;
};

struct Tree {
  std::vector<Statement> statements;
};

}  // namespace headroom::click
