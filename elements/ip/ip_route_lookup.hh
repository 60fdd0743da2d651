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
    // Not an array of addresses, which would be cleared for every batch. No batch is empty.
    alignas(IPAddress) unsigned char storage[PacketBatch::kCapacity * sizeof(IPAddress)];
    auto* const destinations = reinterpret_cast<IPAddress*>(storage);
    uint32_t hops[PacketBatch::kCapacity];
    uint32_t filled = 0;
    do {
      destinations[filled] = batch[filled].dst_ip_anno();
    } while (++filled < count);
    all.lookup_bulk(destinations, count, hops);
    for (uint32_t i = 0; i < count; ++i) {
      if (hops[i] == kNoRoute) [[unlikely]] {
        verdicts[i] = no_route;
        continue;
      }
      const NextHop& hop = all.next_hop(hops[i]);
      batch[i].set_dst_ip_anno(hop.address_for(destinations[i]));
      verdicts[i] = to(hop.port);
    }
  }
};

}  // namespace headroom
