// Grace periods that end when a test says so.
#pragma once

#include <cstdint>

#include "headroom/base/grace_periods.hh"

namespace headroom::test {

class GraceByHand final : public GracePeriods {
 public:
  uint64_t begin() override { return ++begun; }
  bool ended(uint64_t period) override { return period <= over; }
  uint64_t begun = 0;
  uint64_t over = 0;
};

}  // namespace headroom::test
