// What resolve() knows of a body while it is being read, and what must be done at its end.
//
//   Scope scope(program, body_index, &outer);
//   ...
//   scope.finish(diagnostics);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "headroom/base/diagnostics.hh"
#include "headroom/click/program.hh"

namespace headroom::click {

struct PortPairHash {
  std::size_t operator()(const PortPair& pair) const {
    const uint64_t from = (uint64_t{pair.from} << 16) ^ pair.from_port;
    const uint64_t to = (uint64_t{pair.to} << 16) ^ pair.to_port;
    return std::hash<uint64_t>{}((from * 0x9E3779B97F4A7C15U) ^ (to + (from << 7)));
  }
};
struct SamePortPair {
  bool operator()(const PortPair& a, const PortPair& b) const {
    return a.from == b.from && a.from_port == b.from_port && a.to == b.to && a.to_port == b.to_port;
  }
};
using PortPairSet = std::unordered_set<PortPair, PortPairHash, SamePortPair>;

// What `input` and `output` mean: those of the body or of the innermost group.
struct Inner {
  uint32_t input = kNoIndex;
  uint32_t output = kNoIndex;
  std::string_view owner;  // as messages show it
  SourceLocation where;
  bool input_misused = false;  // reported
  bool output_misused = false;
  bool ends_in_output = true;  // the last chain, in nothing else
};

struct Scope {
  Scope(Program& program, uint32_t body_index, Scope* outer);

  // `stem` is the class of an anonymous element, which gets its name at the end.
  uint32_t make(BodyElement::Kind kind, std::string_view name, std::string_view stem,
                SourceLocation where);
  void connect(const PortPair& pair, SourceLocation where);
  // Reports what `inner` lacks, and returns how many inputs and outputs it has.
  void close(const Inner& inner, uint32_t& inputs, uint32_t& outputs, Diagnostics& diagnostics);
  // Names the anonymous elements and orders the connections.
  void finish();

  uint32_t index;
  Body& body;
  Scope* outer;
  std::vector<Inner> inner;
  std::unordered_map<std::string_view, uint32_t> classes;
  std::unordered_map<std::string_view, uint32_t> by_name;
  std::unordered_map<std::string_view, SourceLocation> declared_somewhere;
  std::unordered_set<std::string_view> undeclared;  // reported

 private:
  void name_anonymous();

  std::vector<std::string_view> stems_;  // by element
  // The ports of inputs and outputs that are connected from inside, until they are closed.
  std::unordered_map<uint32_t, std::vector<uint32_t>> inner_ports_;
  PortPairSet connected_;
};

}  // namespace headroom::click
