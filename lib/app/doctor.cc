#include "doctor.hh"

#include <algorithm>
#include <iostream>

#include "doctor_checks.hh"
#include "headroom/graph/registry.hh"
#include "headroom/runtime/eal.hh"
#include "headroom/runtime/machine.hh"
#include "headroom/runtime/replicas.hh"
#include "inputs.hh"

namespace headroom {
namespace {

class Examination {
 public:
  explicit Examination(const Options& options)
      : options_(options),
        inputs_(options),
        facts_(gather_facts(options.root)),
        drivers_(read_pmds(pmd_directory())) {}

  int execute() {
    const SystemConfig& system = inputs_.system();
    Diagnostics& diagnostics = inputs_.diagnostics();
    Machine machine(system);
    Replicas replicas;
    const bool has_router = options_.config_file || options_.config_text;
    if (has_router) {
      const auto graph = inputs_.read_configuration(Registry::instance());
      if (graph && diagnostics.ok()) replicas.build(*graph, machine, diagnostics);
    }
    if (!diagnostics.ok()) {
      inputs_.show_diagnostics();
      return 1;
    }
    const SystemConfig& config = machine.config();
    Demand demand{.config = config, .ports = {}, .workers = config.workers.count};
    for (const SystemConfig::Port& port : config.ports)
      if (!has_router || std::ranges::find(machine.claimed(), port.name) != machine.claimed().end())
        demand.ports.push_back(&port);
    const Router* const router = has_router ? &replicas.first() : nullptr;
    std::vector<std::string> names;
    for (const auto* port : demand.ports) names.push_back(port->name);
    const PoolPlan plan = machine.plan_pool(router, names, demand.workers);
    demand.packets = config.pools.packets != 0 ? config.pools.packets : plan.packets();
    demand.bytes =
        memory_wanted(config, demand.packets * Pool::bytes_per_packet(config.pools.data_room));
    examine(demand, plan);
    inputs_.show_diagnostics();
    std::cout << (options_.json ? as_json(findings_) : as_text(findings_));
    return findings_.count(Finding::Level::error) == 0 ? 0 : 1;
  }

 private:
  void examine(const Demand& demand, const PoolPlan& plan) {
    check_processor(facts_, demand, findings_);
    check_memory(facts_, demand, findings_);
    if (demand.config.pools.packets != 0 && demand.packets < plan.needed())
      findings_.error("pools.packets is " + std::to_string(demand.packets) + ", but " +
                          std::to_string(plan.needed()) + " packets are needed",
                      "a pool that is too small stops receiving",
                      "set pools.packets to 0, or to that at least");
    check_rights(facts_, demand, findings_);
    check_iommu(facts_, demand, findings_);
    check_cards(facts_, drivers_, findings_);
    if (demand.ports.empty()) return;
    findings_.section("Ports");
    for (const SystemConfig::Port* port : demand.ports) {
      check_port(facts_, drivers_, *port, demand, findings_);
      if (!port->vdev.empty() || !port->members.empty())
        check_files(*port, demand.config.pools.data_room);
    }
  }

  // The files and interfaces of a virtual device are checked as a run checks them.
  void check_files(const SystemConfig::Port& port, uint32_t data_room) {
    Diagnostics found;
    if (Device::check(port, data_room, found)) return;
    for (const Diagnostic& one : found.all())
      findings_.error(one.message, "its virtual device needs it", one.hint);
  }

  const Options& options_;
  Inputs inputs_;
  MachineFacts facts_;
  std::vector<PmdInfo> drivers_;
  Findings findings_;
};

}  // namespace

int doctor(const Options& options) { return Examination(options).execute(); }

}  // namespace headroom
