// The uses of bodies in a configuration: what expand() makes, and what connections are traced in.
//
// Every instance has a stretch of nodes, one for each element of its body. A node is an element of
// the flat graph, another instance, or a mere passage.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "headroom/click/flat_graph.hh"
#include "headroom/click/program.hh"
#include "headroom/click/reader.hh"

namespace headroom::click {

// A definition's value is the same for a whole instance; it is made at most once.
struct KnownValue {
  std::string text;
  int height = 0;  // how deep its own references went
};

struct Instance {
  uint32_t body = 0;
  uint32_t parent = kNoIndex;   // the instance it stands in, and
  uint32_t element = kNoIndex;  // as which element
  uint32_t lexical = kNoIndex;  // the instance of the body around its own
  uint32_t base = 0;            // its first node
  uint32_t expansion = 0;       // for places in it
  std::string prefix;           // of its elements' names
  std::vector<std::string> values;
  std::vector<std::optional<KnownValue>> definitions;
};

struct Instances {
  std::deque<Instance> all;
  // By node; kNoIndex where it is not that.
  std::vector<uint32_t> flat;
  std::vector<uint32_t> child;
};

// Connects the elements of `graph` as the connections of all instances say. Reports when they are
// too many.
void trace_connections(const Program& program, const Instances& instances, const ReadLimits& limits,
                       FlatGraph& graph, Diagnostics& diagnostics);

}  // namespace headroom::click
