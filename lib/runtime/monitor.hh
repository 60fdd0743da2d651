// Watches a machine while it runs, from a thread of its own: workers that do not come round, and
// links that go up and down.
//
// A worker is stuck when it computes for workers.watchdog_ms without beginning another round. Where
// it is the ledger tells: an element that took packets and let none go has them. One that merely
// waits for the processor, on a machine with too few of them, is not stuck.
//
//   {
//     const Monitor monitor(machine, replicas, [](const std::string& line) { std::cerr << line; });
//     machine.run();
//   }
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "headroom/runtime/machine.hh"
#include "headroom/runtime/replicas.hh"

namespace headroom {

class Monitor {
 public:
  // Calls `say` with whole lines, from its thread.
  Monitor(Machine& machine, const Replicas& replicas, std::function<void(const std::string&)> say);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

 private:
  struct Watched {
    uint64_t rounds = 0;
    int64_t busy_since = 0;  // by the clock of its thread
    bool reported = false;
  };

  void run();
  void watch(uint32_t worker);
  void watch_links();
  // Of the element that a worker does not get out of: "in 'x :: Y'"; or empty.
  std::string where_is(uint32_t worker) const;
  std::vector<std::string> holding(uint32_t worker) const;

  Machine& machine_;
  const Replicas& replicas_;
  std::function<void(const std::string&)> say_;
  std::vector<Watched> watched_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace headroom
