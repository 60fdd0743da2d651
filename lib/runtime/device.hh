// A port of this machine, configured and started: one DPDK Ethernet device, or several that are
// members of one port, such as the queues of an interface that has a device each.
//
//   Device device(config.ports[0]);
//   if (!device.open(queues, pool, diagnostics)) ...
//   n = device.receive(queue, batch.mbufs(), 64);    // queue < device.rx_queues()
#pragma once

#include <rte_ethdev.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headroom/base/diagnostics.hh"
#include "headroom/net/addresses.hh"
#include "headroom/packet/pool.hh"
#include "headroom/runtime/generator.hh"
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
  bool gone = false;  // there is no such device any more
  bool full_duplex = false;
  uint32_t speed = 0;  // megabits a second; 0: not known
};
// "up, 10,000 Mb/s", "up", "down" or "gone".
std::string to_text(const LinkState& link);

class Device {
 public:
  explicit Device(const SystemConfig::Port& config) : config_(config) {}
  ~Device() { close(); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // What DPDK would only answer with an error number: that files and interfaces named by a virtual
  // device exist, and that what a port generates fits into packets of `data_room`. Needs no EAL.
  static bool check(const SystemConfig::Port& port, uint32_t data_room, Diagnostics& diagnostics);
  // Packets that the driver keeps for itself besides its descriptors (a replayed capture file).
  static uint64_t packets_of_driver(const SystemConfig::Port& port);
  // Packets that its driver may not have given back when it was closed: net_af_xdp leaves those in
  // the kernel's hands.
  uint64_t never_returned() const;

  // The packets for a device on a NUMA node, or -1 if it is on none.
  using PoolOf = std::function<Pool&(int socket)>;

  // Probes, configures receive and transmit queues, and starts. Of either kind there are as many as
  // were asked for, or one when the device does not offer so many. Causes and remedies go to
  // `diagnostics`; so does what the file asks for and the device does not have, as a warning.
  bool open(uint32_t rx_queues, uint32_t tx_queues, const PoolOf& pool_of,
            Diagnostics& diagnostics);
  void close();

  uint32_t receive(uint32_t queue, rte_mbuf** mbufs, uint32_t limit) {
    const Queue& from = rx_queues_[queue];
    return rte_eth_rx_burst(from.port, from.queue, mbufs, static_cast<uint16_t>(limit));
  }
  uint32_t transmit(uint32_t queue, rte_mbuf** mbufs, uint32_t count) {
    const Queue& to = tx_queues_[queue];
    return rte_eth_tx_burst(to.port, to.queue, mbufs, static_cast<uint16_t>(count));
  }

  const SystemConfig::Port& config() const { return config_; }
  const std::string& name() const { return config_.name; }
  const std::string& driver() const { return driver_; }
  EtherAddress address() const { return address_; }
  // DPDK's number of the first member.
  uint16_t port_id() const { return members_.front(); }
  // DPDK's numbers of all.
  const std::vector<uint16_t>& members() const { return members_; }
  uint32_t rx_queues() const { return static_cast<uint32_t>(rx_queues_.size()); }
  uint32_t tx_queues() const { return static_cast<uint32_t>(tx_queues_.size()); }
  bool is_open() const { return !members_.empty(); }
  // Whether it sends packets that lie in several pieces.
  bool sends_pieces() const { return sends_pieces_; }
  // How often the link went up or down since it was opened, as far as watch_link() saw.
  uint64_t link_changes() const { return link_changes_.load(std::memory_order_relaxed); }
  // From one thread, now and then: the link, if it is not what it was the last time.
  std::optional<LinkState> watch_link();
  DeviceStats stats() const;
  // What it receives comes from here, if it generates traffic; else null.
  const Generator* generator() const { return generator_.get(); }
  LinkState link() const;
  uint32_t mtu() const;
  // What the driver of the first member counts besides, a name and a number a line.
  std::string extended_stats() const;

 private:
  // A queue of one of the members.
  struct Queue {
    uint16_t port;
    uint16_t queue;
  };

  bool open_member(const std::string& vdev, uint32_t rx_queues, uint32_t tx_queues,
                   const PoolOf& pool_of, Diagnostics& diagnostics);
  bool probe(const std::string& vdev, uint16_t& member, Diagnostics& diagnostics);
  bool configure(uint16_t member, uint32_t rx_queues, uint32_t tx_queues, const PoolOf& pool_of,
                 Diagnostics& diagnostics);
  void warn(Diagnostics& diagnostics, const std::string& what) const;
  bool wants(std::string_view offload) const;
  // How flows are spread over `queues` queues; false if they cannot be.
  bool set_rss(const rte_eth_dev_info& info, uint32_t queues, rte_eth_conf& conf,
               Diagnostics& diagnostics);
  void set_offloads(const rte_eth_dev_info& info, const Pool& pool, rte_eth_conf& conf,
                    Diagnostics& diagnostics);
  bool attach_generator(uint16_t member, Pool& pool, Diagnostics& diagnostics);
  bool set_mtu(uint16_t member, Diagnostics& diagnostics);
  // Frees what was transmitted into a ring and never received; its driver would lose it.
  void drain(uint16_t member);
  bool fail(Diagnostics& diagnostics, const std::string& what, int code, std::string hint = {});

  SystemConfig::Port config_;
  std::vector<uint16_t> members_;  // those that were started
  std::vector<Queue> rx_queues_;
  std::vector<Queue> tx_queues_;
  std::unique_ptr<Generator> generator_;  // or null
  std::string driver_;
  EtherAddress address_;
  std::vector<uint8_t> rss_key_;
  bool sends_pieces_ = true;
  LinkState last_link_;
  std::atomic<uint64_t> link_changes_{0};
};

}  // namespace headroom
