#include "headroom/graph/element.hh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "headroom/graph/router.hh"

namespace headroom {

bool SetupContext::error(std::string message, std::string hint) const {
  report(Severity::error, element.where(), std::move(message), std::move(hint));
  return false;
}

void SetupContext::warning(std::string message, std::string hint) const {
  report(Severity::warning, element.where(), std::move(message), std::move(hint));
}

bool SetupContext::error(const ArgBase& arg, std::string message, std::string hint) const {
  return error(arg, arg.offsets_.empty() ? 0 : arg.offsets_.size() - 1, std::move(message),
               std::move(hint));
}

bool SetupContext::error(const ArgBase& arg, std::size_t item, std::string message,
                         std::string hint) const {
  report(Severity::error, where(arg, item), std::move(message), std::move(hint));
  return false;
}

void SetupContext::warning(const ArgBase& arg, std::size_t item, std::string message,
                           std::string hint) const {
  report(Severity::warning, where(arg, item), std::move(message), std::move(hint));
}

SourceLocation SetupContext::where(const ArgBase& arg, std::size_t item) const {
  if (item >= arg.offsets_.size()) return element.where();
  const SourceLocation found =
      click::locate(element.config_where_, element.config_, arg.offsets_[item]);
  return found.known() ? found : element.where();
}

// The landmark of an element's messages is the element, wherever its argument stands.
void SetupContext::report(Severity severity, SourceLocation where, std::string message,
                          std::string hint) const {
  diagnostics.add({severity, where, {}, std::move(message), std::move(hint), element.where()});
}

ArgBase::ArgBase(Element& owner, std::string_view name, const ArgOptions& options)
    : owner_(owner), name_(name), options_(options) {
  owner.args_.push_back(this);
}

click::NameScope ArgBase::names() const { return owner_.names(); }

Drop::Drop(Element& owner, std::string_view name, std::string_view doc)
    : name_(name), doc_(doc), index_(static_cast<uint32_t>(owner.drops_.size())) {
  owner.drops_.push_back(this);
}

ReadHandler::ReadHandler(Element& owner, std::string_view name, std::string_view doc,
                         std::function<std::string()> read, Merge merge) {
  // A handler that is read and written is declared as two of the same name.
  for (Handler& handler : owner.handlers_)
    if (handler.name == name) {
      if (handler.doc.empty()) handler.doc = doc;
      handler.merge = merge;
      handler.read = std::move(read);
      return;
    }
  owner.handlers_.push_back({std::string(name), doc, merge, std::move(read), {}, {}});
}

QueryHandler::QueryHandler(
    Element& owner, std::string_view name, std::string_view doc,
    std::function<std::optional<std::string>(std::string_view, std::string&)> query, Merge merge) {
  owner.handlers_.push_back({std::string(name), doc, merge, {}, {}, std::move(query)});
}

WriteHandler::WriteHandler(Element& owner, std::string_view name, std::string_view doc,
                           std::function<bool(std::string_view, std::string&)> write,
                           WriteTo write_to) {
  for (Handler& handler : owner.handlers_)
    if (handler.name == name) {
      handler.write = std::move(write);
      handler.write_to = write_to;
      return;
    }
  owner.handlers_.push_back(
      {std::string(name), doc, Merge::first, {}, std::move(write), {}, write_to});
}

Count::Count(Element& owner, std::string_view name, std::string_view doc) {
  owner.handlers_.push_back(
      {std::string(name), doc, Merge::sum, [this] { return std::to_string(get()); }, {}, {}});
}

Element::Element() = default;
Element::~Element() = default;

bool Element::configure(SetupContext&) { return true; }
bool Element::initialize(SetupContext&) { return true; }
void Element::take_state(Element&) {}
void Element::push(uint32_t, PacketBatch&) {}
void Element::pull(uint32_t, PacketBatch&, uint32_t) {}
bool Element::reconfigure(std::string&) { return true; }
bool Element::run_task(Task&) { return false; }
void Element::run_timer(Timer&) {}

click::NameScope Element::names() const {
  return router_ ? click::NameScope(router_->names(), name_) : click::NameScope();
}

std::string Element::label() const { return name_ + " :: " + std::string(spec_->name); }

Packet* Element::prepare(Packet& original, bool writes, uint32_t contiguous) {
  Packet* packet = &original;
  if (writes && packet->shared()) packet = packet->uniqueify();
  if (packet != nullptr) {
    const uint32_t wanted = std::min(contiguous, packet->length());
    if (!packet->pullup(wanted)) {
      // Other packets see the buffer that the bytes would have to be gathered in.
      Packet* copy = packet->copy();
      packet->kill();
      packet = copy;
    }
  }
  if (packet == nullptr) no_buffer.count_lost(1);
  return packet;
}

void Element::dispatch(PacketBatch& batch, Split& others, uint32_t& likely) {
  constexpr uint16_t kNone = UINT16_MAX;
  // Chains of the packets for each output, made back to front so that each keeps its order.
  uint16_t next[PacketBatch::kCapacity];
  uint32_t ports[PacketBatch::kCapacity + 1];
  uint32_t port_count = 0;
  rte_mbuf* dropped[PacketBatch::kCapacity];
  uint32_t dropped_count = 0;
  for (uint32_t i = others.size_; i-- > 0;) {
    const Verdict verdict = others.verdicts_[i];
    if (verdict.is_port() && verdict.port() < output_slots_) [[likely]] {
      uint16_t& head = split_heads_[verdict.port()];
      if (head == kNone) ports[port_count++] = verdict.port();
      next[i] = head;
      head = static_cast<uint16_t>(i);
    } else if (!verdict.is_held()) {
      Drop& drop = verdict.is_drop() ? *drops_[verdict.reason()] : unconnected_;
      drop.count_lost(1);
      dropped[dropped_count++] = others.packets_[i];
    }
  }
  if (dropped_count != 0) rte_pktmbuf_free_bulk(dropped, dropped_count);

  uint32_t best = likely;
  uint32_t best_size = batch.size();
  if (!batch.empty()) ports[port_count++] = likely;
  std::sort(ports, ports + port_count);
  for (uint32_t i = 0; i < port_count; ++i) {
    const uint32_t port = ports[i];
    if (port == likely && !batch.empty()) {
      output(port).push(batch);
      continue;
    }
    PacketBatch part;
    for (uint16_t at = std::exchange(split_heads_[port], kNone); at != kNone; at = next[at])
      part.push_back(*Packet::from_mbuf(others.packets_[at]));
    if (part.size() > best_size) {
      best = port;
      best_size = part.size();
    }
    output(port).push(part);
  }
  likely = best;
}

}  // namespace headroom
