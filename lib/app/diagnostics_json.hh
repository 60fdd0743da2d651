// Mistakes as JSON, for editors: `--diagnostics=json`.
#pragma once

#include <cstddef>
#include <string>

#include "headroom/base/diagnostics.hh"

namespace headroom {

// One object a line for every message from the `first` on: severity ("error", "warning", "note"),
// file, line and column (both from 1; left out when unknown), message, and where there is one,
// context, hint and "expanded from", the uses of compound elements that led there, innermost first.
std::string diagnostics_as_json(const Diagnostics& diagnostics, std::size_t first = 0);

}  // namespace headroom
