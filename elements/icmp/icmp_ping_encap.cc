#include "headroom/graph/element.hh"
#include "headroom/net/icmp.hh"
#include "headroom/packet/encapsulate.hh"
#include "headroom/packet/transport.hh"

namespace headroom {

class ICMPPingEncap final : public PacketElement<ICMPPingEncap> {
 public:
  static constexpr ElementSpec spec{
      .name = "ICMPPingEncap",
      .doc =
          "Makes packets the contents of ICMP echo requests: puts an ICMP and an IPv4 header in "
          "front of them, and sets the destination address annotation. The sequence number "
          "begins at 1 and rises by one with every packet.",
      .writes = true};

  Arg<IPAddress> source{
      *this,
      "SRC",
      {.doc = "The source address.", .positional = true, .mandatory = true, .live = true}};
  Arg<IPAddress> destination{
      *this,
      "DST",
      {.doc = "The destination address.", .positional = true, .mandatory = true, .live = true}};
  Arg<uint16_t> identifier{
      *this, "IDENTIFIER", 0, {.doc = "The identifier, which tells one pinger from another."}};

  Drop too_long{*this, "too-long", "With its headers it would have more than 65535 bytes."};

  bool reconfigure(std::string&) override { return make_header(); }

  bool configure(SetupContext&) override { return make_header(); }

  Verdict process(Packet& packet) {
    const uint32_t length = packet.length() + static_cast<uint32_t>(sizeof(IcmpHeader));
    if (length > kMaxIpPayload) [[unlikely]]
      return too_long;
    if (!packet.push(sizeof(IcmpHeader))) [[unlikely]]
      return no_buffer;
    IcmpHeader& icmp = *reinterpret_cast<IcmpHeader*>(packet.data());
    icmp = {kIcmpEcho, 0, 0, {*identifier, sequence_}};
    icmp.checksum = sum_of(packet, 0, length).checksum();
    if (!push_ip_header(packet, ip_, sequence_)) [[unlikely]]
      return no_buffer;
    ++sequence_;
    return to(0);
  }

 private:
  bool make_header() {
    ip_ = ip_header_pattern(kIpProtocolIcmp, *source, *destination, 255);
    return true;
  }

  IpHeader ip_;
  uint16_t sequence_ = 1;
};

HEADROOM_ELEMENT(ICMPPingEncap);

}  // namespace headroom
