#include "handler_output.hh"

#include <fnmatch.h>

#include <optional>
#include <ostream>
#include <string_view>

#include "headroom/base/suggest.hh"
#include "headroom/base/text.hh"
#include "headroom/click/arg_types.hh"

namespace headroom {
namespace {

// What a name of the command line comes to.
struct Asked {
  std::vector<std::string> handlers;
  bool several = false;  // it was a pattern or a class
};

std::vector<std::string_view> element_names(const Router& router) {
  std::vector<std::string_view> names;
  for (const auto& element : router.elements()) names.push_back(element->name());
  return names;
}

Asked ask(Router& router, const std::string& name, Diagnostics& diagnostics) {
  const auto dot = name.find('.');
  if (dot == std::string::npos || dot == 0 || router.find(name.substr(0, dot)) != nullptr)
    return {{name}, false};
  const std::string element = name.substr(0, dot);
  const bool is_pattern = element.find_first_of("*?[") != std::string::npos;
  Asked asked{{}, true};
  bool any = false;
  for (const auto& one : router.elements()) {
    if (is_pattern ? fnmatch(element.c_str(), one->name().c_str(), 0) != 0
                   : one->spec().name != element)
      continue;
    any = true;
    std::string full = one->name() + name.substr(dot);
    std::string ignored;
    const auto handler = router.find_handler(full, ignored);
    if (handler && handler->readable()) asked.handlers.push_back(std::move(full));
  }
  if (!any)
    diagnostics.error({}, (is_pattern ? "no element matching " : "no element ") + quoted(element),
                      did_you_mean(element, element_names(router)));
  else if (asked.handlers.empty())
    diagnostics.error({}, "no " + quoted(name) + " handler");
  return asked;
}

std::optional<std::string> read(const Replicas& replicas, const std::string& name,
                                Diagnostics& diagnostics) {
  std::string error;
  Router& router = replicas.first();
  const std::optional<Handler> handler = router.find_handler(name, error);
  if (!handler) {
    const auto dot = name.find('.');
    const bool global = dot == std::string::npos || dot == 0;
    const Element* element = global ? nullptr : router.find(name.substr(0, dot));
    if (!global && element == nullptr) {
      diagnostics.error({}, "no element " + quoted(name.substr(0, dot)),
                        did_you_mean(name.substr(0, dot), element_names(router)));
      return std::nullopt;
    }
    const std::vector<Handler> there =
        global ? router.global_handlers() : router.handlers_of(*element);
    std::vector<std::string_view> names;
    for (const Handler& one : there) names.push_back(one.name);
    const std::string_view wanted =
        std::string_view(name).substr(dot == std::string::npos ? 0 : dot + 1);
    diagnostics.error({}, "no " + quoted(name) + " handler", did_you_mean(wanted, names));
    return std::nullopt;
  }
  if (!handler->readable()) {
    diagnostics.error({}, quoted(name) + " is a write handler");
    return std::nullopt;
  }
  std::optional<std::string> value = replicas.read_handler(name, error);
  if (!value) diagnostics.error({}, error);
  return value;
}

}  // namespace

void print_handlers(const Replicas& replicas, const std::vector<std::string>& names,
                    std::ostream& out, Diagnostics& diagnostics) {
  for (const std::string& name : names) {
    const Asked asked = ask(replicas.first(), name, diagnostics);
    for (const std::string& handler : asked.handlers) {
      std::optional<std::string> value = read(replicas, handler, diagnostics);
      if (!value) continue;
      if (value->empty() || value->back() != '\n') *value += '\n';
      if (names.size() > 1 || asked.several)
        out << handler << ":\n" << *value << "\n";
      else
        out << *value;
    }
  }
  out.flush();
}

int exit_status(const Replicas& replicas, const std::string& name, Diagnostics& diagnostics) {
  constexpr int kNoStatus = 255;
  const std::optional<std::string> value = read(replicas, name, diagnostics);
  if (!value) return kNoStatus;
  const std::string text = value->substr(0, value->find_last_not_of(" \t\r\n") + 1);
  std::string ignored;
  int32_t number = 0;
  if (click::ArgType<int32_t>::parse(text, number, ignored)) return number & 0xFF;
  bool truth = false;
  if (click::ArgType<bool>::parse(text, truth, ignored)) return truth ? 0 : 1;
  diagnostics.error({}, "exit handler " + quoted(name) + ": " + quoted(text) +
                            " is neither an integer nor a boolean");
  return kNoStatus;
}

}  // namespace headroom
