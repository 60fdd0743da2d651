// The manual of the elements, made from what they declare.
#pragma once

#include <string>
#include <string_view>

#include "headroom/graph/registry.hh"

namespace headroom {

// All classes, a line each: name and summary.
std::string manual_list(const Registry& registry);

// One class: documentation, ports, arguments, drops and handlers.
std::string manual_page(const ElementClass& element_class);

}  // namespace headroom
