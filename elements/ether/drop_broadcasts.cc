#include "headroom/graph/fusion.hh"
#include "headroom/net/ether.hh"

namespace headroom {

class DropBroadcasts final : public PacketElement<DropBroadcasts> {
 public:
  static constexpr ElementSpec spec{
      .name = "DropBroadcasts",
      .doc =
          "Drops packets that came as link-level broadcasts or multicasts, by their packet type "
          "annotation, which HostEtherFilter sets, or by the destination address of a frame that "
          "still has its Ethernet header: a router must not forward them (RFC 1812, 5.3.4).",
      .contiguous = sizeof(EtherHeader)};

  Arg<bool> ether{
      *this,
      "ETHER",
      false,
      {.doc = "Whether packets are frames, and the destination address at their front decides."}};

  Drop broadcast{*this, "link-broadcast", "It came as a link-level broadcast or multicast."};

  Drop too_short{*this, "too-short", "ETHER, and it is shorter than an Ethernet header."};

  ReadHandler drops_total{*this, "drops", "Packets dropped.",
                          [this] { return std::to_string(broadcast.dropped()); }, Merge::sum};

  struct Fast {
    bool ether;

    [[gnu::always_inline]] bool passes(FastPacket& p) const {
      if (ether)
        return p.length >= sizeof(EtherHeader) &&
               !reinterpret_cast<const EtherHeader*>(p.data)->destination.is_group();
      const PacketType type = p.packet.packet_type_anno();
      return type != PacketType::broadcast && type != PacketType::multicast;
    }
    [[gnu::always_inline]] void apply(FastPacket&) const {}
  };
  Fast fast() const { return {*ether}; }

  Verdict process(Packet& packet) {
    if (*ether) {
      if (packet.length() < sizeof(EtherHeader)) [[unlikely]]
        return too_short;
      const auto& frame = *reinterpret_cast<const EtherHeader*>(packet.data());
      return frame.destination.is_group() ? Verdict(broadcast) : to(0);
    }
    const PacketType type = packet.packet_type_anno();
    return type == PacketType::broadcast || type == PacketType::multicast ? Verdict(broadcast)
                                                                          : to(0);
  }
};

HEADROOM_ELEMENT(DropBroadcasts);

}  // namespace headroom
