#include "headroom/packet/packet.hh"

#include <algorithm>

#include "headroom/packet/pool.hh"

namespace headroom {
namespace {

uint8_t* bytes_of(const rte_mbuf* segment) {
  return static_cast<uint8_t*>(segment->buf_addr) + segment->data_off;
}

uint32_t room_behind(const rte_mbuf* segment) {
  return static_cast<uint32_t>(segment->buf_len) - segment->data_off - segment->data_len;
}

bool segment_shared(const rte_mbuf* segment) {
  if (rte_mbuf_refcnt_read(segment) > 1) return true;
  if (RTE_MBUF_CLONED(segment))
    return rte_mbuf_refcnt_read(rte_mbuf_from_indirect(const_cast<rte_mbuf*>(segment))) > 1;
  if (RTE_MBUF_HAS_EXTBUF(segment)) return rte_mbuf_ext_refcnt_read(segment->shinfo) > 1;
  return false;
}

// Copies bytes from before data(), which are poisoned in sanitizer builds.
__attribute__((no_sanitize("address"))) void copy_stripped(uint8_t* to, const uint8_t* from,
                                                           uint32_t size) {
  if constexpr (kPoison) {
    const volatile uint8_t* source = from;
    for (uint32_t i = 0; i < size; ++i) to[i] = source[i];
  } else {
    std::memcpy(to, from, size);
  }
}

void fence_segment(const rte_mbuf* segment, bool head) {
  auto* buffer = static_cast<uint8_t*>(segment->buf_addr);
  const bool own = !RTE_MBUF_CLONED(segment) && !RTE_MBUF_HAS_EXTBUF(segment);
  const uint32_t slice = own && head ? Packet::kSliceSize : 0;
  if (!segment_shared(segment)) {
    poison(buffer + slice, std::max<uint32_t>(segment->data_off, slice) - slice);
    poison(bytes_of(segment) + segment->data_len, room_behind(segment));
  }
  unpoison(bytes_of(segment), segment->data_len);
  if (head)
    unpoison(reinterpret_cast<const uint8_t*>(segment) + Packet::kSliceOffset, Packet::kSliceSize);
}

}  // namespace

Packet* Packet::make(Pool& pool, uint32_t length, uint32_t headroom) {
  rte_mbuf* head = rte_pktmbuf_alloc(pool.mempool());
  if (head == nullptr) return nullptr;
  const uint32_t capacity = head->buf_len - kSliceSize;
  assert(headroom <= capacity);
  head->data_off = static_cast<uint16_t>(kSliceSize + headroom);
  head->data_len = static_cast<uint16_t>(std::min(length, capacity - headroom));
  head->pkt_len = length;
  rte_mbuf* last = head;
  for (uint32_t left = length - head->data_len; left > 0; left -= last->data_len) {
    rte_mbuf* segment = rte_pktmbuf_alloc(pool.mempool());
    if (segment == nullptr) {
      rte_pktmbuf_free(head);
      return nullptr;
    }
    segment->data_off = 0;
    segment->data_len = static_cast<uint16_t>(std::min<uint32_t>(left, segment->buf_len));
    last->next = segment;
    last = segment;
    ++head->nb_segs;
  }
  Packet* packet = from_mbuf(head);
  packet->clear_annotations();
  packet->fence();
  return packet;
}

Packet* Packet::make(Pool& pool, std::span<const uint8_t> bytes, uint32_t headroom) {
  Packet* packet = make(pool, static_cast<uint32_t>(bytes.size()), headroom);
  if (packet == nullptr) return nullptr;
  const uint8_t* from = bytes.data();
  for (rte_mbuf* segment = packet; segment != nullptr; segment = segment->next) {
    if (segment->data_len != 0) std::memcpy(bytes_of(segment), from, segment->data_len);
    from += segment->data_len;
  }
  return packet;
}

Packet* Packet::clone() {
  rte_mbuf* mbuf = rte_pktmbuf_clone(this, pool);
  if (mbuf == nullptr) return nullptr;
  Packet* packet = from_mbuf(mbuf);
  // The clone's own buffer came unpoisoned from the pool; only its slice is used.
  if constexpr (kPoison) {
    for (rte_mbuf* segment = mbuf; segment != nullptr; segment = segment->next) {
      auto* own = reinterpret_cast<uint8_t*>(segment) + kSliceOffset;
      poison(own, segment->pool->elt_size - kSliceOffset);
    }
    unpoison(&packet->annotations(), kSliceSize);
  }
  packet->copy_annotations(*this);
  return packet;
}

Packet* Packet::copy() const {
  // DPDK does not copy packets without bytes.
  rte_mbuf* mbuf =
      length() == 0 ? rte_pktmbuf_alloc(pool) : rte_pktmbuf_copy(this, pool, 0, UINT32_MAX);
  if (mbuf == nullptr) return nullptr;
  Packet* packet = from_mbuf(mbuf);
  // Stripped bytes come along, as far as there is room: push() brings them back, as it does in the
  // original.
  const uint32_t stripped = std::min(headroom(), packet->headroom());
  copy_stripped(packet->data() - stripped, data() - stripped, stripped);
  packet->copy_annotations(*this);
  packet->move_header_offsets(mbuf->data_off - data_off);
  packet->forget_headers_from(mbuf->data_off + mbuf->data_len + 1u);
  packet->fence();
  return packet;
}

Packet* Packet::uniqueify() {
  if (!shared()) return this;
  Packet* packet = copy();
  kill();
  return packet;
}

uint32_t Packet::tailroom() const {
  return room_behind(rte_pktmbuf_lastseg(const_cast<Packet*>(this)));
}

bool Packet::shared_slow() const {
  for (const rte_mbuf* segment = this; segment != nullptr; segment = segment->next)
    if (segment_shared(segment)) return true;
  return false;
}

void Packet::move_header_offsets(int32_t by) {
  Annotations& slice = annotations();
  for (uint16_t* offset : {&slice.mac_offset, &slice.network_offset, &slice.transport_offset})
    if (*offset != 0) {
      // A header that would come to lie before the buffer's usable bytes is no longer there.
      const int32_t moved = *offset + by;
      *offset = moved >= static_cast<int32_t>(kSliceSize) ? static_cast<uint16_t>(moved) : 0;
    }
}

void Packet::forget_headers_from(uint32_t buffer_offset) {
  Annotations& slice = annotations();
  for (uint16_t* offset : {&slice.mac_offset, &slice.network_offset, &slice.transport_offset})
    if (*offset >= buffer_offset) *offset = 0;
}

void Packet::shift_to(uint32_t new_data_off) {
  unfence();
  auto* buffer = static_cast<uint8_t*>(buf_addr);
  // What was stripped before data() moves along, as far as there is room.
  const uint32_t stripped = std::min(headroom(), new_data_off - kSliceSize);
  std::memmove(buffer + new_data_off - stripped, data() - stripped, stripped + data_len);
  move_header_offsets(static_cast<int32_t>(new_data_off) - data_off);
  data_off = static_cast<uint16_t>(new_data_off);
}

// Links an empty segment behind the last. Null when the pool is empty.
rte_mbuf* Packet::append_segment() {
  if (nb_segs == RTE_MBUF_MAX_NB_SEGS) return nullptr;
  rte_mbuf* segment = rte_pktmbuf_alloc(pool);
  if (segment == nullptr) return nullptr;
  rte_pktmbuf_lastseg(this)->next = segment;
  ++nb_segs;
  return segment;
}

bool Packet::push_slow(uint32_t n) {
  const uint32_t capacity = buf_len - kSliceSize;
  if (n > capacity) return false;
  const uint32_t wanted = n + data_len;
  if (wanted > capacity) {
    // The end of the first segment's bytes moves to a new segment behind it, so that the headers at
    // its front stay contiguous with what is pushed.
    const uint32_t overflow = wanted - capacity;
    if (nb_segs == RTE_MBUF_MAX_NB_SEGS || overflow > rte_pktmbuf_data_room_size(pool))
      return false;
    rte_mbuf* segment = rte_pktmbuf_alloc(pool);
    if (segment == nullptr) return false;
    segment->data_off = static_cast<uint16_t>(segment->buf_len - overflow);
    segment->data_len = static_cast<uint16_t>(overflow);
    data_len = static_cast<uint16_t>(data_len - overflow);
    std::memcpy(bytes_of(segment), data() + data_len, overflow);
    segment->next = next;
    next = segment;
    ++nb_segs;
    forget_headers_from(data_off + data_len + 1u);
    shift_to(kSliceSize + n);
  } else {
    // What stays free is shared between the two ends: whoever pushes once often pushes again.
    shift_to(kSliceSize + n + (capacity - wanted) / 2);
  }
  data_off = static_cast<uint16_t>(data_off - n);
  data_len = static_cast<uint16_t>(data_len + n);
  pkt_len += n;
  fence();
  return true;
}

bool Packet::put(uint32_t n) {
  assert(!shared());
  rte_mbuf* last = rte_pktmbuf_lastseg(this);
  if (n > room_behind(last)) return put_slow(n);
  if constexpr (kPoison) unpoison(bytes_of(last) + last->data_len, n);
  last->data_len = static_cast<uint16_t>(last->data_len + n);
  pkt_len += n;
  return true;
}

bool Packet::put_slow(uint32_t n) {
  rte_mbuf* last = this;
  const uint32_t capacity = buf_len - kSliceSize;
  if (nb_segs == 1 && n <= capacity && data_len + n <= capacity) {
    shift_to(kSliceSize + (capacity - data_len - n) / 2);
  } else {
    if (n > pool_data_room(pool)) return false;
    last = append_segment();
    if (last == nullptr) return false;
    last->data_off = 0;
  }
  last->data_len = static_cast<uint16_t>(last->data_len + n);
  pkt_len += n;
  fence();
  return true;
}

uint8_t* Packet::last(uint32_t n) {
  rte_mbuf* segment = rte_pktmbuf_lastseg(this);
  assert(n <= segment->data_len);
  return bytes_of(segment) + segment->data_len - n;
}

void Packet::pull_slow(uint32_t n) {
  if (n == 0) return;
  // Gathered first when we may, so that what is pulled lies before data() and header positions stay
  // right wherever the segments end; the first segment is left with bytes, which many expect.
  constexpr uint32_t kLeft = 128;
  const uint32_t capacity = buf_len - kSliceSize;
  if (n < capacity && pullup_slow(std::min({length(), capacity, n + kLeft}))) {
    poison(data(), n);
    data_off = static_cast<uint16_t>(data_off + n);
    data_len = static_cast<uint16_t>(data_len - n);
    pkt_len -= n;
    return;
  }
  pkt_len -= n;
  uint32_t left = n - data_len;
  data_off = static_cast<uint16_t>(data_off + data_len);
  data_len = 0;
  // Segments that are used up are freed; the first stays, because it is the packet.
  while (next != nullptr && next->data_len <= left) {
    rte_mbuf* used = next;
    left -= used->data_len;
    next = used->next;
    --nb_segs;
    used->next = nullptr;
    used->nb_segs = 1;
    rte_pktmbuf_free_seg(used);
  }
  if (next != nullptr) {
    next->data_off = static_cast<uint16_t>(next->data_off + left);
    next->data_len = static_cast<uint16_t>(next->data_len - left);
    pullup_slow(std::min<uint32_t>(next->data_len, capacity));
  }
  fence();
  clear_mac_header();
  clear_network_header();
  clear_transport_header();
}

void Packet::take(uint32_t n) {
  assert(n <= length());
  pkt_len -= n;
  while (n > 0) {
    rte_mbuf* before = nullptr;
    rte_mbuf* last = this;
    while (last->next != nullptr) {
      before = last;
      last = last->next;
    }
    const uint32_t here = std::min<uint32_t>(n, last->data_len);
    last->data_len = static_cast<uint16_t>(last->data_len - here);
    n -= here;
    if constexpr (kPoison) {
      if (!segment_shared(last)) poison(bytes_of(last) + last->data_len, here);
    }
    if (last->data_len == 0 && before != nullptr) {
      before->next = nullptr;
      --nb_segs;
      rte_pktmbuf_free_seg(last);
    }
  }
}

bool Packet::pullup_slow(uint32_t n) {
  if (n > length() || segment_shared(this) || n > buf_len - kSliceSize) return false;
  unfence();
  if (data_off + n > buf_len) {
    // The bytes do not fit behind data(): move the first segment's to the start of the buffer.
    shift_to(kSliceSize);
  }
  while (data_len < n) {
    rte_mbuf* from = next;
    const uint32_t bytes = std::min<uint32_t>(n - data_len, from->data_len);
    std::memcpy(data() + data_len, bytes_of(from), bytes);
    data_len = static_cast<uint16_t>(data_len + bytes);
    from->data_off = static_cast<uint16_t>(from->data_off + bytes);
    from->data_len = static_cast<uint16_t>(from->data_len - bytes);
    if (from->data_len == 0) {
      next = from->next;
      --nb_segs;
      from->next = nullptr;
      rte_pktmbuf_free_seg(from);
    }
  }
  fence();
  return true;
}

bool Packet::copy_out(uint32_t offset, void* to, uint32_t size) const {
  if (offset > length() || size > length() - offset) return false;
  auto* out = static_cast<uint8_t*>(to);
  for (const rte_mbuf* segment = this; size > 0; segment = segment->next) {
    if (offset < segment->data_len) {
      const uint32_t here = std::min<uint32_t>(size, segment->data_len - offset);
      std::memcpy(out, bytes_of(segment) + offset, here);
      out += here;
      size -= here;
      offset = 0;
    } else {
      offset -= segment->data_len;
    }
  }
  return true;
}

void Packet::fence() {
  if constexpr (kPoison)
    for (const rte_mbuf* segment = this; segment != nullptr; segment = segment->next)
      fence_segment(segment, segment == this);
}

void Packet::unfence() {
  if constexpr (kPoison)
    for (const rte_mbuf* segment = this; segment != nullptr; segment = segment->next)
      unpoison(segment->buf_addr, segment->buf_len);
}

}  // namespace headroom
