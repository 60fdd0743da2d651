#include "headroom/runtime/machine.hh"

#include <rte_launch.h>
#include <rte_lcore.h>

#include <algorithm>
#include <numeric>

#include "headroom/base/suggest.hh"
#include "headroom/base/text.hh"
#include "headroom/runtime/interface.hh"
#include "headroom/runtime/tsc_clock.hh"

namespace headroom {

Machine::Machine(SystemConfig config, Clock* simulated)
    : config_(std::move(config)), clock_(simulated), rcu_(RTE_MAX_LCORE) {}

Machine::~Machine() { stop(); }

bool Machine::claim_port(std::string_view name, const SetupContext& context) {
  if (config_.find_port(name) == nullptr) {
    std::vector<std::string_view> names;
    for (const SystemConfig::Port& port : config_.ports) names.push_back(port.name);
    std::string hint = did_you_mean(name, names);
    if (hint.empty() && names.empty())
      hint = "no ports are described; name them in a file given with --system";
    if (hint.empty()) {
      hint = "ports are";
      for (const std::string_view one : names) hint += " " + std::string(one);
    }
    return context.error("PORT: no port '" + std::string(name) + "'", std::move(hint));
  }
  const std::string& known = config_.find_port(name)->name;
  if (std::find(claimed_.begin(), claimed_.end(), known) == claimed_.end())
    claimed_.push_back(known);
  return true;
}

bool Machine::claim_interface(std::string_view name, const SetupContext& context) {
  if (config_.find_port(name) == nullptr)
    config_.ports.push_back({.name = std::string(name),
                             .interface = std::string(name),
                             .where = context.element.where()});
  return claim_port(name, context);
}

std::optional<click::NamedAddresses> Machine::addresses_of(const std::string& name) {
  const SystemConfig::Port* const port = config_.find_port(name);
  if (port == nullptr) return click::system_device(name);
  if (!port->interface.empty()) return click::system_device(port->interface);
  click::NamedAddresses found;
  const Device* const open = device(name);
  found.ether = open != nullptr ? open->address() : EtherAddress{};
  guessed_addresses_ |= open == nullptr;
  return found;
}

bool Machine::attach_interface(SystemConfig::Port& port, Diagnostics& diagnostics) {
  Interface interface;
  if (!interface.find(port.interface)) {
    diagnostics.error(port.where, "there is no interface '" + port.interface + "'",
                      interfaces_hint(port.interface));
    return false;
  }
  using Attach = SystemConfig::Attach;
  const bool short_enough = interface.fits_af_xdp(config_.pools.data_room);
  if (port.attach == Attach::automatic && !short_enough)
    diagnostics.warning(port.where,
                        "interface '" + port.interface + "' has an MTU of " +
                            grouped(interface.mtu()) +
                            ", so it is attached by libpcap, which is slower than AF_XDP",
                        "AF_XDP takes frames that are 256 bytes shorter than pools.data_room, "
                        "which it lets be up to 3,800");
  if (port.attach == Attach::af_packet)
    diagnostics.warning(port.where, "interface '" + port.interface +
                                        "' is attached by af_packet: fragments arrive glued "
                                        "together, and frames longer than 2,048 bytes cut");
  const std::vector<std::string> devices = interface.devices(port.attach, config_.pools.data_room);
  if (devices.size() == 1)
    port.vdev = devices.front();
  else
    port.members = devices;
  return true;
}

bool Machine::check_devices(Diagnostics& diagnostics) {
  bool ok = true;
  for (SystemConfig::Port& port : config_.ports) {
    if (std::ranges::find(claimed_, port.name) == claimed_.end()) continue;
    Diagnostics reasons;
    Diagnostics& reporter = port.required ? diagnostics : reasons;
    const bool there = (port.interface.empty() || attach_interface(port, reporter)) &&
                       Device::check(port, config_.pools.data_room, reporter);
    ok &= there || without(port, reasons, diagnostics);
  }
  return ok;
}

bool Machine::without(const SystemConfig::Port& port, const Diagnostics& reasons,
                      Diagnostics& diagnostics) {
  if (port.required) return false;
  const std::string reason = reasons.all().empty() ? "" : ": " + reasons.all().front().message;
  diagnostics.warning(port.where, "port '" + port.name + "' stays down" + reason);
  absent_.push_back(port.name);
  return true;
}

Device* Machine::device(std::string_view name) const {
  const SystemConfig::Port* const port = config_.find_port(name);
  for (const auto& device : devices_)
    if (port != nullptr && device->name() == port->name) return device.get();
  return nullptr;
}

WorkerRoles Machine::roles() const {
  const bool pipeline = config_.workers.shape == SystemConfig::Shape::pipeline;
  return {.workers = config_.workers.count, .io = pipeline ? config_.workers.io : 0};
}

uint32_t Machine::number_of(std::string_view port) const {
  const Device* const found = device(port);
  const auto at =
      std::ranges::find_if(devices_, [&](const auto& one) { return one.get() == found; });
  return static_cast<uint32_t>(at - devices_.begin());
}

std::vector<uint32_t> Machine::receivers(const SystemConfig::Port& port) const {
  if (!port.workers.empty()) return port.workers;
  std::vector<uint32_t> all(config_.workers.count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<uint32_t> Machine::queues_of(std::string_view port, uint32_t worker) const {
  const Device& found = *device(port);
  const std::vector<uint32_t> workers = receivers(found.config());
  std::vector<uint32_t> queues;
  for (uint32_t queue = 0; queue < found.rx_queues(); ++queue)
    if (workers[queue % workers.size()] == worker) queues.push_back(queue);
  return queues;
}

Residence Machine::receiving(std::string_view port) const {
  const Device* const found = device(port);
  const std::vector<uint32_t> workers = receivers(found->config());
  const bool all = found->rx_queues() >= workers.size() && roles().io == 0;
  return {all ? Residence::Kind::everywhere : Residence::Kind::port,
          found->config().workers.empty() ? number_of(port) : workers.front()};
}

Residence Machine::transmitting(std::string_view port) const {
  const Device* const found = device(port);
  const bool all = found->tx_queues() >= config_.workers.count && roles().io == 0;
  return {all ? Residence::Kind::everywhere : Residence::Kind::port, number_of(port)};
}

uint32_t Machine::rx_queues_for(const Router& router, const std::string& port) const {
  if (roles().io != 0) return 1;
  for (const auto& element : router.elements())
    if (element->receives_from(port) && router.pin(element->index())) return 1;
  const SystemConfig::Port& config = *config_.find_port(port);
  return config.rx_queues != 0 ? config.rx_queues : static_cast<uint32_t>(receivers(config).size());
}

PoolPlan Machine::plan_pool(const Router* router, const std::vector<std::string>& ports,
                            uint32_t workers) const {
  PoolPlan plan;
  auto times = [](uint64_t count, const std::string& one, uint64_t each, const std::string& what) {
    return grouped(count) + " " + one + (count == 1 ? "" : "s") + " x " + grouped(each) + " " +
           what;
  };
  for (const std::string& name : ports) {
    const SystemConfig::Port& port = *config_.find_port(name);
    const std::string prefix = "port '" + name + "': ";
    const uint64_t queues = port.rx_queues != 0 ? port.rx_queues : workers;
    plan.add(prefix + times(queues, "queue", port.rx_descriptors, "receive descriptors"),
             queues * port.rx_descriptors);
    plan.add(prefix + times(workers, "queue", port.tx_descriptors, "transmit descriptors"),
             uint64_t{workers} * port.tx_descriptors);
    if (const uint64_t kept = Device::packets_of_driver(port); kept != 0)
      plan.add(prefix + "the packets of its capture file", kept);
  }
  // A core's cache holds up to one and a half times its size.
  plan.add(times(workers, "worker", config_.pools.cache + config_.pools.cache / 2,
                 "packets in its cache"),
           uint64_t{workers} * (config_.pools.cache + config_.pools.cache / 2));
  plan.add(times(workers, "worker", 4 * PacketBatch::kCapacity, "packets in batches"),
           uint64_t{workers} * 4 * PacketBatch::kCapacity);
  // A ring in and one out; when more are full at once, packets that come find none.
  if (workers > 1)
    plan.add(times(workers, "worker", 2 * Inlet::kSize, "packets on their way to others"),
             uint64_t{workers} * 2 * Inlet::kSize);
  if (router == nullptr) return plan;
  for (const auto& element : router->elements())
    if (const uint64_t most = element->holds_at_most(); most != 0)
      plan.add("'" + element->label() + "' holds up to " + grouped(most), most * workers);
  return plan;
}

// Without the end of the last line, which a message does not have.
static std::string terms_of(const PoolPlan& plan) {
  std::string text = plan.arithmetic();
  text.pop_back();
  return text;
}

bool Machine::start(const Router& router, Diagnostics& diagnostics) {
  const uint32_t workers = config_.workers.count;
  if (!check_devices(diagnostics)) return false;

  const PoolPlan plan = plan_pool(&router, claimed_, workers);
  const uint64_t packets = config_.pools.packets != 0 ? config_.pools.packets : plan.packets();
  if (config_.pools.packets != 0 && packets < plan.needed()) {
    diagnostics.error({},
                      "pools.packets is " + grouped(packets) + ", but this configuration needs " +
                          grouped(plan.needed()) + " packets:\n" + terms_of(plan),
                      "raise pools.packets or leave it out, or lower the terms");
    return false;
  }
  const uint64_t bytes = packets * Pool::bytes_per_packet(config_.pools.data_room);
  EalPlan eal_plan;
  std::string error;
  std::string hint;
  if (!plan_eal(config_, bytes, workers, eal_plan, error, hint)) {
    diagnostics.error({},
                      error + "\nfor " + grouped(packets) + " packets of " +
                          grouped(Pool::bytes_per_packet(config_.pools.data_room)) + " bytes:\n" +
                          terms_of(plan),
                      hint);
    return false;
  }
  if (!eal_.start(eal_plan, error)) {
    diagnostics.error({}, error);
    return false;
  }
  if (clock_ == nullptr) {
    own_clock_ = std::make_unique<TscClock>();
    clock_ = own_clock_.get();
  }

  return make_pools(eal_plan, packets, plan, diagnostics) && open_devices(router, diagnostics);
}

bool Machine::make_pools(const EalPlan& plan, uint64_t packets, const PoolPlan& terms,
                         Diagnostics& diagnostics) {
  for (uint32_t worker = 0; worker < config_.workers.count; ++worker) {
    const auto socket = static_cast<int>(rte_lcore_to_socket_id(worker));
    const auto [at, fresh] = pool_of_socket_.emplace(socket, pools_.size());
    if (fresh) {
      std::string error;
      auto pool = Pool::create({.name = "packets-" + std::to_string(socket),
                                .packets = static_cast<uint32_t>(packets),
                                .cache = config_.pools.cache,
                                .data_room = config_.pools.data_room,
                                .socket = plan.hugepages ? socket : SOCKET_ID_ANY},
                               error);
      if (!pool) {
        diagnostics.error({}, error + "\n" + terms_of(terms));
        return false;
      }
      pools_.push_back(std::move(pool));
    }
    pool_of_worker_.push_back(at->second);
    workers_.push_back(std::make_unique<Worker>(worker, *clock_, config_.workers.idle, rcu_));
  }
  return true;
}

// Of the device's own socket if a worker is there: cards write to near memory faster.
Pool& Machine::pool_on(int socket) {
  const auto found = pool_of_socket_.find(socket);
  return *pools_[found == pool_of_socket_.end() ? 0 : found->second];
}

bool Machine::open_devices(const Router& router, Diagnostics& diagnostics) {
  bool ok = true;
  for (const std::string& name : claimed_) {
    const SystemConfig::Port& port = *config_.find_port(name);
    devices_.push_back(std::make_unique<Device>(port));
    if (std::ranges::find(absent_, name) != absent_.end()) continue;
    Diagnostics reasons;
    const bool there = devices_.back()->open(
        rx_queues_for(router, name), config_.workers.count,
        [this](int socket) -> Pool& { return pool_on(socket); },
        port.required ? diagnostics : reasons);
    if (!there) devices_.back()->close();
    ok &= there || without(port, reasons, diagnostics);
  }
  return ok;
}

WorkerContext Machine::context_of(uint32_t worker) {
  return {.scheduler = &workers_[worker]->scheduler(),
          .pool = pools_[pool_of_worker_[worker]].get(),
          .worker = worker,
          .workers = static_cast<uint32_t>(workers_.size()),
          .batch_size = worker < roles().first() || roles().io == 0
                            ? config_.workers.io_batch_size
                            : config_.workers.comp_batch_size,
          .shared = &shared_};
}

void Machine::run() {
  running_ = true;
  if (stop_requested_) request_stop();
  std::vector<std::pair<Machine*, Worker*>> launched;
  for (const auto& worker : workers_) launched.emplace_back(this, worker.get());
  for (uint32_t worker = 1; worker < workers_.size(); ++worker)
    rte_eal_remote_launch(
        [](void* argument) {
          auto& self = *static_cast<std::pair<Machine*, Worker*>*>(argument);
          self.second->run();
          // A router that stops on one worker stops everywhere.
          self.first->request_stop();
          return 0;
        },
        &launched[worker], worker);
  workers_.front()->run();
  request_stop();
  rte_eal_mp_wait_lcore();
  deliver_leftovers();
  running_ = false;
}

// What one worker sent to another when that had stopped already.
void Machine::deliver_leftovers() {
  bool delivered = workers_.size() > 1;
  for (int pass = 0; pass < 64 && delivered; ++pass) {
    delivered = false;
    for (const auto& worker : workers_) {
      delivered |= worker->scheduler().run_inlets();
      delivered |= worker->scheduler().run_inbox();
    }
  }
}

void Machine::request_stop() {
  stop_requested_ = true;
  if (!running_) return;  // workers are still being made
  for (auto& worker : workers_) worker->scheduler().stop();
}

uint64_t Machine::stop() {
  uint64_t never_returned = 0;
  for (auto& device : devices_) {
    device->close();
    never_returned += device->never_returned();
  }
  devices_.clear();
  workers_.clear();
  uint64_t missing = 0;
  for (auto& pool : pools_) missing += pool->in_use();
  pools_.clear();
  return missing - std::min(missing, never_returned);
}

}  // namespace headroom
