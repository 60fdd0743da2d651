// Makes a flat graph of a syntax tree: finds out what every name means, names the anonymous
// elements, and connects.
//
//   click::FlatGraph graph = click::flatten(click::parse(file, diagnostics), environment,
//                                           diagnostics);
#pragma once

#include "headroom/base/diagnostics.hh"
#include "headroom/click/flat_graph.hh"
#include "headroom/click/reader.hh"
#include "headroom/click/tree.hh"

namespace headroom::click {

FlatGraph flatten(const Tree& tree, ReaderEnvironment& environment, Diagnostics& diagnostics);

}  // namespace headroom::click
