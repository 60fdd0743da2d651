#include "headroom/runtime/cores.hh"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <system_error>

#include "headroom/runtime/machine_facts.hh"

namespace headroom {
namespace {

std::string first_line(const std::filesystem::path& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

}  // namespace

std::map<uint32_t, int> nodes_of_cores(const std::filesystem::path& root) {
  std::map<uint32_t, int> nodes;
  std::error_code none;
  for (const auto& entry :
       std::filesystem::directory_iterator(root / "sys/devices/system/node", none)) {
    const std::string name = entry.path().filename().string();
    int node = 0;
    const auto [end, error] = std::from_chars(name.data() + std::min<std::size_t>(4, name.size()),
                                              name.data() + name.size(), node);
    if (!name.starts_with("node") || error != std::errc() || end != name.data() + name.size())
      continue;
    for (const uint32_t core : parse_core_list(first_line(entry.path() / "cpulist")))
      nodes[core] = node;
  }
  return nodes;
}

int node_of_card(const std::string& pci, const std::filesystem::path& root) {
  const std::string text = first_line(root / "sys/bus/pci/devices" / pci / "numa_node");
  int node = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), node);
  return error == std::errc() && end == text.data() + text.size() ? node : -1;
}

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
