#include <vector>

#include "headroom/click/arguments.hh"
#include "headroom/graph/fusion.hh"
#include "headroom/net/checksum.hh"
#include "headroom/net/ip_options.hh"

namespace headroom {

class IPGWOptions final : public PacketElement<IPGWOptions> {
 public:
  static constexpr ElementSpec spec{
      .name = "IPGWOptions",
      .ports = "1/1-2",
      .processing = "a/ah",
      .doc =
          "Processes the IPv4 options that every router on the path processes: record route and "
          "timestamp. The header checksum is computed again. Packets with an option that is in "
          "error go to output 1, usually to an ICMPError for a parameter problem, with the "
          "ICMP_PARAMPROB annotation on the octet, or are dropped when that is not connected.",
      .writes = true};

  Arg<IPAddress> mine{
      *this,
      "MYADDR",
      {.doc = "The address that is recorded.", .positional = true, .mandatory = true}};
  Arg<click::RawText> others{
      *this,
      "OTHERADDRS",
      click::RawText{},
      {.doc = "This router's other addresses, with blanks between them: a timestamp option may ask "
              "for the time at one of them.",
       .positional = true}};

  Drop bad_option{*this, "bad-option", "An option is in error."};
  Drop no_header{*this, "no-network-header",
                 "It has no network header, which CheckIPHeader or MarkIPHeader sets."};

  ReadHandler drops_total{*this, "drops",
                          "Packets with an option in error, dropped or sent to output 1.",
                          [this] { return std::to_string(bad_option.packets()); }, Merge::sum};

  bool configure(SetupContext& context) override {
    for (const std::string& word : click::split_words(click::unquote(others->text))) {
      std::string unused;
      if (!click::parse_argument(word, others_.emplace_back(), unused, names()))
        return context.error("OTHERADDRS: expected IP addresses, not '" + word + "'");
    }
    return true;
  }

  [[gnu::always_inline]] bool passes(FastPacket& p) const {
    return p.find_ip() && p.ip->header_length() <= sizeof(IpHeader);
  }
  [[gnu::always_inline]] void apply(FastPacket&) {}

  Verdict process(Packet& packet) {
    // Also negative when there is none.
    const int32_t offset = packet.network_header_offset();
    if (offset < 0 || static_cast<uint32_t>(offset) + sizeof(IpHeader) > packet.length())
        [[unlikely]]
      return no_header;
    const auto start = static_cast<uint32_t>(offset);
    if (packet.contiguous() < start + sizeof(IpHeader) && !packet.pullup(start + sizeof(IpHeader)))
      return no_header;
    const unsigned header_length = packet.ip_header()->header_length();
    if (header_length <= sizeof(IpHeader)) [[likely]]
      return to(0);
    if (!packet.pullup(start + header_length)) return no_header;
    IpHeader& ip = *packet.ip_header();
    constexpr int64_t kDay = 24 * 3600 * 1000;
    const auto milliseconds = static_cast<uint32_t>(now() / 1'000'000 % kDay);
    const GatewayOptions result = process_gateway_options(ip, *mine, others_, milliseconds);
    if (result.changed) set_ip_header_checksum(ip);
    if (result.problem == 0) return to(0);
    packet.set_anno_u8(anno::kIcmpParamProb.offset, result.problem);
    return divert(1, bad_option);
  }

 private:
  std::vector<IPAddress> others_;
};

HEADROOM_ELEMENT(IPGWOptions);

}  // namespace headroom
