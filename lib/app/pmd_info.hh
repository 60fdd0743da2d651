// What DPDK's driver libraries say of themselves: every one carries its names, the PCI cards that
// it knows, and the kernel modules that these must be bound to. Nothing is loaded for it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

struct PmdInfo {
  std::string name;                                  // "net_ixgbe"
  std::string modules;                               // "* igb_uio | vfio-pci"
  std::vector<std::pair<uint32_t, uint32_t>> cards;  // vendor and device

  bool knows(uint32_t vendor, uint32_t device) const;
  // Its card stays with the kernel's driver.
  bool shares_the_card() const;
};

// The directory that EAL loads drivers from.
std::filesystem::path pmd_directory();
// Of the network drivers in a directory.
std::vector<PmdInfo> read_pmds(const std::filesystem::path& directory);

}  // namespace headroom
