#include "headroom/graph/element.hh"
#include "headroom/net/ip_options.hh"
#include "headroom/packet/transport.hh"

namespace headroom {

class IPOutputCombo final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "IPOutputCombo",
      .ports = "1/5",
      .processing = "h/h",
      .doc =
          "What an IPv4 router does on the way out, in one element: drops link-level broadcasts "
          "(DropBroadcasts); copies packets of paint COLOR to output 1 (PaintTee); processes "
          "record "
          "route and timestamp options, and sends packets with malformed ones to output 2 "
          "(IPGWOptions); sets the source address if asked to (FixIPSrc); decrements the TTL, and "
          "sends packets whose TTL has expired to output 3 (DecIPTTL); sends packets longer than "
          "MTU "
          "to output 4. The others leave by output 0.",
      .writes = true};

  Arg<uint8_t> color{*this,
                     "COLOR",
                     {.doc = "The paint of packets that are copied to output 1.",
                      .positional = true,
                      .mandatory = true}};
  Arg<IPAddress> address{*this,
                         "IPADDR",
                         {.doc = "The address of the interface by which packets leave.",
                          .positional = true,
                          .mandatory = true}};
  Arg<uint32_t> mtu{*this,
                    "MTU",
                    {.doc = "The longest packet that may leave.",
                     .unit = "bytes",
                     .positional = true,
                     .mandatory = true}};

  Drop broadcast{*this, "link-broadcast", "It came as a link-level broadcast or multicast."};
  Drop no_header{*this, "no-network-header",
                 "It has no network header, which CheckIPHeader or MarkIPHeader sets, or ends "
                 "within it."};
  Count bad_options{*this, "bad_options", "Packets with malformed options, sent to output 2."};
  Count expired{*this, "expired", "Packets whose TTL had expired, sent to output 3."};
  Count too_long{*this, "too_long", "Packets longer than MTU, sent to output 4."};

  void push(uint32_t, PacketBatch& batch) override {
    Split parts;
    PacketBatch copies;
    milliseconds_ = static_cast<uint32_t>(now() / 1'000'000 % (24 * 60 * 60 * 1000));
    for (uint32_t i = 0; i < batch.size(); ++i) {
      Packet* packet = &batch[i];
      const PacketType type = packet->packet_type_anno();
      if (type == PacketType::broadcast || type == PacketType::multicast) {
        parts.add(*packet, broadcast);
        continue;
      }
      if (packet->paint_anno() == *color) copy(*packet, copies);
      packet = prepare(*packet, true, 0);
      if (packet != nullptr) parts.add(*packet, decide(*packet));
    }
    batch.release();
    output(1).push(copies);
    uint32_t likely = 0;
    dispatch(batch, parts, likely);
  }

 private:
  void copy(Packet& packet, PacketBatch& copies) {
    count_created(1);
    Packet* clone = packet.clone();
    if (clone == nullptr)
      no_buffer.count_lost(1);
    else
      copies.push_back(*clone);
  }

  Verdict decide(Packet& packet) {
    IpHeader* ip = writable_ip_header(packet);
    if (ip == nullptr) [[unlikely]]
      return no_header;
    bool changed = false;
    if (ip->header_length() > sizeof(IpHeader)) [[unlikely]] {
      const GatewayOptions result = process_gateway_options(*ip, *address, {}, milliseconds_);
      changed = result.changed;
      if (result.problem != 0) {
        if (changed) set_ip_header_checksum(*ip);
        packet.set_anno_u8(anno::kIcmpParamProb.offset, result.problem);
        bad_options.add(1);
        return Verdict::to(2);
      }
    }
    if (packet.anno_u8(anno::kFixIpSrc.offset) != 0) {
      packet.set_anno_u8(anno::kFixIpSrc.offset, 0);
      ip->source = *address;
      changed = true;
    }
    if (changed) set_ip_header_checksum(*ip);
    if (ip->ttl <= 1) {
      expired.add(1);
      return Verdict::to(3);
    }
    decrement_ttl(*ip);
    if (packet.length() > *mtu) {
      too_long.add(1);
      return Verdict::to(4);
    }
    return Verdict::to(0);
  }

  uint32_t milliseconds_ = 0;
};

HEADROOM_ELEMENT(IPOutputCombo);

}  // namespace headroom
