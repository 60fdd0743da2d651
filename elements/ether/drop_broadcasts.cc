#include "headroom/graph/element.hh"

namespace headroom {

class DropBroadcasts final : public PacketElement<DropBroadcasts> {
 public:
  static constexpr ElementSpec spec{
      .name = "DropBroadcasts",
      .doc =
          "Drops packets that came as link-level broadcasts or multicasts, by their packet type "
          "annotation, which HostEtherFilter sets: a router must not forward them "
          "(RFC 1812, 5.3.4)."};

  Drop broadcast{*this, "link-broadcast", "It came as a link-level broadcast or multicast."};

  ReadHandler drops_total{*this, "drops", "Packets dropped.",
                          [this] { return std::to_string(broadcast.dropped()); }, Merge::sum};

  Verdict process(Packet& packet) {
    const PacketType type = packet.packet_type_anno();
    return type == PacketType::broadcast || type == PacketType::multicast ? Verdict(broadcast)
                                                                          : to(0);
  }
};

HEADROOM_ELEMENT(DropBroadcasts);

}  // namespace headroom
