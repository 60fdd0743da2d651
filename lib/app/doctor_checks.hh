// What doctor looks at. Each check takes the facts and what the configuration asks for, and says
// what it finds; none touches the machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "findings.hh"
#include "headroom/runtime/machine_facts.hh"
#include "headroom/runtime/system_config.hh"
#include "pmd_info.hh"

namespace headroom {

struct Demand {
  const SystemConfig& config;
  std::vector<const SystemConfig::Port*> ports;  // that the configuration uses
  uint32_t workers = 1;
  uint64_t packets = 0;
  uint64_t bytes = 0;  // of memory

  bool has_pci() const;
  bool has_interface() const;
};

void check_processor(const MachineFacts& facts, const Demand& demand, Findings& findings);
void check_memory(const MachineFacts& facts, const Demand& demand, Findings& findings);
void check_rights(const MachineFacts& facts, const Demand& demand, Findings& findings);
void check_iommu(const MachineFacts& facts, const Demand& demand, Findings& findings);
void check_cards(const MachineFacts& facts, const std::vector<PmdInfo>& drivers,
                 Findings& findings);
// One port of the demand.
void check_port(const MachineFacts& facts, const std::vector<PmdInfo>& drivers,
                const SystemConfig::Port& port, const Demand& demand, Findings& findings);

}  // namespace headroom
