// Grace periods of workers (RCU with quiescent states, DPDK's rte_rcu_qsbr).
//
// A worker that runs is online, and says after every round that it uses nothing of shared state;
// that costs it the load of one number, which changes only when a writer waits. A worker that does
// not run keeps no writer waiting. The scheduler does all of it; elements only must not keep
// what they found in shared state until the next batch.
//
//   Rcu rcu(workers);
//   Scheduler scheduler(clock, &rcu, worker);      // reader number `worker`
//   auto table = std::make_shared<Shared<Ip4Routes>>(&rcu);
#pragma once

#include <rte_rcu_qsbr.h>

#include <cstdint>
#include <memory>

#include "headroom/base/grace_periods.hh"

namespace headroom {

class Rcu final : public GracePeriods {
 public:
  // Throws std::bad_alloc. `readers` is at least 1.
  explicit Rcu(uint32_t readers);

  // On the reader's thread. A reader is not online at first.
  void online(uint32_t reader);
  void quiescent(uint32_t reader) { rte_rcu_qsbr_quiescent(state_.get(), reader); }
  void offline(uint32_t reader);

  uint64_t begin() override { return rte_rcu_qsbr_start(state_.get()); }
  bool ended(uint64_t period) override;

 private:
  struct Delete {
    void operator()(rte_rcu_qsbr* state) const;
  };
  std::unique_ptr<rte_rcu_qsbr, Delete> state_;
};

}  // namespace headroom
