// `headroom doctor`: whether this machine can run a configuration, and if not, what mends it.
#pragma once

#include "options.hh"

namespace headroom {

// Prints its findings. Returns 0 when the configuration would start, else 1.
int doctor(const Options& options);

}  // namespace headroom
