// Changing an element's arguments while it runs: `config` and the handlers of live arguments.
#include <algorithm>

#include "headroom/graph/router.hh"

namespace headroom {
namespace {

bool has_live(const Element& element) {
  return std::ranges::any_of(element.args(),
                             [](const ArgBase* arg) { return arg->options().live; });
}

// The configuration string with another value for one argument, which goes to the end by keyword.
std::string with_value(const Element& element, const ArgBase& changed, std::string_view value) {
  std::string config;
  auto append = [&config](std::string_view text) {
    config += (config.empty() ? "" : ", ") + std::string(text);
  };
  // Positional arguments come first, in the order in which they are declared.
  auto next = element.args().begin();
  bool positional = true;
  for (const click::Argument& argument : click::split_arguments(element.config())) {
    const std::string_view keyword = click::keyword_of(argument.text);
    positional = positional && keyword.empty();
    if (!positional) {
      if (keyword != changed.name()) append(argument.text);
      continue;
    }
    while (next != element.args().end() && !(*next)->options().positional) ++next;
    if (next == element.args().end()) break;
    const ArgBase& arg = **next;
    if (!arg.is_list()) ++next;
    if (&arg == &changed) continue;
    // What follows would move to the place of what is left out.
    append(arg.is_list() ? argument.text : std::string(arg.name()) + ' ' + argument.text);
  }
  append(std::string(changed.name()) + ' ' + (value.empty() ? "\"\"" : std::string(value)));
  return config;
}

}  // namespace

bool Router::reconfigure(Element& element, std::string config, std::string& error) {
  // Everything is read by another element of the class first, so that a mistake changes nothing.
  const std::unique_ptr<Element> other = Registry::instance().find(element.spec().name)->make();
  other->spec_ = element.spec_;
  other->router_ = this;
  other->name_ = element.name_;
  other->config_ = std::move(config);
  Diagnostics diagnostics;
  read_arguments(*other, diagnostics);
  for (std::size_t i = 0; i < element.args_.size() && diagnostics.ok(); ++i) {
    const ArgBase& arg = *element.args_[i];
    if (!arg.options().live && arg.value_text() != other->args_[i]->value_text())
      diagnostics.error({}, std::string(arg.name()) + ": cannot be changed while the router runs");
  }
  if (!diagnostics.ok()) {
    for (const Diagnostic& one : diagnostics.all())
      error += (error.empty() ? "" : "\n") + one.message;
    return false;
  }
  auto swap_live = [&] {
    for (std::size_t i = 0; i < element.args_.size(); ++i)
      if (element.args_[i]->options().live) element.args_[i]->swap(*other->args_[i]);
  };
  swap_live();
  if (!element.reconfigure(error)) {
    swap_live();
    return false;
  }
  element.config_.swap(other->config_);
  return true;
}

void Router::add_live_handlers(Element& element, std::vector<Handler>& handlers) const {
  if (!has_live(element)) return;
  Router& router = element.router();
  for (const ArgBase* arg : element.args()) {
    if (!arg->options().live) continue;
    std::string name = arg->handler_name();
    if (std::ranges::any_of(handlers, [&](const Handler& one) { return one.name == name; }))
      continue;
    handlers.push_back({std::move(name),
                        arg->options().doc,
                        Merge::first,
                        [arg] { return click::unquote(arg->value_text()); },
                        [arg, &element, &router](std::string_view value, std::string& error) {
                          return router.reconfigure(element, with_value(element, *arg, value),
                                                    error);
                        },
                        {}});
  }
  handlers.push_back({"config",
                      "The configuration string; writing it changes live arguments.",
                      Merge::first,
                      [&element] { return element.config(); },
                      [&element, &router](std::string_view value, std::string& error) {
                        return router.reconfigure(element, std::string(value), error);
                      },
                      {}});
}

}  // namespace headroom
