// IPRouteLookup: what all route lookups have in common, which is everything but their names.
//
// Click has a choice of structures for routes, each an element of its own. Here all of them are one
// table, so an element is a name:
//
//   class RadixIPLookup final : public IPRouteLookup {
//    public:
//     static constexpr ElementSpec spec = route_lookup_spec("RadixIPLookup");
//   };
//   HEADROOM_ELEMENT(RadixIPLookup);
#pragma once

#include "ip_route_table.hh"

namespace headroom {

constexpr ElementSpec route_lookup_spec(std::string_view name) {
  return {.name = name,
          .ports = "1/1-",
          .processing = "h/h",
          .doc =
              "Looks up packets' destination address annotation among routes, and sends them to "
              "the output of the longest prefix that contains it. If the route has a gateway, its "
              "address becomes the annotation. A lookup costs the same for one route and for a "
              "million. All workers have the same routes; while they change, every packet goes by "
              "its route from before or from after the change. StaticIPLookup, LinearIPLookup, "
              "SortedIPLookup, RadixIPLookup, DirectIPLookup and RangeIPLookup are one element "
              "under the names that Click gives to several."};
}

class IPRouteLookup : public BatchElement<IPRouteLookup> {
 public:
  static constexpr ElementSpec spec = route_lookup_spec("IPRouteLookup");

  RouteArg routes{*this, "ROUTE",
                  "ADDR/MASK [GATEWAY] OUTPUT: packets to these addresses go to this output, by "
                  "way of this gateway."};
  IPRouteTable table{*this, {.routes = &routes}};

  Drop no_route{*this, "no-route", "No route's prefix contains the destination address."};

  bool configure(SetupContext& context) override { return table.configure(context, noutputs()); }

  void process(PacketBatch& batch, Verdict* verdicts) {
    const Ip4Routes& all = table.read();
    const uint32_t count = batch.size();
    const BatchRoutes found(all, batch, [](const Packet& packet) { return packet.dst_ip_anno(); });
    for (uint32_t i = 0; i < count; ++i) {
      if (found.hop(i) == kNoRoute) [[unlikely]] {
        verdicts[i] = no_route;
        continue;
      }
      const NextHop& hop = all.next_hop(found.hop(i));
      batch[i].set_dst_ip_anno(hop.address_for(found.destination(i)));
      verdicts[i] = to(hop.port);
    }
  }
};

}  // namespace headroom
