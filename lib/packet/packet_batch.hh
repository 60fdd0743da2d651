// A batch: an array of packets with a count, and the owner of those packets.
//
// The capacity is fixed; how many packets a source puts in is the configuration's batch size. A
// batch is handed on by reference and comes back empty: who receives one moves the packets on,
// drops them, or keeps them. A batch that is destroyed with packets in it lost them: they are
// freed, counted as leaked, and in builds with assertions the program aborts. The packets are
// stored as rte_mbuf*, because that is what drivers fill and take, and are cast on access.
//
//   PacketBatch batch;
//   batch.set_size(rte_eth_rx_burst(port, queue, batch.mbufs(), 64));
//   output(0).push(batch);                       // batch is empty again
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "headroom/packet/packet.hh"

namespace headroom {

class PacketBatch {
 public:
  static constexpr uint32_t kCapacity = 256;

  PacketBatch() {}  // NOLINT: slots_ stays uninitialised on purpose
  PacketBatch(const PacketBatch&) = delete;
  PacketBatch& operator=(const PacketBatch&) = delete;
  ~PacketBatch() {
    if (size_ != 0) [[unlikely]]
      leak();
  }

  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == kCapacity; }
  uint32_t room() const { return kCapacity - size_; }

  Packet& operator[](uint32_t index) {
    assert(index < size_);
    return *Packet::from_mbuf(slots_[index]);
  }
  // Puts another packet into a slot; the one that was there has a new owner.
  void set(uint32_t index, Packet& packet) { slots_[index] = packet.mbuf(); }
  void push_back(Packet& packet) {
    assert(!full());
    slots_[size_++] = packet.mbuf();
  }
  // Moves the packets of `from` to the end of this batch; there must be room.
  void append(PacketBatch& from) {
    assert(from.size_ <= room());
    std::memcpy(slots_ + size_, from.slots_, from.size_ * sizeof(rte_mbuf*));
    size_ += from.size_;
    from.size_ = 0;
  }

  // The array itself, for drivers and for shapes that compact in place.
  rte_mbuf** mbufs() { return slots_; }
  void set_size(uint32_t size) {
    assert(size <= kCapacity);
    size_ = size;
  }
  // The packets have another owner now.
  void release() { size_ = 0; }
  // Frees all packets. Who calls this accounts for them (Drop::drop does both).
  void kill() {
    if (size_ != 0) rte_pktmbuf_free_bulk(slots_, size_);
    size_ = 0;
  }

  // How many packets were lost by batches that died with packets in them, in the whole process.
  static uint64_t leaked() { return leaked_.load(std::memory_order_relaxed); }
  // Counts packets as lost and frees them; `culprit` says in a debug build's last words who lost
  // them.
  void leak(const char* culprit = "a batch that was destroyed");

 private:
  uint32_t size_ = 0;
  alignas(64) rte_mbuf* slots_[kCapacity];

  inline static std::atomic<uint64_t> leaked_{0};
};

}  // namespace headroom
