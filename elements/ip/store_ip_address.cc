#include <cstring>

#include "headroom/graph/element.hh"
#include "headroom/packet/transport.hh"
#include "headroom/packet/transport_checksum.hh"
#include "ip_address_place.hh"

namespace headroom {

class StoreIPAddress final : public PacketElement<StoreIPAddress> {
 public:
  static constexpr ElementSpec spec{
      .name = "StoreIPAddress",
      .doc =
          "Writes an address into packets: ADDRESS or, with OFFSET alone, the destination address "
          "annotation, unless that is zero. Where OFFSET is src or dst, the checksums of the IPv4 "
          "header and of TCP and UDP are updated; where it is a number, no checksum is.",
      .writes = true};

  ArgList<click::RawText> arguments{
      *this, "OFFSET", {.doc = "OFFSET, or ADDRESS, OFFSET: a number of bytes, src or dst."}};

  Drop too_short{*this, "too-short", "It ends before the address would."};
  Drop no_header{*this, "no-network-header",
                 "It has no network header, which CheckIPHeader or MarkIPHeader sets."};

  bool configure(SetupContext& context) override {
    if (arguments->empty() || arguments->size() > 2)
      return context.error("should be 'OFFSET' or 'ADDRESS, OFFSET'");
    std::string reason;
    if (arguments->size() == 2) {
      fixed_ = true;
      if (!click::ArgType<IPAddress>::parse(arguments->front().text, address_, reason))
        return context.error("ADDRESS: " + (reason.empty() ? "parse error" : reason));
    }
    return click::ArgType<IpAddressPlace>::parse(arguments->back().text, place_, reason) ||
           context.error("OFFSET: " + reason);
  }

  Verdict process(Packet& packet) {
    const IPAddress address = fixed_ ? address_ : packet.dst_ip_anno();
    if (!fixed_ && address.is_zero()) return to(0);
    return place_.kind == IpAddressPlace::Kind::offset ? store(packet, address)
                                                       : rewrite(packet, address);
  }

 private:
  Verdict store(Packet& packet, IPAddress address) {
    if (!packet.pullup(place_.offset + sizeof address)) [[unlikely]]
      return too_short;
    std::memcpy(packet.data() + place_.offset, &address, sizeof address);
    return to(0);
  }

  Verdict rewrite(Packet& packet, IPAddress address) {
    IpHeader* ip = writable_ip_header(packet);
    if (ip == nullptr) [[unlikely]]
      return no_header;
    const bool source = place_.kind == IpAddressPlace::Kind::source;
    const IPAddress before = source ? ip->source : ip->destination;
    update_transport_checksum(packet, before, address);
    ip = writable_ip_header(packet);  // which the line before may have moved
    (source ? ip->source : ip->destination) = address;
    ip->checksum = update_checksum(ip->checksum, before, address);
    return to(0);
  }

  bool fixed_ = false;
  IPAddress address_;
  IpAddressPlace place_;
};

HEADROOM_ELEMENT(StoreIPAddress);

}  // namespace headroom
