#include "headroom/runtime/replicas.hh"

#include "headroom/runtime/machine.hh"

namespace headroom {

bool Replicas::build(const click::FlatGraph& graph, Machine& machine, Diagnostics& diagnostics) {
  graph_ = graph;
  siblings_.readers = &machine.grace_periods();
  auto router = Router::build(graph_, &machine, diagnostics, &siblings_);
  if (!router) return false;
  routers_.push_back(std::move(router));
  return true;
}

bool Replicas::initialize(Machine& machine, Diagnostics& diagnostics) {
  while (routers_.size() < machine.workers().size())
    if (!build(graph_, machine, diagnostics)) return false;
  for (uint32_t worker = 0; worker < routers_.size(); ++worker)
    if (!routers_[worker]->initialize(machine.context_of(worker), &machine, diagnostics))
      return false;
  return true;
}

std::optional<std::string> Replicas::read_handler(std::string_view name, std::string& error,
                                                  std::string_view parameters) const {
  std::vector<std::string> values;
  for (const auto& router : routers_) {
    std::optional<std::string> value = router->read_handler(name, error, parameters);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return merge_values(first().find_handler(name, error)->merge, values);
}

bool Replicas::write_handler(std::string_view name, std::string_view value, std::string& error) {
  const std::optional<Handler> handler = first().find_handler(name, error);
  const bool shared = handler && handler->write_to == WriteTo::one;
  for (const auto& router : routers_) {
    if (!router->write_handler(name, value, error)) return false;
    if (shared) break;
  }
  return true;
}

Ledger Replicas::ledger() const {
  Ledger ledger = first().ledger();
  for (std::size_t i = 1; i < routers_.size(); ++i) ledger.merge(routers_[i]->ledger());
  return ledger;
}

}  // namespace headroom
