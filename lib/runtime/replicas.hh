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

class Replicas {
 public:
  // Builds the first replica. False when the configuration is wrong; then all of it is in
  // `diagnostics`.
  bool build(const click::FlatGraph& graph, Machine& machine, Diagnostics& diagnostics);
  // The machine has started: builds the replicas for its other workers and initializes all.
  bool initialize(Machine& machine, Diagnostics& diagnostics);

  Router& first() const { return *routers_.front(); }
  // The one that runs on this worker.
  Router& on(uint32_t worker) const { return *routers_[worker]; }
  bool empty() const { return routers_.empty(); }
  // The replicas' values, merged as the handler declares. Nothing, with a reason, when there is no
  // such handler.
  std::optional<std::string> read_handler(std::string_view name, std::string& error,
                                          std::string_view parameters = {}) const;
  // Writes to all replicas, or to the first if the handler changes what they share; ends at the
  // first that refuses.
  bool write_handler(std::string_view name, std::string_view value, std::string& error);
  Ledger ledger() const;
  // Ends the routers; their packets go back to the pools.
  void clear() { routers_.clear(); }

 private:
  click::FlatGraph graph_;
  Siblings siblings_;
  std::vector<std::unique_ptr<Router>> routers_;
};

}  // namespace headroom
