// The handlers of a router and those that every element has.
#include "headroom/base/suggest.hh"
#include "headroom/graph/router.hh"

namespace headroom {
namespace {

constexpr std::string_view kNoElement = "no element named";

// "push~": the kind of a port, and whether its class left it open.
std::string kind_text(const Element& element, uint32_t port, bool output) {
  const PortKind kind = output ? element.output_kind(port) : element.input_kind(port);
  const std::string_view codes = element.spec().processing;
  const auto slash = codes.find('/');
  std::string_view side = codes.substr(0, slash);
  if (output && slash != std::string_view::npos) side = codes.substr(slash + 1);
  const bool agnostic = !side.empty() && side[std::min<std::size_t>(port, side.size() - 1)] == 'a';
  return std::string(kind == PortKind::push ? "push" : "pull") + (agnostic ? "~" : "");
}

}  // namespace

std::string Router::ports_text(const Element& element) const {
  std::string text;
  for (const bool output : {false, true}) {
    const uint32_t count = output ? element.noutputs() : element.ninputs();
    text += std::to_string(count) + (output ? " output" : " input") + (count == 1 ? "\n" : "s\n");
    for (uint32_t port = 0; port < count; ++port) {
      const bool counted_here = (output ? element.output_kind(port) : element.input_kind(port)) ==
                                (output ? PortKind::push : PortKind::pull);
      text += kind_text(element, port, output) + "\t";
      text += counted_here ? std::to_string(output ? element.output(port).packets()
                                                   : element.input(port).packets())
                           : "-";
      text += "\t";
      std::string peers;
      for (const uint32_t index : (output ? leaving_ : entering_)[element.index()]) {
        const click::FlatConnection& connection = connections_[index];
        if (output && connection.from_port == port)
          peers += (peers.empty() ? "[" : ", [") + std::to_string(connection.to_port) + "] " +
                   elements_[connection.to]->name();
        if (!output && connection.to_port == port)
          peers += (peers.empty() ? "" : ", ") + elements_[connection.from]->name() + " [" +
                   std::to_string(connection.from_port) + "]";
      }
      text += peers + "\n";
    }
  }
  return text;
}

std::vector<Handler> Router::handlers_of(const Element& element) const {
  std::vector<Handler> handlers = element.handlers();
  auto add = [&handlers](std::string name, std::string_view doc, std::function<std::string()> read,
                         Merge merge = Merge::first) {
    for (const Handler& handler : handlers)
      if (handler.name == name) return;
    handlers.push_back({std::move(name), doc, merge, std::move(read), {}});
  };
  add("class", "The element's class.", [&element] { return std::string(element.spec().name); });
  add("name", "The element's name.", [&element] { return element.name(); });
  add("config", "The configuration string.", [&element] { return element.config(); });
  add("ports", "Ports, their kinds, packets and peers.",
      [this, &element] { return ports_text(element); });
  add(
      "drops", "Packets dropped, a line for each reason: number and name.",
      [&element] {
        std::string text;
        for (const Drop* drop : element.drops())
          text += std::to_string(drop->dropped()) + "\t" + std::string(drop->name()) + "\n";
        return text;
      },
      Merge::concatenate);
  if (!element.tasks().empty())
    add("scheduled", "Whether the element's task is scheduled.", [&element] {
      return std::string(element.tasks().front()->scheduled() ? "true" : "false");
    });
  std::string names;
  for (const Handler& handler : handlers)
    names += handler.name + "\t" + (handler.read ? "r" : "") + (handler.write ? "w" : "") + "\n";
  add("handlers", "The handlers and whether they can be read or written.",
      [names] { return names + "handlers\tr\n"; });
  return handlers;
}

std::optional<Handler> Router::find_handler(std::string_view name, std::string& error) const {
  // The element's name has no dots; the handler's may.
  const auto dot = name.find('.');
  if (dot == std::string_view::npos) {
    if (name == "list")
      return Handler{"list",
                     "The elements, one a line after their number.",
                     Merge::first,
                     [this] {
                       std::string text = std::to_string(elements_.size()) + "\n";
                       for (const auto& element : elements_) text += element->name() + "\n";
                       return text;
                     },
                     {}};
    error = "no '" + std::string(name) + "' handler";
    return std::nullopt;
  }
  const Element* element = find(name.substr(0, dot));
  if (element == nullptr) {
    error = std::string(kNoElement) + " '" + std::string(name.substr(0, dot)) + "'";
    return std::nullopt;
  }
  for (Handler& handler : handlers_of(*element))
    if (handler.name == name.substr(dot + 1)) return std::move(handler);
  error = "no '" + std::string(name) + "' handler";
  return std::nullopt;
}

std::optional<std::string> Router::read_handler(std::string_view name, std::string& error) const {
  const std::optional<Handler> handler = find_handler(name, error);
  if (handler && handler->read) return handler->read();
  if (handler || !error.starts_with(kNoElement))
    error = "no '" + std::string(name) + "' read handler";
  return std::nullopt;
}

bool Router::write_handler(std::string_view name, std::string_view value, std::string& error) {
  const auto dot = name.find('.');
  if (dot == std::string_view::npos) {
    if (name == "stop") {
      stop_event();
      return true;
    }
    error = "no '" + std::string(name) + "' write handler";
    return false;
  }
  const std::optional<Handler> handler = find_handler(name, error);
  if (handler && handler->write) return handler->write(value, error);
  if (handler || !error.starts_with(kNoElement))
    error = "no '" + std::string(name) + "' write handler";
  return false;
}

}  // namespace headroom
