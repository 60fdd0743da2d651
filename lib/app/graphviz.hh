// A router as a picture, in the language of Graphviz's `dot`.
#pragma once

#include <string>
#include <string_view>

#include "headroom/graph/router.hh"

namespace headroom {

// `dot -Tsvg` makes a drawing of the text. Element names are the nodes' names.
std::string as_graphviz(const Router& router, std::string_view title);

}  // namespace headroom
