// Starting and ending DPDK's environment (EAL), once in the life of the process.
//
// The arguments are derived from the system configuration: only the PCI ports that it names, no
// runtime files (several programs run side by side), no telemetry socket. Log lines of DPDK and of
// the libraries below it are captured; they are shown when something fails.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headroom/runtime/system_config.hh"

namespace headroom {

// What this process may use of the machine's memory.
struct MemoryOffer {
  uint64_t huge_page_size = 0;  // bytes
  uint64_t huge_free = 0;       // bytes in free pages of that size
  uint64_t ordinary_free = 0;   // bytes that the kernel calls available
};
MemoryOffer memory_offer();

// What EAL is to set aside, in bytes, when packets and tables take `bytes`.
uint64_t memory_wanted(const SystemConfig& config, uint64_t bytes);

// The cores that this process may run on.
std::vector<uint32_t> usable_cores();

struct EalPlan {
  bool hugepages = false;
  uint32_t memory_mb = 0;
  std::vector<uint32_t> cores;  // one a worker
  std::vector<std::string> arguments;
};

// Decides about hugepages and memory for `bytes` of packets and tables, and writes down EAL's
// arguments. False, with cause, arithmetic and remedy in the strings, when the machine does not
// have it.
bool plan_eal(const SystemConfig& config, uint64_t bytes, uint32_t workers, EalPlan& plan,
              std::string& error, std::string& hint);

class Eal {
 public:
  Eal() = default;
  ~Eal();
  Eal(const Eal&) = delete;
  Eal& operator=(const Eal&) = delete;

  // False, with EAL's own words in `error`, when it does not start. Only once in a process.
  bool start(const EalPlan& plan, std::string& error);

 private:
  bool started_ = false;
};

// What DPDK has logged since the last call, and forgets it.
std::string take_dpdk_log();

}  // namespace headroom
