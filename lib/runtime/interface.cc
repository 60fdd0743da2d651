#include "headroom/runtime/interface.hh"

#include <net/if.h>
#include <rte_mbuf_core.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "headroom/base/suggest.hh"

namespace headroom {
namespace {

constexpr uint32_t kEthernet = 14 + 4;  // with a VLAN tag
// The kernel keeps this much in front of a frame, beside DPDK's own headroom.
constexpr uint32_t kXdpHeadroom = 256;
// The kernel takes no larger pieces of memory.
constexpr uint32_t kPage = 4096;

bool ask_kernel(const std::string& name, unsigned long question, ifreq& request) {
  std::memcpy(request.ifr_name, name.c_str(), std::min<std::size_t>(name.size(), IFNAMSIZ - 1));
  const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const bool answered = descriptor >= 0 && ioctl(descriptor, question, &request) == 0;
  if (descriptor >= 0) close(descriptor);
  return answered;
}

}  // namespace

bool Interface::find(const std::string& name) {
  name_ = name;
  if (if_nametoindex(name.c_str()) == 0) return false;
  ifreq request{};
  const bool known = ask_kernel(name, SIOCGIFMTU, request);
  if (known) mtu_ = static_cast<uint32_t>(request.ifr_mtu);
  return known;
}

InterfaceState state_of_interface(const std::string& name) {
  ifreq request{};
  if (!ask_kernel(name, SIOCGIFFLAGS, request)) return InterfaceState::gone;
  return (request.ifr_flags & IFF_RUNNING) != 0 ? InterfaceState::up : InterfaceState::down;
}

bool Interface::fits_af_xdp(uint32_t data_room) const {
  const uint32_t whole = sizeof(rte_mbuf) + RTE_PKTMBUF_HEADROOM + data_room;
  return whole <= kPage && mtu_ + kEthernet + kXdpHeadroom <= data_room;
}

uint32_t Interface::queues() const {
  uint32_t count = 0;
  std::error_code none;
  for (const auto& entry :
       std::filesystem::directory_iterator("/sys/class/net/" + name_ + "/queues", none))
    count += entry.path().filename().string().starts_with("rx-");
  return std::max(count, 1U);
}

std::vector<std::string> Interface::devices(SystemConfig::Attach attach, uint32_t data_room) const {
  using Attach = SystemConfig::Attach;
  if (attach == Attach::automatic) attach = fits_af_xdp(data_room) ? Attach::af_xdp : Attach::pcap;
  switch (attach) {
    case Attach::pcap:
      return {"net_pcap_" + name_ + ",rx_iface_in=" + name_ + ",tx_iface=" + name_};
    case Attach::af_packet:
      return {"net_af_packet_" + name_ + ",iface=" + name_};
    case Attach::automatic:
    case Attach::af_xdp:
      break;
  }
  std::vector<std::string> all;
  for (uint32_t queue = 0; queue < queues(); ++queue) {
    const std::string number = std::to_string(queue);
    all.push_back("net_af_xdp_" + name_ + (queue == 0 ? "" : "_" + number) + ",iface=" + name_ +
                  ",start_queue=" + number + ",queue_count=1,force_copy=1");
  }
  return all;
}

std::string interfaces_hint(const std::string& name) {
  std::vector<std::string_view> names;
  struct if_nameindex* const all = if_nameindex();
  for (auto* one = all; one != nullptr && one->if_index != 0; ++one)
    names.emplace_back(one->if_name);
  std::string hint = did_you_mean(name, names);
  if (all != nullptr) if_freenameindex(all);
  return hint.empty() ? "`ip link` lists the interfaces of this machine" : hint;
}

}  // namespace headroom
