// IPv4 routing on whole frames, as NBA's pipelines have it.
#define HEADROOM_GRAPH_COMPILER  // the classes are registered by their own files

#include "../ether/drop_broadcasts.cc"
#include "../io/egress_switch.cc"
#include "../ip/check_ip_header.cc"
#include "../ip/dec_ip_ttl.cc"
#include "../ip/ip_lookup.cc"

namespace headroom {

HEADROOM_FUSION(Frames, DropBroadcasts, CheckIPHeader, IPlookup, DecIPTTL, EgressSwitch);
HEADROOM_FUSION(CheckedFrames, CheckIPHeader, IPlookup, DecIPTTL, EgressSwitch);
HEADROOM_FUSION(Routing, DropBroadcasts, CheckIPHeader, IPlookup, DecIPTTL);
HEADROOM_FUSION(CheckedRouting, CheckIPHeader, IPlookup, DecIPTTL);

}  // namespace headroom
