#include "ip_route_lookup.hh"

namespace headroom {

class DirectIPLookup final : public IPRouteLookup {
 public:
  static constexpr ElementSpec spec = route_lookup_spec("DirectIPLookup");
};

HEADROOM_ELEMENT(DirectIPLookup);

}  // namespace headroom
