// Network cards, and the ports of the system file.
#include <fmt/format.h>

#include <algorithm>

#include "doctor_checks.hh"
#include "headroom/base/text.hh"
#include "headroom/runtime/cores.hh"
#include "headroom/runtime/system_schema.hh"

namespace headroom {
namespace {

constexpr uint32_t kFraming = 14 + 4;  // with a VLAN tag
constexpr uint32_t kXdpHeadroom = 256;

const PmdInfo* driver_for(const std::vector<PmdInfo>& drivers, const PciFacts& card) {
  const auto found = std::ranges::find_if(
      drivers, [&](const PmdInfo& pmd) { return pmd.knows(card.vendor, card.device); });
  return found == drivers.end() ? nullptr : &*found;
}

std::string describe(const PciFacts& card) {
  std::string text = fmt::format("{} [{:04x}:{:04x}] ", card.address, card.vendor, card.device);
  text += card.driver.empty() ? "without a kernel driver" : "with driver " + card.driver;
  for (const std::string& name : card.interfaces) text += ", " + name;
  return text;
}

void check_bound(const MachineFacts& facts, const PciFacts& card, const std::string& place,
                 Findings& findings) {
  if (const auto user = facts.users.find(card.node); user != facts.users.end()) {
    findings.error(place + ": in use by " + user->second, "a card belongs to one program at a time",
                   "end that program");
  } else if (card.node.empty()) {
    findings.error(
        place + ": " + card.address + " is bound to " + card.driver + " but has no device node",
        "programs reach the card through it", "scripts/bind_nic.sh bind " + card.address);
  } else if (!facts.may_open(card.node)) {
    findings.error(place + ": not permitted to open " + card.node,
                   "programs reach the card through it",
                   "as root: chown " + std::string("$USER ") + card.node + ", or run it as root");
  } else {
    findings.ok(place + ": " + card.address + " is bound to " + card.driver + ", " + card.node +
                " may be opened");
  }
}

// A card's packets cross between sockets where no worker that receives them is on its own.
void check_socket(const MachineFacts& facts, const PciFacts& card, const SystemConfig::Port& port,
                  const Demand& demand, const std::string& place, Findings& findings) {
  const SystemConfig::Workers& workers = demand.config.workers;
  const auto nodes = nodes_of_cores(facts.root);
  if (card.numa_node < 0 || nodes.empty()) return;
  const std::vector<uint32_t> cores =
      workers.cores.empty() ? cores_by_preference(demand.config, facts.cores, facts.root)
                            : workers.cores;
  std::string far;
  for (uint32_t worker = 0; worker < demand.workers && worker < cores.size(); ++worker) {
    const bool receives =
        port.workers.empty() || std::ranges::find(port.workers, worker) != port.workers.end();
    const auto node = nodes.find(cores[worker]);
    if (receives && node != nodes.end() && node->second != card.numa_node)
      far += (far.empty() ? "" : ", ") + std::to_string(cores[worker]);
  }
  if (!far.empty())
    findings.warning(
        fmt::format("{}: {} is at socket {}, and cores of another one receive from it: {}", place,
                    port.pci, card.numa_node, far),
        "its packets cross between the sockets",
        fmt::format("ports.{0}.workers: those on cores of socket {1} (see lscpu)", port.name,
                    card.numa_node));
}

void check_pci_port(const MachineFacts& facts, const std::vector<PmdInfo>& drivers,
                    const SystemConfig::Port& port, const Demand& demand, const std::string& place,
                    Findings& findings) {
  const PciFacts* const card = facts.find_pci(port.pci);
  if (card == nullptr) {
    findings.error(place + ": there is no network card at " + port.pci, "the system file names it",
                   "scripts/bind_nic.sh show lists those there are");
    return;
  }
  const PmdInfo* const driver = driver_for(drivers, *card);
  if (driver == nullptr) {
    findings.error(fmt::format("{}: no driver of DPDK knows {} [{:04x}:{:04x}]", place, port.pci,
                               card->vendor, card->device),
                   "it cannot be used by its PCI address",
                   card->interfaces.empty()
                       ? "apt-get install libdpdk-dev brings all drivers of Debian"
                       : "use `interface: " + card->interfaces.front() + "` instead of pci");
    return;
  }
  const std::string uses = facts.uses_of(*card);
  if (driver->shares_the_card()) {
    if (card->bound_to_vfio() || card->bound_to_uio() || card->driver.empty())
      findings.error(fmt::format("{}: {} has the wrong driver{}", place, port.pci,
                                 card->driver.empty() ? "" : ", " + card->driver),
                     driver->name + " works beside the kernel's own driver and needs it",
                     "scripts/bind_nic.sh unbind " + port.pci);
    else
      findings.ok(place + ": " + port.pci + " stays with " + card->driver + ", as " + driver->name +
                  " needs it");
    return;
  }
  if (card->bound_to_vfio() || card->bound_to_uio()) {
    check_bound(facts, *card, place, findings);
    check_socket(facts, *card, port, demand, place, findings);
    return;
  }
  if (!uses.empty())
    findings.error(place + ": the system uses " + port.pci + ": " + uses,
                   "what is reached through it would be cut off",
                   "choose another card, or take the addresses and routes off it and then "
                   "scripts/bind_nic.sh bind " +
                       port.pci);
  else
    findings.error(fmt::format("{}: {} has the wrong driver{}", place, port.pci,
                               card->driver.empty() ? ": none" : ", " + card->driver),
                   driver->name + " takes a card from vfio-pci",
                   "scripts/bind_nic.sh bind " + port.pci);
}

void check_interface_port(const MachineFacts& facts, const SystemConfig::Port& port,
                          const Demand& demand, const std::string& place, Findings& findings) {
  const InterfaceFacts* const interface = facts.find_interface(port.interface);
  if (interface == nullptr) {
    findings.error(place + ": there is no interface '" + port.interface + "'",
                   "the configuration names it", "`ip link` lists those there are");
    return;
  }
  if (interface->has_default_route)
    findings.warning(place + ": the system's default route goes through " + port.interface,
                     "what it receives does not reach the system any more",
                     "use another interface, or do not be logged in through it");
  else if (interface->in_use())
    findings.warning(place + ": the system uses " + port.interface,
                     "what it receives does not reach the system any more",
                     interface->master.empty() ? "ip address flush dev " + port.interface
                                               : "ip link set " + port.interface + " nomaster");
  const uint32_t room = demand.config.pools.data_room;
  const uint32_t frame = interface->mtu + kFraming + kXdpHeadroom;
  if (port.attach == SystemConfig::Attach::automatic && frame > room)
    findings.warning(fmt::format("{}: an MTU of {} is too long for AF_XDP", place, interface->mtu),
                     "it is attached by libpcap, which is slower",
                     frame <= 3800 ? fmt::format("set pools.data_room to {}", frame)
                                   : fmt::format("ip link set {} mtu {}", port.interface,
                                                 room - kFraming - kXdpHeadroom));
  findings.ok(fmt::format("{}: interface {} is there", place, port.interface));
}

void check_virtual_device(const std::vector<PmdInfo>& drivers, std::string_view vdev,
                          const std::string& place, Findings& findings) {
  const std::string_view device = system_schema::device_name(vdev);
  const bool known = std::ranges::any_of(drivers, [&](const PmdInfo& pmd) {
    return !pmd.name.empty() && device.starts_with(pmd.name);
  });
  if (known)
    findings.ok(fmt::format("{}: DPDK has a driver for {}", place, device));
  else
    findings.error(fmt::format("{}: no driver of DPDK for {}", place, device),
                   "drivers are libraries in " + pmd_directory().string(),
                   "apt-get install libdpdk-dev brings all drivers of Debian");
}

}  // namespace

void check_cards(const MachineFacts& facts, const std::vector<PmdInfo>& drivers,
                 Findings& findings) {
  findings.section("Network cards");
  if (drivers.empty())
    findings.error("no network driver of DPDK in " + pmd_directory().string(),
                   "every port needs one", "apt-get install libdpdk-dev");
  if (facts.cards.empty()) findings.info("no PCI network card");
  for (const PciFacts& card : facts.cards) {
    const PmdInfo* const driver = driver_for(drivers, card);
    std::string text = describe(card);
    text += driver == nullptr ? "; no driver of DPDK knows it" : "; DPDK's is " + driver->name;
    if (const std::string uses = facts.uses_of(card); !uses.empty())
      text += "; the system uses " + uses;
    findings.info(std::move(text));
  }
}

void check_port(const MachineFacts& facts, const std::vector<PmdInfo>& drivers,
                const SystemConfig::Port& port, const Demand& demand, Findings& findings) {
  const std::string place = "port '" + port.name + "'";
  if (!port.pci.empty()) {
    check_pci_port(facts, drivers, port, demand, place, findings);
    const uint32_t room = demand.config.pools.data_room;
    const uint32_t frame = (port.mtu == 0 ? 1500 : port.mtu) + kFraming;
    if (frame > room)
      findings.warning(
          fmt::format("{}: frames of {} bytes, and pools.data_room is {}", place, frame, room),
          "only some drivers spread a frame over several packets",
          fmt::format("set pools.data_room to {}", frame));
  } else if (!port.interface.empty()) {
    check_interface_port(facts, port, demand, place, findings);
  } else if (!port.members.empty()) {
    for (const std::string& member : port.members)
      check_virtual_device(drivers, member, place, findings);
  } else {
    check_virtual_device(drivers, port.vdev, place, findings);
  }
}

}  // namespace headroom
