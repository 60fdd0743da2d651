#include "headroom/runtime/cores.hh"

#include <algorithm>
#include <map>
#include <set>

#include "headroom/runtime/machine_facts.hh"

namespace headroom {

std::vector<uint32_t> cores_by_preference(const SystemConfig& config, std::vector<uint32_t> cores,
                                          const std::filesystem::path& root) {
  std::set<int> near;
  for (const auto& port : config.ports)
    if (!port.pci.empty()) near.insert(node_of_card(port.pci, root));
  near.erase(-1);
  if (near.empty()) return cores;
  const std::map<uint32_t, int> nodes = nodes_of_cores(root);
  std::ranges::stable_partition(cores, [&](uint32_t core) {
    const auto found = nodes.find(core);
    return found != nodes.end() && near.contains(found->second);
  });
  return cores;
}

}  // namespace headroom
