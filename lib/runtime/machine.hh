// This machine: ports, pools and workers, as the system configuration describes them.
//
// It exists in two states. Described, it knows names only; elements check theirs against it while
// they are configured, and say what they use. Started, EAL runs, the ports are open and the workers
// ready. It outlives routers, so that one can replace another under traffic.
//
//   Machine machine(config);
//   Replicas replicas = ...build...;             // elements claim ports
//   machine.start(router, clock_choice, diagnostics);
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/base/clock.hh"
#include "headroom/base/diagnostics.hh"
#include "headroom/base/shared.hh"
#include "headroom/graph/rcu.hh"
#include "headroom/graph/router.hh"
#include "headroom/packet/pool.hh"
#include "headroom/runtime/device.hh"
#include "headroom/runtime/eal.hh"
#include "headroom/runtime/system_config.hh"
#include "headroom/runtime/worker.hh"

namespace headroom {

class Machine {
 public:
  // `simulated` is the clock to use instead of the real one, or null.
  explicit Machine(SystemConfig config, Clock* simulated = nullptr);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const SystemConfig& config() const { return config_; }

  // Described: the port of that name, or an error at the element with the nearest name. The port is
  // opened when the machine starts.
  bool claim_port(std::string_view name, const SetupContext& context);
  // Described: the port of that name, or else the Linux interface, which becomes a port.
  bool claim_interface(std::string_view name, const SetupContext& context);
  // Started: the open port.
  Device* device(std::string_view name) const;
  const std::vector<std::unique_ptr<Device>>& devices() const { return devices_; }

  // What a configuration means by the name of a port, or else of a network device of the system, as
  // an address. The Ethernet address of a port that is no Linux interface is known once the machine
  // has started; before, any stands for it, and guessed_addresses() is true from then on.
  std::optional<click::NamedAddresses> addresses_of(const std::string& name);
  bool guessed_addresses() const { return guessed_addresses_; }

  // The names of the ports that elements have claimed.
  const std::vector<std::string>& claimed() const { return claimed_; }
  // What holds packets at the same time, while `workers` workers run `router` (or null: none is
  // known) on ports of these names.
  PoolPlan plan_pool(const Router* router, const std::vector<std::string>& ports,
                     uint32_t workers) const;
  // What each worker is for.
  WorkerRoles roles() const;
  // Started: the receive queues of a port that a worker takes packets from, if all workers do that
  // can.
  std::vector<uint32_t> queues_of(std::string_view port, uint32_t worker) const;
  // Where an element that receives from, or transmits on, a port can be.
  Residence receiving(std::string_view port) const;
  Residence transmitting(std::string_view port) const;
  // Starts EAL, pools, ports and workers for what `router` needs.
  bool start(const Router& router, Diagnostics& diagnostics);
  // Stops and closes the ports; pools must be full again. Returns the packets that did not come
  // home.
  uint64_t stop();

  Clock& clock() { return *clock_; }
  std::vector<std::unique_ptr<Worker>>& workers() { return workers_; }
  WorkerContext context_of(uint32_t worker);
  // Of all workers, whether they run or not.
  GracePeriods& grace_periods() { return rcu_; }

  // Runs all workers until they are stopped: worker 0 on this thread, the others on theirs.
  void run();
  // From a signal handler or any thread, also before run().
  void request_stop();

 private:
  void deliver_leftovers();
  bool make_pools(const EalPlan& plan, uint64_t packets, const PoolPlan& terms,
                  Diagnostics& diagnostics);
  bool open_devices(const Router& router, Diagnostics& diagnostics);
  // Of a port that need not be there: what is wrong with it becomes a warning.
  bool without(const SystemConfig::Port& port, const Diagnostics& reasons,
               Diagnostics& diagnostics);
  Pool& pool_on(int socket);
  // The workers that receive from a port where all do that can.
  std::vector<uint32_t> receivers(const SystemConfig::Port& port) const;
  uint32_t number_of(std::string_view port) const;
  // Gives a port that is a Linux interface its virtual devices.
  bool attach_interface(SystemConfig::Port& port, Diagnostics& diagnostics);
  // Attaches the ports and checks that they are there; those that are not and need not be are in
  // `absent_`.
  bool check_devices(Diagnostics& diagnostics);
  // The receive queues of a port: one, or one for every worker.
  uint32_t rx_queues_for(const Router& router, const std::string& port) const;

  SystemConfig config_;
  std::vector<std::string> claimed_;
  bool guessed_addresses_ = false;
  std::vector<std::string> absent_;  // those of them that stay down
  std::unique_ptr<Clock> own_clock_;
  Clock* clock_ = nullptr;
  Rcu rcu_;
  SharedStore shared_;
  Eal eal_;
  std::vector<std::unique_ptr<Pool>> pools_;  // one for each socket that has a worker
  std::map<int, std::size_t> pool_of_socket_;
  std::vector<std::size_t> pool_of_worker_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<bool> running_{false};
  std::atomic<bool> stop_requested_{false};
};

}  // namespace headroom
