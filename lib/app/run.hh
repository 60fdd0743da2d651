// Running one configuration, from its text to the final table.
#pragma once

#include "options.hh"

namespace headroom {

// Returns the exit status: 0, or 1 when the configuration or the machine is at fault, a handler
// does not exist, or packets are unaccounted for.
int run(const Options& options);

}  // namespace headroom
