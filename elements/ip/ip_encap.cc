#include "headroom/click/named_types.hh"
#include "headroom/graph/element.hh"
#include "headroom/packet/encapsulate.hh"

namespace headroom {

// The two bits of "ECN capable" that ECT asks for.
struct EcnCapable {
  uint8_t bits = 0;
};

namespace click {
template <>
struct ArgType<EcnCapable> {
  static constexpr std::string_view name = "boolean or 2";
  static bool parse(std::string_view text, EcnCapable& value, std::string& error) {
    bool on = false;
    if (text == "2") {
      value.bits = 2;
    } else if (ArgType<bool>::parse(text, on, error)) {
      value.bits = on ? 1 : 0;
    } else {
      error = "should be true, false or 2";
      return false;
    }
    return true;
  }
  static std::string unparse(const EcnCapable& value) {
    return value.bits == 2 ? "2" : value.bits == 1 ? "true" : "false";
  }
};
}  // namespace click

class IPEncap final : public PacketElement<IPEncap> {
 public:
  static constexpr ElementSpec spec{
      .name = "IPEncap",
      .doc =
          "Puts an IPv4 header in front of packets, for tunnels such as IP in IP. Also sets the "
          "destination address annotation.",
      .writes = true};

  Arg<click::IPProtocol> protocol{
      *this,
      "PROTO",
      {.doc = "The protocol of what is carried.", .positional = true, .mandatory = true}};
  Arg<IPAddress> source{
      *this,
      "SRC",
      {.doc = "The source address.", .positional = true, .mandatory = true, .live = true}};
  Arg<IPAddress> destination{
      *this,
      "DST",
      {.doc = "The destination address.", .positional = true, .mandatory = true, .live = true}};
  Arg<uint8_t> tos{*this, "TOS", 0, {.doc = "The whole type of service byte."}};
  Arg<uint8_t> ttl{*this, "TTL", 250, {.doc = "The time to live."}};
  Arg<uint8_t> dscp{*this, "DSCP", 0, {.doc = "The differentiated services code point, 0 to 63."}};
  Arg<EcnCapable> ect{
      *this,
      "ECT",
      EcnCapable{},
      {.doc = "Whether the transport is ECN capable; 2 is ECT(0) and true ECT(1)."}};
  Arg<bool> ce{*this, "CE", false, {.doc = "Whether congestion is experienced."}};
  Arg<bool> df{*this, "DF", false, {.doc = "Whether \"don't fragment\" is set."}};

  Drop too_long{*this, "too-long", "With its header it would have more than 65535 bytes."};

  bool reconfigure(std::string&) override { return make_header(); }

  bool configure(SetupContext& context) override {
    if (protocol->number > 255) return context.error("PROTO: out of range, bound 255");
    if (*dscp > 63) return context.error("DSCP: out of range, bound 63");
    if (tos.given() && (dscp.given() || ect.given() || ce.given()))
      return context.error("TOS goes with neither DSCP nor ECT nor CE");
    if (*ce && ect->bits != 0) return context.error("CE goes not with ECT");
    return make_header();
  }

  Verdict process(Packet& packet) {
    if (packet.length() > kMaxIpPayload) [[unlikely]]
      return too_long;
    if (!push_ip_header(packet, header_, id_)) [[unlikely]]
      return no_buffer;
    ++id_;
    return to(0);
  }

 private:
  bool make_header() {
    header_ =
        ip_header_pattern(static_cast<uint8_t>(protocol->number), *source, *destination, *ttl);
    const unsigned ecn = *ce ? 3 : ect->bits;
    header_.tos = tos.given() ? *tos : static_cast<uint8_t>(*dscp << 2 | ecn);
    if (*df) header_.fragment = kIpDontFragment;
    return true;
  }

  IpHeader header_;
  uint16_t id_ = 0;
};

HEADROOM_ELEMENT(IPEncap);

}  // namespace headroom
