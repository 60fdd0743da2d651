#include "ip_route_lookup.hh"

namespace headroom {

class LinearIPLookup final : public IPRouteLookup {
 public:
  static constexpr ElementSpec spec = route_lookup_spec("LinearIPLookup");
};

HEADROOM_ELEMENT(LinearIPLookup);

}  // namespace headroom
