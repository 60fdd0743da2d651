#include "headroom/net/ether.hh"
#include "headroom/net/ip.hh"
#include "headroom/packet/egress.hh"
#include "ip_route_table.hh"

namespace headroom {

class IPlookup final : public BatchElement<IPlookup> {
 public:
  static constexpr ElementSpec spec{
      .name = "IPlookup",
      .doc =
          "Looks up the destination of IPv4 frames among routes whose outputs are ports, and "
          "chooses the port for the EgressSwitch behind it. If the next hop is an Ethernet "
          "address, it becomes the frame's destination. The IPv4 header is right behind the "
          "Ethernet header and has been checked.",
      .writes = true,
      .contiguous = sizeof(EtherHeader) + sizeof(IpHeader)};

  IPRouteTable table{*this, {.ether_next_hops = true, .file_first = true}};
  Arg<uint32_t> ports{
      *this, "PORTS", Egress::kMostPorts, {.doc = "How many ports there are: at most 127."}};

  Drop no_route{*this, "no-route", "No route's prefix contains the destination address."};
  Drop too_short{*this, "too-short", "It ends within the IPv4 header."};

  bool configure(SetupContext& context) override {
    if (*ports < 1 || *ports > Egress::kMostPorts)
      return context.error(ports,
                           "PORTS: out of range, 1 to " + std::to_string(Egress::kMostPorts));
    if (!table.has_file())
      return context.error("FILE: required argument missing",
                           "a file of routes: IPlookup(FILE), or compat.nba.routes in the system "
                           "file; see docs/nba.md");
    return table.configure(context, *ports);
  }

  void process(PacketBatch& batch, Verdict* verdicts) {
    const Ip4Routes& all = table.read();
    const uint32_t count = batch.size();
    // Not an array of addresses, which would be cleared for every batch. No batch is empty.
    alignas(IPAddress) unsigned char storage[PacketBatch::kCapacity * sizeof(IPAddress)];
    auto* const destinations = reinterpret_cast<IPAddress*>(storage);
    uint32_t hops[PacketBatch::kCapacity];
    uint32_t filled = 0;
    do {
      destinations[filled] = destination_of(batch[filled]);
    } while (++filled < count);
    all.lookup_bulk(destinations, count, hops);
    for (uint32_t i = 0; i < count; ++i) verdicts[i] = send(batch[i], all, hops[i]);
  }

 private:
  static bool fits(const Packet& packet) {
    return packet.length() >= sizeof(EtherHeader) + sizeof(IpHeader);
  }
  static IPAddress destination_of(const Packet& packet) {
    if (!fits(packet)) [[unlikely]]
      return {};
    return reinterpret_cast<const IpHeader*>(packet.data() + sizeof(EtherHeader))->destination;
  }

  Verdict send(Packet& packet, const Ip4Routes& all, uint32_t index) {
    if (!fits(packet)) [[unlikely]]
      return too_short;
    if (index == kNoRoute) [[unlikely]]
      return no_route;
    const NextHop& hop = all.next_hop(index);
    const bool addressed = !hop.ether.is_zero();
    if (addressed) reinterpret_cast<EtherHeader*>(packet.data())->destination = hop.ether;
    set_egress(packet, {.port = hop.port, .addressed = addressed});
    return to(0);
  }
};

HEADROOM_ELEMENT(IPlookup);

}  // namespace headroom
