// What the replicas of one router have in common, and no other router: not even the one that
// replaces it, whose outputs may have other numbers.
//
//   auto make = [&] { return std::make_shared<Table>(readers); };
//   table_ = context.siblings ? context.siblings->shared.get<Table>(name(), make) : make();
#pragma once

#include "headroom/base/grace_periods.hh"
#include "headroom/base/shared.hh"

namespace headroom {

struct Siblings {
  SharedStore shared;
  GracePeriods* readers = nullptr;  // of the workers that the replicas run on
};

}  // namespace headroom
