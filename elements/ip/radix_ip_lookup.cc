#include "ip_route_lookup.hh"

namespace headroom {

class RadixIPLookup final : public IPRouteLookup {
 public:
  static constexpr ElementSpec spec = route_lookup_spec("RadixIPLookup");
};

HEADROOM_ELEMENT(RadixIPLookup);

}  // namespace headroom
