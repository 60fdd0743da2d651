#include "headroom/graph/element.hh"
#include "headroom/net/ether.hh"

namespace headroom {

class HostEtherFilter final : public PacketElement<HostEtherFilter> {
 public:
  static constexpr uint32_t kMaxOffset = 100;
  static constexpr ElementSpec spec{
      .name = "HostEtherFilter",
      .ports = "1/1-2",
      .processing = "a/ah",
      .doc =
          "Passes the frames that a network card with an address would receive, and sets the "
          "packet type annotation to host, broadcast, multicast or other host. Frames that it "
          "filters go to output 1, or are dropped when that is not connected.",
      .contiguous = kMaxOffset + sizeof(EtherHeader)};

  Arg<EtherAddress> address{
      *this, "ETHER", {.doc = "The address.", .positional = true, .mandatory = true}};
  Arg<bool> drop_own{*this,
                     "DROP_OWN",
                     false,
                     {.doc = "Whether frames from ETHER are filtered.", .positional = true}};
  Arg<bool> drop_other{
      *this,
      "DROP_OTHER",
      true,
      {.doc = "Whether frames to other single addresses are filtered.", .positional = true}};
  Arg<uint32_t> offset{*this,
                       "OFFSET",
                       0,
                       {.doc = "Where the Ethernet header begins: at most 100.", .unit = "bytes"}};

  Drop too_short{*this, "too-short", "It ends within the Ethernet header."};
  Drop own{*this, "from-own-address", "Its source is ETHER, and DROP_OWN is set."};
  Drop other{*this, "to-other-host", "Its destination is another host, and DROP_OTHER is set."};

  bool configure(SetupContext& context) override {
    return *offset <= kMaxOffset ||
           context.error("OFFSET: out of range, bound " + std::to_string(kMaxOffset));
  }

  Verdict process(Packet& packet) {
    if (packet.length() < *offset + sizeof(EtherHeader)) [[unlikely]]
      return too_short;
    const auto& ether = *reinterpret_cast<const EtherHeader*>(packet.data() + *offset);
    if (*drop_own && ether.source == *address) return divert(1, own);
    packet.set_packet_type_anno(type_of(ether.destination));
    if (*drop_other && packet.packet_type_anno() == PacketType::other_host) return divert(1, other);
    return to(0);
  }

 private:
  PacketType type_of(const EtherAddress& destination) const {
    if (destination == *address) return PacketType::host;
    if (destination.is_broadcast()) return PacketType::broadcast;
    return destination.is_group() ? PacketType::multicast : PacketType::other_host;
  }
};

HEADROOM_ELEMENT(HostEtherFilter);

}  // namespace headroom
