#include "headroom/graph/hookup.hh"

#include <algorithm>
#include <cctype>
#include <deque>
#include <optional>
#include <set>
#include <tuple>

namespace headroom {
namespace {

using click::FlatConnection;

// The letter for a port in one side of a processing or flow code: the last one repeats.
char letter(std::string_view codes, uint32_t port, bool output) {
  const auto slash = codes.find('/');
  std::string_view side = codes.substr(0, slash);
  if (output && slash != std::string_view::npos) side = codes.substr(slash + 1);
  if (side.empty()) return 'a';
  return side[std::min<std::size_t>(port, side.size() - 1)];
}

// The letters for a port in one side of a flow code: one, or a set in brackets; the last repeats.
std::string_view letters(std::string_view side, uint32_t port) {
  std::string_view one;
  while (!side.empty()) {
    const std::size_t end = side[0] == '[' ? std::min(side.find(']'), side.size() - 1) : 0;
    one = side.substr(0, end + 1);
    if (port-- == 0) break;
    side.remove_prefix(one.size());
  }
  return one;
}

bool contains(std::string_view letters, char letter) {
  if (letters.size() < 2) return letters == std::string_view(&letter, 1);
  letters.remove_prefix(1);
  const bool others = letters[0] == '^';
  return (letters.find(letter, others ? 1 : 0) != std::string_view::npos) != others;
}

// Whether packets from an input can leave by an output.
bool flows(std::string_view flow, uint32_t input, uint32_t output) {
  const auto slash = flow.find('/');
  const std::string_view from = letters(flow.substr(0, slash), input);
  const std::string_view to =
      letters(slash == std::string_view::npos ? flow : flow.substr(slash + 1), output);
  if (from == "#" || to == "#") return input == output;
  // Of two sets any letter in common will do, and all letters of flow codes are in the code itself.
  for (const char letter : flow)
    if (std::isalpha(static_cast<unsigned char>(letter)) && contains(from, letter) &&
        contains(to, letter))
      return true;
  return false;
}

// A number far beyond that is a slip of the pen, and would cost the memory of as many ports.
constexpr uint32_t kMostPorts = 65536;

uint32_t clamp_count(uint32_t used, const PortRange& range) {
  return std::min({std::max(used, range.min), range.max, kMostPorts});
}

void check_ranges(std::span<PortPlan> plans, std::span<const FlatConnection> connections,
                  Diagnostics& diagnostics) {
  std::vector<uint32_t> used_inputs(plans.size());
  std::vector<uint32_t> used_outputs(plans.size());
  for (const FlatConnection& connection : connections) {
    auto& out = used_outputs[connection.from];
    auto& in = used_inputs[connection.to];
    out = std::max(out, connection.from_port + 1);
    in = std::max(in, connection.to_port + 1);
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    PortPlan& plan = plans[i];
    const auto spec = PortSpec::parse(plan.spec->ports);
    if (!spec) {
      diagnostics.error(plan.where, "'" + plan.label + "' has a bad port specification '" +
                                        std::string(plan.spec->ports) + "'");
      continue;
    }
    plan.inputs = clamp_count(used_inputs[i], spec->inputs);
    plan.outputs = spec->outputs_follow_inputs ? plan.inputs + spec->extra
                                               : clamp_count(used_outputs[i], spec->outputs);
  }
  std::set<std::tuple<uint32_t, uint32_t, bool>> reported;
  auto report = [&](uint32_t element, uint32_t port, bool output, SourceLocation where) {
    if (!reported.emplace(element, port, output).second) return;
    const PortPlan& plan = plans[element];
    const uint32_t count = output ? plan.outputs : plan.inputs;
    const std::string side = output ? "output" : "input";
    const std::string has = count == 0 ? "it has no " + side + "s"
                            : count == 1
                                ? "its only " + side + " is " + side + " 0"
                                : "its " + side + "s are 0 to " + std::to_string(count - 1);
    diagnostics.error(where.known() ? where : plan.where,
                      "'" + plan.label + "' has no " + side + " " + std::to_string(port), has);
  };
  for (const FlatConnection& connection : connections) {
    if (connection.from_port >= plans[connection.from].outputs)
      report(connection.from, connection.from_port, true, connection.where);
    if (connection.to_port >= plans[connection.to].inputs)
      report(connection.to, connection.to_port, false, connection.where);
  }
}

// Finds out which ports push and which pull. Ports are numbered through: an element's inputs, then
// its outputs.
class Kinds {
 public:
  Kinds(std::span<PortPlan> plans, std::span<const FlatConnection> connections)
      : plans_(plans), connections_(connections), first_(plans.size() + 1) {
    for (std::size_t i = 0; i < plans.size(); ++i)
      first_[i + 1] = first_[i] + plans[i].inputs + plans[i].outputs;
    kinds_.resize(first_.back());
    neighbours_.resize(first_.back());
  }

  void solve(Diagnostics& diagnostics) {
    for (const FlatConnection& connection : connections_) {
      neighbours_[output(connection.from, connection.from_port)].push_back(
          input(connection.to, connection.to_port));
      neighbours_[input(connection.to, connection.to_port)].push_back(
          output(connection.from, connection.from_port));
    }
    std::deque<uint32_t> queue;
    for (uint32_t element = 0; element < plans_.size(); ++element)
      for (uint32_t port = first_[element]; port < first_[element + 1]; ++port) {
        const char code = code_of(element, port);
        if (code == 'a') continue;
        kinds_[port] = code == 'h' ? PortKind::push : PortKind::pull;
        queue.push_back(port);
      }
    spread(queue, diagnostics);
    for (auto& kind : kinds_)
      if (!kind) kind = PortKind::push;
    check_connections(diagnostics);
    for (uint32_t element = 0; element < plans_.size(); ++element) {
      PortPlan& plan = plans_[element];
      for (uint32_t port = first_[element]; port < first_[element + 1]; ++port)
        (port < first_[element] + plan.inputs ? plan.input_kinds : plan.output_kinds)
            .push_back(*kinds_[port]);
    }
  }

 private:
  uint32_t input(uint32_t element, uint32_t port) const { return first_[element] + port; }
  uint32_t output(uint32_t element, uint32_t port) const {
    return first_[element] + plans_[element].inputs + port;
  }
  char code_of(uint32_t element, uint32_t node) const {
    const uint32_t port = node - first_[element];
    const PortPlan& plan = plans_[element];
    return port < plan.inputs ? letter(plan.spec->processing, port, false)
                              : letter(plan.spec->processing, port - plan.inputs, true);
  }
  uint32_t element_of(uint32_t node) const {
    return static_cast<uint32_t>(std::upper_bound(first_.begin(), first_.end(), node) -
                                 first_.begin() - 1);
  }

  // Breadth first from the ports whose class says what they are: along connections, then through
  // agnostic elements, so that an element between two kinds is itself named as the place of the
  // conflict.
  void spread(std::deque<uint32_t>& queue, Diagnostics& diagnostics) {
    while (!queue.empty()) {
      std::deque<uint32_t> reached;
      for (const uint32_t node : queue) {
        reached.push_back(node);
        for (const uint32_t other : neighbours_[node])
          if (!kinds_[other]) {
            kinds_[other] = kinds_[node];
            reached.push_back(other);
          }
      }
      queue.clear();
      for (const uint32_t node : reached) cross(node, queue, diagnostics);
    }
  }

  void cross(uint32_t node, std::deque<uint32_t>& queue, Diagnostics& diagnostics) {
    const uint32_t element = element_of(node);
    const PortPlan& plan = plans_[element];
    if (code_of(element, node) != 'a') return;
    const bool is_input = node < first_[element] + plan.inputs;
    const uint32_t port = is_input ? node - first_[element] : node - first_[element] - plan.inputs;
    for (uint32_t other = 0; other < (is_input ? plan.outputs : plan.inputs); ++other) {
      const uint32_t across = is_input ? output(element, other) : input(element, other);
      if (code_of(element, across) != 'a') continue;
      if (!flows(plan.spec->flow, is_input ? port : other, is_input ? other : port)) continue;
      if (!kinds_[across]) {
        kinds_[across] = kinds_[node];
        queue.push_back(across);
      } else if (*kinds_[across] != *kinds_[node] && mixed_.insert(element).second) {
        const uint32_t in = is_input ? port : other;
        const uint32_t out = is_input ? other : port;
        // These two have no landmark in the plain form, as in Click; the context's place shows in
        // the full one.
        const bool pushed = *kinds_[input(element, in)] == PortKind::push;
        diagnostics.add({.where = {},
                         .context = {},
                         .message = "agnostic '" + plan.label +
                                    "' in mixed context: " + text(input(element, in)) + " input " +
                                    std::to_string(in) + ", " + text(output(element, out)) +
                                    " output " + std::to_string(out),
                         .hint = pushed ? "packets are pushed to it and pulled from it; put a "
                                          "Queue before or behind it"
                                        : "packets are pulled by whom it should push them to; put "
                                          "an Unqueue before or behind it",
                         .context_where = plan.where});
      }
    }
  }

  void check_connections(Diagnostics& diagnostics) {
    for (const FlatConnection& connection : connections_) {
      const uint32_t from = output(connection.from, connection.from_port);
      const uint32_t to = input(connection.to, connection.to_port);
      if (*kinds_[from] == *kinds_[to]) continue;
      const bool pull_first = *kinds_[from] == PortKind::pull;
      diagnostics.add(
          {.where = {},
           .context = {},
           .message = "'" + plans_[connection.from].label + "' " + text(from) + " output " +
                      std::to_string(connection.from_port) + " connected to '" +
                      plans_[connection.to].label + "' " + text(to) + " input " +
                      std::to_string(connection.to_port),
           .hint = pull_first ? "put an Unqueue between them: it pulls, and pushes what it gets"
                              : "put a Queue between them: it is pushed to and pulled from",
           .context_where = connection.where});
    }
  }

  std::string text(uint32_t node) const {
    return *kinds_[node] == PortKind::push ? "push" : "pull";
  }

  std::span<PortPlan> plans_;
  std::span<const FlatConnection> connections_;
  std::vector<uint32_t> first_;
  std::vector<std::optional<PortKind>> kinds_;
  std::vector<std::vector<uint32_t>> neighbours_;
  std::set<uint32_t> mixed_;
};

void check_completeness(std::span<PortPlan> plans, std::span<const FlatConnection> connections,
                        Diagnostics& diagnostics) {
  std::vector<std::vector<uint32_t>> inputs(plans.size());
  std::vector<std::vector<uint32_t>> outputs(plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    inputs[i].resize(plans[i].inputs);
    outputs[i].resize(plans[i].outputs);
  }
  for (const FlatConnection& connection : connections) {
    const PortPlan& from = plans[connection.from];
    const PortPlan& to = plans[connection.to];
    if (++outputs[connection.from][connection.from_port] == 2 &&
        from.output_kinds[connection.from_port] == PortKind::push)
      diagnostics.error(connection.where,
                        "illegal reuse of '" + from.label + "' push output " +
                            std::to_string(connection.from_port),
                        "a Tee sends copies to several elements");
    if (++inputs[connection.to][connection.to_port] == 2 &&
        to.input_kinds[connection.to_port] == PortKind::pull)
      diagnostics.error(
          connection.where,
          "illegal reuse of '" + to.label + "' pull input " + std::to_string(connection.to_port),
          "it can pull from one element only");
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto spec = PortSpec::parse(plans[i].spec->ports);
    const uint32_t min_outputs = spec->outputs_follow_inputs ? plans[i].outputs : spec->outputs.min;
    for (uint32_t port = 0; port < spec->inputs.min; ++port)
      if (inputs[i][port] == 0)
        diagnostics.error(plans[i].where,
                          "'" + plans[i].label + "' input " + std::to_string(port) + " unused",
                          "connect something to it; Idle is a source of nothing");
    for (uint32_t port = 0; port < min_outputs; ++port)
      if (outputs[i][port] == 0)
        diagnostics.error(plans[i].where,
                          "'" + plans[i].label + "' output " + std::to_string(port) + " unused",
                          "connect it; to Discard, if nobody wants what comes out");
  }
}

}  // namespace

bool check_hookup(std::span<PortPlan> plans, std::span<const FlatConnection> connections,
                  Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.errors();
  check_ranges(plans, connections, diagnostics);
  if (diagnostics.errors() != before) return false;
  Kinds(plans, connections).solve(diagnostics);
  if (diagnostics.errors() != before) return false;
  check_completeness(plans, connections, diagnostics);
  return diagnostics.errors() == before;
}

std::vector<bool> find_deferred(std::span<const PortPlan> plans,
                                std::span<const FlatConnection> connections, uint32_t max_depth) {
  std::vector<bool> deferred(connections.size());
  std::vector<std::vector<uint32_t>> leaving(plans.size());
  std::vector<bool> entered(plans.size());
  for (uint32_t i = 0; i < connections.size(); ++i) {
    const FlatConnection& connection = connections[i];
    if (plans[connection.from].output_kinds[connection.from_port] != PortKind::push) continue;
    leaving[connection.from].push_back(i);
    entered[connection.to] = true;
  }
  // Depth first, with a stack of our own. An edge to an element that is still open closes a cycle.
  // Starting at elements that nothing pushes to makes the edge that leads back the deferred one.
  enum class State : uint8_t { fresh, open, done };
  std::vector<State> states(plans.size(), State::fresh);
  std::vector<uint32_t> finished;
  auto visit = [&](uint32_t start) {
    if (states[start] != State::fresh) return;
    std::vector<std::pair<uint32_t, std::size_t>> stack{{start, 0}};
    states[start] = State::open;
    while (!stack.empty()) {
      auto& [element, edge] = stack.back();
      if (edge == leaving[element].size()) {
        states[element] = State::done;
        finished.push_back(element);
        stack.pop_back();
        continue;
      }
      const uint32_t index = leaving[element][edge++];
      const uint32_t target = connections[index].to;
      if (states[target] == State::open) {
        deferred[index] = true;
      } else if (states[target] == State::fresh) {
        states[target] = State::open;
        stack.emplace_back(target, 0);
      }
    }
  };
  for (uint32_t i = 0; i < plans.size(); ++i)
    if (!entered[i]) visit(i);
  for (uint32_t i = 0; i < plans.size(); ++i) visit(i);

  // Reverse finishing order is topological once the back edges are gone.
  std::vector<uint32_t> depth(plans.size());
  for (auto element = finished.rbegin(); element != finished.rend(); ++element)
    for (const uint32_t index : leaving[*element]) {
      if (deferred[index]) continue;
      uint32_t& target = depth[connections[index].to];
      if (depth[*element] + 1 > max_depth)
        deferred[index] = true;
      else
        target = std::max(target, depth[*element] + 1);
    }
  return deferred;
}

}  // namespace headroom
