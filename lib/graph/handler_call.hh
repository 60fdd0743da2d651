// An argument that names a write handler to call when something has happened, as END_CALL does.
//
//   HandlerCall end_call{*this, "END_CALL", "A handler that is called at the end."};
//   ...initialize()...   if (!end_call.check(context)) return false;
//   ...                  end_call.call([this] { if (*stop) router().stop_event(); });
//
// Its value is HANDLER [VALUE]. The handler runs after the task that asks for it, where scripts
// run, so it may do to the element that calls it what a script may.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "headroom/graph/element.hh"

namespace headroom {

class HandlerCall {
 public:
  HandlerCall(Element& owner, std::string_view name, std::string_view doc)
      : owner_(owner), arg_(owner, name, click::RawText{}, {.doc = doc}) {}

  bool given() const { return arg_.given(); }
  // Whether there is such a handler; else it is an error.
  bool check(const SetupContext& context) const;
  // From the owner's worker: calls the handler, if one was given, and then `after`.
  void call(std::function<void()> after) const;

 private:
  // The handler's full name, and the value.
  std::string handler() const;
  std::string_view value() const;

  Element& owner_;
  Arg<click::RawText> arg_;
};

}  // namespace headroom
