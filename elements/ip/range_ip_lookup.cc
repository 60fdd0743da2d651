#include "ip_route_lookup.hh"

namespace headroom {

class RangeIPLookup final : public IPRouteLookup {
 public:
  static constexpr ElementSpec spec = route_lookup_spec("RangeIPLookup");
};

HEADROOM_ELEMENT(RangeIPLookup);

}  // namespace headroom
