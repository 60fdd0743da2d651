// Makes a flat graph of a resolved configuration: compound elements become what is in them, with
// their variables bound, and connections lead through groups and compound elements to real ones.
//
//   FlatGraph graph = expand(program, diagnostics, options);
#pragma once

#include "headroom/base/diagnostics.hh"
#include "headroom/click/flat_graph.hh"
#include "headroom/click/program.hh"
#include "headroom/click/reader.hh"

namespace headroom::click {

FlatGraph expand(const Program& program, Diagnostics& diagnostics, const ReadOptions& options);

}  // namespace headroom::click
