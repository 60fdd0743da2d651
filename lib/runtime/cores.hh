// Which cores workers get where the configuration names none.
//
//   const std::vector<uint32_t> cores = cores_by_preference(config, usable_cores());
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "headroom/runtime/system_config.hh"

namespace headroom {

// Those cores first that are on a NUMA node of the configuration's network cards, otherwise in the
// order in which they are given: what a worker takes from a card of another socket costs more.
std::vector<uint32_t> cores_by_preference(const SystemConfig& config, std::vector<uint32_t> cores,
                                          const std::filesystem::path& root = "/");

}  // namespace headroom
