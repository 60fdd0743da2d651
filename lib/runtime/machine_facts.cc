#include "headroom/runtime/machine_facts.hh"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <sstream>

namespace headroom {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHugepages = "hugepages-2048kB";

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  std::string text;
  std::getline(file, text, '\0');
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

uint64_t read_number(const fs::path& path, int base = 10) {
  const std::string text = read_text(path);
  std::string_view digits = text;
  if (base == 16 && digits.starts_with("0x")) digits.remove_prefix(2);
  uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  return number;
}

std::optional<int> whole_number(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

// The names in a directory, sorted; none when there is no such directory.
std::vector<std::string> names_in(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  std::ranges::sort(names);
  return names;
}

// The last part of what a symbolic link points to, or empty.
std::string link_name(const fs::path& link) {
  std::error_code error;
  const fs::path target = fs::read_symlink(link, error);
  return error ? std::string() : target.filename().string();
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

template <class Use>
void each_line(const fs::path& path, Use use) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) use(line);
}

void gather_cores(MachineFacts& facts) {
  const fs::path cpus = facts.root / "sys/devices/system/cpu";
  facts.isolated = parse_core_list(read_text(cpus / "isolated"));
  facts.without_tick = parse_core_list(read_text(cpus / "nohz_full"));
  for (const uint32_t core : facts.cores) {
    const fs::path path = cpus / ("cpu" + std::to_string(core)) / "cpufreq/scaling_governor";
    if (const std::string governor = read_text(path); !governor.empty())
      facts.governors[core] = governor;
  }
  bool found = false;
  each_line(facts.root / "proc/cpuinfo", [&](const std::string& line) {
    if (found || !line.starts_with("flags")) return;
    found = true;
    for (const std::string& flag : words_of(line.substr(std::min(line.find(':') + 1, line.size()))))
      facts.cpu_flags.insert(flag);
  });
}

void gather_memory(MachineFacts& facts) {
  const fs::path nodes = facts.root / "sys/devices/system/node";
  for (const std::string& name : names_in(nodes)) {
    if (!name.starts_with("node") || name.size() == 4 || std::isdigit(name[4]) == 0) continue;
    const fs::path pool = nodes / name / "hugepages" / kHugepages;
    if (is_there(pool))
      facts.hugepages.push_back({std::stoi(name.substr(4)), read_number(pool / "nr_hugepages"),
                                 read_number(pool / "free_hugepages")});
  }
  const fs::path pool = facts.root / "sys/kernel/mm/hugepages" / kHugepages;
  if (facts.hugepages.empty() && is_there(pool))
    facts.hugepages.push_back(
        {-1, read_number(pool / "nr_hugepages"), read_number(pool / "free_hugepages")});
  each_line(facts.root / "proc/meminfo", [&](const std::string& line) {
    const auto words = words_of(line);
    if (words.size() > 1 && words[0] == "MemAvailable:")
      facts.available = std::stoull(words[1]) * 1024;
  });
  each_line(facts.root / "proc/mounts", [&](const std::string& line) {
    const auto words = words_of(line);
    facts.hugetlbfs |= words.size() > 2 && words[2] == "hugetlbfs";
  });
}

void gather_rights(MachineFacts& facts) {
  each_line(facts.root / "proc/self/status", [&](const std::string& line) {
    const auto words = words_of(line);
    if (words.size() < 2) return;
    if (words[0] == "Uid:" && words.size() > 2) facts.superuser = words[2] == "0";
    if (words[0] == "CapEff:") facts.capabilities = std::stoull(words[1], nullptr, 16);
    if (words[0] == "Cpus_allowed_list:")
      for (const uint32_t core : parse_core_list(words[1])) facts.cores.push_back(core);
  });
  each_line(facts.root / "proc/self/limits", [&](const std::string& line) {
    const auto words = words_of(line);
    if (line.starts_with("Max locked memory") && words.size() > 3 && words[3] != "unlimited")
      facts.memory_lock = std::stoull(words[3]);
  });
  // Not by its groups: vfio's unsafe mode makes some too.
  facts.iommu = !names_in(facts.root / "sys/class/iommu").empty();
  facts.vfio_pci = is_there(facts.root / "sys/bus/pci/drivers/vfio-pci");
  facts.unsafe_noiommu =
      read_text(facts.root / "sys/module/vfio/parameters/enable_unsafe_noiommu_mode") == "Y";
}

PciFacts gather_card(const MachineFacts& facts, const std::string& address, const fs::path& path) {
  PciFacts card;
  card.address = address;
  card.vendor = static_cast<uint32_t>(read_number(path / "vendor", 16));
  card.device = static_cast<uint32_t>(read_number(path / "device", 16));
  card.driver = link_name(path / "driver");
  card.numa_node = node_of_card(address, facts.root);
  card.iommu_group = link_name(path / "iommu_group");
  card.interfaces = names_in(path / "net");
  // Interfaces of virtio cards hang one level lower.
  for (const std::string& name : names_in(path))
    if (name.starts_with("virtio"))
      for (std::string& one : names_in(path / name / "net"))
        card.interfaces.push_back(std::move(one));
  if (card.bound_to_vfio() && !card.iommu_group.empty()) {
    const std::string unsafe = "/dev/vfio/noiommu-" + card.iommu_group;
    card.without_iommu = is_there(facts.root / unsafe.substr(1));
    card.node = card.without_iommu ? unsafe : "/dev/vfio/" + card.iommu_group;
  }
  if (const auto uio = names_in(path / "uio"); card.bound_to_uio() && !uio.empty())
    card.node = "/dev/" + uio.front();
  return card;
}

void gather_routes(MachineFacts& facts) {
  const auto interface = [&](const std::string& name) -> InterfaceFacts* {
    const auto found = std::ranges::find(facts.interfaces, name, &InterfaceFacts::name);
    return found == facts.interfaces.end() ? nullptr : &*found;
  };
  const fs::path net = facts.root / "proc/net";
  // A route without a gateway is an address' own network.
  each_line(net / "route", [&](const std::string& line) {
    const auto words = words_of(line);
    InterfaceFacts* const found = words.size() > 7 ? interface(words[0]) : nullptr;
    if (found == nullptr) return;
    const bool everywhere = words[1] == "00000000" && words[7] == "00000000";
    (everywhere ? found->has_default_route : found->has_address) = true;
  });
  each_line(net / "ipv6_route", [&](const std::string& line) {
    const auto words = words_of(line);
    InterfaceFacts* const found = words.size() > 9 ? interface(words[9]) : nullptr;
    if (found != nullptr && words[0] == std::string(32, '0') && words[1] == "00")
      found->has_default_route = true;
  });
  // Every interface that is up has a link-local address (scope 20); it is no use by itself.
  each_line(net / "if_inet6", [&](const std::string& line) {
    const auto words = words_of(line);
    InterfaceFacts* const found = words.size() > 5 ? interface(words[5]) : nullptr;
    if (found != nullptr && words[3] != "20") found->has_address = true;
  });
}

void gather_network(MachineFacts& facts) {
  const fs::path devices = facts.root / "sys/bus/pci/devices";
  for (const std::string& address : names_in(devices)) {
    const fs::path path = devices / address;
    constexpr uint64_t kNetworkClass = 0x02;
    if (read_number(path / "class", 16) >> 16 == kNetworkClass)
      facts.cards.push_back(gather_card(facts, address, path));
  }
  const fs::path interfaces = facts.root / "sys/class/net";
  for (const std::string& name : names_in(interfaces)) {
    const fs::path path = interfaces / name;
    if (!is_there(path / "mtu")) continue;  // bonding_masters is a file
    facts.interfaces.push_back({.name = name,
                                .mtu = static_cast<uint32_t>(read_number(path / "mtu")),
                                .master = link_name(path / "master")});
  }
  gather_routes(facts);
}

// Who has a card open. Other users' processes can be looked into by root only.
void gather_users(MachineFacts& facts) {
  const std::string self = std::to_string(getpid());
  for (const std::string& process : names_in(facts.root / "proc")) {
    if (std::isdigit(static_cast<unsigned char>(process[0])) == 0 || process == self) continue;
    const fs::path path = facts.root / "proc" / process;
    for (const std::string& descriptor : names_in(path / "fd")) {
      std::error_code error;
      const std::string target = fs::read_symlink(path / "fd" / descriptor, error).string();
      if (!error && (target.starts_with("/dev/vfio/") || target.starts_with("/dev/uio")))
        facts.users[target] = read_text(path / "comm") + " (process " + process + ")";
    }
  }
}

}  // namespace

std::set<uint32_t> parse_core_list(std::string_view text) {
  std::set<uint32_t> cores;
  constexpr uint32_t kMost = 8192;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const char* const end = part.data() + part.size();
    uint32_t first = 0;
    const auto parsed = std::from_chars(part.data(), end, first);
    if (parsed.ec != std::errc{}) continue;  // "(null)" is what kernels write for none
    uint32_t last = first;
    if (parsed.ptr != end && *parsed.ptr == '-') std::from_chars(parsed.ptr + 1, end, last);
    for (uint32_t core = first; core <= std::min(last, kMost); ++core) cores.insert(core);
  }
  return cores;
}

uint64_t MachineFacts::free_hugepages() const {
  uint64_t pages = 0;
  for (const HugepageFacts& one : hugepages) pages += one.free;
  return pages;
}

const PciFacts* MachineFacts::find_pci(std::string_view address) const {
  const auto found = std::ranges::find(cards, address, &PciFacts::address);
  return found == cards.end() ? nullptr : &*found;
}

const InterfaceFacts* MachineFacts::find_interface(std::string_view name) const {
  const auto found = std::ranges::find(interfaces, name, &InterfaceFacts::name);
  return found == interfaces.end() ? nullptr : &*found;
}

std::string MachineFacts::uses_of(const PciFacts& card) const {
  std::string text;
  for (const std::string& name : card.interfaces) {
    const InterfaceFacts* const interface = find_interface(name);
    if (interface == nullptr || !interface->in_use()) continue;
    std::string use = interface->has_default_route ? "default route" : "";
    if (interface->has_address) use += std::string(use.empty() ? "" : ", ") + "addresses";
    if (!interface->master.empty())
      use += std::string(use.empty() ? "" : ", ") + "part of " + interface->master;
    text += (text.empty() ? "" : "; ") + name + " (" + use + ")";
  }
  return text;
}

bool MachineFacts::may_open(const std::string& node) const {
  return access((root / node.substr(1)).c_str(), R_OK | W_OK) == 0;
}

MachineFacts gather_facts(const fs::path& root) {
  MachineFacts facts;
  facts.root = root;
  gather_rights(facts);
  gather_cores(facts);
  gather_memory(facts);
  gather_network(facts);
  gather_users(facts);
  return facts;
}

std::map<uint32_t, int> nodes_of_cores(const fs::path& root) {
  std::map<uint32_t, int> nodes;
  const fs::path directory = root / "sys/devices/system/node";
  for (const std::string& name : names_in(directory)) {
    const auto node = name.starts_with("node") ? whole_number(name.substr(4)) : std::nullopt;
    if (!node) continue;
    for (const uint32_t core : parse_core_list(read_text(directory / name / "cpulist")))
      nodes[core] = *node;
  }
  return nodes;
}

int node_of_card(const std::string& pci, const fs::path& root) {
  return whole_number(read_text(root / "sys/bus/pci/devices" / pci / "numa_node")).value_or(-1);
}

}  // namespace headroom
