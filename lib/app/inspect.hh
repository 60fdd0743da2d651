// What can be said of a configuration without running it. Nothing is started: neither EAL nor
// devices, files or sockets are touched.
#pragma once

#include "options.hh"

namespace headroom {

// Reports all mistakes of the configuration, and of the system file if there is one. Returns 1 when
// there are any.
int check(const Options& options);

// Writes the configuration as a graph in Graphviz's language: elements in boxes with their ports,
// compound elements around them, pull connections dashed.
int draw(const Options& options);

// Writes the configuration with all compound elements expanded. Classes need not be known.
int flatten(const Options& options);

}  // namespace headroom
