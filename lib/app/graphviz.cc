#include "graphviz.hh"

#include <fmt/format.h>

#include <vector>

namespace headroom {
namespace {

constexpr std::size_t kLongestConfig = 40;

std::string dot_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// A part of a record label: characters that shape the record are escaped, blanks stay single.
std::string label(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("{}|<>\"\\ ").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' || c == '\t' || c == '\r' ? ' ' : c;
  }
  return out;
}

// "{<i0> 0|<i1> 1}|", or nothing for an element with one port at most.
std::string ports(char side, uint32_t count) {
  if (count < 2) return {};
  std::string text;
  for (uint32_t port = 0; port < count; ++port)
    text += fmt::format("{}<{}{}> {}", port == 0 ? "" : "|", side, port, port);
  return "{" + text + "}";
}

std::string port_of(const std::string& node, char side, uint32_t port, uint32_t count) {
  return count < 2 ? dot_string(node) : fmt::format("{}:{}{}", dot_string(node), side, port);
}

std::string node(const Element& element) {
  std::string text = label(element.label());
  std::string config = element.config();
  if (config.size() > kLongestConfig) config = config.substr(0, kLongestConfig - 3) + "...";
  if (!config.empty()) text += "\\n" + label(config);
  const std::string inputs = ports('i', element.ninputs());
  const std::string outputs = ports('o', element.noutputs());
  return fmt::format("{} [label=\"{{{}{}{}{}{}}}\"];\n", dot_string(element.name()), inputs,
                     inputs.empty() ? "" : "|", text, outputs.empty() ? "" : "|", outputs);
}

// The parts of "a/b/x" that are compound elements: a and b.
std::vector<std::string_view> compounds_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t slash = name.find('/'); slash != std::string_view::npos;
       slash = name.find('/', slash + 1))
    parts.push_back(name.substr(0, slash));
  return parts;
}

}  // namespace

std::string as_graphviz(const Router& router, std::string_view title) {
  std::string text =
      fmt::format("digraph {} {{\n  rankdir=TB;\n  node [shape=record, fontname=\"Helvetica\"];\n",
                  dot_string(title));
  // The contents of a compound element stand together in the router's order.
  std::vector<std::string_view> open;
  auto indent = [&] { return std::string(2 + 2 * open.size(), ' '); };
  auto close = [&] {
    open.pop_back();
    text += indent() + "}\n";
  };
  for (const auto& element : router.elements()) {
    const std::vector<std::string_view> path = compounds_of(element->name());
    std::size_t common = 0;
    while (common < std::min(open.size(), path.size()) && open[common] == path[common]) ++common;
    while (open.size() > common) close();
    for (; common < path.size(); ++common) {
      text += indent() + "subgraph " + dot_string("cluster " + std::string(path[common])) + " {\n";
      open.push_back(path[common]);
      text += indent() + "label=" + dot_string(path[common]) + ";\n";
    }
    text += indent() + node(*element);
  }
  while (!open.empty()) close();
  for (const click::FlatConnection& connection : router.connections()) {
    const Element& from = *router.elements()[connection.from];
    const Element& to = *router.elements()[connection.to];
    const bool pull = from.output_kind(connection.from_port) == PortKind::pull;
    text += fmt::format(
        "  {} -> {}{};\n", port_of(from.name(), 'o', connection.from_port, from.noutputs()),
        port_of(to.name(), 'i', connection.to_port, to.ninputs()), pull ? " [style=dashed]" : "");
  }
  return text + "}\n";
}

}  // namespace headroom
