#include <cstring>

#include "headroom/graph/fusion.hh"
#include "headroom/net/ether.hh"
#include "headroom/packet/egress.hh"
#include "headroom/runtime/machine.hh"

namespace headroom {

class EgressSwitch final : public PacketElement<EgressSwitch> {
 public:
  static constexpr ElementSpec spec{
      .name = "EgressSwitch",
      .ports = "1/1-",
      .processing = "h/h",
      .doc =
          "Sends frames to the output of the port that an IPlookup or L2Forward chose for them, "
          "and "
          "addresses them: from that port's address, and to the sender unless the route had an "
          "Ethernet address.",
      .writes = true,
      .contiguous = sizeof(EtherHeader)};

  ArgList<std::string> ports{
      *this, "PORT", {.doc = "The ports behind the outputs, as the system file names them."}};

  Drop no_egress{*this, "no-egress-port", "No element chose a port for it."};
  Drop no_port{*this, "no-such-port", "The port that was chosen for it does not exist."};
  Drop too_short{*this, "too-short", "It is shorter than an Ethernet header."};

  bool configure(SetupContext& context) override {
    if (context.machine == nullptr) return context.error("needs a machine with ports");
    if (noutputs() > Egress::kMostPorts)
      return context.error("has more than " + std::to_string(Egress::kMostPorts) + " outputs");
    if (ports->size() != noutputs())
      return context.error("has " + std::to_string(noutputs()) + " outputs and " +
                           std::to_string(ports->size()) + " ports");
    for (const std::string& port : *ports)
      if (!context.machine->claim_port(port, context)) return false;
    return true;
  }

  bool initialize(SetupContext& context) override {
    for (const std::string& port : *ports)
      addresses_.push_back(context.machine->device(port)->address());
    return true;
  }

  // Where the element before it in the chain chooses the port.
  struct Fast {
    const EtherAddress* addresses;
    std::size_t count;

    [[gnu::always_inline]] bool passes(FastPacket& p) const {
      return p.length >= sizeof(EtherHeader) && p.egress < count;
    }
    [[gnu::always_inline]] void apply(FastPacket& p) const {
      address(p.data, {.port = p.egress, .addressed = p.addressed}, addresses);
    }
    [[gnu::always_inline]] uint32_t exit(FastPacket& p) const { return p.egress; }
  };
  Fast fast() const { return {addresses_.data(), addresses_.size()}; }

  Verdict process(Packet& packet) {
    const auto egress = egress_of(packet);
    if (!egress) [[unlikely]]
      return no_egress;
    if (egress->port >= addresses_.size()) [[unlikely]]
      return no_port;
    if (packet.length() < sizeof(EtherHeader)) [[unlikely]]
      return too_short;
    address(packet.data(), *egress, addresses_.data());
    return to(egress->port);
  }

 private:
  static void address(uint8_t* frame, Egress egress, const EtherAddress* addresses) {
    auto& ether = *reinterpret_cast<EtherHeader*>(frame);
    if (!egress.addressed) ether.destination = ether.source;
    ether.source = addresses[egress.port];
  }

  std::vector<EtherAddress> addresses_;
};

HEADROOM_ELEMENT(EgressSwitch);

}  // namespace headroom
