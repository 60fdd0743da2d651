// The handlers of a router and those that every element has.
#include <algorithm>

#include "headroom/base/text.hh"
#include "headroom/click/unparse.hh"
#include "headroom/graph/router.hh"

namespace headroom {
namespace {

std::string names_and_flags(const std::vector<Handler>& handlers) {
  std::string text;
  for (const Handler& handler : handlers) text += handler.name + "\t" + handler.flags() + "\n";
  return text;
}

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
  add_live_handlers(*elements_[element.index()], handlers);
  auto add = [&handlers](Handler added) {
    for (const Handler& handler : handlers)
      if (handler.name == added.name) return;
    handlers.push_back(std::move(added));
  };
  auto add_read = [&add](std::string name, std::string_view doc, std::function<std::string()> read,
                         Merge merge = Merge::first) {
    add({std::move(name), doc, merge, std::move(read), {}, {}});
  };
  add_read("class", "The element's class.",
           [&element] { return std::string(element.spec().name); });
  add_read("name", "The element's name.", [&element] { return element.name(); });
  add_read("config", "The configuration string.", [&element] { return element.config(); });
  add_read("ports", "Ports, their kinds, packets and peers.",
           [this, &element] { return ports_text(element); });
  add_read(
      "drops", "Packets dropped, a line for each reason: number and name.",
      [&element] {
        std::string text;
        for (const Drop* drop : element.drops())
          text += std::to_string(drop->dropped()) + "\t" + std::string(drop->name()) + "\n";
        return text;
      },
      Merge::concatenate);
  if (!element.tasks().empty()) {
    Task* const task = element.tasks().front();
    add_read("scheduled", "Whether the element's task is scheduled.",
             [task] { return std::string(task->scheduled() ? "true" : "false"); });
    add_read("home_thread", "The worker that runs the element's task.",
             [&element] { return std::to_string(element.worker_.worker); });
    add({"tickets",
         "The task's share of its worker; 1024 is that of others.",
         Merge::first,
         [task] { return std::to_string(task->tickets()); },
         [task](std::string_view value, std::string& error) {
           uint32_t tickets = 0;
           if (!click::ArgType<uint32_t>::parse(value, tickets, error)) return false;
           if (tickets < 1 || tickets > Task::kMaxTickets) {
             error = "out of range, 1 to " + std::to_string(Task::kMaxTickets);
             return false;
           }
           task->set_tickets(tickets);
           return true;
         },
         {}});
  }
  add_read("handlers", "The handlers and whether they can be read or written.",
           [names = names_and_flags(handlers)] { return names + "handlers\tr\n"; });
  return handlers;
}

std::string Router::flat_configuration() const {
  return click::unparse_flat(graph_, [this](uint32_t index) { return elements_[index]->config(); });
}

std::string Router::original_configuration() const {
  const auto& requirements = graph_.requirements();
  const bool compact = std::ranges::find(requirements, "compact_config") != requirements.end();
  return compact || graph_.source().empty() ? flat_configuration() : graph_.source();
}

std::vector<Handler> Router::global_handlers() {
  std::vector<Handler> handlers;
  auto add_read = [&handlers](std::string name, std::string_view doc,
                              std::function<std::string()> read) {
    handlers.push_back({std::move(name), doc, Merge::first, std::move(read), {}, {}});
  };
  add_read("version", "The version of Headroom.", [] { return std::string(HEADROOM_VERSION); });
  add_read("driver", "What runs the router.", [] { return std::string("dpdk"); });
  add_read("config", "The configuration as it was written.",
           [this] { return original_configuration(); });
  add_read("flatconfig", "The configuration as it is now, with nothing to expand.",
           [this] { return flat_configuration(); });
  add_read("requirements", "What the configuration requires, one a line.", [this] {
    std::string text;
    for (const std::string& requirement : graph_.requirements()) text += requirement + "\n";
    return text;
  });
  add_read("list", "The elements, one a line after their number.", [this] {
    std::string text = std::to_string(elements_.size()) + "\n";
    for (const auto& element : elements_) text += element->name() + "\n";
    return text;
  });
  handlers.push_back({"stop",
                      "Ends the run, unless something waits for its end: counts as N stop "
                      "events, or 1.",
                      Merge::first,
                      {},
                      [this](std::string_view value, std::string& error) {
                        int64_t count = 1;
                        if (!value.empty() && !click::ArgType<int64_t>::parse(value, count, error))
                          return false;
                        stop_event(count);
                        return true;
                      },
                      {}});
  add_read("handlers", "The handlers and whether they can be read or written.",
           [names = names_and_flags(handlers)] { return names + "handlers\tr\n"; });
  return handlers;
}

std::optional<Handler> Router::find_handler(std::string_view name, std::string& error) {
  error.clear();
  std::vector<Handler> handlers;
  Element* element = nullptr;
  // The element's name has no dots; the handler's may.
  const auto dot = name.find('.');
  std::string_view wanted = name;
  if (dot == std::string_view::npos || dot == 0) {
    handlers = global_handlers();
    if (dot == 0) wanted.remove_prefix(1);
  } else if ((element = find(name.substr(0, dot))) != nullptr) {
    wanted.remove_prefix(dot + 1);
    for (const Handler& own : element->handlers())
      if (own.name == wanted) return own;
    handlers = handlers_of(*element);
  } else {
    error = "no element named " + quoted(name.substr(0, dot));
    return std::nullopt;
  }
  for (Handler& handler : handlers)
    if (handler.name == wanted) return std::move(handler);
  return element == nullptr ? std::nullopt : element->make_handler(wanted);
}

std::string Router::resolve_handler(const Element& asking, std::string_view handler) const {
  const std::size_t dot = handler.find('.');
  if (dot == std::string_view::npos) return std::string(handler);
  const std::string& name = asking.name();
  for (std::size_t slash = name.rfind('/'); slash != std::string::npos;
       slash = slash == 0 ? std::string::npos : name.rfind('/', slash - 1)) {
    const std::string full = name.substr(0, slash + 1) + std::string(handler.substr(0, dot));
    if (find(full) != nullptr) return full + std::string(handler.substr(dot));
  }
  return std::string(handler);
}

void Router::run_here(const std::function<void()>& work) {
  if (scheduler_ == nullptr)
    work();
  else
    scheduler_->call(work);
}

std::optional<std::string> Router::read_handler(std::string_view name, std::string& error,
                                                std::string_view parameters) {
  if (!configured_) {
    error = "handlers not yet defined";
    return std::nullopt;
  }
  const std::optional<Handler> handler = find_handler(name, error);
  if (!error.empty()) return std::nullopt;
  if (!handler || !handler->readable()) {
    error = "no " + quoted(name) + " read handler";
    return std::nullopt;
  }
  if (handler->query) return handler->query(parameters, error);
  if (!parameters.empty()) {
    error = "read handler " + quoted(name) + " does not take parameters";
    return std::nullopt;
  }
  return handler->read();
}

bool Router::write_handler(std::string_view name, std::string_view value, std::string& error) {
  if (!configured_) {
    error = "handlers not yet defined";
    return false;
  }
  const std::optional<Handler> handler = find_handler(name, error);
  if (!error.empty()) return false;
  if (!handler || !handler->write) {
    error = "no " + quoted(name) + " write handler";
    return false;
  }
  if (handler->write(value, error)) return true;
  if (error.empty()) error = "parse error";
  return false;
}

}  // namespace headroom
