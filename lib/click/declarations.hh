// The small parts of resolving names that need nothing but a node: formals, definitions, names.
//
//   add_formals(node.formals, body, diagnostics);
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "headroom/base/diagnostics.hh"
#include "headroom/base/text.hh"
#include "headroom/click/program.hh"
#include "headroom/click/tree.hh"

namespace headroom::click {

// Whether a part of the name between slashes is nothing but digits.
bool has_all_digit_component(std::string_view name);

// "a, b :: Class" as a statement of its own, with nothing but names before the last.
bool is_multiple_declaration(const ChainNode& chain);

// Where elements are declared in these statements and the groups in them, for hints.
void note_declarations(const std::vector<Statement>& statements,
                       std::unordered_map<std::string_view, SourceLocation>& declared);

// That nothing is connected to the outer ports of a chain.
void check_ends(const ChainNode& chain, Diagnostics& diagnostics);

// Names the first compound element whose `input` or `output` is used in the wrong direction inside:
// Click complains about it as well as about its class.
void report_misused_instances(const Program& program, Diagnostics& diagnostics);

void add_formals(const std::vector<FormalNode>& nodes, Body& body, Diagnostics& diagnostics);

// "$x 1, $y a b".
void add_definitions(const DefineNode& node, Body& body, Diagnostics& diagnostics);

}  // namespace headroom::click
