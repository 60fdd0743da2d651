// What an IP router does with packets behind the route lookup, as in configs/ipv4-router.click.
#define HEADROOM_GRAPH_COMPILER  // the classes are registered by their own files

#include "../ether/drop_broadcasts.cc"
#include "../ip/dec_ip_ttl.cc"
#include "../ip/fix_ip_src.cc"
#include "../ip/ip_fragmenter.cc"
#include "../ip/ip_gw_options.cc"
#include "../standard/paint_tee.cc"

namespace headroom {

HEADROOM_FUSION(Output, DropBroadcasts, PaintTee, IPGWOptions, FixIPSrc, DecIPTTL, IPFragmenter);

}  // namespace headroom
