#include "headroom/click/unparse.hh"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

#include "headroom/click/arguments.hh"

namespace headroom::click {
namespace {

constexpr std::size_t kNothing = SIZE_MAX;

void append_joined(std::string& out, std::string_view config) {
  bool first = true;
  for (const Argument& argument : split_arguments(config)) {
    if (!first) out += ", ";
    first = false;
    out += argument.text;
  }
}

// The connections as chains of arrows, in which every connection stands once.
class Chains {
 public:
  explicit Chains(const FlatGraph& graph) : graph_(graph), connections_(graph.connections()) {
    std::sort(connections_.begin(), connections_.end(),
              [](const FlatConnection& a, const FlatConnection& b) { return key(a) < key(b); });
    connections_.erase(std::unique(connections_.begin(), connections_.end(),
                                   [](const FlatConnection& a, const FlatConnection& b) {
                                     return key(a) == key(b);
                                   }),
                       connections_.end());
    link();
  }

  std::string text() {
    std::string out;
    printed_.assign(connections_.size(), false);
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      if (!continues_[i]) print(out, i);
    }
    // What is left are rings; each begins where the order begins.
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      if (!printed_[i]) print(out, i);
    }
    return out;
  }

 private:
  static std::tuple<uint32_t, uint32_t, uint32_t, uint32_t> key(const FlatConnection& c) {
    return {c.to, c.to_port, c.from, c.from_port};
  }

  // A connection into input 0 goes on with one out of output 0, if there is one; best with one into
  // an input 0.
  void link() {
    std::vector<std::size_t> out_of(graph_.elements().size(), kNothing);
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      const FlatConnection& connection = connections_[i];
      if (connection.from_port != 0) continue;
      std::size_t& best = out_of[connection.from];
      if (best == kNothing || connections_[best].to_port != 0) best = i;
    }
    next_.assign(connections_.size(), kNothing);
    continues_.assign(connections_.size(), false);
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      if (connections_[i].to_port != 0) continue;
      const std::size_t next = out_of[connections_[i].to];
      if (next == kNothing || next == i) continue;
      next_[i] = next;
      continues_[next] = true;
    }
  }

  void print(std::string& out, std::size_t at) {
    out += graph_.elements()[connections_[at].from].name;
    bool first = true;
    for (; at != kNothing && !printed_[at]; at = next_[at]) {
      printed_[at] = true;
      const FlatConnection& connection = connections_[at];
      if (!first) out += "\n   ";
      first = false;
      if (connection.from_port != 0) out += " [" + std::to_string(connection.from_port) + ']';
      out += " -> ";
      if (connection.to_port != 0) out += '[' + std::to_string(connection.to_port) + "] ";
      out += graph_.elements()[connection.to].name;
    }
    out += ";\n";
  }

  const FlatGraph& graph_;
  std::vector<FlatConnection> connections_;
  std::vector<std::size_t> next_;
  std::vector<bool> continues_;  // some other
  std::vector<bool> printed_;
};

}  // namespace

std::string unparse_flat(const FlatGraph& graph, const ConfigSource& config_of) {
  std::string out;
  if (!graph.requirements().empty()) {
    out += "require(";
    for (std::size_t i = 0; i < graph.requirements().size(); ++i) {
      out += (i == 0 ? "" : ", ") + graph.requirements()[i];
    }
    out += ");\n\n";
  }
  for (uint32_t i = 0; i < graph.elements().size(); ++i) {
    const FlatElement& element = graph.elements()[i];
    std::string config;
    append_joined(config, config_of ? config_of(i) : element.config);
    out += element.name + " :: " + element.class_name;
    if (!config.empty()) out += '(' + config + ')';
    out += ";\n";
  }
  const std::string chains = Chains(graph).text();
  if (!chains.empty()) out += '\n' + chains;
  return out;
}

}  // namespace headroom::click
