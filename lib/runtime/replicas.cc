#include "headroom/runtime/replicas.hh"

#include "headroom/runtime/machine.hh"

namespace headroom {

bool Replicas::build(const click::FlatGraph& graph, Machine& machine, Diagnostics& diagnostics) {
  graph_ = graph;
  machine_ = &machine;
  siblings_.readers = &machine.grace_periods();
  siblings_.device = [&machine](const std::string& name) { return machine.addresses_of(name); };
  auto router = Router::build(graph_, &machine, diagnostics, &siblings_);
  if (!router) return false;
  routers_.push_back(std::move(router));
  return true;
}

bool Replicas::initialize(Machine& machine, Diagnostics& diagnostics) {
  // What there is to say about the configuration was said of the first.
  Diagnostics repeated;
  // Built before its ports were open, it has addresses in it that were not known.
  if (machine.guessed_addresses()) routers_.clear();
  while (routers_.size() < machine.workers().size())
    if (!build(graph_, machine, repeated)) return false;
  const std::size_t errors = diagnostics.errors();
  placement_ = place(first(), machine.roles(), diagnostics);
  if (diagnostics.errors() != errors) return false;
  std::vector<Router*> routers;
  for (uint32_t worker = 0; worker < routers_.size(); ++worker) {
    Router& router = *routers_[worker];
    routers.push_back(&router);
    if (routers_.size() > 1) router.settle(placement_, worker);
    if (!router.initialize(machine.context_of(worker), &machine, diagnostics)) return false;
  }
  if (routers.size() > 1) inlets_ = Router::link(routers, placement_, *this);
  if (machine.config().workers.fuse)
    for (Router* router : routers) router->fuse();
  return true;
}

std::vector<Router*> Replicas::asked(std::string_view handler) const {
  std::vector<Router*> routers;
  if (routers_.size() == 1) return {&first()};
  const std::size_t dot = handler.find('.');
  const bool global = dot == std::string_view::npos || dot == 0;
  const Element* element = global ? nullptr : first().find(handler.substr(0, dot));
  for (uint32_t worker = 0; worker < routers_.size(); ++worker)
    if (element == nullptr ? worker == placement_.roles.first()
                           : placement_.runs(element->index(), worker))
      routers.push_back(routers_[worker].get());
  return routers;
}

std::optional<std::string> Replicas::read_handler(std::string_view name, std::string& error,
                                                  std::string_view parameters) const {
  std::vector<std::string> values;
  Merge merge = Merge::first;
  for (Router* router : asked(name)) {
    std::optional<std::string> value;
    router->run_here([&] {
      value = router->read_handler(name, error, parameters);
      if (value) merge = router->find_handler(name, error)->merge;
    });
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return merge_values(merge, values);
}

bool Replicas::write_handler(std::string_view name, std::string_view value, std::string& error) {
  for (Router* router : asked(name)) {
    bool ok = false;
    bool shared = false;
    router->run_here([&] {
      const std::optional<Handler> handler = router->find_handler(name, error);
      shared = handler && handler->write_to == WriteTo::one;
      ok = router->write_handler(name, value, error);
    });
    if (!ok) return false;
    if (shared) break;
  }
  return true;
}

Ledger Replicas::ledger() const {
  Ledger ledger = first().ledger();
  for (std::size_t i = 1; i < routers_.size(); ++i) ledger.merge(routers_[i]->ledger());
  for (const auto& inlet : inlets_)
    ledger.entries[inlet->to().index()].held += inlet->ring().size();
  return ledger;
}

void Replicas::clear() {
  if (machine_ != nullptr)
    for (const auto& inlet : inlets_)
      for (const auto& worker : machine_->workers()) worker->scheduler().remove(*inlet);
  inlets_.clear();
  routers_.clear();
}

}  // namespace headroom
