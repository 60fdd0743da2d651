#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

#include "headroom/click/arguments.hh"
#include "headroom/graph/element.hh"
#include "headroom/net/checksum.hh"
#include "headroom/net/ip.hh"

namespace headroom {

struct IpAddressList {
  std::vector<IPAddress> addresses;
};
struct IpInterfaceList {
  std::vector<IPPrefix> interfaces;
};
// The first argument without a keyword: an offset or, in Click's old form, a list of addresses.
struct OffsetOrAddresses {
  std::optional<uint32_t> offset;
  IpAddressList bad_sources;
};

namespace click {

template <>
struct ArgType<IpAddressList> {
  static constexpr std::string_view name = "list of IP addresses";
  static bool parse(std::string_view text, IpAddressList& value, std::string& error,
                    const NameScope& names = {}) {
    std::vector<IPAddress> addresses;
    for (const std::string& word : split_words(unquote(text)))
      if (!parse_argument(word, addresses.emplace_back(), error, names)) {
        error = "'" + word + "' is not an IP address";
        return false;
      }
    value.addresses = std::move(addresses);
    return true;
  }
  static std::string unparse(const IpAddressList& value) {
    std::string text;
    for (const IPAddress address : value.addresses)
      text += (text.empty() ? "" : " ") + address.to_string();
    return text;
  }
};

template <>
struct ArgType<IpInterfaceList> {
  static constexpr std::string_view name = "list of IP address prefixes";
  static bool parse(std::string_view text, IpInterfaceList& value, std::string& error,
                    const NameScope& names = {}) {
    std::vector<IPPrefix> interfaces;
    for (const std::string& word : split_words(unquote(text)))
      if (!parse_argument(word, interfaces.emplace_back(), error, names)) {
        error = "'" + word + "' is not an IP address with a prefix length";
        return false;
      }
    value.interfaces = std::move(interfaces);
    return true;
  }
  static std::string unparse(const IpInterfaceList& value) {
    std::string text;
    for (const IPPrefix& prefix : value.interfaces)
      text += (text.empty() ? "" : " ") + prefix.to_string();
    return text;
  }
};

template <>
struct ArgType<OffsetOrAddresses> {
  static constexpr std::string_view name = "unsigned integer or list of IP addresses";
  static bool parse(std::string_view text, OffsetOrAddresses& value, std::string& error,
                    const NameScope& names = {}) {
    uint32_t offset = 0;
    std::string not_a_number;
    if (ArgType<uint32_t>::parse(text, offset, not_a_number)) {
      value.offset = offset;
      return true;
    }
    return ArgType<IpAddressList>::parse(text, value.bad_sources, error, names);
  }
  static std::string unparse(const OffsetOrAddresses& value) {
    return value.offset ? std::to_string(*value.offset)
                        : ArgType<IpAddressList>::unparse(value.bad_sources);
  }
};

}  // namespace click

class CheckIPHeader final : public PacketElement<CheckIPHeader> {
 public:
  static constexpr uint32_t kMaxOffset = 100;
  static constexpr ElementSpec spec{
      .name = "CheckIPHeader",
      .ports = "1/1-2",
      .processing = "a/ah",
      .doc =
          "Checks the IPv4 header of packets: lengths, version and checksum, and the source "
          "address if asked. Of good packets it sets the network and transport header and the "
          "destination address annotation, takes off what follows the datagram (Ethernet padding), "
          "and sends them to output 0. Bad packets go to output 1, or are dropped when that is "
          "not connected.",
      // The longest header at the greatest offset; packets in one segment are not concerned.
      .contiguous = kMaxOffset + 60};

  Arg<OffsetOrAddresses> first{
      *this,
      "BADSRC2",
      OffsetOrAddresses{},
      {.doc = "OFFSET, or a list like BADSRC to which 0.0.0.0 and 255.255.255.255 are added "
              "(Click's old form).",
       .positional = true}};
  Arg<uint32_t> offset{
      *this,
      "OFFSET",
      0,
      {.doc = "Where the header begins: at most 100.", .unit = "bytes", .positional = true}};
  Arg<bool> checksum{*this, "CHECKSUM", true, {.doc = "Whether the checksum is verified."}};
  Arg<IpAddressList> bad_sources{
      *this,
      "BADSRC",
      IpAddressList{},
      {.doc = "Source addresses that are bad, with blanks between them."}};
  Arg<IpAddressList> good_destinations{
      *this,
      "GOODDST",
      IpAddressList{},
      {.doc = "Destination addresses for which any source is good, with blanks between them."}};
  Arg<IpInterfaceList> interfaces{
      *this,
      "INTERFACES",
      IpInterfaceList{},
      {.doc = "This router's addresses with prefix lengths, with blanks between them. Adds each "
              "address to GOODDST, and the broadcast address of each network to BADSRC."}};
  Arg<bool> verbose{
      *this, "VERBOSE", false, {.doc = "Whether a line is printed for every bad packet."}};
  Arg<bool> details{
      *this, "DETAILS", false, {.doc = "No effect: drop_details always counts by reason."}};

  Drop too_short{*this, "too-short", "The packet ends within the header."};
  Drop bad_version{*this, "bad-version", "The version is not 4."};
  Drop bad_header_length{*this, "bad-header-length", "The header length is below 20."};
  Drop bad_length{*this, "bad-length",
                  "The total length is below the header length or beyond the packet's end."};
  Drop bad_checksum{*this, "bad-checksum", "The header checksum is wrong."};
  Drop bad_source{*this, "bad-source", "The source address is one that no packet may have."};

  ReadHandler drops_total{*this, "drops", "Bad packets, dropped or sent to output 1.",
                          [this] {
                            uint64_t total = 0;
                            for (const Drop* reason : reasons_) total += bad_packets(*reason);
                            return std::to_string(total);
                          },
                          Merge::sum};
  ReadHandler drop_details{*this, "drop_details", "Bad packets, a line for each reason.",
                           [this] {
                             std::string text;
                             for (const Drop* reason : reasons_)
                               text += std::to_string(bad_packets(*reason)) + "\t" +
                                       std::string(reason->name()) + "\n";
                             return text;
                           },
                           Merge::concatenate};

  bool configure(SetupContext& context) override {
    if (first->offset && offset.given()) return context.error("OFFSET: given twice");
    offset_ = first->offset.value_or(*offset);
    if (offset_ > kMaxOffset)
      return context.error("OFFSET: out of range, bound " + std::to_string(kMaxOffset));
    check_checksum_ = *checksum;
    bad_sources_ = bad_sources->addresses;
    good_destinations_ = good_destinations->addresses;
    if (first.given() && !first->offset) {
      const auto& old_form = first->bad_sources.addresses;
      bad_sources_.insert(bad_sources_.end(), old_form.begin(), old_form.end());
      bad_sources_.push_back(IPAddress());
      bad_sources_.push_back(IPAddress::broadcast());
    }
    for (const IPPrefix& interface : interfaces->interfaces) {
      good_destinations_.push_back(interface.address);
      // A network of one or two addresses has no broadcast address (RFC 3021).
      if (interface.length < 31) bad_sources_.push_back(interface.last());
    }
    check_source_ = !bad_sources_.empty();
    return true;
  }

  Verdict process(Packet& packet) {
    const uint32_t length = packet.length();
    if (length < offset_ + sizeof(IpHeader)) [[unlikely]]
      return bad(too_short);
    const uint32_t room = length - offset_;
    const IpHeader& ip = *reinterpret_cast<const IpHeader*>(packet.data() + offset_);
    unsigned header_length = sizeof(IpHeader);
    if (ip.version_and_length != 0x45) [[unlikely]] {
      if (ip.version() != 4) return bad(bad_version);
      header_length = ip.header_length();
      if (header_length < sizeof(IpHeader)) return bad(bad_header_length);
      if (header_length > room) return bad(too_short);
    }
    const uint32_t total_length = ip.total_length;
    if (total_length > room || total_length < header_length) [[unlikely]]
      return bad(bad_length);
    if (check_checksum_ && ip_header_sum(&ip, header_length) != 0xffff) [[unlikely]]
      return bad(bad_checksum);
    if (check_source_ && source_is_bad(ip)) [[unlikely]]
      return bad(bad_source);
    packet.set_network_header(offset_, header_length);
    packet.set_dst_ip_anno(ip.destination);
    if (total_length < room) packet.take(room - total_length);
    return to(0);
  }

 private:
  bool source_is_bad(const IpHeader& ip) const {
    return std::find(bad_sources_.begin(), bad_sources_.end(), ip.source) != bad_sources_.end() &&
           std::find(good_destinations_.begin(), good_destinations_.end(), ip.destination) ==
               good_destinations_.end();
  }

  [[gnu::noinline, gnu::cold]] Verdict bad(Drop& reason) {
    if (*verbose)
      std::fprintf(stderr, "%s: bad IP header: %.*s\n", name().c_str(),
                   static_cast<int>(reason.name().size()), reason.name().data());
    return divert(1, reason);
  }

  static uint64_t bad_packets(const Drop& reason) { return reason.dropped() + reason.diverted(); }

  uint32_t offset_ = 0;
  bool check_checksum_ = true;
  bool check_source_ = false;
  std::vector<IPAddress> bad_sources_;
  std::vector<IPAddress> good_destinations_;
  const Drop* const reasons_[6] = {&too_short,  &bad_version,  &bad_header_length,
                                   &bad_length, &bad_checksum, &bad_source};
};

HEADROOM_ELEMENT(CheckIPHeader);

}  // namespace headroom
