#include "headroom/click/scope.hh"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace headroom::click {
namespace {

// Of the ports that are missing, so many are named.
constexpr std::size_t kMaxMissing = 10;

// `used` are the ports that are connected, in any order, and `count` the highest one and 1.
void report_missing(const Inner& inner, const char* what, std::vector<uint32_t> used,
                    uint32_t count, Diagnostics& diagnostics) {
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  const std::size_t missing = count - used.size();
  std::size_t reported = 0;
  std::size_t next = 0;
  for (uint32_t port = 0; port < count && reported < std::min(missing, kMaxMissing); ++port) {
    if (used[next] == port) {
      ++next;
      continue;
    }
    ++reported;
    std::string hint = std::string(what) + " ports are numbered from 0 without gaps";
    if (reported == kMaxMissing && missing > kMaxMissing) {
      hint = "and " + std::to_string(missing - kMaxMissing) + " more";
    }
    diagnostics.error(
        inner.where,
        '\'' + std::string(inner.owner) + "' " + what + ' ' + std::to_string(port) + " missing",
        std::move(hint));
  }
}

}  // namespace

Scope::Scope(Program& program, uint32_t body_index, Scope* outer_in)
    : index(body_index), body(program.bodies[body_index]), outer(outer_in) {
  if (outer) {
    body.input = make(BodyElement::Kind::input, "input", {}, body.where);
    body.output = make(BodyElement::Kind::output, "output", {}, body.where);
    inner.push_back({body.input, body.output, body.class_name, body.where});
  }
}

uint32_t Scope::make(BodyElement::Kind kind, std::string_view name, std::string_view stem,
                     SourceLocation where) {
  BodyElement element;
  element.kind = kind;
  element.name = name;
  element.where = where;
  body.elements.push_back(std::move(element));
  stems_.push_back(stem);
  return static_cast<uint32_t>(body.elements.size() - 1);
}

void Scope::connect(const PortPair& pair, SourceLocation where) {
  if (!connected_.insert(pair).second) return;
  body.connections.emplace_back(pair, where);
  using Kind = BodyElement::Kind;
  BodyElement& from = body.elements[pair.from];
  from.outputs_used = std::max(from.outputs_used, pair.from_port + 1);
  BodyElement& to = body.elements[pair.to];
  to.inputs_used = std::max(to.inputs_used, pair.to_port + 1);
  if (from.kind == Kind::input || from.kind == Kind::group_input) {
    inner_ports_[pair.from].push_back(pair.from_port);
  }
  if (to.kind == Kind::output || to.kind == Kind::group_output) {
    inner_ports_[pair.to].push_back(pair.to_port);
  }
}

void Scope::close(const Inner& closed, uint32_t& inputs, uint32_t& outputs,
                  Diagnostics& diagnostics) {
  inputs = body.elements[closed.input].outputs_used;
  outputs = body.elements[closed.output].inputs_used;
  report_missing(closed, "input", std::move(inner_ports_[closed.input]), inputs, diagnostics);
  report_missing(closed, "output", std::move(inner_ports_[closed.output]), outputs, diagnostics);
  inner_ports_.erase(closed.input);
  inner_ports_.erase(closed.output);
}

void Scope::finish() {
  name_anonymous();
  body.by_source.resize(body.connections.size());
  std::iota(body.by_source.begin(), body.by_source.end(), 0);
  body.by_destination = body.by_source;
  const auto& connections = body.connections;
  // Equal ports stay in the order in which they were written.
  std::stable_sort(body.by_source.begin(), body.by_source.end(), [&](uint32_t a, uint32_t b) {
    return std::tie(connections[a].first.from, connections[a].first.from_port) <
           std::tie(connections[b].first.from, connections[b].first.from_port);
  });
  std::stable_sort(body.by_destination.begin(), body.by_destination.end(),
                   [&](uint32_t a, uint32_t b) {
                     return std::tie(connections[a].first.to, connections[a].first.to_port) <
                            std::tie(connections[b].first.to, connections[b].first.to_port);
                   });
}

// "Class@N", where N counts the elements made so far, and is raised while the name is taken. What a
// compound element calls its input and output does not count.
void Scope::name_anonymous() {
  std::vector<BodyElement>& elements = body.elements;
  std::unordered_set<std::string_view> taken;
  for (const BodyElement& element : elements) {
    // Only such a name can be in the way.
    if (element.name.find('@') != std::string::npos) taken.insert(element.name);
  }
  const uint64_t uncounted = outer ? 2 : 0;
  // All numbers from the last one's start to the last one given are taken, so the search goes on
  // there; it would be quadratic otherwise.
  std::unordered_map<std::string_view, uint64_t> next_free;
  for (std::size_t i = uncounted; i < elements.size(); ++i) {
    BodyElement& element = elements[i];
    if (!element.name.empty()) continue;
    const std::string stem = std::string(stems_[i]) + '@';
    uint64_t& next = next_free[stems_[i]];
    next = std::max<uint64_t>(next, i + 1 - uncounted);
    std::string name;
    do {
      name = stem + std::to_string(next++);
    } while (taken.contains(name));
    element.name = std::move(name);
  }
}

}  // namespace headroom::click
