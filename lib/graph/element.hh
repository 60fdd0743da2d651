// An element: a node of the router's graph.
//
// An author derives from one of three shapes, declares everything as members (arguments, drops,
// counters, handlers, tasks), and registers the class with HEADROOM_ELEMENT. The shapes supply the
// loops over a batch:
//
//   PacketElement<T>  Verdict process(Packet&)          one packet at a time (packet_element.hh)
//   BatchElement<T>   void process(PacketBatch&, ...)   the batch as a whole (batch_element.hh)
//   Element           push, pull, run_task, run_timer   sources, queues, devices (this header)
//
// docs/writing-elements.md has a complete example.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/base/diagnostics.hh"
#include "headroom/graph/arg.hh"
#include "headroom/graph/cell.hh"
#include "headroom/graph/drop.hh"
#include "headroom/graph/handler.hh"
#include "headroom/graph/notifier.hh"
#include "headroom/graph/placement.hh"
#include "headroom/graph/scheduler.hh"
#include "headroom/graph/spec.hh"
#include "headroom/graph/task.hh"
#include "headroom/graph/verdict.hh"
#include "headroom/packet/packet_batch.hh"
#include "headroom/packet/pool.hh"

namespace headroom {

class Element;
class Machine;
class Router;
class SharedStore;
struct Siblings;

// What an element may use while it is set up.
struct SetupContext {
  Router& router;
  Diagnostics& diagnostics;
  Element& element;
  // The ports and workers of this machine; null where a graph runs without (tests of single
  // elements).
  Machine* machine = nullptr;
  // What the element has in common with its replicas, already while they are configured; null where
  // there can be none.
  Siblings* siblings = nullptr;

  // Reports a mistake of the element's configuration; returns false.
  bool error(std::string message, std::string hint = {}) const;
  void warning(std::string message, std::string hint = {}) const;
  // The same about the value of an argument, or about one of the values of a list: the full form of
  // messages points at it.
  bool error(const ArgBase& arg, std::string message, std::string hint = {}) const;
  bool error(const ArgBase& arg, std::size_t item, std::string message,
             std::string hint = {}) const;
  void warning(const ArgBase& arg, std::size_t item, std::string message,
               std::string hint = {}) const;

 private:
  SourceLocation where(const ArgBase& arg, std::size_t item) const;
  void report(Severity severity, SourceLocation where, std::string message, std::string hint) const;
};

// The worker that a router's graph runs on.
struct WorkerContext {
  Scheduler* scheduler = nullptr;
  Pool* pool = nullptr;
  uint32_t worker = 0;  // index of the worker, and of its queues
  uint32_t workers = 1;
  uint32_t batch_size = 64;  // packets that a device takes at a time
  // State that the element has in common with its replicas; null where there can be none.
  SharedStore* shared = nullptr;
};

class OutputPort {
 public:
  // Hands the batch to the element behind the port; it comes back empty.
  [[gnu::always_inline]] void push(PacketBatch& batch) {
    if (batch.empty()) return;
    packets_.add(batch.size());
    batches_.add(1);
    deliver(*target_, target_port_, batch);
  }
  void push(Packet& packet) {
    PacketBatch batch;
    batch.push_back(packet);
    push(batch);
  }
  bool connected() const { return connected_; }
  uint64_t packets() const { return packets_.get(); }
  uint64_t batches() const { return batches_.get(); }

 private:
  friend class Router;
  friend class UnconnectedOutput;
  friend class FusionBase;
  friend class HandOff;
  friend class Inlet;
  friend class Scheduler;
  // Calls the element; packets that it leaves in the batch are counted as leaked by it.
  static void deliver(Element& target, uint32_t port, PacketBatch& batch);

  Element* target_ = nullptr;  // never null once the router is built
  uint32_t target_port_ = 0;
  bool connected_ = false;
  Cell packets_;
  Cell batches_;
};

class InputPort {
 public:
  // Fills an empty batch with at most `limit` packets from the element before the port. Nothing
  // comes from a port that is not connected.
  void pull(PacketBatch& batch, uint32_t limit);
  bool connected() const { return connected_; }
  uint64_t packets() const { return packets_.get(); }

 private:
  friend class Router;
  Element* source_ = nullptr;  // of pull inputs
  bool connected_ = false;
  uint32_t source_port_ = 0;
  Cell packets_;
};

enum class PortKind : uint8_t { push, pull };

class Element {
 public:
  Element();
  virtual ~Element();
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;

  // --- what an author overrides
  // --------------------------------------------------------------------- After the arguments were
  // read, before EAL and devices exist. Report through `context`.
  virtual bool configure(SetupContext& context);
  // The worker, its pool and its devices exist; tasks may be scheduled.
  virtual bool initialize(SetupContext& context);
  // Arguments declared as `live` were given new values while the router runs. Returns false, with
  // what is wrong in `error`, to have the old values back.
  virtual bool reconfigure(std::string& error);
  // Takes what is worth keeping (packets, tables, counts) from the element of the same name and
  // class in the router that this one replaces.
  virtual void take_state(Element& old);

  // Takes all packets of the batch. The default loses them, which is reported.
  virtual void push(uint32_t port, PacketBatch& batch);
  // Fills the empty batch with at most `limit` packets.
  virtual void pull(uint32_t port, PacketBatch& batch, uint32_t limit);
  // Returns whether there was work.
  virtual bool run_task(Task& task);
  virtual void run_timer(Timer& timer);
  // The most packets that it can keep at a time, for the size of the pool.
  virtual uint64_t holds_at_most() const { return 0; }
  // Packets that the element keeps at this moment, for the ledger.
  virtual uint64_t held() const { return 0; }
  // A handler that is not declared: for elements that have any that they are asked for.
  virtual std::optional<Handler> make_handler(std::string_view /*name*/) { return std::nullopt; }
  // Where it can be, once it is configured and the ports are open.
  virtual Residence residence() const {
    return {spec().once ? Residence::Kind::once : Residence::Kind::everywhere};
  }
  // Whether it takes packets in from the port of that name.
  virtual bool receives_from(std::string_view /*port*/) const { return false; }
  // Whether it sends packets out by it.
  virtual bool transmits_on(std::string_view /*port*/) const { return false; }
  virtual Notifier* notifier(Notifier::Kind /*kind*/, uint32_t /*port*/) { return nullptr; }

  // --- what it is
  // -----------------------------------------------------------------------------------
  const ElementSpec& spec() const { return *spec_; }
  const std::string& name() const { return name_; }
  const std::string& config() const { return config_; }
  SourceLocation where() const { return where_; }
  // What addresses, ports and annotations may be called in its configuration.
  click::NameScope names() const;
  // "name :: Class", as messages show it.
  std::string label() const;
  uint32_t index() const { return index_; }
  Router& router() const { return *router_; }

  uint32_t ninputs() const { return ninputs_; }
  uint32_t noutputs() const { return noutputs_; }
  OutputPort& output(uint32_t port) { return outputs_[port]; }
  const OutputPort& output(uint32_t port) const { return outputs_[port]; }
  InputPort& input(uint32_t port) { return inputs_[port]; }
  const InputPort& input(uint32_t port) const { return inputs_[port]; }
  PortKind input_kind(uint32_t port) const { return input_kinds_[port]; }
  PortKind output_kind(uint32_t port) const { return output_kinds_[port]; }
  bool output_connected(uint32_t port) const {
    return port < noutputs_ && outputs_[port].connected();
  }

  // --- what it declared
  // -----------------------------------------------------------------------------
  const std::vector<ArgBase*>& args() const { return args_; }
  const std::vector<Drop*>& drops() const { return drops_; }
  const std::vector<Handler>& handlers() const { return handlers_; }
  const std::vector<Task*>& tasks() const { return tasks_; }
  uint64_t packets_created() const { return created_.get(); }
  uint64_t packets_absorbed() const { return absorbed_.get(); }

  // Decides a whole batch by verdicts: drops first, then outputs in ascending order; packets for
  // the likeliest output stay in `batch`, the others move. `likely` is updated to what proved
  // likeliest.
  class Split;
  void dispatch(PacketBatch& batch, Split& others, uint32_t& likely);

 protected:
  // The ledger's other columns. Packets that the element made; packets whose life ends here on
  // purpose (discarded, transmitted, written to a file).
  void count_created(uint64_t packets) { created_.add(packets); }
  void count_absorbed(uint64_t packets) { absorbed_.add(packets); }

  Scheduler& scheduler() const { return *worker_.scheduler; }
  const WorkerContext& worker() const { return worker_; }
  Pool& pool() const { return *worker_.pool; }
  int64_t now() const { return worker_.scheduler->clock().now(); }

  // The output, when it is connected; else the drop. Either way the reason is counted.
  Verdict divert(uint32_t port, Drop& reason) {
    if (!output_connected(port)) return reason;
    reason.count_diverted();
    return Verdict::to(port);
  }

  // Makes a packet fit the spec's `writes` and `contiguous`. Null, and the packet counted as
  // `no-buffer`, when the pool is empty.
  Packet* prepare(Packet& packet, bool writes, uint32_t contiguous);

 private:
  friend class ArgBase;
  friend struct SetupContext;
  friend class Drop;
  friend class ReadHandler;
  friend class QueryHandler;
  friend class WriteHandler;
  friend class Count;
  friend class Task;
  friend class Timer;
  friend class Router;
  friend class UnconnectedOutput;
  friend class HandOff;
  friend class Scheduler;

  // First, because everything declared registers in these lists.
  std::vector<ArgBase*> args_;
  std::vector<Drop*> drops_;
  std::vector<Handler> handlers_;
  std::vector<Task*> tasks_;
  std::vector<Timer*> timers_;

 protected:
  // Every element can run out of packets to copy into, and can be left with an output unconnected.
  Drop no_buffer{*this, "no-buffer", "The pool had no packet for a copy or more room."};

 private:
  Drop unconnected_{*this, "unconnected-output", "The output it was meant for is not connected."};
  Cell created_;
  Cell absorbed_;
  Cell parked_;  // on their way here through the inbox

  const ElementSpec* spec_ = nullptr;
  Router* router_ = nullptr;
  std::string name_;
  std::string config_;
  SourceLocation where_;
  SourceLocation config_where_;
  uint32_t index_ = 0;
  uint32_t ninputs_ = 0;
  uint32_t noutputs_ = 0;
  std::vector<PortKind> input_kinds_;
  std::vector<PortKind> output_kinds_;
  std::unique_ptr<OutputPort[]> outputs_;
  std::unique_ptr<InputPort[]> inputs_;
  uint32_t output_slots_ = 0;          // at least one, so that output(0) always exists
  std::vector<uint16_t> split_heads_;  // dispatch(): first packet for each output
  WorkerContext worker_;
};

// Packets that do not go the likeliest way, with their verdicts, in order.
class Element::Split {
 public:
  void add(Packet& packet, Verdict verdict) {
    packets_[size_] = packet.mbuf();
    verdicts_[size_++] = verdict;
  }
  uint32_t size() const { return size_; }

 private:
  friend class Element;
  uint32_t size_ = 0;
  Verdict verdicts_[PacketBatch::kCapacity];
  rte_mbuf* packets_[PacketBatch::kCapacity];
};

inline void OutputPort::deliver(Element& target, uint32_t port, PacketBatch& batch) {
  target.push(port, batch);
  if (!batch.empty()) [[unlikely]]
    batch.leak(target.name().c_str());
}

inline void InputPort::pull(PacketBatch& batch, uint32_t limit) {
  if (source_ == nullptr) [[unlikely]]
    return;
  source_->pull(source_port_, batch, limit);
  packets_.add(batch.size());
}

}  // namespace headroom

#include "headroom/graph/batch_element.hh"
#include "headroom/graph/packet_element.hh"
#include "headroom/graph/registry.hh"
