#include "headroom/runtime/eal.hh"

#include <dlfcn.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_log.h>
#include <sched.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <utility>

#include "headroom/base/text.hh"
#include "headroom/runtime/cores.hh"

namespace headroom {
namespace {

constexpr uint64_t kMegabyte = 1 << 20;

std::mutex log_mutex;
std::string log_text;

ssize_t capture(void*, const char* bytes, std::size_t size) {
  std::lock_guard lock(log_mutex);
  // Drivers that complain about every packet must not fill the memory.
  if (log_text.size() < 64 * 1024) log_text.append(bytes, size);
  return static_cast<ssize_t>(size);
}

int capture_library(int, const char* format, va_list arguments) {
  char text[1024];
  const int size = std::vsnprintf(text, sizeof text, format, arguments);
  if (size > 0) capture(nullptr, text, std::min<std::size_t>(size, sizeof text - 1));
  return size;
}

// libbpf and libxdp come with net_af_xdp and print to standard error by themselves.
void capture_library_logs() {
  using Print = int (*)(int, const char*, va_list);
  constexpr std::pair<const char*, const char*> libraries[] = {{"libbpf.so.1", "libbpf_set_print"},
                                                               {"libxdp.so.1", "libxdp_set_print"}};
  for (const auto& [library, setter] : libraries) {
    void* const handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    if (auto* set = reinterpret_cast<Print (*)(Print)>(dlsym(handle, setter))) set(capture_library);
    dlclose(handle);  // the driver still holds it
  }
}

uint64_t read_number(const std::filesystem::path& path) {
  uint64_t number = 0;
  std::ifstream(path) >> number;
  return number;
}

}  // namespace

MemoryOffer memory_offer() {
  MemoryOffer offer;
  offer.huge_page_size = 2 * kMegabyte;
  offer.huge_free = read_number("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages") *
                    offer.huge_page_size;
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key; meminfo >> key;) {
    uint64_t kilobytes = 0;
    meminfo >> kilobytes;
    if (key == "MemAvailable:") offer.ordinary_free = kilobytes * 1024;
    meminfo.ignore(256, '\n');
  }
  return offer;
}

std::vector<uint32_t> usable_cores() {
  std::vector<uint32_t> cores;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (uint32_t core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(core, &set)) cores.push_back(core);
  return cores;
}

uint64_t memory_wanted(const SystemConfig& config, uint64_t bytes) {
  // DPDK's own structures and the drivers' rings, beside what is asked for.
  return std::max(uint64_t{config.eal.memory_mb} * kMegabyte, bytes + 64 * kMegabyte);
}

bool plan_eal(const SystemConfig& config, uint64_t bytes, uint32_t workers, EalPlan& plan,
              std::string& error, std::string& hint) {
  const std::vector<uint32_t> usable = usable_cores();
  plan.cores =
      config.workers.cores.empty() ? cores_by_preference(config, usable) : config.workers.cores;
  if (plan.cores.size() < workers && config.workers.pinned) {
    error = "workers.count is " + std::to_string(workers) + ", but this process may use " +
            std::to_string(usable.size()) + (usable.size() == 1 ? " core" : " cores");
    hint =
        "lower workers.count, or allow more cores (taskset, cpuset); with workers.pinned: false, "
        "workers share cores";
    return false;
  }
  if (config.workers.pinned) plan.cores.resize(workers);
  for (const uint32_t core : plan.cores)
    if (std::find(usable.begin(), usable.end(), core) == usable.end()) {
      error =
          "workers.cores names core " + std::to_string(core) + ", which this process may not use";
      hint = "usable are cores " + std::to_string(usable.front()) + " to " +
             std::to_string(usable.back());
      return false;
    }

  const MemoryOffer offer = memory_offer();
  const uint64_t wanted = memory_wanted(config, bytes);
  plan.memory_mb = static_cast<uint32_t>((wanted + kMegabyte - 1) / kMegabyte);
  using Hugepages = SystemConfig::Hugepages;
  plan.hugepages = config.eal.hugepages == Hugepages::on ||
                   (config.eal.hugepages == Hugepages::automatic && offer.huge_free >= wanted);
  if (plan.hugepages && offer.huge_free < wanted) {
    const uint64_t missing =
        (wanted - offer.huge_free + offer.huge_page_size - 1) / offer.huge_page_size;
    error = "eal.hugepages is on: " + megabytes(wanted) + " wanted, " + megabytes(offer.huge_free) +
            " free in 2 MB pages";
    hint = "add " + grouped(missing) +
           " pages (as root: echo N > /proc/sys/vm/nr_hugepages), or set eal.hugepages to auto";
    return false;
  }
  if (!plan.hugepages && offer.ordinary_free != 0 && offer.ordinary_free < wanted) {
    error = "too little memory: " + megabytes(wanted) + " wanted, " +
            megabytes(offer.ordinary_free) + " available";
    hint = "lower pools.packets, pools.data_room or the ports' descriptors";
    return false;
  }

  auto& arguments = plan.arguments;
  arguments = {"headroom", "--no-telemetry", "--log-level=*:warning"};
  // "0@3,1@5", or "0@(3,5),1@(3,5)" for workers that are not pinned.
  std::string all;
  for (const uint32_t core : plan.cores) all += (all.empty() ? "(" : ",") + std::to_string(core);
  std::string lcores;
  for (uint32_t worker = 0; worker < workers; ++worker)
    lcores += (worker == 0 ? "" : ",") + std::to_string(worker) + "@" +
              (config.workers.pinned ? std::to_string(plan.cores[worker]) : all + ")");
  arguments.push_back("--lcores=" + lcores);
  if (plan.hugepages) {
    arguments.push_back("--in-memory");
  } else {
    // No hugepages means legacy memory, which cannot be combined with --in-memory and never grows.
    arguments.insert(arguments.end(),
                     {"--no-huge", "--no-shconf", "-m", std::to_string(plan.memory_mb)});
  }
  bool pci = false;
  for (const SystemConfig::Port& port : config.ports)
    if (!port.pci.empty()) {
      arguments.insert(arguments.end(), {"-a", port.pci});
      pci = true;
    }
  // A card that is bound without an IOMMU needs physical addresses. Only DPDK's PCI bus can tell.
  if (!pci) arguments.insert(arguments.end(), {"--no-pci", "--iova-mode=va"});
  arguments.insert(arguments.end(), config.eal.arguments.begin(), config.eal.arguments.end());
  return true;
}

bool Eal::start(const EalPlan& plan, std::string& error) {
  cookie_io_functions_t functions{};
  functions.write = capture;
  if (FILE* stream = fopencookie(nullptr, "w", functions)) {
    setvbuf(stream, nullptr, _IOLBF, 0);
    rte_openlog_stream(stream);
  }
  std::vector<std::string> texts = plan.arguments;
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  if (rte_eal_init(static_cast<int>(arguments.size()), arguments.data()) < 0) {
    error = std::string("DPDK does not start: ") + rte_strerror(rte_errno);
    const std::string log = take_dpdk_log();
    if (!log.empty()) error += "\n" + log;
    return false;
  }
  started_ = true;
  capture_library_logs();
  take_dpdk_log();
  return true;
}

Eal::~Eal() {
  if (started_) rte_eal_cleanup();
}

std::string take_dpdk_log() {
  std::lock_guard lock(log_mutex);
  return std::exchange(log_text, {});
}

}  // namespace headroom
