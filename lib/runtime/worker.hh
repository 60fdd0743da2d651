// A worker: one thread pinned to one core, running its replica of the router to completion.
#pragma once

#include <cstdint>
#include <memory>

#include "headroom/graph/cell.hh"
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

  // From any thread: the cycles of the time stamp counter during which it had work, since run()
  // began; and its thread, 0 when it does not run.
  uint64_t busy_cycles() const;
  int thread() const { return static_cast<int>(thread_.get()); }

 private:
  // Nothing was found to do for `rounds` rounds.
  void rest(uint64_t rounds);

  uint32_t index_;
  SystemConfig::Idle idle_;
  Scheduler scheduler_;
  Cell started_;     // when run() began, and 0 before
  Cell stopped_;     // when it ended, and 0 before
  Cell unoccupied_;  // cycles without work, in those times that are over
  Cell idle_since_;  // when it last ran out of work, and 0 when it has some
  Cell thread_;
};

}  // namespace headroom
