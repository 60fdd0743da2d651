// A packet: the rte_mbuf itself, seen with Click's methods and an annotation slice.
//
// `Packet*` and `rte_mbuf*` are the same address, so nothing is allocated or copied for a packet to
// exist, and a burst from a driver is a batch. The slice (annotations.hh) lies right behind the
// mbuf structure: for an ordinary packet that is the start of its headroom, which headroom()
// therefore does not count; for a clone, whose bytes lie in the original's buffer, it is the
// clone's own otherwise unused buffer. A clone and its original never share annotations.
//
// Bytes may be shared (clone()). Who writes bytes needs a private packet: an element declares
// `.writes` and is handed private ones, other code calls uniqueify(). Bytes may lie in several
// segments; length() counts all, data() .. data() + contiguous() is the first segment, and
// pullup(n) makes the first n bytes contiguous.
//
//   Packet* packet = Packet::make(pool, bytes);
//   if (!packet->push(14)) return no_buffer;      // room for an Ethernet header, wherever it comes
//   from std::memcpy(packet->data(), &ether, 14);
#pragma once

#include <rte_mbuf.h>

#include <cassert>
#include <cstdint>
#include <cstring>
#include <span>

#include "headroom/net/addresses.hh"
#include "headroom/packet/annotations.hh"
#include "headroom/packet/poison.hh"

namespace headroom {

struct IpHeader;
struct Ip6Header;
struct EtherHeader;

class Pool;

class Packet final : private rte_mbuf {
 public:
  // Our pools have no private area between the mbuf structure and the buffer (pool.cc refuses
  // others), so the slice is at a constant distance and finding it does not touch the mbuf's second
  // cache line.
  static constexpr uint32_t kSliceOffset = sizeof(rte_mbuf);
  static constexpr uint32_t kSliceSize = sizeof(Annotations);
  // The most that headroom() and contiguous() can be together, given the pool's data room.
  static constexpr uint32_t kMaxContiguous = 65535 - kSliceSize;

  Packet() = delete;
  Packet(const Packet&) = delete;
  Packet& operator=(const Packet&) = delete;

  // --- the mbuf
  // -----------------------------------------------------------------------------------
  static Packet* from_mbuf(rte_mbuf* mbuf) { return static_cast<Packet*>(mbuf); }
  rte_mbuf* mbuf() { return this; }
  const rte_mbuf* mbuf() const { return this; }

  // --- making and ending
  // -------------------------------------------------------------------------- A packet of `length`
  // bytes that are not initialised, in as many segments as it takes, annotations cleared. Null when
  // the pool is empty.
  static Packet* make(Pool& pool, uint32_t length, uint32_t headroom = kDefaultHeadroom);
  static Packet* make(Pool& pool, std::span<const uint8_t> bytes,
                      uint32_t headroom = kDefaultHeadroom);
  // A packet with the same bytes (shared) and annotations (its own copy). Null when the pool is
  // empty.
  Packet* clone();
  // A private packet with the same bytes and annotations. Null when the pool is empty; this stays.
  Packet* copy() const;
  // This packet if it is private; else a private copy, and this is freed. Null, and this freed,
  // when the pool is empty.
  Packet* uniqueify();
  void kill() { rte_pktmbuf_free(this); }

  // --- bytes
  // --------------------------------------------------------------------------------------
  uint8_t* data() { return static_cast<uint8_t*>(buf_addr) + data_off; }
  const uint8_t* data() const { return static_cast<const uint8_t*>(buf_addr) + data_off; }
  uint8_t* end_data() { return data() + contiguous(); }
  uint32_t length() const { return pkt_len; }
  uint32_t contiguous() const { return data_len; }
  bool chained() const { return nb_segs > 1; }
  // Bytes free before data(), behind the slice; bytes free behind the last segment's bytes.
  uint32_t headroom() const { return data_off > kSliceSize ? data_off - kSliceSize : 0; }
  uint32_t tailroom() const;
  // Whether another packet sees the same bytes.
  bool shared() const {
    if (refcnt == 1 && nb_segs == 1 &&
        (ol_flags & (RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL)) == 0) [[likely]]
      return false;
    return shared_slow();
  }

  // Adds n bytes before the first. Uses the headroom, else moves the payload inside the buffer,
  // else moves its end to a new segment; the new bytes are contiguous and the packet keeps its
  // address. The packet must be private. False, with nothing changed, when the pool is empty (drop
  // it as `no-buffer`) or when n is more than a buffer holds.
  bool push(uint32_t n);
  // Adds n bytes behind the last, likewise; they are contiguous at last(n).
  bool put(uint32_t n);
  // The last n bytes, which must lie in the last segment (after put(n) they do).
  uint8_t* last(uint32_t n);
  // Removes n <= length() bytes from the front, from the end.
  void pull(uint32_t n);
  void take(uint32_t n);
  // Makes the first n bytes contiguous. False when the packet is shorter than n, n is more than a
  // buffer holds, or bytes would have to be moved in a buffer that other packets see (uniqueify()
  // first).
  bool pullup(uint32_t n) { return contiguous() >= n ? true : pullup_slow(n); }
  // Copies bytes [offset, offset + size) out, across segments. False when the packet is shorter.
  bool copy_out(uint32_t offset, void* to, uint32_t size) const;

  // --- headers
  // ------------------------------------------------------------------------------------
  bool has_mac_header() const { return annotations().mac_offset != 0; }
  bool has_network_header() const { return annotations().network_offset != 0; }
  bool has_transport_header() const { return annotations().transport_offset != 0; }
  uint8_t* mac_header() { return at(annotations().mac_offset); }
  uint8_t* network_header() { return at(annotations().network_offset); }
  uint8_t* transport_header() { return at(annotations().transport_offset); }
  const uint8_t* network_header() const { return at(annotations().network_offset); }
  const uint8_t* transport_header() const { return at(annotations().transport_offset); }
  EtherHeader* ether_header() { return reinterpret_cast<EtherHeader*>(mac_header()); }
  IpHeader* ip_header() { return reinterpret_cast<IpHeader*>(network_header()); }
  const IpHeader* ip_header() const { return reinterpret_cast<const IpHeader*>(network_header()); }
  Ip6Header* ip6_header() { return reinterpret_cast<Ip6Header*>(network_header()); }
  // Header positions as bytes from data(); they stay on the same byte when data() moves.
  void set_mac_header(uint32_t offset) { annotations().mac_offset = place(offset); }
  void set_network_header(uint32_t offset, uint32_t header_length) {
    annotations().network_offset = place(offset);
    annotations().transport_offset = place(offset + header_length);
  }
  void set_transport_header(uint32_t offset) { annotations().transport_offset = place(offset); }
  int32_t mac_header_offset() const { return annotations().mac_offset - data_off; }
  int32_t network_header_offset() const { return annotations().network_offset - data_off; }
  int32_t transport_header_offset() const { return annotations().transport_offset - data_off; }
  void clear_mac_header() { annotations().mac_offset = 0; }
  void clear_network_header() { annotations().network_offset = 0; }
  void clear_transport_header() { annotations().transport_offset = 0; }

  // --- annotations
  // --------------------------------------------------------------------------------
  Annotations& annotations() {
    return *reinterpret_cast<Annotations*>(reinterpret_cast<uint8_t*>(this) + kSliceOffset);
  }
  const Annotations& annotations() const {
    return *reinterpret_cast<const Annotations*>(reinterpret_cast<const uint8_t*>(this) +
                                                 kSliceOffset);
  }
  void clear_annotations() { annotations() = Annotations{}; }
  void copy_annotations(const Packet& from) { annotations() = from.annotations(); }

  // Any user annotation, by its byte offset.
  template <class T>
  T anno_at(uint32_t offset) const {
    assert(offset + sizeof(T) <= anno::kUserBytes);
    T value;
    std::memcpy(&value, annotations().user + offset, sizeof value);
    return value;
  }
  template <class T>
  void set_anno_at(uint32_t offset, T value) {
    assert(offset + sizeof(T) <= anno::kUserBytes);
    std::memcpy(annotations().user + offset, &value, sizeof value);
  }
  uint8_t anno_u8(uint32_t offset) const { return anno_at<uint8_t>(offset); }
  uint16_t anno_u16(uint32_t offset) const { return anno_at<uint16_t>(offset); }
  uint32_t anno_u32(uint32_t offset) const { return anno_at<uint32_t>(offset); }
  void set_anno_u8(uint32_t offset, uint8_t value) { set_anno_at(offset, value); }
  void set_anno_u16(uint32_t offset, uint16_t value) { set_anno_at(offset, value); }
  void set_anno_u32(uint32_t offset, uint32_t value) { set_anno_at(offset, value); }

  IPAddress dst_ip_anno() const { return anno_at<IPAddress>(anno::kDstIp.offset); }
  void set_dst_ip_anno(IPAddress address) { set_anno_at(anno::kDstIp.offset, address); }
  uint8_t paint_anno() const { return anno_u8(anno::kPaint.offset); }
  void set_paint_anno(uint8_t paint) { set_anno_u8(anno::kPaint.offset, paint); }

  PacketType packet_type_anno() const { return annotations().type; }
  void set_packet_type_anno(PacketType type) { annotations().type = type; }
  // Nanoseconds since the epoch; 0 is none.
  int64_t timestamp_anno() const { return annotations().timestamp; }
  void set_timestamp_anno(int64_t nanoseconds) { annotations().timestamp = nanoseconds; }

  // --- sanitizer builds
  // ----------------------------------------------------------------------------- Poisons what is
  // not this packet's bytes or slice / makes the whole buffers accessible, as a driver needs them.
  // Empty in ordinary builds.
  void fence();
  void unfence();

  static constexpr uint32_t kDefaultHeadroom = RTE_PKTMBUF_HEADROOM - kSliceSize;

 private:
  static constexpr uint64_t kBorrowed = RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL;

  uint8_t* at(uint16_t offset) { return static_cast<uint8_t*>(buf_addr) + offset; }
  const uint8_t* at(uint16_t offset) const {
    return static_cast<const uint8_t*>(buf_addr) + offset;
  }
  uint16_t place(uint32_t offset) const { return static_cast<uint16_t>(data_off + offset); }

  bool shared_slow() const;
  bool push_slow(uint32_t n);
  bool put_slow(uint32_t n);
  bool pullup_slow(uint32_t n);
  void pull_slow(uint32_t n);
  // Moves the first segment's bytes to another place of its buffer; header offsets follow.
  void shift_to(uint32_t new_data_off);
  void move_header_offsets(int32_t by);
  void forget_headers_from(uint32_t buffer_offset);
  rte_mbuf* append_segment();
};

static_assert(sizeof(Packet) == sizeof(rte_mbuf));
static_assert(Packet::kSliceOffset % alignof(Annotations) == 0);
static_assert(RTE_PKTMBUF_HEADROOM >= Packet::kSliceSize);

inline bool Packet::push(uint32_t n) {
  assert(!shared());
  if (n > headroom()) [[unlikely]]
    return push_slow(n);
  if constexpr (kPoison) unpoison(data() - n, n);
  data_off = static_cast<uint16_t>(data_off - n);
  data_len = static_cast<uint16_t>(data_len + n);
  pkt_len += n;
  return true;
}

inline void Packet::pull(uint32_t n) {
  assert(n <= length());
  if (n > data_len || (n == data_len && nb_segs > 1)) [[unlikely]]
    return pull_slow(n);
  if constexpr (kPoison) {
    if (!shared()) poison(data(), n);
  }
  data_off = static_cast<uint16_t>(data_off + n);
  data_len = static_cast<uint16_t>(data_len - n);
  pkt_len -= n;
}

}  // namespace headroom
