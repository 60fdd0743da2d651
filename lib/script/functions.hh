// The functions of scripts, as handlers that are read with parameters: $(add 1 2), $(lt $x 5).
//
// Numbers are 64-bit integers; if any operand has a fraction or an exponent, all are floating
// point.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headroom::script {

struct Function {
  std::string_view name;
  std::string_view doc;
  // Nothing, with the reason in `error`, when the operands make no sense.
  std::optional<std::string> (*call)(std::string_view parameters, std::string& error);
};

std::span<const Function> functions();

}  // namespace headroom::script
