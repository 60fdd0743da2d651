// A flat graph as a configuration again: what the handlers `config` and `flatconfig` show and `-o`
// writes.
//
//   unparse_flat(graph)
//   // a :: Idle;
//   // Discard@2 :: Discard;
//   //
//   // a -> Discard@2;
//
// Reading the text gives the same graph again, whatever it was made from.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "headroom/click/flat_graph.hh"

namespace headroom::click {

// The current configuration string of an element, by its index.
using ConfigSource = std::function<std::string(uint32_t element)>;

// The requirements, the elements in their order, and the connections in chains. With `config_of`,
// elements that were reconfigured since are shown as they are now.
std::string unparse_flat(const FlatGraph& graph, const ConfigSource& config_of = {});

}  // namespace headroom::click
