#include "headroom/runtime/device.hh"

#include <net/if.h>
#include <pcap/pcap.h>
#include <rte_dev.h>
#include <rte_errno.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "headroom/base/text.hh"
#include "headroom/net/flow_hash.hh"
#include "headroom/runtime/eal.hh"
#include "headroom/runtime/interface.hh"
#include "headroom/runtime/system_schema.hh"

namespace headroom {
namespace {

// The value of `key` in "driver0,key=value,...", or empty.
std::string device_argument(const std::string& vdev, std::string_view key) {
  for (std::size_t at = vdev.find(','); at != std::string::npos;) {
    const std::size_t end = vdev.find(',', at + 1);
    const std::string one = vdev.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    if (one.starts_with(key) && one.size() > key.size() && one[key.size()] == '=')
      return one.substr(key.size() + 1);
    at = end;
  }
  return {};
}

constexpr uint16_t kDefaultMtu = 1500;
// The Ethernet header with a VLAN tag, and the frame check sequence.
constexpr uint32_t kFrameExtra = 14 + 4 + 4;
// What net_af_xdp puts into its fill queue, whatever the number of descriptors.
constexpr uint32_t kXdpPackets = 2048;

std::string place(const SystemConfig::Port& port) { return "port '" + port.name + "'"; }

// Each member as a port of one virtual device; a port without members is the only one.
std::vector<SystemConfig::Port> members_of(const SystemConfig::Port& port) {
  std::vector<SystemConfig::Port> members(std::max<std::size_t>(port.members.size(), 1), port);
  for (std::size_t i = 0; i < port.members.size(); ++i) members[i].vdev = port.members[i];
  return members;
}

bool check_member(const SystemConfig::Port& port, Diagnostics& diagnostics) {
  if (const std::string path = device_argument(port.vdev, "rx_pcap"); !path.empty()) {
    char reason[PCAP_ERRBUF_SIZE] = "";
    pcap_t* capture = pcap_open_offline(path.c_str(), reason);
    if (capture == nullptr) {
      diagnostics.error(port.where, place(port) + ": " + reason,
                        "rx_pcap names a capture file relative to the current directory");
      return false;
    }
    pcap_close(capture);
  }
  if (const std::string path = device_argument(port.vdev, "tx_pcap"); !path.empty()) {
    // Not opened, because that would make it.
    const bool exists = access(path.c_str(), F_OK) == 0;
    const auto directory = std::filesystem::absolute(path).parent_path();
    if (access(exists ? path.c_str() : directory.c_str(), W_OK) != 0) {
      diagnostics.error(port.where, place(port) + ": " + path + ": " + std::strerror(errno),
                        "tx_pcap names a capture file relative to the current directory");
      return false;
    }
  }
  for (const char* key : {"iface", "rx_iface", "tx_iface", "rx_iface_in"}) {
    const std::string interface = device_argument(port.vdev, key);
    // net_tap makes the interface that it names.
    if (interface.empty() || port.vdev.starts_with("net_tap")) continue;
    if (if_nametoindex(interface.c_str()) == 0) {
      diagnostics.error(port.where, place(port) + ": there is no interface '" + interface + "'",
                        interfaces_hint(interface));
      return false;
    }
    if (geteuid() != 0) {
      diagnostics.error(port.where,
                        place(port) + ": not permitted to open interface '" + interface + "'",
                        "run as root, or with CAP_NET_RAW, CAP_NET_ADMIN and CAP_BPF");
      return false;
    }
  }
  if (!port.pci.empty() && access(("/sys/bus/pci/devices/" + port.pci).c_str(), F_OK) != 0) {
    diagnostics.error(port.where, place(port) + ": there is no PCI device " + port.pci,
                      "`lspci -D` lists the devices with their addresses");
    return false;
  }
  return true;
}

uint64_t packets_of_member(const SystemConfig::Port& port) {
  using Attach = SystemConfig::Attach;
  // An interface has no virtual device yet when only its needs are asked for.
  const bool to_be_attached = port.vdev.empty() && !port.interface.empty() &&
                              (port.attach == Attach::automatic || port.attach == Attach::af_xdp);
  if (port.vdev.starts_with("net_af_xdp") || to_be_attached) return 2 * kXdpPackets;
  if (!port.vdev.starts_with("net_pcap") || device_argument(port.vdev, "infinite_rx") != "1")
    return 0;
  char reason[PCAP_ERRBUF_SIZE] = "";
  pcap_t* capture = pcap_open_offline(device_argument(port.vdev, "rx_pcap").c_str(), reason);
  if (capture == nullptr) return 0;
  uint64_t packets = 0;
  pcap_pkthdr* header = nullptr;
  const u_char* bytes = nullptr;
  while (pcap_next_ex(capture, &header, &bytes) == 1) ++packets;
  pcap_close(capture);
  return packets;
}

}  // namespace

bool Device::check(const SystemConfig::Port& port, uint32_t data_room, Diagnostics& diagnostics) {
  if (port.traffic.given) return Generator::check(port, data_room, diagnostics);
  return std::ranges::all_of(members_of(port), [&](const SystemConfig::Port& member) {
    return check_member(member, diagnostics);
  });
}

uint64_t Device::never_returned() const {
  const uint64_t members = std::max<uint64_t>(config_.members.size(), 1);
  return driver_ == "net_af_xdp" ? members * (kXdpPackets + config_.tx_descriptors) : 0;
}

uint64_t Device::packets_of_driver(const SystemConfig::Port& port) {
  uint64_t packets = 0;
  for (const SystemConfig::Port& member : members_of(port)) packets += packets_of_member(member);
  return packets;
}

bool Device::fail(Diagnostics& diagnostics, const std::string& what, int code, std::string hint) {
  const std::string log = take_dpdk_log();
  std::string text = place(config_) + ": " + what;
  if (code != 0) text += std::string(": ") + rte_strerror(code < 0 ? -code : code);
  if (hint.empty() && !log.empty()) hint = "DPDK says: " + log.substr(0, log.find('\n'));
  diagnostics.error(config_.where, std::move(text), std::move(hint));
  return false;
}

bool Device::probe(const std::string& vdev, uint16_t& member, Diagnostics& diagnostics) {
  const std::string name = config_.pci.empty() ? vdev.substr(0, vdev.find(',')) : config_.pci;
  if (config_.pci.empty()) {
    if (const int code = rte_dev_probe(vdev.c_str()); code < 0)
      // -1 is what most causes come out as, not a lack of permission.
      return fail(diagnostics, "the driver refuses '" + vdev + "'", code == -EPERM ? 0 : code);
  }
  if (rte_eth_dev_get_port_by_name(name.c_str(), &member) != 0)
    return fail(diagnostics, "no DPDK driver took " + name, 0,
                config_.pci.empty()
                    ? "is it a network driver?"
                    : "bind the device to vfio-pci: scripts/bind_nic.sh bind " + config_.pci);
  return true;
}

void Device::warn(Diagnostics& diagnostics, const std::string& what) const {
  diagnostics.warning(config_.where, place(config_) + ": " + what);
}

bool Device::wants(std::string_view offload) const {
  return std::ranges::find(config_.offloads, offload) != config_.offloads.end();
}

bool Device::set_rss(const rte_eth_dev_info& info, uint32_t queues, rte_eth_conf& conf,
                     Diagnostics& diagnostics) {
  if (queues < 2) return true;
  constexpr uint64_t kFlags[] = {RTE_ETH_RSS_IP,   RTE_ETH_RSS_TCP, RTE_ETH_RSS_UDP,
                                 RTE_ETH_RSS_SCTP, RTE_ETH_RSS_ESP, RTE_ETH_RSS_C_VLAN,
                                 RTE_ETH_RSS_MPLS, RTE_ETH_RSS_ETH};
  const auto fields = system_schema::rss_fields();
  uint64_t flags = 0;
  std::string missing;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const bool asked = config_.rss.empty()
                           ? i < 3
                           : std::ranges::find(config_.rss, fields[i]) != config_.rss.end();
    if (!asked) continue;
    if ((info.flow_type_rss_offloads & kFlags[i]) == 0)
      missing += (missing.empty() ? "" : ", ") + std::string(fields[i]);
    flags |= info.flow_type_rss_offloads & kFlags[i];
  }
  if (!config_.rss.empty() && !missing.empty())
    warn(diagnostics, "the device cannot tell flows apart by " + missing);
  if (flags == 0) return false;
  conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
  auto& rss = conf.rx_adv_conf.rss_conf;
  rss.rss_hf = flags;
  // Where the length of its key is not known, the driver's own key stays.
  if (!config_.rss_symmetric || info.hash_key_size == 0) return true;
  rss_key_.resize(info.hash_key_size);
  for (std::size_t i = 0; i < rss_key_.size(); ++i)
    rss_key_[i] = FlowHash::kSymmetricKey[i % FlowHash::kSymmetricKey.size()];
  rss.rss_key = rss_key_.data();
  rss.rss_key_len = info.hash_key_size;
  return true;
}

void Device::set_offloads(const rte_eth_dev_info& info, const Pool& pool, rte_eth_conf& conf,
                          Diagnostics& diagnostics) {
  const bool by_need = config_.offloads.empty();
  const uint32_t longest = (config_.mtu == 0 ? kDefaultMtu : config_.mtu) + kFrameExtra;
  if (wants("scatter") || (by_need && longest > pool_data_room(pool.mempool()))) {
    if ((info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_SCATTER) != 0)
      conf.rxmode.offloads |= RTE_ETH_RX_OFFLOAD_SCATTER;
    else if (!by_need)
      warn(diagnostics, "the device cannot receive frames in several pieces (scatter)");
  }
  if (wants("multi-segment") || by_need) {
    if ((info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_MULTI_SEGS) != 0)
      conf.txmode.offloads |= RTE_ETH_TX_OFFLOAD_MULTI_SEGS;
    else if (!by_need)
      warn(diagnostics, "the device cannot send packets in several pieces (multi-segment)");
  }
  // Virtual devices do so without being asked.
  sends_pieces_ =
      config_.pci.empty() || (conf.txmode.offloads & RTE_ETH_TX_OFFLOAD_MULTI_SEGS) != 0;
}

bool Device::configure(uint16_t member, uint32_t rx_queues, uint32_t tx_queues,
                       const PoolOf& pool_of, Diagnostics& diagnostics) {
  rte_eth_dev_info info{};
  if (const int code = rte_eth_dev_info_get(member, &info); code != 0)
    return fail(diagnostics, "does not describe itself", code);
  driver_ = info.driver_name == nullptr ? "?" : info.driver_name;
  const auto socket = rte_eth_dev_socket_id(member);
  Pool& pool = pool_of(socket);
  const uint32_t wanted_queues = rx_queues;
  // Some virtual devices answer 0 for a limit that they do not have.
  if (info.max_rx_queues != 0 && rx_queues > info.max_rx_queues) rx_queues = 1;
  if (info.max_tx_queues != 0 && tx_queues > info.max_tx_queues) tx_queues = 1;
  rte_eth_conf conf{};
  // A card that cannot spread flows would use one queue alone.
  if (!set_rss(info, rx_queues, conf, diagnostics) && !config_.pci.empty()) rx_queues = 1;
  if (config_.rx_queues != 0 && rx_queues < wanted_queues)
    warn(diagnostics, "the device spreads flows over no more than one queue, not " +
                          std::to_string(wanted_queues) +
                          ", so one worker receives and distributes the packets");
  set_offloads(info, pool, conf, diagnostics);
  if (const int code = rte_eth_dev_configure(member, static_cast<uint16_t>(rx_queues),
                                             static_cast<uint16_t>(tx_queues), &conf);
      code != 0)
    return fail(diagnostics, "cannot be configured", code);
  auto rx_descriptors = static_cast<uint16_t>(config_.rx_descriptors);
  auto tx_descriptors = static_cast<uint16_t>(config_.tx_descriptors);
  if (const int code = rte_eth_dev_adjust_nb_rx_tx_desc(member, &rx_descriptors, &tx_descriptors);
      code != 0)
    return fail(diagnostics, "refuses its descriptors", code);
  const SystemConfig::Port usual;
  const auto compare = [&](const char* what, uint32_t asked, uint32_t by_default, uint32_t got) {
    if (asked != by_default && asked != got)
      warn(diagnostics,
           "the device takes " + grouped(got) + " " + what + " descriptors, not " + grouped(asked));
  };
  compare("receive", config_.rx_descriptors, usual.rx_descriptors, rx_descriptors);
  compare("transmit", config_.tx_descriptors, usual.tx_descriptors, tx_descriptors);
  for (uint16_t queue = 0; queue < rx_queues; ++queue) {
    if (const int code = rte_eth_rx_queue_setup(
            member, queue, rx_descriptors, static_cast<unsigned>(socket), nullptr, pool.mempool());
        code != 0)
      return fail(diagnostics, "cannot set up a receive queue", code);
    rx_queues_.push_back({member, queue});
  }
  for (uint16_t queue = 0; queue < tx_queues; ++queue) {
    if (const int code = rte_eth_tx_queue_setup(member, queue, tx_descriptors,
                                                static_cast<unsigned>(socket), nullptr);
        code != 0)
      return fail(diagnostics, "cannot set up a transmit queue", code);
    tx_queues_.push_back({member, queue});
  }
  return true;
}

// A device that was built with another MTU and cannot change it says so here; the default needs no
// asking.
bool Device::set_mtu(uint16_t member, Diagnostics& diagnostics) {
  uint16_t mtu = 0;
  const auto wanted = static_cast<uint16_t>(config_.mtu == 0 ? kDefaultMtu : config_.mtu);
  const bool as_it_is = config_.mtu == 0 && !config_.interface.empty();
  if (as_it_is || rte_eth_dev_get_mtu(member, &mtu) != 0 || mtu == wanted) return true;
  const int code = rte_eth_dev_set_mtu(member, wanted);
  return code == 0 || code == -ENOTSUP ||
         fail(diagnostics, "refuses an MTU of " + std::to_string(wanted), code);
}

bool Device::attach_generator(uint16_t member, Pool& pool, Diagnostics& diagnostics) {
  // The driver takes an address by chance; one that is known before lets a configuration name it.
  const EtherAddress address =
      EtherAddress::from_uint64(0x020000000001 + uint64_t{config_.traffic.number});
  rte_ether_addr own{};
  std::memcpy(own.addr_bytes, address.data(), sizeof own.addr_bytes);
  if (const int code = rte_eth_dev_default_mac_addr_set(member, &own); code != 0)
    return fail(diagnostics, "refuses its address", code);
  generator_ = std::make_unique<Generator>(config_);
  std::string error;
  return generator_->attach(member, rx_queues(), tx_queues(), pool.mempool(), address, error) ||
         fail(diagnostics, error, 0);
}

bool Device::open_member(const std::string& vdev, uint32_t rx_queues, uint32_t tx_queues,
                         const PoolOf& pool_of, Diagnostics& diagnostics) {
  uint16_t member = 0;
  if (!probe(vdev, member, diagnostics)) return false;
  if (!configure(member, rx_queues, tx_queues, pool_of, diagnostics) ||
      !set_mtu(member, diagnostics) ||
      (config_.traffic.given &&
       !attach_generator(member, pool_of(rte_eth_dev_socket_id(member)), diagnostics))) {
    rte_eth_dev_close(member);
    return false;
  }
  if (const int code = rte_eth_dev_start(member); code != 0) {
    rte_eth_dev_close(member);
    return fail(diagnostics, "does not start", code);
  }
  members_.push_back(member);
  if (config_.promiscuous) {
    const int code = rte_eth_promiscuous_enable(member);
    if (code != 0 && code != -ENOTSUP) return fail(diagnostics, "refuses promiscuous mode", code);
  }
  return true;
}

bool Device::open(uint32_t rx_queues, uint32_t tx_queues, const PoolOf& pool_of,
                  Diagnostics& diagnostics) {
  if (config_.members.empty()) {
    if (!open_member(config_.vdev, rx_queues, tx_queues, pool_of, diagnostics)) return false;
  } else {
    for (const std::string& vdev : config_.members)
      if (!open_member(vdev, 1, 1, pool_of, diagnostics)) return false;
  }
  last_link_ = link();
  rte_ether_addr address{};
  if (rte_eth_macaddr_get(port_id(), &address) == 0)
    address_ = EtherAddress::from_bytes(address.addr_bytes);
  return true;
}

void Device::close() {
  for (const uint16_t member : members_) {
    if (driver_ == "net_ring") drain(member);
    rte_eth_dev_stop(member);
    rte_eth_dev_close(member);
  }
  members_.clear();
  rx_queues_.clear();
  tx_queues_.clear();
  generator_.reset();  // its callbacks went with the devices
}

void Device::drain(uint16_t member) {
  rte_mbuf* mbufs[64];
  rte_eth_dev_info info{};
  if (rte_eth_dev_info_get(member, &info) != 0) return;
  for (uint16_t queue = 0; queue < info.nb_rx_queues; ++queue)
    while (const uint16_t count = rte_eth_rx_burst(member, queue, mbufs, std::size(mbufs)))
      rte_pktmbuf_free_bulk(mbufs, count);
}

std::string to_text(const LinkState& link) {
  if (link.gone) return "gone";
  if (!link.up) return "down";
  return link.speed == 0 ? "up" : "up, " + grouped(link.speed) + " Mb/s";
}

LinkState Device::link() const {
  rte_eth_link raw{};
  if (!is_open() || rte_eth_link_get_nowait(port_id(), &raw) != 0) return {};
  if (!config_.interface.empty()) {
    // Drivers of Linux interfaces say that the link is up whatever it is.
    const InterfaceState state = state_of_interface(config_.interface);
    if (state == InterfaceState::gone) return {.gone = true};
    if (state == InterfaceState::down) raw.link_status = RTE_ETH_LINK_DOWN;
  }
  return {.up = raw.link_status == RTE_ETH_LINK_UP,
          .full_duplex = raw.link_duplex == RTE_ETH_LINK_FULL_DUPLEX,
          .speed = raw.link_speed == RTE_ETH_SPEED_NUM_UNKNOWN ? 0 : raw.link_speed};
}

std::optional<LinkState> Device::watch_link() {
  const LinkState now = link();
  if (now.up == last_link_.up && now.gone == last_link_.gone) return std::nullopt;
  last_link_ = now;
  link_changes_.fetch_add(1, std::memory_order_relaxed);
  return now;
}

uint32_t Device::mtu() const {
  uint16_t mtu = 0;
  return is_open() && rte_eth_dev_get_mtu(port_id(), &mtu) == 0 ? mtu : 0;
}

std::string Device::extended_stats() const {
  if (!is_open()) return {};
  const uint16_t member = port_id();
  const int count = rte_eth_xstats_get_names(member, nullptr, 0);
  if (count <= 0) return {};
  std::vector<rte_eth_xstat_name> names(static_cast<std::size_t>(count));
  std::vector<rte_eth_xstat> values(names.size());
  const auto size = static_cast<unsigned>(count);
  // A driver whose counters have become more meanwhile answers with their number.
  if (rte_eth_xstats_get_names(member, names.data(), size) != count ||
      rte_eth_xstats_get(member, values.data(), size) != count)
    return {};
  std::string text;
  for (const rte_eth_xstat& value : values)
    text += std::string(names[value.id].name) + " " + std::to_string(value.value) + "\n";
  return text;
}

DeviceStats Device::stats() const {
  DeviceStats stats;
  for (const uint16_t member : members_) {
    rte_eth_stats raw{};
    if (rte_eth_stats_get(member, &raw) != 0) continue;
    stats.received += raw.ipackets;
    stats.received_bytes += raw.ibytes;
    stats.transmitted += raw.opackets;
    stats.transmitted_bytes += raw.obytes;
    stats.missed += raw.imissed;
    stats.no_buffer += raw.rx_nombuf;
    stats.rx_errors += raw.ierrors;
    stats.tx_errors += raw.oerrors;
  }
  if (generator_) {
    stats.received += generator_->packets();
    stats.received_bytes += generator_->bytes();
    stats.missed += generator_->missed();
    stats.no_buffer += generator_->no_buffer();
  }
  return stats;
}

}  // namespace headroom
