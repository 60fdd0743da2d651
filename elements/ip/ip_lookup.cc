#include <cstring>

#include "headroom/graph/fusion.hh"
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
    const BatchRoutes routes(all, batch, destination_of);
    const uint32_t count = batch.size();
    for (uint32_t i = 0; i < count; ++i) verdicts[i] = send(batch[i], all, routes.hop(i));
  }

  struct Fast {
    const Ip4Routes* routes;
    Ip4Table::Reader reader;

    [[gnu::always_inline]] bool passes(FastPacket& p) const {
      if (p.length < sizeof(EtherHeader) + sizeof(IpHeader)) return false;
      const uint32_t index = reader.lookup(
          reinterpret_cast<const IpHeader*>(p.data + sizeof(EtherHeader))->destination);
      if (index == kNoRoute) return false;
      const NextHop& hop = routes->next_hop(index);
      p.found = &hop;
      p.egress = hop.port;
      p.addressed = has_address(hop);
      return true;
    }
    [[gnu::always_inline]] void apply(FastPacket& p) const {
      const NextHop& hop = *static_cast<const NextHop*>(p.found);
      choose(p.packet, p.data, {.port = p.egress, .addressed = p.addressed}, hop.ether);
    }
  };
  Fast fast() const { return {&table.read(), table.read().reader()}; }

 private:
  // In two comparisons, which is_zero() does not come down to.
  static bool has_address(const NextHop& hop) {
    uint32_t first;
    uint16_t last;
    std::memcpy(&first, hop.ether.data(), sizeof first);
    std::memcpy(&last, hop.ether.data() + sizeof first, sizeof last);
    return (first | last) != 0;
  }
  static void choose(Packet& packet, uint8_t* data, Egress egress, const EtherAddress& next_hop) {
    if (egress.addressed) reinterpret_cast<EtherHeader*>(data)->destination = next_hop;
    set_egress(packet, egress);
  }

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
    choose(packet, packet.data(), {.port = hop.port, .addressed = has_address(hop)}, hop.ether);
    return to(0);
  }
};

HEADROOM_ELEMENT(IPlookup);

}  // namespace headroom
