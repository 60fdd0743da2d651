// Receiving from a port; the elements that do so differ in how they name it.
#pragma once

#include <rte_prefetch.h>

#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"
#include "headroom/runtime/machine.hh"
#include "port_handlers.hh"

namespace headroom {

class FromPort : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "FromPort",
      .ports = "0/1",
      .processing = "h/h",
      .doc =
          "Receives packets from a port of the system configuration. Every worker receives from "
          "a queue of its own where the port has RSS; else one receives, and distributes the "
          "packets by flow.",
      .phase = Phase::devices};

  Arg<std::string> port{*this,
                        "PORT",
                        {.doc = "The port's name, or its number in the system file.",
                         .positional = true,
                         .mandatory = true}};
  Arg<uint32_t> burst{*this,
                      "BURST",
                      0,
                      {.doc = "Packets at a time; 0 is workers.io_batch_size.", .unit = "packets"}};
  Count count{*this, "count", "Packets received."};
  ReadHandler encap{*this, "encap", "What packets begin with, for ToDump.",
                    [] { return std::string("ETHER"); }};
  Task task{*this};

  bool configure(SetupContext& context) override {
    if (*burst > PacketBatch::kCapacity)
      return context.error("BURST: out of range, bound " + std::to_string(PacketBatch::kCapacity));
    if (context.machine == nullptr) return context.error("needs a machine with ports");
    machine_ = context.machine;
    for (const auto& other : router().elements())
      if (auto* twin = dynamic_cast<FromPort*>(other.get());
          twin != nullptr && twin != this && twin->index() < index() &&
          same_port(*context.machine, *twin->port, *port))
        return context.error(
            "PORT: '" + twin->label() + "' receives from port '" + *port + "' already",
            "a Tee or a Classifier behind one FromPort shares its packets out");
    return claim(context);
  }

  Residence residence() const override { return machine_->receiving(*port); }
  bool receives_from(std::string_view name) const override {
    return same_port(*machine_, *port, name);
  }

  bool initialize(SetupContext& context) override {
    device_ = context.machine->device(*port);
    // A share of the queues, or all when no other worker receives.
    const bool alone = residence().kind != Residence::Kind::everywhere ||
                       router().pin(index()).has_value() || worker().workers == 1;
    if (alone)
      for (uint32_t queue = 0; queue < device_->rx_queues(); ++queue) queues_.push_back(queue);
    else
      queues_ = machine_->queues_of(*port, worker().worker);
    limit_ = *burst != 0 ? *burst : worker().batch_size;
    if (!queues_.empty()) task.schedule();
    return true;
  }

  bool run_task(Task&) override {
    bool worked = false;
    for (const uint32_t queue : queues_) worked |= receive(queue);
    return worked;
  }

 protected:
  virtual bool claim(SetupContext& context) { return context.machine->claim_port(*port, context); }

 private:
  static bool same_port(const Machine& machine, std::string_view a, std::string_view b) {
    const SystemConfig::Port* const known = machine.config().find_port(a);
    return a == b || (known != nullptr && known == machine.config().find_port(b));
  }

  bool receive(uint32_t queue) {
    PacketBatch batch;
    const uint32_t received = device_->receive(queue, batch.mbufs(), limit_);
    if (received == 0) return false;
    batch.set_size(received);
    for (uint32_t i = 0; i < received; ++i) {
      Packet& packet = batch[i];
      rte_prefetch0(packet.data());
      // Drivers leave the slice as the packet before left it.
      packet.clear_annotations();
      packet.fence();
    }
    count.add(received);
    count_created(received);
    output(0).push(batch);
    return true;
  }

  Machine* machine_ = nullptr;
  Device* device_ = nullptr;
  std::vector<uint32_t> queues_;
  PortHandlers handlers_of_port_{*this, device_};
  uint32_t limit_ = 0;
};

}  // namespace headroom
