// A router configuration as a flat list of elements and connections: what reading the Click
// language ends in, what C++ code may build by hand, and what graph/ makes a router of.
//
//   click::FlatGraph graph;
//   auto source = graph.add("source", "InfiniteSource", "LIMIT 5");
//   auto sink = graph.add("sink", "Discard");
//   graph.connect(source, 0, sink, 0);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "headroom/base/diagnostics.hh"

namespace headroom::click {

struct FlatElement {
  std::string name;
  std::string class_name;
  std::string config;           // the text between the parentheses, variables replaced
  SourceLocation where;         // of the element
  SourceLocation config_where;  // of the first byte of `config`; unknown when there is none
};

struct FlatConnection {
  uint32_t from = 0;  // index into elements
  uint32_t from_port = 0;
  uint32_t to = 0;
  uint32_t to_port = 0;
  SourceLocation where;
};

class FlatGraph {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // Adds an element and returns its index. An empty name makes an anonymous one, `Class@N`.
  uint32_t add(std::string name, std::string class_name, std::string config = {},
               SourceLocation where = {}, SourceLocation config_where = {});
  void connect(uint32_t from, uint32_t from_port, uint32_t to, uint32_t to_port,
               SourceLocation where = {});

  // What the configuration asks for, "package x" or "compact_config"; only to be shown again.
  void require(std::string requirement) { requirements_.push_back(std::move(requirement)); }

  // The text that it was read from; only to be shown again.
  void set_source(std::string text) { source_ = std::move(text); }
  const std::string& source() const { return source_; }

  // The index of the element of that name, or kNone.
  uint32_t find(std::string_view name) const;

  const std::vector<FlatElement>& elements() const { return elements_; }
  const std::vector<FlatConnection>& connections() const { return connections_; }
  const std::vector<std::string>& requirements() const { return requirements_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::vector<FlatElement> elements_;
  std::vector<FlatConnection> connections_;
  std::vector<std::string> requirements_;
  std::string source_;
  std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> by_name_;
};

}  // namespace headroom::click
