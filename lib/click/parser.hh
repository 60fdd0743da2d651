// Makes the syntax tree of a source.
//
// Needs no knowledge of classes. Every mistake is reported and parsing goes on behind it, with as
// few further messages as possible.
//
//   click::Tree tree = click::parse(file, diagnostics);
#pragma once

#include <cstdint>

#include "headroom/base/diagnostics.hh"
#include "headroom/click/tree.hh"

namespace headroom::click {

// Compound elements and groups may be nested this deeply, each.
inline constexpr int kMaxNesting = 50;
// The largest port number that a configuration may name.
inline constexpr uint32_t kMaxPort = 65535;

// Parses the source `file` (an index from diagnostics.sources()).
Tree parse(uint32_t file, Diagnostics& diagnostics);

}  // namespace headroom::click
