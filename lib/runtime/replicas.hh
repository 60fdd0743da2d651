// The replicas of one router: the same configuration once for every worker, seen as one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/base/diagnostics.hh"
#include "headroom/click/flat_graph.hh"
#include "headroom/graph/router.hh"
#include "headroom/graph/siblings.hh"

namespace headroom {

class Machine;

class Replicas final : private ReplicaHandlers {
 public:
  ~Replicas() override { clear(); }

  // Builds the first replica. False when the configuration is wrong; then all of it is in
  // `diagnostics`.
  bool build(const click::FlatGraph& graph, Machine& machine, Diagnostics& diagnostics);
  // The machine has started: builds the replicas for its other workers, decides where each element
  // runs, initializes all and connects them.
  bool initialize(Machine& machine, Diagnostics& diagnostics);

  Router& first() const { return *routers_.front(); }
  // The one that runs on this worker.
  Router& on(uint32_t worker) const { return *routers_[worker]; }
  bool empty() const { return routers_.empty(); }
  const Placement& placement() const { return placement_; }

  // From one thread at a time that is no worker's but the first one's. Handlers of elements run on
  // the elements' workers, between two batches.
  std::optional<std::string> read_handler(std::string_view name, std::string& error,
                                          std::string_view parameters = {}) const override;
  // Writes to all of them, or to one if the handler changes what they share; ends at the first that
  // refuses.
  bool write_handler(std::string_view name, std::string_view value, std::string& error) override;
  Ledger ledger() const;
  // Ends the routers; their packets go back to the pools.
  void clear();

 private:
  // The routers in which the element of this handler is at work.
  std::vector<Router*> asked(std::string_view handler) const;

  click::FlatGraph graph_;
  Machine* machine_ = nullptr;
  Siblings siblings_;
  std::vector<std::unique_ptr<Router>> routers_;
  Placement placement_;
  std::vector<std::unique_ptr<Inlet>> inlets_;
};

}  // namespace headroom
