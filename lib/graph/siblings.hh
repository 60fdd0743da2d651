// What the replicas of one router have in common, and no other router: not even the one that
// replaces it, whose outputs may have other numbers.
//
//   auto make = [&] { return std::make_shared<Table>(readers); };
//   table_ = context.siblings ? context.siblings->shared.get<Table>(name(), make) : make();
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "headroom/base/grace_periods.hh"
#include "headroom/base/shared.hh"
#include "headroom/click/names.hh"

namespace headroom {

struct Siblings {
  SharedStore shared;
  GracePeriods* readers = nullptr;  // of the workers that the replicas run on
  // What a port or a network device of this name has for addresses; not set: the system is asked.
  std::function<std::optional<click::NamedAddresses>(const std::string& name)> device = {};
};

}  // namespace headroom
