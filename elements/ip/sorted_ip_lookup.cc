#include "ip_route_lookup.hh"

namespace headroom {

class SortedIPLookup final : public IPRouteLookup {
 public:
  static constexpr ElementSpec spec = route_lookup_spec("SortedIPLookup");
};

HEADROOM_ELEMENT(SortedIPLookup);

}  // namespace headroom
