#include "headroom/script/signal_names.hh"

#include <signal.h>

#include <cstring>
#include <string>

#include "headroom/click/arg_types.hh"

namespace headroom::script {

std::optional<int> signal_number(std::string_view name) {
  int32_t number = 0;
  std::string ignored;
  if (click::ArgType<int32_t>::parse(name, number, ignored))
    return number >= 1 && number < NSIG ? std::optional(number) : std::nullopt;
  if (name.starts_with("SIG")) name.remove_prefix(3);
  for (int one = 1; one < NSIG; ++one) {
    const char* const known = sigabbrev_np(one);
    if (known != nullptr && name == known) return one;
  }
  return std::nullopt;
}

}  // namespace headroom::script
