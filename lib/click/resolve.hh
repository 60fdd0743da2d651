// Finds out what every name of a configuration means: classes, elements, groups, ports, libraries.
//
//   Program program;
//   resolve(file, program, environment, diagnostics, options);
#pragma once

#include <cstdint>

#include "headroom/base/diagnostics.hh"
#include "headroom/click/program.hh"
#include "headroom/click/reader.hh"

namespace headroom::click {

// Of all alternatives that a class has, with those it took over by "|| ...".
inline constexpr uint32_t kMaxAlternatives = 1000;

void resolve(uint32_t file, Program& program, ReaderEnvironment& environment,
             Diagnostics& diagnostics, const ReadOptions& options);

}  // namespace headroom::click
