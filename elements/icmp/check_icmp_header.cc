#include "../l4/check_transport.hh"
#include "headroom/net/icmp.hh"

namespace headroom {

class CheckICMPHeader final : public CheckTransport<CheckICMPHeader> {
 public:
  static constexpr uint8_t kProtocol = kIpProtocolIcmp;
  static constexpr const char* kProtocolName = "ICMP";
  static constexpr ElementSpec spec{
      .name = "CheckICMPHeader",
      .ports = "1/1-2",
      .processing = "a/ah",
      .doc =
          "Checks the ICMP header of IPv4 packets: that it is as long as its type needs, and the "
          "checksum. Good packets pass; bad ones, and those that are not ICMP, go to output 1, "
          "or are dropped when that is not connected."};

  Verdict check(Packet& packet, const Transport& transport) {
    IcmpHeader icmp;
    if (transport.length < sizeof icmp) [[unlikely]]
      return bad(bad_length);
    read_header(packet, transport.offset, icmp);
    if (transport.length < length_of(icmp.type)) [[unlikely]]
      return bad(bad_length);
    if (!sum_of(packet, transport.offset, transport.length).is_valid()) [[unlikely]]
      return bad(bad_checksum);
    return to(0);
  }

 private:
  // The least that a message of this type has (RFC 792). Errors carry the IPv4 header of what they
  // are about; how much behind it, not all senders take as seriously.
  static constexpr uint32_t length_of(uint8_t type) {
    switch (type) {
      case kIcmpUnreachable:
      case kIcmpSourceQuench:
      case kIcmpRedirect:
      case kIcmpTimeExceeded:
      case kIcmpParameterProblem:
        return sizeof(IcmpHeader) + sizeof(IpHeader);
      case kIcmpTimestamp:
      case kIcmpTimestampReply:
        return sizeof(IcmpHeader) + 12;
      default:
        return sizeof(IcmpHeader);
    }
  }
};

HEADROOM_ELEMENT(CheckICMPHeader);

}  // namespace headroom
