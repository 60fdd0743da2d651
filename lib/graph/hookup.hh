// The checks that a graph's connections must pass: port numbers in range, push and pull agreeing,
// nothing used twice or left out. Section "Port counts" of docs/click-language.md has the rules and
// the messages.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "headroom/base/diagnostics.hh"
#include "headroom/click/flat_graph.hh"
#include "headroom/graph/element.hh"

namespace headroom {

// What the checks find out about one element.
struct PortPlan {
  const ElementSpec* spec = nullptr;
  std::string label;  // "name :: Class"
  SourceLocation where;
  uint32_t inputs = 0;
  uint32_t outputs = 0;
  std::vector<PortKind> input_kinds;
  std::vector<PortKind> output_kinds;
};

// Fills the counts and kinds of `plans` (one for each element of the graph, spec and label given).
// Reports every mistake of a stage, and goes on to the next stage when there was none. Returns
// whether all is well.
bool check_hookup(std::span<PortPlan> plans, std::span<const click::FlatConnection> connections,
                  Diagnostics& diagnostics);

// The push connections that must go through the inbox: those that close a cycle, and those that
// would make a chain of calls deeper than `max_depth`. One flag for each connection.
std::vector<bool> find_deferred(std::span<const PortPlan> plans,
                                std::span<const click::FlatConnection> connections,
                                uint32_t max_depth);

}  // namespace headroom
