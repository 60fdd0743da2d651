#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "../standard/paced_source.hh"
#include "headroom/base/random.hh"
#include "headroom/net/checksum.hh"
#include "headroom/net/ether.hh"
#include "headroom/net/udp.hh"

namespace headroom {

class FastUDPFlows final : public PacedSource<FastUDPFlows> {
 public:
  static constexpr ElementSpec spec{
      .name = "FastUDPFlows",
      .ports = "0/1",
      .doc =
          "Makes Ethernet frames with UDP over IPv4, in flows that differ in their ports: each "
          "frame belongs to a flow chosen at random, and after FLOWSIZE frames a flow ends and "
          "another "
          "takes its place. Frames are fresh, all checksums are right, and IPv4 identifications "
          "go up. With RATE it is behind by at most a hundredth of a second's packets.",
      .once = true};

  Arg<uint32_t> rate{*this,
                     "RATE",
                     {.doc = "Packets a second; 0 is as fast as possible.",
                      .unit = "packets/s",
                      .positional = true,
                      .mandatory = true,
                      .live = true}};
  Arg<int64_t> limit{*this,
                     "LIMIT",
                     {.doc = "Packets in all; negative is without end.",
                      .unit = "packets",
                      .positional = true,
                      .mandatory = true,
                      .live = true}};
  Arg<uint32_t> length{*this,
                       "LENGTH",
                       {.doc = "Length of a frame without its FCS, at least 60.",
                        .unit = "bytes",
                        .positional = true,
                        .mandatory = true}};
  Arg<EtherAddress> ether_source{
      *this, "SRCETH", {.doc = "Source Ethernet address.", .positional = true, .mandatory = true}};
  Arg<IPAddress> source{
      *this, "SRCIP", {.doc = "Source address.", .positional = true, .mandatory = true}};
  Arg<EtherAddress> ether_destination{
      *this,
      "DSTETH",
      {.doc = "Destination Ethernet address.", .positional = true, .mandatory = true}};
  Arg<IPAddress> destination{
      *this, "DSTIP", {.doc = "Destination address.", .positional = true, .mandatory = true}};
  Arg<uint32_t> flows{
      *this, "FLOWS", {.doc = "Flows at the same time.", .positional = true, .mandatory = true}};
  Arg<uint32_t> flow_size{*this,
                          "FLOWSIZE",
                          {.doc = "Packets of a flow; 0 is without end.",
                           .unit = "packets",
                           .positional = true,
                           .mandatory = true}};
  Arg<bool> with_checksum{
      *this, "CHECKSUM", true, {.doc = "Whether there is a UDP checksum.", .positional = true}};
  Arg<bool> active{*this,
                   "ACTIVE",
                   true,
                   {.doc = "Whether it makes packets.", .positional = true, .live = true}};
  Arg<bool> sequential{
      *this, "SEQUENTIAL", false, {.doc = "Whether flows come in turn and not at random."}};
  Arg<bool> stop{*this, "STOP", false, {.doc = "Whether the router stops at the end of LIMIT."}};

  bool configure(SetupContext& context) override {
    constexpr uint32_t shortest = 60;
    constexpr uint32_t longest = sizeof(EtherHeader) + 65535;
    constexpr uint32_t most_flows = 1U << 24;
    if (*length < shortest || *length > longest)
      return context.error("LENGTH: out of range, " + std::to_string(shortest) + " to " +
                           std::to_string(longest));
    if (*flows == 0 || *flows > most_flows)
      return context.error("FLOWS: out of range, 1 to " + std::to_string(most_flows));
    frame_.assign(*length, 0);
    flows_.resize(*flows);
    for (Flow& flow : flows_) start(flow);
    return true;
  }

  bool as_fast_as_possible() const { return *rate == 0; }
  Packet* next_packet() { return Packet::make(pool(), next_frame()); }

 private:
  static constexpr std::size_t kHeaders =
      sizeof(EtherHeader) + sizeof(IpHeader) + sizeof(UdpHeader);

  struct Flow {
    std::array<uint8_t, kHeaders> headers;
    uint32_t made = 0;
  };

  // Another flow in the place of this one, with an identification of 0.
  void start(Flow& flow) {
    constexpr uint16_t first_port = 1024;  // those below are for services
    const auto port = [this] {
      return static_cast<uint16_t>(first_port + random_.below(65536 - first_port));
    };
    const EtherHeader ether{*ether_destination, *ether_source, kEtherTypeIp};
    const auto ip_length = static_cast<uint16_t>(*length - sizeof(EtherHeader));
    const auto udp_length = static_cast<uint16_t>(ip_length - sizeof(IpHeader));
    IpHeader ip{};
    ip.version_and_length = 0x45;
    ip.total_length = ip_length;
    ip.ttl = 64;
    ip.protocol = kIpProtocolUdp;
    ip.source = *source;
    ip.destination = *destination;
    set_ip_header_checksum(ip);
    UdpHeader udp{port(), port(), udp_length, 0};
    if (*with_checksum) {
      InternetSum sum = ip_pseudo_header(ip.source, ip.destination, kIpProtocolUdp, udp_length);
      sum.add(&udp, sizeof udp);  // and the payload is zero
      udp.checksum = sum.udp_checksum();
    }
    uint8_t* to = flow.headers.data();
    to = std::copy_n(reinterpret_cast<const uint8_t*>(&ether), sizeof ether, to);
    to = std::copy_n(reinterpret_cast<const uint8_t*>(&ip), sizeof ip, to);
    std::copy_n(reinterpret_cast<const uint8_t*>(&udp), sizeof udp, to);
    flow.made = 0;
  }

  const std::vector<uint8_t>& next_frame() {
    Flow& flow = flows_[*sequential ? turn_++ % flows_.size() : random_.below(flows_.size())];
    std::memcpy(frame_.data(), flow.headers.data(), kHeaders);
    auto& ip = *reinterpret_cast<IpHeader*>(frame_.data() + sizeof(EtherHeader));
    ip.id = ++id_;
    ip.checksum = update_checksum(ip.checksum, be16(0), ip.id);
    if (++flow.made == *flow_size) start(flow);
    return frame_;
  }

  std::vector<uint8_t> frame_;
  std::vector<Flow> flows_;
  Random random_;
  uint64_t turn_ = 0;
  uint16_t id_ = 0;
};

HEADROOM_ELEMENT(FastUDPFlows);

}  // namespace headroom
