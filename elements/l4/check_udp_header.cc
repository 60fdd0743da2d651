#include "check_transport.hh"
#include "headroom/net/udp.hh"

namespace headroom {

class CheckUDPHeader final : public CheckTransport<CheckUDPHeader> {
 public:
  static constexpr uint8_t kProtocol = kIpProtocolUdp;
  static constexpr const char* kProtocolName = "UDP";
  static constexpr ElementSpec spec{
      .name = "CheckUDPHeader",
      .ports = "1/1-2",
      .processing = "a/ah",
      .doc =
          "Checks the UDP header of IPv4 packets: length and, unless the sender computed none, "
          "checksum. Good packets pass; bad ones, and those that are not UDP, go to output 1, or "
          "are dropped when that is not connected."};

  Verdict check(Packet& packet, const Transport& transport) {
    UdpHeader udp;
    if (transport.length < sizeof udp) [[unlikely]]
      return bad(bad_length);
    read_header(packet, transport.offset, udp);
    if (udp.length < sizeof udp || udp.length > transport.length) [[unlikely]]
      return bad(bad_length);
    if (udp.checksum.raw() != 0 && !transport_sum(packet, transport, udp.length).is_valid())
        [[unlikely]]
      return bad(bad_checksum);
    return to(0);
  }
};

HEADROOM_ELEMENT(CheckUDPHeader);

}  // namespace headroom
