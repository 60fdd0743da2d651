// What Linux says of this machine: its cores, memory, rights, network cards and interfaces.
//
// Everything is read from /proc and /sys, and nothing is changed. Use it to tell a person what a
// configuration will meet before EAL is started; see `headroom doctor`.
//
//   const MachineFacts facts = gather_facts();
//   const PciFacts* card = facts.find_pci("0000:03:00.0");
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

struct PciFacts {
  std::string address;
  uint32_t vendor = 0;
  uint32_t device = 0;
  std::string driver;                   // of the kernel, or empty
  int numa_node = -1;                   // -1: not known
  std::string iommu_group;              // "12", or empty
  bool without_iommu = false;           // its group is one of vfio's unsafe mode
  std::vector<std::string> interfaces;  // of Linux
  std::string node;                     // "/dev/vfio/12" or "/dev/uio0", or empty

  bool bound_to_vfio() const { return driver == "vfio-pci"; }
  bool bound_to_uio() const { return driver == "uio_pci_generic" || driver == "igb_uio"; }
};

struct InterfaceFacts {
  std::string name;
  uint32_t mtu = 0;
  std::string master;  // the bridge or bond that it belongs to
  bool has_address = false;
  bool has_default_route = false;

  bool in_use() const { return has_address || has_default_route || !master.empty(); }
};

struct HugepageFacts {
  int node = -1;  // -1: of a machine without NUMA
  uint64_t total = 0;
  uint64_t free = 0;
};

struct MachineFacts {
  std::filesystem::path root;

  std::set<std::string, std::less<>> cpu_flags;
  std::vector<uint32_t> cores;  // that this process may run on
  std::set<uint32_t> isolated;
  std::set<uint32_t> without_tick;  // nohz_full
  std::map<uint32_t, std::string> governors;

  std::vector<HugepageFacts> hugepages;  // of 2 MB, for each NUMA node
  bool hugetlbfs = false;                // mounted
  uint64_t available = 0;                // bytes of ordinary memory
  std::optional<uint64_t> memory_lock;   // bytes that may be locked; nothing: as much as it likes

  bool superuser = false;
  uint64_t capabilities = 0;
  bool iommu = false;           // the kernel uses one
  bool vfio_pci = false;        // the driver is loaded
  bool unsafe_noiommu = false;  // vfio's mode without one

  std::vector<PciFacts> cards;
  std::vector<InterfaceFacts> interfaces;
  std::map<std::string, std::string, std::less<>> users;  // "/dev/vfio/12" -> "testpmd (1234)"

  bool has_capability(unsigned number) const { return (capabilities >> number & 1) != 0; }
  uint64_t free_hugepages() const;
  const PciFacts* find_pci(std::string_view address) const;
  const InterfaceFacts* find_interface(std::string_view name) const;
  // The interfaces of a card that the system uses, and for what: "eth0 (default route)".
  std::string uses_of(const PciFacts& card) const;
  // Whether this process may open a device node for reading and writing.
  bool may_open(const std::string& node) const;
};

// Of the running system, or of a picture of one: a directory that has `proc`, `sys` and `dev`.
MachineFacts gather_facts(const std::filesystem::path& root = "/");

// "0-3,8" -> 0, 1, 2, 3, 8.
std::set<uint32_t> parse_core_list(std::string_view text);

// The NUMA node of each core; empty where the system tells of none.
std::map<uint32_t, int> nodes_of_cores(const std::filesystem::path& root = "/");
// That of the card at a PCI address in the long form; -1 if it is at none.
int node_of_card(const std::string& pci, const std::filesystem::path& root = "/");

}  // namespace headroom
