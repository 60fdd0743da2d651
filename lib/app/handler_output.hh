// Printing handlers' values when a run ends: -h, and -x for the exit status.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "headroom/base/diagnostics.hh"
#include "headroom/runtime/replicas.hh"

namespace headroom {

// Prints the values of `names`, each "handler" of the router or "ELEMENT.handler", where ELEMENT is
// the name of an element, a pattern (* ? []) of names, or a class. One name of one element gives
// the bare value; otherwise each value has its name before it and a blank line behind. What does
// not exist is reported.
void print_handlers(const Replicas& replicas, const std::vector<std::string>& names,
                    std::ostream& out, Diagnostics& diagnostics);

// The exit status that a handler's value stands for: an integer, or true (0) and false (1). 255,
// and reported, when it is neither.
int exit_status(const Replicas& replicas, const std::string& name, Diagnostics& diagnostics);

}  // namespace headroom
