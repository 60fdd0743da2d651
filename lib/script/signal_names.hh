// The names of signals: signal_number("HUP"), with SIG or without it, or a number.
#pragma once

#include <optional>
#include <string_view>

namespace headroom::script {

std::optional<int> signal_number(std::string_view name);

}  // namespace headroom::script
