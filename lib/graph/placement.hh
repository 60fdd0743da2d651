// Which worker runs which element, when several workers have a replica of the router each.
//
// Most elements run everywhere: every worker's packets pass its own replica. An element that exists
// once (a file, a limit, a script) or is given a worker by StaticThreadSched has a home: it runs
// there alone, and packets reach it from other workers by rings. Elements that pull from each other
// share a home. A port that not every worker can have a queue of has a home, too, from which its
// packets are distributed by the flow that they belong to.
//
//   Placement placement = place(router, {.workers = 4}, diagnostics);
//   if (placement.runs(element.index(), worker)) ...
#pragma once

#include <cstdint>
#include <vector>

#include "headroom/base/diagnostics.hh"

namespace headroom {

class Router;

// Where an element can be.
struct Residence {
  enum class Kind : uint8_t {
    everywhere,
    once,
    port  // where its port is: a worker that does input and output
  };
  Kind kind = Kind::everywhere;
  uint32_t port = 0;  // its number
};

// What the workers are for. Run to completion: all do everything. Pipeline: the first `io` workers
// receive and transmit, the others do the rest.
struct WorkerRoles {
  uint32_t workers = 1;
  uint32_t io = 0;  // of a pipeline; 0 is run to completion

  // The first worker that elements that run everywhere run on.
  uint32_t first() const { return io < workers ? io : 0; }
};

struct Placement {
  static constexpr uint32_t kEverywhere = UINT32_MAX;

  WorkerRoles roles;
  std::vector<uint32_t> homes;    // of elements, by index; or kEverywhere
  std::vector<bool> distributed;  // whether packets that leave the element are spread over workers

  bool runs(uint32_t element, uint32_t worker) const {
    return homes[element] == kEverywhere ? worker >= roles.first() : homes[element] == worker;
  }
};

// Where each element of the router runs. Its elements were configured, and its ports are open.
// Homes that contradict each other are errors.
Placement place(const Router& router, WorkerRoles roles, Diagnostics& diagnostics);

}  // namespace headroom
