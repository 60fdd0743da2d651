// Pools of packets, one for each memory socket, and the arithmetic that sizes them.
//
// A pool that is too small does not fail: receive queues starve silently. So the size is derived
// from what holds packets at the same time (PoolPlan), and a size that the user sets is checked
// against it.
//
//   PoolPlan plan;
//   plan.add("port 'in': 1 queue x 1024 receive descriptors", 1024);
//   auto pool = Pool::create({.name = "packets-0", .packets = plan.packets()}, error);
#pragma once

#include <rte_mbuf.h>
#include <rte_mempool.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headroom {

struct PoolOptions {
  std::string name = "packets";
  uint32_t packets = 8191;
  uint32_t cache = 256;       // packets kept by each core, at most 512
  uint32_t data_room = 2048;  // bytes of a packet's first segment, behind the 128 of headroom
  int socket = -1;            // -1 is any
};

class Pool {
 public:
  // Null, with the cause and the remedy in `error`, when there is not enough memory.
  static std::unique_ptr<Pool> create(const PoolOptions& options, std::string& error);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  rte_mempool* mempool() const { return mempool_; }
  const PoolOptions& options() const { return options_; }
  uint32_t capacity() const { return mempool_->size; }
  // Packets that are out: in queues, batches and drivers. Exact only while no worker runs.
  uint32_t in_use() const { return rte_mempool_in_use_count(mempool_); }

  // What one packet costs: structure, headroom, data room and the mempool's own header.
  static uint32_t bytes_per_packet(uint32_t data_room);

 private:
  Pool(rte_mempool* mempool, PoolOptions options)
      : mempool_(mempool), options_(std::move(options)) {}
  rte_mempool* mempool_;
  PoolOptions options_;
};

// Bytes behind the headroom that a segment of this mempool holds at most.
inline uint32_t pool_data_room(rte_mempool* pool) {
  return rte_pktmbuf_data_room_size(pool) - RTE_PKTMBUF_HEADROOM;
}

// How many packets are out at the same time, term by term.
class PoolPlan {
 public:
  void add(std::string what, uint64_t packets) { terms_.push_back({std::move(what), packets}); }
  // The sum of the terms.
  uint64_t needed() const;
  // What to make: the sum, rounded up to 2^n - 1, which suits a mempool's ring best.
  uint32_t packets() const;
  // The terms and their sum, one a line, indented by two.
  std::string arithmetic() const;

 private:
  struct Term {
    std::string what;
    uint64_t packets;
  };
  std::vector<Term> terms_;
};

}  // namespace headroom
