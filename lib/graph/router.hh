// A router: the elements of one configuration, connected, and everything asked of them as a whole.
//
// Made in two steps. build() makes the elements, checks the graph and reads all arguments; it needs
// neither EAL nor memory, so every mistake of a configuration is reported before anything starts.
// initialize() gives the elements their worker. Then the scheduler runs them.
//
//   auto router = Router::build(graph, nullptr, diagnostics);
//   if (router && router->initialize(worker, nullptr, diagnostics)) scheduler.run_until_idle();
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "headroom/base/diagnostics.hh"
#include "headroom/click/flat_graph.hh"
#include "headroom/click/names.hh"
#include "headroom/graph/element.hh"
#include "headroom/graph/hand_off.hh"
#include "headroom/graph/ledger.hh"

namespace headroom {

// The handlers of all replicas of a router, seen as one.
class ReplicaHandlers {
 public:
  virtual ~ReplicaHandlers() = default;
  // The replicas' values, merged as the handler declares. Nothing, with a reason, when there is no
  // such handler.
  virtual std::optional<std::string> read_handler(std::string_view name, std::string& error,
                                                  std::string_view parameters = {}) const = 0;
  // Writes to all replicas that have the element at work; ends at the first that refuses.
  virtual bool write_handler(std::string_view name, std::string_view value, std::string& error) = 0;
};

struct FusionClass;

class Router {
 public:
  ~Router();
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  // Null when there was any mistake; all of them are in `diagnostics`. Replicas of a router are
  // given the same `siblings`, which outlive them.
  static std::unique_ptr<Router> build(const click::FlatGraph& graph, Machine* machine,
                                       Diagnostics& diagnostics, Siblings* siblings = nullptr);
  // Calls the elements' initialize() in phase order, and stops at the first that fails.
  bool initialize(const WorkerContext& worker, Machine* machine, Diagnostics& diagnostics);
  bool initialized() const { return initialized_; }
  // Lets chains of elements do their work in one loop (see fusion.hh). The router is linked.
  void fuse();
  std::size_t fused() const { return fusions_.size(); }
  // Hands every element the state of its namesake of the same class.
  void take_state(Router& old);

  const std::vector<std::unique_ptr<Element>>& elements() const { return elements_; }
  Element* find(std::string_view name) const;
  // The elements that a name means where `asking` stands: that one of its compound element, or all
  // in the compound element of that name.
  std::vector<Element*> find_all(const Element& asking, std::string_view name) const;
  // What information elements call addresses, ports and annotations.
  click::NameTables& names() { return names_; }
  template <class T>
  T* find_as(std::string_view name) const {
    return dynamic_cast<T*>(find(name));
  }
  const std::vector<click::FlatConnection>& connections() const { return connections_; }
  // Of those, the ones that end in the inbox because they close a cycle or end too long a chain.
  std::size_t deferred_connections() const { return parking_.size(); }

  // "element.handler", or "handler" of the router. Nothing when there is none, with the reason in
  // `error` when it is the element that does not exist.
  std::optional<Handler> find_handler(std::string_view name, std::string& error);
  // The value, or nothing with the reason in `error`.
  std::optional<std::string> read_handler(std::string_view name, std::string& error,
                                          std::string_view parameters = {});
  bool write_handler(std::string_view name, std::string_view value, std::string& error);
  // What "q.length" means where `asking` stands: the handler of the element of that name in the
  // same compound element, or else in those around it.
  std::string resolve_handler(const Element& asking, std::string_view handler) const;
  // The same of all replicas together. They are asked on their own threads, one after the other, so
  // one worker at a time may do this: the first one that elements run on.
  ReplicaHandlers* replicas() const { return replicas_; }
  // The handlers of an element: its own, those of its live arguments, those that every element has.
  std::vector<Handler> handlers_of(const Element& element) const;
  // The handlers of the router itself.
  std::vector<Handler> global_handlers();
  // Runs `work` on the thread of the router's worker, between two batches, and waits for its end.
  void run_here(const std::function<void()>& work);
  // Gives an element other arguments while it runs. Those that are not live must stay the same. On
  // failure nothing has changed, and `error` says why, a line for each mistake.
  bool reconfigure(Element& element, std::string config, std::string& error);

  // The configuration as it is now, with nothing to expand.
  std::string flat_configuration() const;

  // The notifiers that a task of `element` depends on: of the elements that it pulls from through
  // an input (nonempty), or pushes to through an output (nonfull). The task is woken by them.
  Signal signal(Element& element, uint32_t port, Notifier::Kind kind, Task& task);

  // From any worker: runs `work` between two tasks on the worker that may ask all replicas.
  void run_on_leader(std::function<void()> work);

  // Stop events, as Click counts them: one ends the run unless somebody waits for it. From any
  // worker.
  void stop_event(int64_t count = 1);
  // Who takes the event that would end the run; it returns false when the run shall end after all.
  // False when there is one already.
  bool set_driver(std::function<bool()> take_stop_event);
  bool wants_stop() const { return control_->count <= 0; }

  Ledger ledger() const;

  // --- replicas
  // The worker that an element was given by the configuration.
  std::optional<uint32_t> pin(uint32_t element) const;
  void set_pin(uint32_t element, uint32_t worker) { pins_[element] = worker; }
  // Before initialize(): the elements that are elsewhere will not be initialized here.
  void settle(const Placement& placement, uint32_t worker);
  // Once all are initialized: makes them one router, of which replica i runs on worker i. The rings
  // between them must end before they do.
  static std::vector<std::unique_ptr<Inlet>> link(std::span<Router* const> replicas,
                                                  const Placement& placement,
                                                  ReplicaHandlers& handlers);

 private:
  std::vector<Element*> chain_of(Element& first, const FusionClass& wanted) const;
  friend class Scheduler;
  class Parking;  // the far end of a connection that goes through the inbox

  Router() = default;
  bool make_elements(Diagnostics& diagnostics);
  void configure(Element& element, Machine* machine, Diagnostics& diagnostics);
  static void read_arguments(Element& element, Diagnostics& diagnostics);
  void add_live_handlers(Element& element, std::vector<Handler>& handlers) const;
  bool connect(Diagnostics& diagnostics);
  std::vector<Element*> in_phase_order() const;
  bool is_elsewhere(const Element& element) const {
    return !elsewhere_.empty() && elsewhere_[element.index()];
  }
  void check_stop();
  void link_output(const click::FlatConnection& connection, uint32_t worker,
                   std::span<Router* const> replicas, const Placement& placement,
                   std::vector<std::unique_ptr<Inlet>>& inlets);
  std::string ports_text(const Element& element) const;
  std::string original_configuration() const;

  click::FlatGraph graph_;
  click::NameTables names_;
  std::vector<click::FlatConnection> connections_;  // without repetitions
  // For each element, the indexes of those that enter and leave it.
  std::vector<std::vector<uint32_t>> entering_;
  std::vector<std::vector<uint32_t>> leaving_;
  std::vector<std::unique_ptr<Element>> elements_;
  std::vector<std::unique_ptr<Element>> parking_;
  std::vector<std::unique_ptr<Element>> unconnected_;
  std::vector<std::unique_ptr<Element>> fusions_;
  Scheduler* scheduler_ = nullptr;
  Siblings* siblings_ = nullptr;
  // Replicas have one in common.
  struct Control {
    std::atomic<int64_t> count{1};
    std::function<bool()> driver;
    Scheduler* scheduler = nullptr;  // on which the driver runs, and which ends the run
  };
  std::shared_ptr<Control> control_ = std::make_shared<Control>();
  std::unordered_map<uint32_t, uint32_t> pins_;
  std::vector<bool> elsewhere_;  // empty: all elements run here
  std::vector<std::unique_ptr<Element>> hand_offs_;
  ReplicaHandlers* replicas_ = nullptr;
  uint64_t leaked_before_ = PacketBatch::leaked();  // by others
  bool configured_ = false;
  bool initialized_ = false;
};

}  // namespace headroom
