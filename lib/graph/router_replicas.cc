// What the replicas of a router have in common: where elements run, how packets get from one to the
// other, and when the run ends.
#include <utility>

#include "headroom/graph/hand_off.hh"
#include "headroom/graph/router.hh"

namespace headroom {

void Router::run_on_leader(std::function<void()> work) {
  control_->scheduler->post(std::move(work));
}

// --- the end of the run

void Router::stop_event(int64_t count) {
  if ((control_->count -= count) > 0 || control_->scheduler == nullptr) return;
  // A driver runs between tasks, not within the one that asks.
  if (control_->driver)
    control_->scheduler->post([this] { check_stop(); });
  else
    control_->scheduler->stop();
}

bool Router::set_driver(std::function<bool()> take_stop_event) {
  if (control_->driver) return false;
  control_->driver = std::move(take_stop_event);
  return true;
}

void Router::check_stop() {
  while (control_->count <= 0) {
    if (control_->driver()) continue;
    control_->scheduler->stop();
    return;
  }
}

// --- places

std::optional<uint32_t> Router::pin(uint32_t element) const {
  const auto found = pins_.find(element);
  return found == pins_.end() ? std::nullopt : std::optional(found->second);
}

void Router::settle(const Placement& placement, uint32_t worker) {
  elsewhere_.resize(elements_.size());
  for (uint32_t element = 0; element < elements_.size(); ++element)
    elsewhere_[element] = !placement.runs(element, worker);
}

std::vector<std::unique_ptr<Inlet>> Router::link(std::span<Router* const> replicas,
                                                 const Placement& placement,
                                                 ReplicaHandlers& handlers) {
  std::vector<std::unique_ptr<Inlet>> inlets;
  Router& leader = *replicas[placement.roles.first()];
  for (uint32_t worker = 0; worker < replicas.size(); ++worker) {
    Router& router = *replicas[worker];
    router.control_ = leader.control_;
    router.replicas_ = &handlers;
    for (const click::FlatConnection& connection : router.connections_)
      router.link_output(connection, worker, replicas, placement, inlets);
  }
  leader.control_->scheduler = leader.scheduler_;
  return inlets;
}

void Router::link_output(const click::FlatConnection& connection, uint32_t worker,
                         std::span<Router* const> replicas, const Placement& placement,
                         std::vector<std::unique_ptr<Inlet>>& inlets) {
  Element& from = *elements_[connection.from];
  const bool pushes = from.output_kinds_[connection.from_port] == PortKind::push;
  if (!pushes || !placement.runs(connection.from, worker)) return;
  const uint32_t home = placement.homes[connection.to];
  const bool anywhere = home == Placement::kEverywhere;
  const bool distributed = anywhere && placement.distributed[connection.from];
  if (!distributed && placement.runs(connection.to, worker)) return;

  auto hand_off = std::make_unique<HandOff>(from, connection.from_port);
  const auto add_way = [&](uint32_t to) {
    Element& target = *replicas[to]->elements_[connection.to];
    if (to == worker) return hand_off->add(target, connection.to_port);
    inlets.push_back(
        std::make_unique<Inlet>(target, connection.to_port, target.worker_.batch_size));
    replicas[to]->scheduler_->add(*inlets.back());
    hand_off->add(*inlets.back());
  };
  if (anywhere)
    for (uint32_t to = placement.roles.first(); to < replicas.size(); ++to) add_way(to);
  else
    add_way(home);
  from.outputs_[connection.from_port].target_ = hand_off.get();
  hand_offs_.push_back(std::move(hand_off));
}

}  // namespace headroom
