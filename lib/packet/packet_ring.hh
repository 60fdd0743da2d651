// A ring of packets between two threads: one puts in, the other takes out, and neither waits.
//
//   PacketRing ring(1024);
//   const uint32_t sent = ring.push(batch.mbufs(), batch.size());   // on one thread
//   batch.set_size(ring.pop(batch.mbufs(), 64));                    // on the other
//
// Packets that are in it when it ends are freed.
#pragma once

#include <rte_ring.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "headroom/packet/packet.hh"

namespace headroom {

class PacketRing {
 public:
  // Room for `size` - 1 packets; the size is a power of two. Throws std::bad_alloc.
  explicit PacketRing(uint32_t size) {
    const auto bytes = static_cast<std::size_t>(rte_ring_get_memsize(size));
    ring_ = static_cast<rte_ring*>(std::aligned_alloc(RTE_CACHE_LINE_SIZE, bytes));
    if (ring_ == nullptr || rte_ring_init(ring_, "", size, RING_F_SP_ENQ | RING_F_SC_DEQ) != 0)
      throw std::bad_alloc();
  }
  ~PacketRing() {
    rte_mbuf* mbuf = nullptr;
    while (pop(&mbuf, 1) != 0) Packet::from_mbuf(mbuf)->kill();
    std::free(ring_);  // NOLINT: of aligned_alloc
  }
  PacketRing(const PacketRing&) = delete;
  PacketRing& operator=(const PacketRing&) = delete;

  // Puts in the first packets, as many as there is room for; returns how many.
  uint32_t push(rte_mbuf* const* packets, uint32_t count) {
    return rte_ring_sp_enqueue_burst(ring_, reinterpret_cast<void* const*>(packets), count,
                                     nullptr);
  }
  // Takes out at most `limit` packets; returns how many.
  uint32_t pop(rte_mbuf** packets, uint32_t limit) {
    return rte_ring_sc_dequeue_burst(ring_, reinterpret_cast<void**>(packets), limit, nullptr);
  }
  uint32_t size() const { return rte_ring_count(ring_); }
  bool empty() const { return rte_ring_empty(ring_) != 0; }

 private:
  rte_ring* ring_;
};

}  // namespace headroom
