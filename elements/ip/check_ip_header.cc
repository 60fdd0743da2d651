#include <cstdio>
#include <optional>

#include "headroom/graph/element.hh"
#include "headroom/net/ip_check.hh"
#include "source_check.hh"

namespace headroom {

// The first argument without a keyword: an offset or, in Click's old form, a list of addresses.
struct OffsetOrAddresses {
  std::optional<uint32_t> offset;
  IpAddressList bad_sources;
};

namespace click {

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
    sources_.add_bad(*bad_sources);
    sources_.add_good_destinations(*good_destinations);
    sources_.add_interfaces(*interfaces);
    if (first.given() && !first->offset) sources_.add_old_form(first->bad_sources);
    return true;
  }

  Verdict process(Packet& packet) {
    const uint32_t length = packet.length();
    if (length < offset_ + sizeof(IpHeader)) [[unlikely]]
      return bad(too_short);
    const uint32_t room = length - offset_;
    const IpHeader& ip = *reinterpret_cast<const IpHeader*>(packet.data() + offset_);
    const IpFault fault = check_ip_header(ip, room, check_checksum_);
    if (fault != IpFault::none) [[unlikely]]
      return bad(reason_of(fault));
    if (sources_.is_bad(ip)) [[unlikely]]
      return bad(bad_source);
    packet.set_network_header(offset_, ip.header_length());
    packet.set_dst_ip_anno(ip.destination);
    if (ip.total_length < room) packet.take(room - ip.total_length);
    return to(0);
  }

 private:
  Drop& reason_of(IpFault fault) {
    switch (fault) {
      case IpFault::bad_version:
        return bad_version;
      case IpFault::bad_header_length:
        return bad_header_length;
      case IpFault::bad_length:
        return bad_length;
      case IpFault::bad_checksum:
        return bad_checksum;
      default:
        return too_short;
    }
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
  SourceCheck sources_;
  const Drop* const reasons_[6] = {&too_short,  &bad_version,  &bad_header_length,
                                   &bad_length, &bad_checksum, &bad_source};
};

HEADROOM_ELEMENT(CheckIPHeader);

}  // namespace headroom
