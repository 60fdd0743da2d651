// What a port receives that is its own traffic generator: fresh packets, written when they are
// asked for, as fast as that is or at a rate.
//
// The port is DPDK's net_null, which receives nothing (no-rx) and frees what it transmits; packets
// come from a callback on its receive queues. So a router takes them by the same bursts as a
// card's.
//
//   if (!Generator::check(port, data_room, diagnostics)) ...           // needs no EAL
//   Generator generator(port);
//   if (!generator.attach(ethdev, queues, queues, pool, address, error)) ...  // before it starts
#pragma once

#include <rte_mbuf.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "headroom/base/diagnostics.hh"
#include "headroom/graph/cell.hh"
#include "headroom/net/addresses.hh"
#include "headroom/runtime/system_config.hh"
#include "headroom/traffic/latency.hh"
#include "headroom/traffic/traffic_pattern.hh"

namespace headroom {

class Generator {
 public:
  explicit Generator(const SystemConfig::Port& port)
      : traffic_(port.traffic), depth_(port.rx_descriptors) {}
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  // Whether sizes, destinations and the capture file fit together and into packets of `data_room`.
  static bool check(const SystemConfig::Port& port, uint32_t data_room, Diagnostics& diagnostics);

  // Puts itself on the queues of an Ethernet device that is configured and not yet started.
  bool attach(uint16_t ethdev, uint32_t rx_queues, uint32_t tx_queues, rte_mempool* pool,
              EtherAddress address, std::string& error);

  uint64_t packets() const;
  uint64_t bytes() const;      // without FCS
  uint64_t no_buffer() const;  // not made, because the pool was empty
  uint64_t missed() const;     // at a rate: not fetched in time
  // Of all that left with a stamp, if there are stamps: bins as LatencyHistogram has them, in
  // cycles of the time stamp counter.
  bool has_latency() const { return traffic_.latency; }
  uint64_t latency_count(std::size_t bin) const;

 private:
  struct RxQueue;
  struct TxQueue;
  uint64_t sum(Cell RxQueue::*cell) const;
  static uint16_t receive(uint16_t ethdev, uint16_t queue, rte_mbuf** mbufs, uint16_t received,
                          uint16_t limit, void* rx_queue);
  static uint16_t transmit(uint16_t ethdev, uint16_t queue, rte_mbuf** mbufs, uint16_t count,
                           void* tx_queue);

  SystemConfig::Traffic traffic_;
  uint32_t depth_;
  std::vector<std::unique_ptr<RxQueue>> rx_queues_;
  std::vector<std::unique_ptr<TxQueue>> tx_queues_;
};

// One receive queue: what its worker alone touches.
struct alignas(64) Generator::RxQueue {
  TrafficPattern pattern;
  rte_mempool* pool;
  // Time stamp counter cycles from a packet to the next, 0 for as fast as possible; and when the
  // next is due.
  double cycles_per_packet;
  double due = 0;
  uint32_t depth;  // packets that wait to be received; of more, the first are lost
  bool fill;       // every byte is written
  bool stamp;      // with the time, for latency
  Cell packets = {};
  Cell bytes = {};
  Cell no_buffer = {};
  Cell missed = {};
};

struct alignas(64) Generator::TxQueue {
  LatencyHistogram histogram;
};

}  // namespace headroom
