#include "ip_route_lookup.hh"

namespace headroom {

class StaticIPLookup final : public IPRouteLookup {
 public:
  static constexpr ElementSpec spec = route_lookup_spec("StaticIPLookup");
};

HEADROOM_ELEMENT(StaticIPLookup);

}  // namespace headroom
