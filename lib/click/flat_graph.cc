#include "headroom/click/flat_graph.hh"

#include <utility>

namespace headroom::click {

uint32_t FlatGraph::add(std::string name, std::string class_name, std::string config,
                        SourceLocation where, SourceLocation config_where) {
  const auto index = static_cast<uint32_t>(elements_.size());
  if (name.empty()) {
    std::size_t number = elements_.size() + 1;
    do {
      name = class_name + '@' + std::to_string(number++);
    } while (by_name_.contains(name));
  }
  by_name_.emplace(name, index);  // of two elements with one name, the first is found
  elements_.push_back(
      {std::move(name), std::move(class_name), std::move(config), where, config_where});
  return index;
}

void FlatGraph::connect(uint32_t from, uint32_t from_port, uint32_t to, uint32_t to_port,
                        SourceLocation where) {
  connections_.push_back({from, from_port, to, to_port, where});
}

uint32_t FlatGraph::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? kNone : found->second;
}

}  // namespace headroom::click
