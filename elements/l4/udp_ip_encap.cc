#include "headroom/click/named_types.hh"
#include "headroom/graph/element.hh"
#include "headroom/net/udp.hh"
#include "headroom/packet/encapsulate.hh"
#include "headroom/packet/transport.hh"

namespace headroom {

class UDPIPEncap final : public PacketElement<UDPIPEncap> {
 public:
  static constexpr ElementSpec spec{
      .name = "UDPIPEncap",
      .doc =
          "Puts a UDP and an IPv4 header in front of packets. Also sets the destination address "
          "annotation.",
      .writes = true};

  Arg<IPAddress> source{
      *this,
      "SRC",
      {.doc = "The source address.", .positional = true, .mandatory = true, .live = true}};
  Arg<click::UdpPort> source_port{
      *this,
      "SPORT",
      {.doc = "The source port.", .positional = true, .mandatory = true, .live = true}};
  Arg<IPAddress> destination{
      *this,
      "DST",
      {.doc = "The destination address.", .positional = true, .mandatory = true, .live = true}};
  Arg<click::UdpPort> destination_port{
      *this,
      "DPORT",
      {.doc = "The destination port.", .positional = true, .mandatory = true, .live = true}};
  Arg<bool> checksum{*this,
                     "CHECKSUM",
                     true,
                     {.doc = "Whether the UDP checksum is computed.", .positional = true}};

  Drop too_long{*this, "too-long", "With its headers it would have more than 65535 bytes."};

  bool reconfigure(std::string&) override { return make_headers(); }

  bool configure(SetupContext&) override { return make_headers(); }

  Verdict process(Packet& packet) {
    const uint32_t length = packet.length() + static_cast<uint32_t>(sizeof(UdpHeader));
    if (length > kMaxIpPayload) [[unlikely]]
      return too_long;
    if (!packet.push(sizeof(UdpHeader))) [[unlikely]]
      return no_buffer;
    UdpHeader& udp = *reinterpret_cast<UdpHeader*>(packet.data());
    udp = udp_;
    udp.length = static_cast<uint16_t>(length);
    if (*checksum) {
      InternetSum sum = ip_pseudo_header(ip_.source, ip_.destination, kIpProtocolUdp,
                                         static_cast<uint16_t>(length));
      sum.add(sum_of(packet, 0, length));
      udp.checksum = sum.udp_checksum();
    }
    if (!push_ip_header(packet, ip_, id_)) [[unlikely]]
      return no_buffer;
    ++id_;
    return to(0);
  }

 private:
  bool make_headers() {
    udp_ = {source_port->number, destination_port->number, 0, 0};
    ip_ = ip_header_pattern(kIpProtocolUdp, *source, *destination);
    return true;
  }

  UdpHeader udp_;
  IpHeader ip_;
  uint16_t id_ = 0;
};

HEADROOM_ELEMENT(UDPIPEncap);

}  // namespace headroom
