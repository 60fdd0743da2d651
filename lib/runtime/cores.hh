// Cores and the NUMA nodes that they, and network cards, belong to.
//
//   const std::vector<uint32_t> cores = cores_by_preference(config, usable_cores());
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "headroom/runtime/system_config.hh"

namespace headroom {

// The node of each core; empty where the system tells of none.
std::map<uint32_t, int> nodes_of_cores(const std::filesystem::path& root = "/");
// The node of the card at a PCI address in the long form; -1 if it is at none.
int node_of_card(const std::string& pci, const std::filesystem::path& root = "/");

// Those cores first that are on a node of the configuration's network cards, otherwise in the order
// in which they are given: what a worker takes from a card of another socket costs more.
std::vector<uint32_t> cores_by_preference(const SystemConfig& config, std::vector<uint32_t> cores,
                                          const std::filesystem::path& root = "/");

}  // namespace headroom
