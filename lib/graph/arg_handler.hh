// A handler that reads and writes an argument while the element runs.
//
//   Arg<uint8_t> color{*this, "COLOR", {...}};
//   ArgHandler color_handler{*this, "color", "The value that is set.", color};
//
// A value that cannot be read leaves the old one. `changed`, when given, is called with the new
// value in the argument; when it returns false, with a text in `error`, the old value comes back.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "headroom/graph/arg.hh"
#include "headroom/graph/handler.hh"

namespace headroom {

class ArgHandler {
 public:
  using Changed = std::function<bool(std::string& error)>;

  template <class T>
  ArgHandler(Element& owner, std::string_view name, std::string_view doc, Arg<T>& arg,
             Changed changed = {})
      : read_(owner, name, doc, [&arg] { return click::ArgType<T>::unparse(*arg); }),
        write_(owner, name, "",
               [&arg, changed = std::move(changed)](std::string_view text, std::string& error) {
                 const T before = *arg;
                 const bool ok = arg.read(text, error) && (!changed || changed(error));
                 if (!ok) arg.set(before);
                 return ok;
               }) {}

 private:
  ReadHandler read_;
  WriteHandler write_;
};

}  // namespace headroom
