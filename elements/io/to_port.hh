// Transmitting on a port; the elements that do so differ in how they name it.
#pragma once

#include <rte_pause.h>

#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"
#include "headroom/runtime/machine.hh"
#include "port_handlers.hh"

namespace headroom {

class ToPort : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "ToPort",
      .ports = "1/0",
      .doc =
          "Transmits packets on a port of the system configuration. Every worker transmits on a "
          "queue of its own where the port has as many; else one does it for all. Pulls when its "
          "input is a pull port.",
      .phase = Phase::devices};

  Arg<std::string> port{*this,
                        "PORT",
                        {.doc = "The port's name, or its number in the system file.",
                         .positional = true,
                         .mandatory = true}};
  Arg<uint32_t> burst{
      *this,
      "BURST",
      0,
      {.doc = "Packets pulled at a time; 0 is workers.io_batch_size.", .unit = "packets"}};
  Drop queue_full{*this, "tx-queue-full",
                  "The port's transmit queue had no room, after some tries."};
  Drop port_down{*this, "port-down", "The port is not there, and need not be."};
  Drop in_pieces{
      *this, "in-pieces",
      "It lies in several pieces, which the card does not send, and is too long for one."};
  Count count{*this, "count", "Packets handed to the port."};
  Task task{*this};

  bool configure(SetupContext& context) override {
    if (*burst > PacketBatch::kCapacity)
      return context.error("BURST: out of range, bound " + std::to_string(PacketBatch::kCapacity));
    if (context.machine == nullptr) return context.error("needs a machine with ports");
    machine_ = context.machine;
    return claim(context);
  }

  Residence residence() const override { return machine_->transmitting(*port); }
  bool transmits_on(std::string_view name) const override {
    return machine_->config().find_port(name) == machine_->config().find_port(*port);
  }

  bool initialize(SetupContext& context) override {
    device_ = context.machine->device(*port);
    // A worker that transmits for all does so on the first queue, whatever its number.
    const bool alone = residence().kind == Residence::Kind::port;
    queue_ = alone ? 0 : worker().worker;
    limit_ = *burst != 0 ? *burst : worker().batch_size;
    if (input_kind(0) == PortKind::pull) {
      signal_ = router().signal(*this, 0, Notifier::Kind::nonempty, task);
      task.schedule();
    }
    return true;
  }

  void push(uint32_t, PacketBatch& batch) override {
    if constexpr (kPoison)
      for (uint32_t i = 0; i < batch.size(); ++i) batch[i].unfence();
    if (!device_->is_open()) [[unlikely]]
      return lose(batch);
    if (!device_->sends_pieces()) join(batch);
    const uint32_t size = batch.size();
    uint32_t sent = 0;
    for (int tries = 0; sent < size && tries < kTries; ++tries) {
      if (tries != 0) rte_pause();
      sent += device_->transmit(queue_, batch.mbufs() + sent, size - sent);
    }
    count.add(sent);
    count_absorbed(sent);
    for (uint32_t i = sent; i < size; ++i) queue_full.drop(batch[i]);
    batch.release();
  }

  bool run_task(Task&) override {
    PacketBatch batch;
    input(0).pull(batch, limit_);
    const bool worked = !batch.empty();
    if (worked)
      push(0, batch);
    else if (!signal_.active())
      task.unschedule();
    return worked;
  }

 protected:
  virtual bool claim(SetupContext& context) { return context.machine->claim_port(*port, context); }

 private:
  void lose(PacketBatch& batch) {
    for (uint32_t i = 0; i < batch.size(); ++i) port_down.drop(batch[i]);
    batch.release();
  }

  // Puts packets in several pieces together.
  void join(PacketBatch& batch) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < batch.size(); ++i) {
      Packet& packet = batch[i];
      if (!packet.chained() || packet.pullup(packet.length()))
        batch.set(kept++, packet);
      else
        in_pieces.drop(packet);
    }
    batch.set_size(kept);
  }

  // A queue that is full for a moment has room again while the device works; one that stays full
  // must not hold the worker up.
  static constexpr int kTries = 8;

  Machine* machine_ = nullptr;
  Device* device_ = nullptr;
  uint32_t queue_ = 0;
  PortHandlers handlers_of_port_{*this, device_};
  uint32_t limit_ = 0;
  Signal signal_;
};

}  // namespace headroom
