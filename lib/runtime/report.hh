// The table that a run ends with: ports, elements, drops and the ledger.
#pragma once

#include <string>
#include <vector>

#include "headroom/graph/ledger.hh"
#include "headroom/runtime/device.hh"

namespace headroom {

struct PortReport {
  std::string name;
  std::string driver;
  DeviceStats stats;
  LinkState link = {};  // when the run ended
  // What elements counted, who received from the port and handed packets to it.
  uint64_t taken = 0;
  uint64_t handed = 0;
};

struct RunReport {
  std::vector<PortReport> ports;
  Ledger ledger;
  double seconds = 0;  // that the workers ran
  uint32_t workers = 1;
};

// For people; numbers are grouped in thousands. Elements that saw no packet are left out.
std::string render(const RunReport& report);

}  // namespace headroom
