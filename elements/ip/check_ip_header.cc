#include <cstdio>
#include <optional>

#include "headroom/graph/fusion.hh"
#include "headroom/net/ip_check.hh"
#include "ip_header_drops.hh"
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
  SourceCheck sources{*this};
  Arg<bool> verbose{
      *this, "VERBOSE", false, {.doc = "Whether a line is printed for every bad packet."}};
  Arg<bool> details{
      *this, "DETAILS", false, {.doc = "No effect: drop_details always counts by reason."}};

  IpHeaderDrops bad_header{*this};

  bool configure(SetupContext& context) override {
    if (first->offset && offset.given()) return context.error("OFFSET: given twice");
    offset_ = first->offset.value_or(*offset);
    if (offset_ > kMaxOffset)
      return context.error("OFFSET: out of range, bound " + std::to_string(kMaxOffset));
    check_checksum_ = *checksum;
    sources.configure();
    if (first.given() && !first->offset) sources.add_old_form(first->bad_sources);
    return true;
  }

  struct Fast {
    uint32_t offset;
    bool checksum;
    const SourceCheck* sources;  // null where all are good

    [[gnu::always_inline]] bool passes(FastPacket& p) const {
      if (p.length < offset + sizeof(IpHeader)) return false;
      p.ip = reinterpret_cast<IpHeader*>(p.data + offset);
      p.ip_offset = offset;
      if (check_ip_header(*p.ip, p.length - offset, checksum) != IpFault::none ||
          (sources != nullptr && sources->is_bad(*p.ip)))
        return false;
      p.length = offset + p.ip->total_length;
      return true;
    }
    [[gnu::always_inline]] void apply(FastPacket& p) const {
      p.packet.set_network_header(offset, p.ip->header_length());
      p.packet.set_dst_ip_anno(p.ip->destination);
      if (p.packet.contiguous() != p.length) p.packet.take(p.packet.contiguous() - p.length);
    }
  };
  Fast fast() const { return {offset_, check_checksum_, sources.any() ? &sources : nullptr}; }

  Verdict process(Packet& packet) {
    const uint32_t length = packet.length();
    if (length < offset_ + sizeof(IpHeader)) [[unlikely]]
      return bad(bad_header.too_short);
    const uint32_t room = length - offset_;
    const IpHeader& ip = *reinterpret_cast<const IpHeader*>(packet.data() + offset_);
    const IpFault fault = check_ip_header(ip, room, check_checksum_);
    if (fault != IpFault::none) [[unlikely]]
      return bad(bad_header[fault]);
    if (sources.is_bad(ip)) [[unlikely]]
      return bad(bad_header.source);
    packet.set_network_header(offset_, ip.header_length());
    packet.set_dst_ip_anno(ip.destination);
    if (ip.total_length < room) packet.take(room - ip.total_length);
    return to(0);
  }

 private:
  [[gnu::noinline, gnu::cold]] Verdict bad(Drop& reason) {
    if (*verbose)
      std::fprintf(stderr, "%s: bad IP header: %.*s\n", name().c_str(),
                   static_cast<int>(reason.name().size()), reason.name().data());
    return divert(1, reason);
  }

  uint32_t offset_ = 0;
  bool check_checksum_ = true;
};

HEADROOM_ELEMENT(CheckIPHeader);

}  // namespace headroom
