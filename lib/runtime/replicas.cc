#include "headroom/runtime/replicas.hh"

#include "headroom/runtime/machine.hh"

namespace headroom {

bool Replicas::build(const click::FlatGraph& graph, Machine& machine, Diagnostics& diagnostics) {
  graph_ = graph;
  auto router = Router::build(graph_, &machine, diagnostics);
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

std::optional<std::string> Replicas::read_handler(std::string_view name, std::string& error) const {
  const std::optional<Handler> handler = first().find_handler(name, error);
  if (!handler) return std::nullopt;
  std::vector<std::string> values;
  for (const auto& router : routers_) {
    const std::optional<Handler> one = router->find_handler(name, error);
    if (one && one->read) values.push_back(one->read());
  }
  if (values.empty()) {
    error = "'" + std::string(name) + "' is a write handler";
    return std::nullopt;
  }
  return merge_values(handler->merge, values);
}

Ledger Replicas::ledger() const {
  Ledger ledger = first().ledger();
  for (std::size_t i = 1; i < routers_.size(); ++i) ledger.merge(routers_[i]->ledger());
  return ledger;
}

}  // namespace headroom
