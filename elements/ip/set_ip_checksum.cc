#include "headroom/graph/element.hh"
#include "headroom/packet/transport.hh"

namespace headroom {

class SetIPChecksum final : public PacketElement<SetIPChecksum> {
 public:
  static constexpr ElementSpec spec{
      .name = "SetIPChecksum",
      .doc = "Computes the header checksum of IPv4 packets and writes it.",
      .writes = true};

  Drop no_header{*this, "no-network-header",
                 "It has no network header, which CheckIPHeader or MarkIPHeader sets, or ends "
                 "within it."};

  Verdict process(Packet& packet) {
    IpHeader* ip = writable_ip_header(packet);
    if (ip == nullptr) [[unlikely]]
      return no_header;
    set_ip_header_checksum(*ip);
    return to(0);
  }
};

HEADROOM_ELEMENT(SetIPChecksum);

}  // namespace headroom
