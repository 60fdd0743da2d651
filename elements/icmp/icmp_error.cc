#include "headroom/net/icmp_error.hh"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "headroom/base/suggest.hh"
#include "headroom/click/arguments.hh"
#include "headroom/graph/element.hh"
#include "headroom/net/icmp_names.hh"

namespace headroom {

class ICMPError final : public BatchElement<ICMPError> {
 public:
  static constexpr ElementSpec spec{
      .name = "ICMPError",
      .ports = "1/1",
      .processing = "a/a",
      .doc =
          "Answers IPv4 packets with an ICMP error message to their source: destination "
          "unreachable, time exceeded, parameter problem, redirect or source quench. The message "
          "carries as much of the packet as fits, its destination address annotation is set, and "
          "it is marked for FixIPSrc. A parameter problem points to the octet that the "
          "ICMP_PARAMPROB annotation names, a redirect to the destination address annotation. "
          "Packets that must not be answered (RFC 1812, 4.3.2.7) are dropped."};

  Arg<IPAddress> source{
      *this, "SRC", {.doc = "The source of the messages.", .positional = true, .mandatory = true}};
  Arg<click::RawText> type{*this,
                           "TYPE",
                           {.doc = "ICMP type, a number or a name: unreachable, timeexceeded, "
                                   "parameterproblem, redirect or sourcequench.",
                            .positional = true,
                            .mandatory = true}};
  Arg<click::RawText> code{
      *this,
      "CODE",
      click::RawText{"0"},
      {.doc = "ICMP code, a number or a name such as net, host, port, needfrag, "
              "transit, reassembly, erroratptr.",
       .positional = true}};
  Arg<click::RawText> bad_addresses{
      *this,
      "BADADDRS",
      click::RawText{},
      {.doc =
           "Addresses with blanks between them, such as broadcast addresses of networks: packets "
           "from or to them are not answered.",
       .positional = true}};
  Arg<uint32_t> max_length{
      *this,
      "MTU",
      576,
      {.doc = "The most bytes that a message has.", .unit = "bytes", .positional = true}};
  Arg<uint16_t> path_mtu{
      *this,
      "PMTU",
      0,
      {.doc = "The MTU of the next hop, in unreachable needfrag (RFC 1191).", .unit = "bytes"}};
  Arg<bool> set_fix_anno{
      *this, "SET_FIX_ANNO", true, {.doc = "Whether the messages are marked for FixIPSrc."}};

  Drop bad_header{*this, "bad-header", "It has no valid IP header."};
  Drop later_fragment{*this, "later-fragment", "It is not the first fragment."};
  Drop icmp_error{*this, "icmp-error", "It is an ICMP error message itself."};
  Drop group{*this, "broadcast-or-multicast", "It went to a broadcast or multicast address."};
  Drop link_group{*this, "link-broadcast", "It was a broadcast or multicast of the link layer."};
  Drop bad_source{*this, "bad-source", "Its source is not the address of a single host."};

  bool configure(SetupContext& context) override {
    error_.source = *source;
    error_.max_length = *max_length;
    error_.mtu = *path_mtu;
    bool ok = read_type(context) && read_code(context);
    if (*max_length < kLeastLength || *max_length > 65535)
      ok = context.error("MTU: expected " + std::to_string(kLeastLength) + " to 65535 bytes");
    for (const std::string& word : click::split_words(click::unquote(bad_addresses->text))) {
      std::string unused;
      if (!click::parse_argument(word, bad_.emplace_back(), unused, names()))
        ok = context.error("BADADDRS: expected IP addresses, not '" + word + "'");
    }
    return ok;
  }

  void process(PacketBatch& batch, Verdict* verdicts) {
    for (uint32_t i = 0; i < batch.size(); ++i) verdicts[i] = answer(batch, i);
  }

 private:
  static constexpr uint32_t kLongestHeader = 60;
  // A message with the longest IP header and 8 bytes behind it (RFC 792).
  static constexpr uint32_t kLeastLength = 28 + kLongestHeader + 8;
  static constexpr std::array<uint8_t, 5> kTypes{kIcmpUnreachable, kIcmpSourceQuench, kIcmpRedirect,
                                                 kIcmpTimeExceeded, kIcmpParameterProblem};

  bool read_type(SetupContext& context) {
    std::string unused;
    if (const auto named = icmp_type_by_name(type->text))
      error_.type = *named;
    else if (!click::ArgType<uint8_t>::parse(type->text, error_.type, unused))
      error_.type = 0;
    if (std::find(kTypes.begin(), kTypes.end(), error_.type) != kTypes.end()) return true;
    std::vector<std::string_view> names;
    for (const uint8_t one : kTypes) names.push_back(icmp_type_name(one));
    return context.error("TYPE: expected the type of an ICMP error, not '" + type->text + "'",
                         did_you_mean(type->text, names));
  }

  bool read_code(SetupContext& context) {
    std::string unused;
    if (const auto named = icmp_code_by_name(error_.type, code->text)) {
      error_.code = *named;
      return true;
    }
    if (click::ArgType<uint8_t>::parse(code->text, error_.code, unused)) return true;
    std::vector<std::string_view> names;
    for (const IcmpName& one : icmp_code_names(error_.type)) names.push_back(one.name);
    return context.error("CODE: expected a number up to 255 or a code of '" +
                             std::string(icmp_type_name(error_.type)) + "', not '" + code->text +
                             "'",
                         did_you_mean(code->text, names));
  }

  // Puts the message into the packet's slot.
  Verdict answer(PacketBatch& batch, uint32_t slot) {
    Packet& packet = batch[slot];
    const int32_t offset = packet.network_header_offset();
    if (offset < 0 || static_cast<uint32_t>(offset) >= packet.length()) return bad_header;
    const auto start = static_cast<uint32_t>(offset);
    const uint32_t there = packet.length() - start;
    uint8_t header[kLongestHeader + 1];  // with the ICMP type
    const uint32_t seen = std::min<uint32_t>(there, sizeof header);
    packet.copy_out(start, header, seen);
    switch (icmp_error_refusal(header, seen)) {
      case IcmpErrorRefusal::bad_header:
        return bad_header;
      case IcmpErrorRefusal::later_fragment:
        return later_fragment;
      case IcmpErrorRefusal::icmp_error:
        return icmp_error;
      case IcmpErrorRefusal::destination_group:
        return group;
      case IcmpErrorRefusal::bad_source:
        return bad_source;
      case IcmpErrorRefusal::none:
        break;
    }
    const PacketType link = packet.packet_type_anno();
    if (link == PacketType::broadcast || link == PacketType::multicast) return link_group;
    const auto& ip = *reinterpret_cast<const IpHeader*>(header);
    if (is_bad(ip.destination)) return group;
    if (is_bad(ip.source)) return bad_source;

    // Padding behind the datagram is no part of it.
    const uint32_t length = std::min<uint32_t>(there, std::max<uint32_t>(ip.total_length, seen));
    message_.resize(icmp_error_length(error_, length));
    original_.resize(message_.size());
    packet.copy_out(start, original_.data(),
                    std::min<uint32_t>(length, static_cast<uint32_t>(original_.size())));
    error_.id = next_id_++;
    error_.gateway = packet.dst_ip_anno();
    error_.pointer = packet.anno_u8(anno::kIcmpParamProb.offset);
    make_icmp_error(message_, error_, original_.data());
    Packet* made = Packet::make(pool(), message_);
    if (made == nullptr) return no_buffer;
    made->set_network_header(0, sizeof(IpHeader));
    made->set_dst_ip_anno(ip.source);
    made->set_timestamp_anno(now());
    if (*set_fix_anno) made->set_anno_u8(anno::kFixIpSrc.offset, 1);
    batch.set(slot, *made);
    packet.kill();
    count_absorbed(1);
    count_created(1);
    return Verdict::to(0);
  }

  bool is_bad(IPAddress address) const {
    return std::find(bad_.begin(), bad_.end(), address) != bad_.end();
  }

  IcmpError error_;
  std::vector<IPAddress> bad_;
  uint16_t next_id_ = 1;
  std::vector<uint8_t> original_;
  std::vector<uint8_t> message_;
};

HEADROOM_ELEMENT(ICMPError);

}  // namespace headroom
