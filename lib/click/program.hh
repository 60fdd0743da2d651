// A configuration whose names are resolved: bodies, each a scope with elements and connections, and
// classes. What resolve() makes of trees and expand() makes a flat graph of.
//
// The file is body 0; every alternative of a compound element is another. A body is written once
// and used any number of times, so nothing here depends on how it is used.
//
//   Program program;
//   resolve(file, program, environment, diagnostics, options);
//   for (const BodyElement& element : program.bodies[0].elements) ...
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "headroom/base/diagnostics.hh"
#include "headroom/click/pairing.hh"
#include "headroom/click/tree.hh"

namespace headroom::click {

inline constexpr uint32_t kNoIndex = UINT32_MAX;

// An element of a body, or a place in it that stands for connections elsewhere and is gone in the
// flat graph.
struct BodyElement {
  enum class Kind : uint8_t {
    element,
    input,   // of the body: its outputs are what is connected to the compound element's inputs
    output,  // of the body
    group,   // as seen from outside
    group_input,
    group_output,
  };

  Kind kind = Kind::element;
  std::string name;
  uint32_t class_index = kNoIndex;
  const ConfigNode* config = nullptr;
  SourceLocation where;
  // How many inputs and outputs are connected: the highest one and 1.
  uint32_t inputs_used = 0;
  uint32_t outputs_used = 0;
  // Of a group: how many it has, and the first of its three elements, which are the group, its
  // input and its output, in this order.
  uint32_t inputs = 0;
  uint32_t outputs = 0;
  uint32_t group = kNoIndex;
};

struct Formal {
  std::string_view keyword;  // empty for a positional one
  std::string_view variable;
};

struct Definition {
  std::string_view variable;
  std::string text;
  SourceLocation where;
};

struct Body {
  uint32_t parent = kNoIndex;  // the body in which this one was written
  std::string class_name;      // as messages show it
  SourceLocation where;

  std::vector<Formal> formals;  // positional ones, then keywords
  uint32_t positional = 0;
  std::string_view rest;  // the variable of __REST__
  std::vector<Definition> definitions;
  // Variables by name: formals, then the rest if there is one, then definitions.
  std::unordered_map<std::string_view, uint32_t> variables;
  uint32_t first_definition = 0;

  std::vector<BodyElement> elements;
  std::vector<std::pair<PortPair, SourceLocation>> connections;
  uint32_t input = kNoIndex;  // the indices of its pseudo-elements
  uint32_t output = kNoIndex;
  uint32_t inputs = 0;
  uint32_t outputs = 0;
  bool input_misused = false;  // something goes into `input`, or comes out of `output`: reported
  bool output_misused = false;
  // Indices of connections, by the port they come from and by the port they go to.
  std::vector<uint32_t> by_source;
  std::vector<uint32_t> by_destination;
};

struct Class {
  std::string name;
  bool primitive = false;
  std::vector<uint32_t> bodies;   // of a compound class, its alternatives
  uint32_t previous = kNoIndex;   // the class that "|| ..." appends
  uint32_t alternatives_all = 1;  // with those of all previous classes
};

struct Program {
  std::deque<Tree> trees;  // texts of configurations point into them
  std::deque<Body> bodies;
  std::vector<Class> classes;
  std::unordered_map<std::string_view, uint32_t> file_classes;  // those that the file defines
  std::vector<std::string> requirements;
};

}  // namespace headroom::click
