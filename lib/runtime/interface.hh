// A network interface of Linux as a DPDK device.
//
// AF_XDP in copy mode takes frames as they are, up to about a page. net_pcap takes longer ones, in
// several segments; it costs a system call a packet, and the system sees the packets as well.
// net_af_packet would be in between, but joins a PACKET_FANOUT that glues fragments together, so it
// is used on request only.
//
//   Interface interface;
//   if (!interface.find("eth0")) ...
//   for (const std::string& vdev : interface.devices(Attach::automatic, data_room)) ...
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headroom/runtime/system_config.hh"

namespace headroom {

class Interface {
 public:
  // False when there is none of that name in this network namespace.
  bool find(const std::string& name);

  uint32_t mtu() const { return mtu_; }
  // Its receive queues. AF_XDP attaches each by itself, and what comes to another goes to the
  // system.
  uint32_t queues() const;
  // Whether AF_XDP can receive its longest frames into packets with this much room for data.
  bool fits_af_xdp(uint32_t data_room) const;
  // The virtual devices that attach it, for rte_dev_probe(): one, or with AF_XDP one for each
  // queue.
  std::vector<std::string> devices(SystemConfig::Attach attach, uint32_t data_room) const;

 private:
  std::string name_;
  uint32_t mtu_ = 0;
};

enum class InterfaceState : uint8_t { up, down, gone };
// Whether it has a carrier.
InterfaceState state_of_interface(const std::string& name);

// For a name that no interface has: the nearest one, or where to look.
std::string interfaces_hint(const std::string& name);

}  // namespace headroom
