// On which machine: what system.yaml says.
//
// A router configuration says what happens to packets; system.yaml says on which ports, cores and
// memory. Reading it needs neither DPDK nor root, and reports all mistakes of the file at once. Use
// it before the EAL starts; what the machine itself refuses (no such interface, no free page) is
// found later, and reported at `Port::where`.
//
//   auto file = diagnostics.sources().add("system.yaml", text);
//   SystemConfig config = read_system_config(file, diagnostics);
//   apply_override(config, "workers.io_batch_size=32", diagnostics);  // --set
//   check_system_config(config, diagnostics);
//   if (!diagnostics.ok()) ...
//
// Every key is declared once, in the table of system_schema.cc: checks, suggestions and the text of
// system_schema_text() come from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/base/diagnostics.hh"

namespace headroom {

// The member initialisers are the defaults of the keys of the same names.
struct SystemConfig {
  enum class Hugepages : uint8_t { automatic, on, off };
  enum class Idle : uint8_t { poll, sleep, adaptive };
  enum class Shape : uint8_t { run_to_completion, pipeline };
  // How a Linux interface is attached: see Interface in interface.hh.
  enum class Attach : uint8_t { automatic, af_xdp, pcap, af_packet };

  struct Eal {
    Hugepages hugepages = Hugepages::automatic;
    uint32_t memory_mb = 0;              // 0: derived from the pools
    std::vector<std::string> arguments;  // given to the EAL as they are, after ours
  };

  // What a port generates by itself: see Generator in generator.hh.
  struct Traffic {
    enum class Kind : uint8_t { ipv4, ipv6, mixed, pcap };

    bool given = false;
    uint32_t number = 0;  // of the port in the file
    Kind kind = Kind::ipv4;
    std::string file = {};  // of kind pcap
    uint32_t size = 64;     // with the FCS
    bool imix = false;
    uint32_t flows = 4096;
    std::vector<std::string> destinations = {};  // prefixes; empty: all addresses
    std::string to = {};                         // an Ethernet address; empty: the port's own
    uint32_t rate = 0;                           // packets a second; 0: as fast as possible
    uint32_t seed = 1;
    bool fill = false;
    bool latency = false;
  };

  struct Port {
    std::string name = {};
    std::string vdev = {};                  // exactly one of these four, or traffic
    std::vector<std::string> members = {};  // virtual devices that are one port
    std::string pci = {};                   // in the long form, "0000:03:00.0"
    std::string interface = {};             // of Linux
    Traffic traffic = {};                   // then `vdev` is the device that carries it
    Attach attach = Attach::automatic;
    uint32_t rx_queues = 0;                  // 0: one for each worker that receives
    std::vector<uint32_t> workers = {};      // that receive; empty: all
    std::vector<std::string> rss = {};       // what flows are told apart by; empty: ip, tcp and udp
    bool rss_symmetric = true;               // whether both directions of a flow are one
    std::vector<std::string> offloads = {};  // empty: those that are needed
    uint32_t rx_descriptors = 1024;
    uint32_t tx_descriptors = 1024;
    uint32_t mtu = 0;  // 0: 1500, or what a Linux interface has
    bool promiscuous = true;
    bool required = true;
    SourceLocation where = {};  // of its name in the file
  };

  struct Workers {
    uint32_t count = 1;           // the size of `cores`, when that is not empty
    std::vector<uint32_t> cores;  // empty: the first `count` that this process may use
    bool pinned = true;           // each to its core; else the system moves them among all
    Shape shape = Shape::run_to_completion;
    SourceLocation shape_where = {};  // where it was set
    uint32_t io = 1;  // of a pipeline: the first workers, which receive and transmit
    uint32_t io_batch_size = 64;
    uint32_t comp_batch_size = 64;  // that workers take from each other
    Idle idle = Idle::adaptive;
    uint32_t watchdog_ms = 2000;  // 0: none
    bool fuse = true;
  };

  struct Pools {
    uint32_t packets = 0;  // 0: derived from ports and workers
    uint32_t cache = 256;
    uint32_t data_room = 2048;
  };

  struct Compat {
    std::string nba_routes = {};  // a file; empty: none
  };

  Eal eal;
  std::vector<Port> ports;  // in the order of the file
  Workers workers;
  Pools pools;
  Compat compat;

  // By its name, or else by its number in the file, counted from 0.
  const Port* find_port(std::string_view name) const;
};

// The machine when there is no system.yaml: no port, one worker, hugepages if some are free.
SystemConfig default_system_config();

// Reads the source `file` (an index from diagnostics.sources().add). What was right is in the
// result even when something else was wrong.
SystemConfig read_system_config(uint32_t file, Diagnostics& diagnostics);

// Sets one key to a YAML value: "KEY=VALUE", as --set takes it. `ports.x.vdev=...` and
// `ports.x.pci=...` make the port when there is none of that name.
void apply_override(SystemConfig& config, std::string_view assignment, Diagnostics& diagnostics);

// Whether the settings go together, once all of them are made.
bool check_system_config(const SystemConfig& config, Diagnostics& diagnostics);

// The reference of all keys, for `--help system` and the manual.
std::string system_schema_text();

}  // namespace headroom
