// Cores, memory, rights and the IOMMU.
#include <fmt/format.h>

#include <algorithm>

#include "doctor_checks.hh"
#include "headroom/base/text.hh"

namespace headroom {
namespace {

constexpr uint64_t kMegabyte = 1 << 20;
constexpr uint64_t kPage = 2 * kMegabyte;

// linux/capability.h
constexpr unsigned kNetAdmin = 12;
constexpr unsigned kNetRaw = 13;
constexpr unsigned kIpcLock = 14;
constexpr unsigned kSysRawio = 17;
constexpr unsigned kSysAdmin = 21;
constexpr unsigned kBpf = 39;

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void check_quiet_cores(const MachineFacts& facts, const std::vector<uint32_t>& used,
                       Findings& findings) {
  std::vector<std::string> noisy;
  std::vector<std::string> slow;
  for (const uint32_t core : used) {
    if (!facts.isolated.contains(core) || !facts.without_tick.contains(core))
      noisy.push_back(std::to_string(core));
    const auto governor = facts.governors.find(core);
    if (governor != facts.governors.end() && governor->second != "performance")
      slow.push_back(std::to_string(core) + " (" + governor->second + ")");
  }
  if (noisy.empty())
    findings.ok("the workers' cores are isolated and have no timer tick");
  else
    findings.info("not isolated, or with a timer tick: core " + join(noisy),
                  "the system interrupts a worker there, and packets wait meanwhile",
                  "boot with isolcpus=CORES nohz_full=CORES and name the same in workers.cores; "
                  "leave core 0 to the system");
  if (!slow.empty())
    findings.info("the frequency governor is not `performance`: core " + join(slow),
                  "the core takes a while to become fast", "cpupower frequency-set -g performance");
}

}  // namespace

bool Demand::has_pci() const {
  return std::ranges::any_of(ports, [](const auto* port) { return !port->pci.empty(); });
}

bool Demand::has_interface() const {
  return std::ranges::any_of(ports, [](const auto* port) {
    return !port->interface.empty() ||
           (port->vdev.find("iface=") != std::string::npos && !port->vdev.starts_with("net_tap"));
  });
}

void check_processor(const MachineFacts& facts, const Demand& demand, Findings& findings) {
  findings.section("Processor");
  std::vector<std::string> missing;
  for (const char* flag : {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"})
    if (!facts.cpu_flags.contains(flag)) missing.emplace_back(flag);
  if (missing.empty())
    findings.ok("it has what x86-64-v3 asks for");
  else
    findings.error("it lacks " + join(missing),
                   "the program is compiled for x86-64-v3 and ends with SIGILL here",
                   "use another machine; a virtual one should pass its host's processor through");
  findings.info(facts.cpu_flags.contains("avx512f") ? "AVX-512 is there" : "no AVX-512");

  const auto& config = demand.config.workers;
  std::vector<uint32_t> used = config.cores.empty() ? facts.cores : config.cores;
  if (used.size() < demand.workers && config.pinned) {
    findings.error(fmt::format("{} workers, but this process may use {} core{}", demand.workers,
                               facts.cores.size(), facts.cores.size() == 1 ? "" : "s"),
                   "each worker has a core of its own",
                   fmt::format("set workers.count to {}, or workers.pinned to false",
                               std::max<std::size_t>(facts.cores.size(), 1)));
    return;
  }
  if (used.size() > demand.workers) used.resize(demand.workers);
  for (const uint32_t core : used)
    if (std::ranges::find(facts.cores, core) == facts.cores.end()) {
      findings.error(
          fmt::format("workers.cores names core {}, which this process may not use", core),
          "a worker must be able to run on its core",
          "choose from those that `nproc --all` and `taskset -p $$` allow");
      return;
    }
  findings.ok(fmt::format("{} worker{} on {} usable core{}", demand.workers,
                          demand.workers == 1 ? "" : "s", facts.cores.size(),
                          facts.cores.size() == 1 ? "" : "s"));
  check_quiet_cores(facts, used, findings);
}

void check_memory(const MachineFacts& facts, const Demand& demand, Findings& findings) {
  findings.section("Memory");
  using Hugepages = SystemConfig::Hugepages;
  const Hugepages wish = demand.config.eal.hugepages;
  const uint64_t free = facts.free_hugepages() * kPage;
  const uint64_t pages = (demand.bytes + kPage - 1) / kPage;
  const uint64_t more = pages - std::min(pages, facts.free_hugepages());
  uint64_t total = 0;
  for (const HugepageFacts& one : facts.hugepages) {
    total += one.total;
    findings.info(fmt::format("{}{} hugepages of 2 MB, {} of them free",
                              one.node < 0 ? "" : fmt::format("NUMA node {}: ", one.node),
                              grouped(one.total), grouped(one.free)));
  }
  // Those that others use are counted in what the kernel is told.
  const std::string reserve = fmt::format("echo {} > /proc/sys/vm/nr_hugepages", total + more);
  const bool needs_pages = std::ranges::any_of(demand.ports, [&](const auto* port) {
    const PciFacts* const card = port->pci.empty() ? nullptr : facts.find_pci(port->pci);
    return card != nullptr && (card->bound_to_uio() || card->without_iommu);
  });
  const std::string wanted =
      fmt::format("{} wanted for {} packets", megabytes(demand.bytes), grouped(demand.packets));
  if (wish != Hugepages::off && free >= demand.bytes) {
    findings.ok(wanted + ", " + megabytes(free) + " free in hugepages");
    if (!facts.hugetlbfs)
      findings.info("hugetlbfs is not mounted; it is not needed, the pages are anonymous");
    return;
  }
  const std::string said =
      facts.hugepages.empty() ? "the kernel offers no hugepages of 2 MB"
      : total == 0            ? "no hugepages are reserved"
                   : "too few hugepages are free: " + wanted + ", " + megabytes(free) + " free";
  if (wish == Hugepages::on) {
    findings.error(said, "eal.hugepages is on", reserve);
  } else if (needs_pages) {
    findings.error(said,
                   "a card without an IOMMU reads and writes physical memory, and only "
                   "hugepages stay where they are",
                   wish == Hugepages::off ? "set eal.hugepages to auto, and " + reserve : reserve);
  } else if (wish == Hugepages::automatic) {
    findings.warning(said, "packets live in ordinary pages then, which costs speed", reserve);
  }
  if (facts.available < demand.bytes)
    findings.error("too little memory: " + wanted + ", " + megabytes(facts.available) +
                       " available in ordinary pages",
                   "packets need memory before the first one arrives",
                   "end other programs, or lower pools.packets, pools.data_room or the ports' "
                   "descriptors");
  else
    findings.ok(wanted + ", " + megabytes(facts.available) + " available in ordinary pages");
}

void check_rights(const MachineFacts& facts, const Demand& demand, Findings& findings) {
  findings.section("Rights");
  findings.info(facts.superuser ? "run as root" : "run as an ordinary user");
  if (demand.has_interface()) {
    std::vector<std::string> missing;
    for (const auto& [number, name] :
         {std::pair{kNetRaw, "CAP_NET_RAW"}, {kNetAdmin, "CAP_NET_ADMIN"}})
      if (!facts.has_capability(number)) missing.emplace_back(name);
    // CAP_SYS_ADMIN includes CAP_BPF, which kernels before 5.8 do not know.
    if (!facts.has_capability(kBpf) && !facts.has_capability(kSysAdmin))
      missing.emplace_back("CAP_BPF");
    if (!facts.superuser)
      findings.error("not permitted to open interfaces", "ports of this configuration are some",
                     "run it as root: sudo headroom ...");
    else if (!missing.empty())
      findings.error("root lacks " + join(missing), "interfaces are opened with these capabilities",
                     "give them to the container: --cap-add with each");
    else
      findings.ok("interfaces may be opened");
  }
  const bool unsafe = std::ranges::any_of(demand.ports, [&](const auto* port) {
    const PciFacts* const card = port->pci.empty() ? nullptr : facts.find_pci(port->pci);
    return card != nullptr && (card->bound_to_uio() || card->without_iommu);
  });
  if (unsafe && (!facts.has_capability(kSysRawio) || !facts.has_capability(kSysAdmin)))
    findings.error("lacks CAP_SYS_RAWIO or CAP_SYS_ADMIN",
                   "a card without an IOMMU is given physical addresses, which only root may see",
                   "run it as root: sudo headroom ...");
  const bool locks = demand.has_pci() || demand.has_interface();
  if (!locks) return;
  if (!facts.memory_lock || facts.has_capability(kIpcLock))
    findings.ok("it may lock as much memory as it likes");
  else if (*facts.memory_lock >= demand.bytes)
    findings.ok("it may lock " + megabytes(*facts.memory_lock) + " of memory");
  else
    findings.error(
        fmt::format("it may lock {} of memory, and {} are to be locked",
                    megabytes(*facts.memory_lock), megabytes(demand.bytes)),
        "memory that a card or AF_XDP writes to is locked",
        fmt::format("as root: prlimit --pid $$ --memlock={0}:{0}, for this shell", demand.bytes));
}

void check_iommu(const MachineFacts& facts, const Demand& demand, Findings& findings) {
  if (!demand.has_pci() && facts.cards.empty()) return;
  findings.section("IOMMU and vfio");
  const bool needed = demand.has_pci();
  if (facts.iommu) {
    findings.ok("the kernel uses an IOMMU");
  } else if (needed) {
    findings.warning(
        "the kernel uses no IOMMU",
        "a card can write anywhere in memory; vfio-pci takes it in its unsafe mode only",
        "enable VT-d or AMD-Vi in the BIOS and boot with intel_iommu=on iommu=pt (on "
        "AMD iommu=pt), or see scripts/bind_nic.sh --noiommu");
  } else {
    findings.info("the kernel uses no IOMMU");
  }
  if (facts.vfio_pci)
    findings.ok("vfio-pci is loaded");
  else
    findings.info("vfio-pci is not loaded", needed ? "it hands cards to programs" : "",
                  needed ? "modprobe vfio-pci" : "");
  if (facts.unsafe_noiommu)
    findings.info("vfio's mode without an IOMMU is on",
                  "a program with such a card can overwrite all of memory");
}

}  // namespace headroom
