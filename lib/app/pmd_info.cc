#include "pmd_info.hh"

#include <rte_build_config.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

namespace headroom {

namespace fs = std::filesystem;

bool PmdInfo::knows(uint32_t vendor, uint32_t device) const {
  return std::ranges::find(cards, std::pair{vendor, device}) != cards.end();
}

bool PmdInfo::shares_the_card() const {
  return !modules.empty() && modules.find("vfio-pci") == std::string::npos;
}

fs::path pmd_directory() { return RTE_EAL_PMD_PATH; }

std::vector<PmdInfo> read_pmds(const fs::path& directory) {
  constexpr std::string_view kMark = "PMD_INFO_STRING= ";
  std::vector<PmdInfo> found;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with("librte_net_") || !name.ends_with(".so")) continue;
    std::ifstream file(at->path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    for (std::size_t mark = bytes.find(kMark); mark != std::string::npos;
         mark = bytes.find(kMark, mark + 1)) {
      const auto info = nlohmann::json::parse(bytes.c_str() + mark + kMark.size(), nullptr, false);
      if (!info.is_object()) continue;
      PmdInfo pmd;
      pmd.name = info.value("name", "");
      pmd.modules = info.value("kmod", "");
      for (const auto& ids : info.value("pci_ids", nlohmann::json::array()))
        if (ids.is_array() && ids.size() >= 2 && ids[0].is_number() && ids[1].is_number())
          pmd.cards.emplace_back(ids[0].get<uint32_t>(), ids[1].get<uint32_t>());
      found.push_back(std::move(pmd));
    }
  }
  return found;
}

}  // namespace headroom
