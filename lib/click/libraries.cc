#include "headroom/click/libraries.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

namespace headroom::click {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBuiltinPackages[] = {
    "analysis", "app",      "batch", "click",  "dpdk",    "ethernet", "fastclick",
    "headroom", "icmp",     "int64", "ip",     "ip6",     "ipsec",    "local",
    "simple",   "standard", "tcpip", "tcpudp", "threads", "userlevel"};

std::optional<std::string> read_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

bool is_builtin_package(std::string_view name) {
  return std::find(std::begin(kBuiltinPackages), std::end(kBuiltinPackages), name) !=
         std::end(kBuiltinPackages);
}

std::optional<std::string> load_library(const std::string& name, const std::string& including,
                                        const ReadOptions& options, std::string& path) {
  std::vector<std::string> candidates;
  if (fs::path(name).is_absolute()) {
    candidates.push_back(name);
  } else {
    for (const std::string& directory : options.library_directories) {
      candidates.push_back((fs::path(directory) / "conf" / name).string());
      candidates.push_back((fs::path(directory) / name).string());
    }
    candidates.push_back((fs::path(including).parent_path() / name).string());
  }
  for (std::string& candidate : candidates) {
    std::optional<std::string> text = options.load ? options.load(candidate) : read_file(candidate);
    if (text) {
      path = std::move(candidate);
      return text;
    }
  }
  return std::nullopt;
}

std::string places_of_libraries(const ReadOptions& options) {
  std::string hint = "looked for it in ";
  for (const std::string& directory : options.library_directories) {
    hint += directory + "/conf, " + directory + ", ";
  }
  if (!options.library_directories.empty()) {
    hint.replace(hint.size() - 2, 2, " and ");
  }
  return hint + "the directory of this file";
}

std::string library_identity(const std::string& path) {
  std::error_code error;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, error);
  return error ? path : canonical.string();
}

}  // namespace headroom::click
