#include <algorithm>
#include <cstring>
#include <vector>

#include "headroom/graph/element.hh"
#include "headroom/net/ip_reassembly.hh"

namespace headroom {

class IPReassembler final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "IPReassembler",
      .ports = "1/1-2",
      .processing = "h/h",
      .doc =
          "Puts fragments of IPv4 datagrams together; other packets pass. A datagram takes what "
          "stands before the network header, and the annotations, from its first fragment. Where "
          "fragments overlap, the bytes that came first stay. When a datagram is given up, what "
          "came of its beginning goes to output 1, usually to an ICMPError for timeexceeded "
          "reassembly, if that is connected.",
      .once = true};

  Arg<uint32_t> limit{*this,
                      "HIMEM",
                      256 * 1024,
                      {.doc = "The most memory that waiting fragments take: above it, the oldest "
                              "datagrams are given up.",
                       .unit = "bytes",
                       .positional = true}};
  Arg<click::Duration> timeout{
      *this,
      "TIMEOUT",
      click::Duration{30'000'000'000},
      {.doc = "How long after its first fragment to come a datagram is given up."}};

  Count reassembled{*this, "reassembled", "Datagrams put together."};
  Drop timed_out{*this, "timed-out", "Its datagram was not complete in time."};
  Drop over_limit{*this, "memory-limit", "Its datagram was the oldest when memory was short."};
  Drop duplicate{*this, "duplicate", "All its bytes had come before."};
  Drop bad_fragment{
      *this, "bad-fragment",
      "Its length is no multiple of 8, it has no data, it ends beyond 65,535 bytes, or "
      "contradicts others on where the datagram ends."};
  Drop bad_header{*this, "bad-header", "It has no valid IP header, or ends before its length."};
  Timer timer{*this};

  ReadHandler waiting{*this, "waiting", "Datagrams that are not complete.",
                      [this] { return std::to_string(reassembler_.datagrams()); }, Merge::sum};
  ReadHandler memory{*this, "memory", "Bytes that waiting fragments take.",
                     [this] { return std::to_string(reassembler_.memory()); }, Merge::sum};

  bool configure(SetupContext&) override {
    reassembler_.set_limit(*limit);
    return true;
  }
  // Fragments are held as copies of their bytes.
  uint64_t held() const override { return reassembler_.fragments(); }

  void push(uint32_t, PacketBatch& batch) override {
    PacketBatch out;
    for (uint32_t i = 0; i < batch.size(); ++i) {
      Packet& packet = batch[i];
      IpHeader ip;
      if (!read_header(packet, ip)) {
        bad_header.drop(packet);
      } else if (!ip.is_fragment()) {
        emit(out, packet);
      } else {
        add(packet, ip, out);
      }
    }
    batch.release();
    output(0).push(out);
    while (auto evicted = reassembler_.evict()) give_up(*evicted, over_limit);
    schedule();
  }

  void run_timer(Timer&) override {
    while (auto expired = reassembler_.expire(now() - timeout->nanoseconds))
      give_up(*expired, timed_out);
    schedule();
  }

 private:
  // What is kept with the first fragment: the annotations, and the bytes before the header.
  struct Tag {
    Annotations annotations;
    uint32_t start;
    int32_t mac_offset;  // -1 is none
  };

  static bool read_header(const Packet& packet, IpHeader& ip) {
    const int32_t offset = packet.network_header_offset();
    if (offset < 0 || static_cast<uint32_t>(offset) > packet.length()) return false;
    const auto start = static_cast<uint32_t>(offset);
    return packet.copy_out(start, &ip, sizeof ip) && ip.version() == 4 &&
           ip.header_length() >= sizeof ip && ip.total_length >= ip.header_length() &&
           ip.total_length <= packet.length() - start;
  }

  void emit(PacketBatch& out, Packet& packet) {
    if (out.full()) output(0).push(out);
    out.push_back(packet);
  }

  void add(Packet& packet, const IpHeader& ip, PacketBatch& out) {
    const auto start = static_cast<uint32_t>(packet.network_header_offset());
    bytes_.resize(ip.total_length);
    packet.copy_out(start, bytes_.data(), ip.total_length);
    Tag tag{.annotations = packet.annotations(), .start = start, .mac_offset = -1};
    if (packet.has_mac_header()) tag.mac_offset = std::max(-1, packet.mac_header_offset());
    tag_.resize(sizeof tag + start);
    std::memcpy(tag_.data(), &tag, sizeof tag);
    packet.copy_out(0, tag_.data() + sizeof tag, start);

    auto result = reassembler_.add(bytes_, now(), tag_);
    switch (result.status) {
      case IpReassembler::Status::bad:
        bad_fragment.drop(packet);
        return;
      case IpReassembler::Status::duplicate:
        duplicate.drop(packet);
        return;
      case IpReassembler::Status::added:
        packet.kill();
        return;
      case IpReassembler::Status::completed:
        break;
    }
    packet.kill();
    count_absorbed(result.datagram->fragments);
    reassembled.add(1);
    count_created(1);
    if (Packet* made = make(*result.datagram))
      emit(out, *made);
    else
      no_buffer.count_lost(1);
  }

  // Null when the pool is empty.
  Packet* make(const IpReassembler::Datagram& datagram) {
    Tag tag;
    std::memcpy(&tag, datagram.tag.data(), sizeof tag);
    bytes_.assign(datagram.tag.begin() + sizeof tag, datagram.tag.end());
    bytes_.insert(bytes_.end(), datagram.bytes.begin(), datagram.bytes.end());
    Packet* made = Packet::make(pool(), bytes_);
    if (made == nullptr) return nullptr;
    made->annotations() = tag.annotations;
    made->clear_mac_header();
    if (tag.mac_offset >= 0) made->set_mac_header(static_cast<uint32_t>(tag.mac_offset));
    const auto& ip = *reinterpret_cast<const IpHeader*>(datagram.bytes.data());
    made->set_network_header(tag.start, ip.header_length());
    return made;
  }

  void give_up(const IpReassembler::Datagram& datagram, Drop& reason) {
    reason.count_lost(datagram.fragments);
    if (datagram.bytes.empty() || !output_connected(1)) return;
    count_created(1);
    if (Packet* made = make(datagram))
      output(1).push(*made);
    else
      no_buffer.count_lost(1);
  }

  void schedule() {
    const auto oldest = reassembler_.oldest();
    if (!oldest)
      timer.unschedule();
    else
      timer.schedule_at(*oldest + timeout->nanoseconds);
  }

  IpReassembler reassembler_;
  std::vector<uint8_t> bytes_;
  std::vector<uint8_t> tag_;
};

HEADROOM_ELEMENT(IPReassembler);

}  // namespace headroom
