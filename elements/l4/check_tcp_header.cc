#include "check_transport.hh"
#include "headroom/net/tcp.hh"

namespace headroom {

class CheckTCPHeader final : public CheckTransport<CheckTCPHeader> {
 public:
  static constexpr uint8_t kProtocol = kIpProtocolTcp;
  static constexpr const char* kProtocolName = "TCP";
  static constexpr ElementSpec spec{
      .name = "CheckTCPHeader",
      .ports = "1/1-2",
      .processing = "a/ah",
      .doc =
          "Checks the TCP header of IPv4 packets: lengths and checksum. Good packets pass; bad "
          "ones, and those that are not TCP, go to output 1, or are dropped when that is not "
          "connected."};

  Verdict check(Packet& packet, const Transport& transport) {
    TcpHeader tcp;
    if (transport.length < sizeof tcp) [[unlikely]]
      return bad(bad_length);
    read_header(packet, transport.offset, tcp);
    if (tcp.header_length() < sizeof tcp || tcp.header_length() > transport.length) [[unlikely]]
      return bad(bad_length);
    if (!transport_sum(packet, transport, transport.length).is_valid()) [[unlikely]]
      return bad(bad_checksum);
    return to(0);
  }
};

HEADROOM_ELEMENT(CheckTCPHeader);

}  // namespace headroom
