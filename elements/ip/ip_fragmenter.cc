#include <algorithm>
#include <cstring>

#include "headroom/graph/fusion.hh"
#include "headroom/net/checksum.hh"
#include "headroom/net/ip_options.hh"

namespace headroom {

class IPFragmenter final : public Element {
 public:
  static constexpr uint32_t kLeastMtu = 68;  // RFC 791, 3.2
  static constexpr ElementSpec spec{
      .name = "IPFragmenter",
      .ports = "1/1-2",
      .processing = "h/h",
      .doc =
          "Splits IPv4 packets that are longer than the MTU into fragments. What stands before "
          "the network header, and the annotations, are those of the packet. Packets that must "
          "not be fragmented go unchanged to output 1, usually to an ICMPError for unreachable "
          "needfrag, or are dropped when that is not connected."};

  Arg<uint32_t> mtu{*this,
                    "MTU",
                    {.doc = "The most bytes of an IP packet: at least 68.",
                     .unit = "bytes",
                     .positional = true,
                     .mandatory = true}};
  Arg<bool> honor_df{*this,
                     "HONOR_DF",
                     true,
                     {.doc = "Whether packets with the don't-fragment flag are not fragmented.",
                      .positional = true}};

  Count fragments{*this, "fragments", "Fragments made."};
  Drop must_not{*this, "dont-fragment", "It is longer than the MTU and must not be fragmented."};
  Drop bad_header{
      *this, "bad-header",
      "It has no valid IP header, ends before its length, or is a fragment beyond 65,535 bytes."};

  ReadHandler drops_total{*this, "drops",
                          "Packets that must not be fragmented, dropped or sent to output 1.",
                          [this] { return std::to_string(must_not.packets()); }, Merge::sum};

  bool configure(SetupContext& context) override {
    if (*mtu >= kLeastMtu && *mtu <= 65535) return true;
    return context.error("MTU: expected " + std::to_string(kLeastMtu) + " to 65535 bytes, not " +
                         std::to_string(*mtu));
  }

  [[gnu::always_inline]] bool passes(FastPacket& p) const {
    return p.find_ip() && p.length - p.ip_offset <= *mtu;
  }
  [[gnu::always_inline]] void apply(FastPacket&) {}

  void push(uint32_t, PacketBatch& batch) override {
    PacketBatch out;
    PacketBatch refused;
    for (uint32_t i = 0; i < batch.size(); ++i) {
      Packet& packet = batch[i];
      const int32_t offset = packet.network_header_offset();
      if (offset >= 0 && packet.length() - static_cast<uint32_t>(offset) <= *mtu) [[likely]] {
        emit(out, packet);
        continue;
      }
      uint8_t header[60];
      if (!read_header(packet, header)) {
        bad_header.drop(packet);
        continue;
      }
      const auto& ip = *reinterpret_cast<const IpHeader*>(header);
      if (ip.total_length <= *mtu) {
        emit(out, packet);
      } else if (!(*honor_df && ip.dont_fragment())) {
        fragment(packet, ip, out);
      } else if (output_connected(1)) {
        must_not.count_diverted();
        refused.push_back(packet);
      } else {
        must_not.drop(packet);
      }
    }
    batch.release();
    output(0).push(out);
    if (!refused.empty()) output(1).push(refused);
  }

 private:
  static bool read_header(const Packet& packet, uint8_t* header) {
    const int32_t offset = packet.network_header_offset();
    if (offset < 0 || static_cast<uint32_t>(offset) > packet.length()) return false;
    const auto start = static_cast<uint32_t>(offset);
    if (!packet.copy_out(start, header, sizeof(IpHeader))) return false;
    const auto& ip = *reinterpret_cast<const IpHeader*>(header);
    const unsigned length = ip.header_length();
    return ip.version() == 4 && length >= sizeof(IpHeader) && ip.total_length >= length &&
           ip.total_length <= packet.length() - start && packet.copy_out(start, header, length) &&
           ip.fragment_offset() + ip.total_length <= 65535;
  }

  void emit(PacketBatch& out, Packet& packet) {
    if (out.full()) output(0).push(out);
    out.push_back(packet);
  }

  void fragment(Packet& packet, const IpHeader& ip, PacketBatch& out) {
    const auto start = static_cast<uint32_t>(packet.network_header_offset());
    const uint32_t old_header = ip.header_length();
    const uint32_t size = ip.total_length - old_header;
    uint8_t header[60];
    std::memcpy(header, &ip, old_header);
    uint32_t header_length = old_header;
    uint64_t made = 0;
    for (uint32_t at = 0; at < size;) {
      const uint32_t room = (*mtu - header_length) / 8 * 8;
      const bool last = size - at <= *mtu - header_length;
      const uint32_t part = last ? size - at : room;
      auto& own = *reinterpret_cast<IpHeader*>(header);
      own.total_length = static_cast<uint16_t>(header_length + part);
      // A fragment of a fragment goes on from its offset, and more follows it as before.
      const uint32_t offset = ip.fragment_offset() + at;
      own.fragment =
          static_cast<uint16_t>((ip.fragment & (kIpReservedFlag | kIpDontFragment)) | offset / 8 |
                                (last && !ip.more_fragments() ? 0 : kIpMoreFragments));
      set_ip_header_checksum(own);
      Packet* fragment = make_fragment(packet, start, header, header_length, old_header + at, part);
      if (fragment == nullptr) break;
      ++made;
      emit(out, *fragment);
      if (at == 0) header_length = copy_header_for_fragments(ip, header);
      at += part;
      if (at == size) {
        count_absorbed(1);
        count_created(made);
        fragments.add(made);
        packet.kill();
        return;
      }
    }
    // The fragments that were made are on their way, and useless.
    count_created(made);
    fragments.add(made);
    no_buffer.drop(packet);
  }

  // The bytes before the network header, the header given, and `size` bytes from `at` of the old
  // packet's network header on.
  Packet* make_fragment(const Packet& from, uint32_t start, const uint8_t* header,
                        uint32_t header_length, uint32_t at, uint32_t size) {
    Packet* made = Packet::make(pool(), start + header_length + size);
    if (made == nullptr) return nullptr;
    Writer writer(*made);
    for (uint32_t done = 0; done < start;) done += writer.copy(from, done, start - done);
    writer.write(header, header_length);
    for (uint32_t done = 0; done < size;) done += writer.copy(from, start + at + done, size - done);
    made->copy_annotations(from);
    made->clear_mac_header();
    if (from.has_mac_header() && from.mac_header_offset() >= 0)
      made->set_mac_header(static_cast<uint32_t>(from.mac_header_offset()));
    made->set_network_header(start, header_length);
    return made;
  }

  // Fills a packet's segments one after the other.
  class Writer {
   public:
    explicit Writer(Packet& packet) : segment_(packet.mbuf()) {}

    // At most `size` bytes, as many as go into one segment.
    uint32_t copy(const Packet& from, uint32_t offset, uint32_t size) {
      const uint32_t part = std::min(size, room());
      from.copy_out(offset, place(), part);
      used_ += part;
      return part;
    }
    void write(const uint8_t* bytes, uint32_t size) {
      while (size != 0) {
        const uint32_t part = std::min(size, room());
        std::memcpy(place(), bytes, part);
        bytes += part;
        size -= part;
        used_ += part;
      }
    }

   private:
    uint32_t room() {
      while (used_ == segment_->data_len) {
        segment_ = segment_->next;
        used_ = 0;
      }
      return segment_->data_len - used_;
    }
    uint8_t* place() { return rte_pktmbuf_mtod_offset(segment_, uint8_t*, used_); }

    rte_mbuf* segment_;
    uint32_t used_ = 0;
  };
};

HEADROOM_ELEMENT(IPFragmenter);

}  // namespace headroom
