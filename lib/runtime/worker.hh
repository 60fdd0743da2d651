// A worker: one thread pinned to one core, running its replica of the router to completion.
#pragma once

#include <cstdint>
#include <memory>

#include "headroom/graph/router.hh"
#include "headroom/graph/scheduler.hh"
#include "headroom/runtime/system_config.hh"

namespace headroom {

class Worker {
 public:
  Worker(uint32_t index, Clock& clock, SystemConfig::Idle idle, Rcu& rcu)
      : index_(index), idle_(idle), scheduler_(clock, &rcu, index) {}

  uint32_t index() const { return index_; }
  Scheduler& scheduler() { return scheduler_; }

  // Runs rounds on the calling thread until the scheduler is stopped.
  void run();

 private:
  // Nothing was found to do for `rounds` rounds.
  void rest(uint64_t rounds);

  uint32_t index_;
  SystemConfig::Idle idle_;
  Scheduler scheduler_;
};

}  // namespace headroom
