// What --sample prints: counters as lines of JSON, for programs that measure the running one.
//
//   Sampler sampler(machine, 0.5, std::cout);
//   sampler.start();       // a line every half second, from a thread of its own
//   machine.run();
//   sampler.finish(ledger);   // and one at the end, with all that is known then
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <thread>

#include "headroom/graph/ledger.hh"
#include "headroom/runtime/machine.hh"

namespace headroom {

class Sampler {
 public:
  Sampler(Machine& machine, double seconds, std::ostream& out)
      : machine_(machine), seconds_(seconds), out_(out) {}
  ~Sampler() { join(); }
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  void start();
  // The last line has "final", and the ledger's drops.
  void finish(const Ledger& ledger);

 private:
  void run();
  void join();
  void print(const Ledger* ledger);

  Machine& machine_;
  double seconds_;
  std::ostream& out_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace headroom
