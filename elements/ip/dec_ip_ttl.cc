#include "headroom/graph/fusion.hh"
#include "headroom/net/checksum.hh"
#include "headroom/net/ip.hh"

namespace headroom {

class DecIPTTL final : public PacketElement<DecIPTTL> {
 public:
  static constexpr ElementSpec spec{
      .name = "DecIPTTL",
      .ports = "1/1-2",
      .processing = "a/ah",
      .doc =
          "Decrements the TTL of IPv4 packets and updates the header checksum. Packets with a TTL "
          "of 1 or 0 go unchanged to output 1, usually to an ICMPError, or are dropped when that "
          "is not connected.",
      .writes = true};

  Arg<bool> active{*this,
                   "ACTIVE",
                   true,
                   {.doc = "Whether it does anything: if not, all packets pass.", .live = true}};
  Arg<bool> multicast{
      *this,
      "MULTICAST",
      true,
      {.doc = "Whether packets to multicast addresses are decremented; if not, they pass.",
       .live = true}};

  Arg<uint32_t> offset{*this,
                       "OFFSET",
                       0,
                       {.doc = "Where the header begins, when that is the same for all packets "
                               "and not to be taken from their network header: at most 100.",
                        .unit = "bytes"}};

  Drop ttl_expired{*this, "ttl-expired", "The TTL was 1 or 0."};
  Drop no_header{*this, "no-network-header",
                 "It has no network header, which CheckIPHeader or MarkIPHeader sets, or ends in "
                 "it."};

  ReadHandler drops_total{*this, "drops", "Expired packets, dropped or sent to output 1.",
                          [this] { return std::to_string(ttl_expired.packets()); }, Merge::sum};

  bool configure(SetupContext& context) override {
    if (*offset > kMaxOffset)
      return context.error(offset, "OFFSET: out of range, bound " + std::to_string(kMaxOffset));
    fixed_ = offset.given();
    return true;
  }

  struct Fast {
    bool active;
    bool multicast;
    bool fixed;
    uint32_t offset;

    [[gnu::always_inline]] bool passes(FastPacket& p) const {
      if (!active || !(fixed ? p.length >= offset + sizeof(IpHeader) : p.find_ip())) return false;
      const IpHeader& ip = header_of(p);
      return ip.ttl > 1 && (multicast || !ip.destination.is_multicast());
    }
    [[gnu::always_inline]] void apply(FastPacket& p) const { decrement_ttl(header_of(p)); }

    [[gnu::always_inline]] IpHeader& header_of(FastPacket& p) const {
      return fixed ? *reinterpret_cast<IpHeader*>(p.data + offset) : *p.ip;
    }
  };
  Fast fast() const { return {*active, *multicast, fixed_, *offset}; }

  Verdict process(Packet& packet) {
    if (!*active) [[unlikely]]
      return to(0);
    // Also negative when there is none.
    const int32_t at = fixed_ ? static_cast<int32_t>(*offset) : packet.network_header_offset();
    if (at < 0 || static_cast<uint32_t>(at) + sizeof(IpHeader) > packet.contiguous()) [[unlikely]] {
      if (!fixed_ || !packet.pullup(*offset + sizeof(IpHeader))) return no_header;
    }
    IpHeader& ip = *reinterpret_cast<IpHeader*>(packet.data() + at);
    if (!*multicast && ip.destination.is_multicast()) [[unlikely]]
      return to(0);
    if (ip.ttl <= 1) [[unlikely]]
      return divert(1, ttl_expired);
    decrement_ttl(ip);
    return to(0);
  }

 private:
  static constexpr uint32_t kMaxOffset = 100;

  bool fixed_ = false;  // the offset, and not the packet's own
};

HEADROOM_ELEMENT(DecIPTTL);

}  // namespace headroom
