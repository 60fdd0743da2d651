// A port of this machine: one DPDK Ethernet device, configured and started.
//
//   Device device(config.ports[0]);
//   if (!device.open(queues, pool, diagnostics)) ...
//   n = device.receive(queue, batch.mbufs(), 64);
#pragma once

#include <rte_ethdev.h>

#include <cstdint>
#include <string>
#include <vector>

#include "headroom/base/diagnostics.hh"
#include "headroom/net/addresses.hh"
#include "headroom/packet/pool.hh"
#include "headroom/runtime/system_config.hh"

namespace headroom {

struct DeviceStats {
  uint64_t received = 0;
  uint64_t received_bytes = 0;
  uint64_t transmitted = 0;
  uint64_t transmitted_bytes = 0;
  uint64_t missed = 0;     // the device had no room (imissed)
  uint64_t no_buffer = 0;  // the pool was empty (rx_nombuf)
  uint64_t rx_errors = 0;
  uint64_t tx_errors = 0;
};

struct LinkState {
  bool up = false;
  bool full_duplex = false;
  uint32_t speed = 0;  // megabits a second; 0: not known
};
// "up, 10,000 Mb/s", "up" or "down".
std::string to_text(const LinkState& link);

class Device {
 public:
  explicit Device(const SystemConfig::Port& config) : config_(config) {}
  ~Device() { close(); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // What DPDK would only answer with an error number: that files and interfaces named by a virtual
  // device exist. Needs no EAL.
  static bool check(const SystemConfig::Port& port, Diagnostics& diagnostics);
  // Packets that the driver keeps for itself besides its descriptors (a replayed capture file).
  static uint64_t packets_of_driver(const SystemConfig::Port& port);
  // Packets that its driver may not have given back when it was closed: net_af_xdp leaves those in
  // the kernel's hands.
  uint64_t never_returned() const;

  // Probes, configures `queues` receive and transmit queues on `pool`, and starts. Causes and
  // remedies go to `diagnostics`.
  bool open(uint32_t queues, Pool& pool, Diagnostics& diagnostics);
  void close();

  uint32_t receive(uint32_t queue, rte_mbuf** mbufs, uint32_t limit) {
    return rte_eth_rx_burst(port_, static_cast<uint16_t>(queue), mbufs,
                            static_cast<uint16_t>(limit));
  }
  uint32_t transmit(uint32_t queue, rte_mbuf** mbufs, uint32_t count) {
    return rte_eth_tx_burst(port_, static_cast<uint16_t>(queue), mbufs,
                            static_cast<uint16_t>(count));
  }

  const SystemConfig::Port& config() const { return config_; }
  const std::string& name() const { return config_.name; }
  const std::string& driver() const { return driver_; }
  EtherAddress address() const { return address_; }
  uint16_t port_id() const { return port_; }
  bool is_open() const { return open_; }
  DeviceStats stats() const;
  LinkState link() const;
  uint32_t mtu() const;
  // What the driver counts besides, a name and a number a line.
  std::string extended_stats() const;

 private:
  bool probe(Diagnostics& diagnostics);
  bool configure(uint32_t queues, Pool& pool, Diagnostics& diagnostics);
  // Frees what was transmitted into a ring and never received; its driver would lose it.
  void drain();
  bool fail(Diagnostics& diagnostics, const std::string& what, int code, std::string hint = {});

  SystemConfig::Port config_;
  uint16_t port_ = 0;
  bool probed_ = false;
  bool open_ = false;
  std::string driver_;
  EtherAddress address_;
};

}  // namespace headroom
