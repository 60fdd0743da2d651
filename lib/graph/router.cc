#include "headroom/graph/router.hh"

#include <algorithm>
#include <set>
#include <tuple>

#include "headroom/base/suggest.hh"
#include "headroom/graph/hookup.hh"
#include "headroom/graph/siblings.hh"

namespace headroom {

// Deeper chains of calls than this continue in the inbox, so that no graph can use up the stack.
static constexpr uint32_t kMaxCallDepth = 256;

// Stands behind a connection that goes through the inbox.
class Router::Parking final : public Element {
 public:
  Parking(Element& target, uint32_t port) : target_(target), port_(port) {}
  void push(uint32_t, PacketBatch& batch) override {
    target_.router().scheduler_->park(target_, port_, batch);
  }

 private:
  Element& target_;
  uint32_t port_;
};

// Stands behind the outputs of an element that are not connected: its packets are drops of the
// element.
class UnconnectedOutput final : public Element {
 public:
  explicit UnconnectedOutput(Element& owner) : owner_(owner) {}
  void push(uint32_t port, PacketBatch& batch) override {
    owner_.outputs_[port].packets_.subtract(batch.size());
    owner_.unconnected_.drop(batch);
  }

 private:
  Element& owner_;
};

Router::~Router() {
  if (scheduler_ != nullptr) scheduler_->remove(*this);
  // Later elements may refer to earlier ones.
  while (!elements_.empty()) elements_.pop_back();
}

std::unique_ptr<Router> Router::build(const click::FlatGraph& graph, Machine* machine,
                                      Diagnostics& diagnostics, Siblings* siblings) {
  const std::size_t errors = diagnostics.errors();
  std::unique_ptr<Router> router(new Router);
  router->siblings_ = siblings;
  router->graph_ = graph;
  if (siblings != nullptr) router->names_.device = siblings->device;
  if (!router->make_elements(diagnostics)) return nullptr;
  router->connect(diagnostics);
  for (Element* element : router->in_phase_order())
    router->configure(*element, machine, diagnostics);
  router->configured_ = true;
  return diagnostics.errors() == errors ? std::move(router) : nullptr;
}

bool Router::make_elements(Diagnostics& diagnostics) {
  bool ok = true;
  for (const click::FlatElement& flat : graph_.elements()) {
    const ElementClass* element_class = Registry::instance().find(flat.class_name);
    if (element_class == nullptr) {
      diagnostics.error(flat.where, "unknown element class '" + flat.class_name + "'",
                        did_you_mean(flat.class_name, Registry::instance().class_names()));
      ok = false;
      continue;
    }
    auto element = element_class->make();
    element->spec_ = element_class->spec;
    element->router_ = this;
    element->name_ = flat.name;
    element->config_ = flat.config;
    element->where_ = flat.where;
    element->config_where_ = flat.config_where;
    element->index_ = static_cast<uint32_t>(elements_.size());
    elements_.push_back(std::move(element));
  }
  return ok;
}

bool Router::connect(Diagnostics& diagnostics) {
  std::vector<PortPlan> plans;
  for (const auto& element : elements_) {
    PortPlan plan;
    plan.spec = element->spec_;
    plan.label = element->label();
    plan.where = element->where_;
    plans.push_back(std::move(plan));
  }
  // The same connection written twice is one.
  std::vector<click::FlatConnection> connections;
  std::set<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>> seen;
  for (const click::FlatConnection& one : graph_.connections())
    if (seen.emplace(one.from, one.from_port, one.to, one.to_port).second)
      connections.push_back(one);
  const bool sound = check_hookup(plans, connections, diagnostics);

  // Also in a graph with mistakes, because elements look at their ports while they are configured.
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    Element& element = *elements_[i];
    element.ninputs_ = plans[i].inputs;
    element.noutputs_ = plans[i].outputs;
    element.input_kinds_ = plans[i].input_kinds;
    element.input_kinds_.resize(element.ninputs_, PortKind::push);
    element.output_kinds_ = plans[i].output_kinds;
    element.output_kinds_.resize(element.noutputs_, PortKind::push);
    element.inputs_ = std::make_unique<InputPort[]>(std::max(1u, element.ninputs_));
    element.output_slots_ = std::max(1u, element.noutputs_);
    element.outputs_ = std::make_unique<OutputPort[]>(element.output_slots_);
    element.split_heads_.assign(element.output_slots_, UINT16_MAX);
    unconnected_.push_back(std::make_unique<UnconnectedOutput>(element));
    for (uint32_t port = 0; port < element.output_slots_; ++port) {
      element.outputs_[port].target_ = unconnected_.back().get();
      element.outputs_[port].target_port_ = port;
    }
  }
  if (!sound) return false;
  entering_.resize(elements_.size());
  leaving_.resize(elements_.size());
  const std::vector<bool> deferred = find_deferred(plans, connections, kMaxCallDepth);
  for (std::size_t i = 0; i < connections.size(); ++i) {
    const click::FlatConnection& connection = connections[i];
    Element& from = *elements_[connection.from];
    Element& to = *elements_[connection.to];
    OutputPort& output = from.outputs_[connection.from_port];
    InputPort& input = to.inputs_[connection.to_port];
    output.connected_ = input.connected_ = true;
    entering_[connection.to].push_back(static_cast<uint32_t>(i));
    leaving_[connection.from].push_back(static_cast<uint32_t>(i));
    if (from.output_kinds_[connection.from_port] == PortKind::push) {
      output.target_ = &to;
      output.target_port_ = connection.to_port;
      if (deferred[i]) {
        parking_.push_back(std::make_unique<Parking>(to, connection.to_port));
        output.target_ = parking_.back().get();
      }
    } else {
      input.source_ = &from;
      input.source_port_ = connection.from_port;
    }
  }
  connections_ = std::move(connections);
  return true;
}

std::vector<Element*> Router::in_phase_order() const {
  std::vector<Element*> order;
  for (const auto& element : elements_) order.push_back(element.get());
  std::stable_sort(order.begin(), order.end(), [](const Element* a, const Element* b) {
    return a->spec_->phase < b->spec_->phase;
  });
  return order;
}

void Router::configure(Element& element, Machine* machine, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  Diagnostics::Context context(diagnostics,
                               "While configuring '" + element.label() + "':", element.where_);
  read_arguments(element, diagnostics);
  if (diagnostics.errors() != errors) return;
  SetupContext setup{*this, diagnostics, element, machine, siblings_};
  if (!element.configure(setup) && diagnostics.errors() == errors)
    setup.error("could not be configured");
}

void Router::read_arguments(Element& element, Diagnostics& diagnostics) {
  std::vector<click::Parameter> parameters;
  for (ArgBase* arg : element.args_)
    parameters.push_back({.name = arg->name(),
                          .positional = arg->options().positional,
                          .mandatory = arg->options().mandatory,
                          .rest = arg->is_list(),
                          .deprecated = arg->options().deprecated,
                          .read = [arg](std::string_view text,
                                        std::string& error) { return arg->read(text, error); },
                          .type = arg->type(),
                          .example = arg->example(),
                          .offsets = &arg->offsets_});
  click::bind_arguments(element.config_, parameters, element.where_, element.config_where_,
                        diagnostics);
}

bool Router::initialize(const WorkerContext& worker, Machine* machine, Diagnostics& diagnostics) {
  scheduler_ = worker.scheduler;
  if (scheduler_ != nullptr) scheduler_->add(*this);
  control_->scheduler = scheduler_;
  for (const auto& element : elements_) {
    element->worker_ = worker;
    if (is_elsewhere(*element)) continue;
    for (Task* task : element->tasks_) scheduler_->add(*task);
    for (Timer* timer : element->timers_) scheduler_->add(*timer);
  }
  for (Element* element : in_phase_order()) {
    if (is_elsewhere(*element)) continue;
    const std::size_t errors = diagnostics.errors();
    Diagnostics::Context context(diagnostics,
                                 "While initializing '" + element->label() + "':", element->where_);
    SetupContext setup{*this, diagnostics, *element, machine, siblings_};
    const bool ok = element->initialize(setup);
    if (!ok && diagnostics.errors() == errors) setup.error("could not be initialized");
    if (diagnostics.errors() != errors) return false;
  }
  initialized_ = true;
  return true;
}

void Router::take_state(Router& old) {
  for (const auto& element : elements_) {
    Element* namesake = old.find(element->name_);
    if (namesake != nullptr && namesake->spec_->name == element->spec_->name)
      element->take_state(*namesake);
  }
}

Element* Router::find(std::string_view name) const {
  const uint32_t index = graph_.find(name);
  return index == click::FlatGraph::kNone ? nullptr : elements_[index].get();
}

std::vector<Element*> Router::find_all(const Element& asking, std::string_view name) const {
  const std::string wanted =
      asking.name().substr(0, asking.name().rfind('/') + 1) + std::string(name);
  std::vector<Element*> found;
  for (const auto& element : elements_) {
    const std::string& other = element->name_;
    if (other.starts_with(wanted) && (other.size() == wanted.size() || other[wanted.size()] == '/'))
      found.push_back(element.get());
  }
  return found;
}

Signal Router::signal(Element& element, uint32_t port, Notifier::Kind kind, Task& task) {
  // Walks away from the port through elements that have no notifier of their own.
  const bool upstream = kind == Notifier::Kind::nonempty;
  Signal signal;
  std::set<std::pair<uint32_t, uint32_t>> seen;
  std::vector<std::pair<Element*, uint32_t>> open{{&element, port}};
  while (!open.empty()) {
    const auto [at, at_port] = open.back();
    open.pop_back();
    for (const uint32_t index : (upstream ? entering_ : leaving_)[at->index_]) {
      const click::FlatConnection& connection = connections_[index];
      if ((upstream ? connection.to_port : connection.from_port) != at_port) continue;
      Element& far = *elements_[upstream ? connection.from : connection.to];
      const uint32_t far_port = upstream ? connection.from_port : connection.to_port;
      if (!seen.emplace(far.index_, far_port).second) continue;
      if (Notifier* notifier = far.notifier(kind, far_port)) {
        notifier->add_listener(task);
        signal.add(*notifier);
        continue;
      }
      // Onward by ports of the same kind only: an element that is pushed to and pulled from is a
      // queue, and what lies behind it is none of our business.
      const auto& kinds = upstream ? far.input_kinds_ : far.output_kinds_;
      const PortKind wanted = upstream ? PortKind::pull : PortKind::push;
      bool ends = true;
      for (uint32_t next = 0; next < kinds.size(); ++next) {
        if (kinds[next] != wanted) continue;
        open.emplace_back(&far, next);
        ends = false;
      }
      // Nobody there can tell: who asked must always try.
      if (ends) return Signal{};
    }
  }
  return signal;
}

Ledger Router::ledger() const {
  Ledger ledger;
  for (const auto& element : elements_) {
    LedgerEntry entry;
    entry.element = element->name_;
    entry.class_name = element->spec_->name;
    entry.created = element->packets_created();
    entry.absorbed = element->packets_absorbed();
    entry.held = element->held() + element->parked_.get();
    for (const Drop* drop : element->drops_) {
      entry.dropped += drop->dropped();
      if (drop->dropped() != 0)
        ledger.drops.push_back({element->name_, std::string(drop->name()), drop->dropped()});
    }
    // A push is counted where it leaves, a pull where it arrives.
    for (uint32_t port = 0; port < element->output_slots_; ++port)
      entry.out += element->outputs_[port].packets();
    for (uint32_t port = 0; port < element->ninputs_; ++port)
      entry.in += element->inputs_[port].packets();
    ledger.entries.push_back(std::move(entry));
  }
  for (const click::FlatConnection& connection : connections_) {
    const Element& from = *elements_[connection.from];
    const Element& to = *elements_[connection.to];
    if (from.output_kinds_[connection.from_port] == PortKind::push)
      ledger.entries[connection.to].in += from.outputs_[connection.from_port].packets();
    else
      ledger.entries[connection.from].out += to.inputs_[connection.to_port].packets();
  }
  ledger.in_transit = scheduler_ == nullptr ? 0 : scheduler_->in_transit();
  ledger.leaked = PacketBatch::leaked() - leaked_before_;
  return ledger;
}

}  // namespace headroom
