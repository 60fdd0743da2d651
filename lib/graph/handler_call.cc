#include "headroom/graph/handler_call.hh"

#include <cstdio>
#include <utility>

#include "headroom/graph/router.hh"

namespace headroom {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

std::string HandlerCall::handler() const {
  const std::string& text = arg_->text;
  return owner_.router().resolve_handler(owner_, text.substr(0, text.find_first_of(kBlanks)));
}

std::string_view HandlerCall::value() const {
  const std::string_view text = arg_->text;
  const std::size_t start = text.find_first_not_of(kBlanks, text.find_first_of(kBlanks));
  return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

bool HandlerCall::check(const SetupContext& context) const {
  if (!given()) return true;
  std::string error;
  const auto found = context.router.find_handler(handler(), error);
  if (found && found->write) return true;
  if (error.empty()) error = "no '" + handler() + "' write handler";
  return context.error(arg_, std::string(arg_.name()) + ": " + error);
}

void HandlerCall::call(std::function<void()> after) const {
  if (!given()) return after();
  owner_.router().run_on_leader([this, after = std::move(after)] {
    Router& router = owner_.router();
    std::string error;
    const std::string name = handler();
    ReplicaHandlers* const all = router.replicas();
    const bool good = all != nullptr ? all->write_handler(name, value(), error)
                                     : router.write_handler(name, value(), error);
    if (!good)
      std::fprintf(stderr, "%s: %s: %s\n", owner_.label().c_str(), std::string(arg_.name()).c_str(),
                   error.c_str());
    after();
  });
}

}  // namespace headroom
