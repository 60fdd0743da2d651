#include "headroom/click/expand.hh"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "headroom/click/arguments.hh"
#include "headroom/click/declarations.hh"
#include "headroom/click/instances.hh"
#include "headroom/click/locator.hh"
#include "headroom/click/overloads.hh"
#include "headroom/click/variables.hh"

namespace headroom::click {
namespace {

using Kind = BodyElement::Kind;

// So many mistakes are enough; a class with many alternatives makes long messages.
constexpr std::size_t kMaxMistakes = 1000;
// Of the ports that are wrong at one compound element, so many are named.
constexpr uint32_t kMaxPortMessages = 10;

class Expander {
 public:
  Expander(const Program& program, Diagnostics& diagnostics, const ReadOptions& options)
      : program_(program), diagnostics_(diagnostics), limits_(options.limits) {
    for (const auto& [name, value] : options.parameters) {
      if (!parameters_.emplace(name, value).second) {
        diagnostics_.error({}, "parameter " + quoted(name) + " multiply defined");
      }
    }
  }

  FlatGraph run() {
    for (const Body& body : program_.bodies) check_groups(body);
    instances_.all.emplace_back();
    instances_.all[0].definitions.resize(program_.bodies[0].definitions.size());
    // Depth first: an instance's own elements, then what is in its instances, one after the other.
    open_.push_back(0);
    while (!open_.empty() && !stopped_) {
      const uint32_t index = open_.back();
      open_.pop_back();
      const std::size_t first = open_.size();
      add_elements(index);
      std::reverse(open_.begin() + static_cast<std::ptrdiff_t>(first), open_.end());
    }
    if (diagnostics_.ok()) trace_connections(program_, instances_, limits_, graph_, diagnostics_);
    return std::move(graph_);
  }

 private:
  // Variables as they are seen from inside an instance.
  class Seen : public Variables {
   public:
    Seen(Expander& expander, uint32_t instance) : expander_(expander), instance_(instance) {}
    std::optional<std::string> find(std::string_view name, int depth) override {
      return expander_.find_variable(instance_, name, depth);
    }
    bool spend(uint64_t bytes) override { return expander_.spend(bytes); }

   private:
    Expander& expander_;
    uint32_t instance_;
  };

  const Body& body_of(uint32_t instance) const {
    return program_.bodies[instances_.all[instance].body];
  }

  // --- bounds ---

  void stop(std::string message, std::string hint) {
    if (!std::exchange(stopped_, true)) diagnostics_.error(where_, std::move(message), hint);
  }

  bool spend(uint64_t bytes) {
    text_ += bytes;
    if (text_ > limits_.text && !stopped_) {
      stop("the names and arguments of the configuration become too long",
           "at most " + std::to_string(limits_.text) + " bytes after expansion");
    }
    return !stopped_;
  }

  // --- elements ---

  void add_elements(uint32_t index) {
    Instance& instance = instances_.all[index];
    const Body& body = program_.bodies[instance.body];
    instance.base = static_cast<uint32_t>(instances_.flat.size());
    instances_.flat.resize(instance.base + body.elements.size(), kNoIndex);
    instances_.child.resize(instance.base + body.elements.size(), kNoIndex);
    for (uint32_t i = 0; i < body.elements.size() && !stopped_; ++i) {
      const BodyElement& element = body.elements[i];
      if (element.kind != Kind::element) continue;
      where_ = placed(element.where, instance);
      if (diagnostics_.errors() > kMaxMistakes) stop("there are too many mistakes to go on", {});
      if (program_.classes[element.class_index].primitive) {
        add_primitive(index, i, element.class_index);
      } else {
        add_instance(index, i);
      }
    }
  }

  static SourceLocation placed(SourceLocation where, const Instance& instance) {
    if (where.known()) where.expansion = instance.expansion;
    return where;
  }

  void add_primitive(uint32_t index, uint32_t element_index, uint32_t class_index) {
    const Instance& instance = instances_.all[index];
    const BodyElement& element = program_.bodies[instance.body].elements[element_index];
    std::string name = instance.prefix + element.name;
    SourceLocation config_where;
    std::string config = config_of(index, element, &config_where);
    if (graph_.elements().size() == limits_.elements) {
      stop("the configuration has more than " + std::to_string(limits_.elements) + " elements",
           "compound elements that contain each other multiply");
    }
    if (!spend(name.size() + config.size())) return;
    check_name(name);
    instances_.flat[instance.base + element_index] =
        graph_.add(std::move(name), program_.classes[class_index].name, std::move(config), where_,
                   config_where);
  }

  void check_name(const std::string& name) {
    if (const uint32_t other = graph_.find(name); other != FlatGraph::kNone) {
      diagnostics_.error(where_, "redeclaration of element " + quoted(name));
      diagnostics_.note(graph_.elements()[other].where, quoted(name) + " previously declared here");
    } else if (program_.file_classes.contains(name)) {
      diagnostics_.error(where_, quoted(name) + " is an element class");
    }
  }

  void add_instance(uint32_t index, uint32_t element_index) {
    const Instance& instance = instances_.all[index];
    const BodyElement& element = program_.bodies[instance.body].elements[element_index];
    Use use{split_arguments(config_of(index, element, nullptr)), element.inputs_used,
            element.outputs_used};
    Choice choice = choose(program_, element.class_index, use);
    if (!choice.found) {
      diagnostics_.error(where_, std::move(choice.message), std::move(choice.hint));
      return;
    }
    if (choice.primitive != kNoIndex) return add_primitive(index, element_index, choice.primitive);

    const Body& body = program_.bodies[choice.body];
    Instance made;
    made.body = choice.body;
    made.parent = index;
    made.element = element_index;
    made.lexical = index;
    // A class is visible only below the body that defines it, so that one is around here.
    while (instances_.all[made.lexical].body != body.parent) {
      made.lexical = instances_.all[made.lexical].lexical;
    }
    const std::string name = instance.prefix + element.name;
    made.prefix = name + '/';
    made.values = std::move(choice.values);
    made.definitions.resize(body.definitions.size());
    if (instances_.all.size() == limits_.elements ||
        instances_.flat.size() + body.elements.size() > 4 * limits_.elements) {
      stop("the configuration has more than " + std::to_string(limits_.elements) +
               " compound elements or too much in them",
           "compound elements that contain each other multiply");
    }
    if (!spend(2 * name.size())) return;
    check_name(name);
    made.expansion = diagnostics_.sources().add_expansion(where_, name);
    check_ports(program_.bodies[instance.body], element_index, name, body.inputs, body.outputs,
                where_);
    const auto child = static_cast<uint32_t>(instances_.all.size());
    instances_.child[instance.base + element_index] = child;
    instances_.all.push_back(std::move(made));
    open_.push_back(child);
  }

  // --- ports ---

  void check_groups(const Body& body) {
    for (uint32_t i = 0; i < body.elements.size(); ++i) {
      const BodyElement& group = body.elements[i];
      if (group.kind != Kind::group) continue;
      check_ports(body, i, group.name, group.inputs, group.outputs, group.where);
    }
  }

  // Whether all ports that the element has are connected, and no others.
  void check_ports(const Body& body, uint32_t element, const std::string& name, uint32_t inputs,
                   uint32_t outputs, SourceLocation where) {
    const auto& connections = body.connections;
    std::vector<uint32_t> used;
    const auto into = std::lower_bound(
        body.by_destination.begin(), body.by_destination.end(), element,
        [&](uint32_t index, uint32_t wanted) { return connections[index].first.to < wanted; });
    for (auto at = into; at != body.by_destination.end(); ++at) {
      if (connections[*at].first.to != element) break;
      used.push_back(connections[*at].first.to_port);
    }
    report_ports(name, "input", std::move(used), inputs, where);
    used.clear();
    const auto out_of = std::lower_bound(
        body.by_source.begin(), body.by_source.end(), element,
        [&](uint32_t index, uint32_t wanted) { return connections[index].first.from < wanted; });
    for (auto at = out_of; at != body.by_source.end(); ++at) {
      if (connections[*at].first.from != element) break;
      used.push_back(connections[*at].first.from_port);
    }
    report_ports(name, "output", std::move(used), outputs, where);
  }

  // `used` ascends.
  void report_ports(const std::string& name, const char* what, std::vector<uint32_t> used,
                    uint32_t count, SourceLocation where) {
    used.erase(std::unique(used.begin(), used.end()), used.end());
    uint32_t messages = 0;
    std::size_t next = 0;
    for (uint32_t port = 0; port < count && messages < kMaxPortMessages; ++port) {
      if (next < used.size() && used[next] == port) {
        ++next;
        continue;
      }
      ++messages;
      diagnostics_.error(where, quoted(name) + ' ' + what + ' ' + std::to_string(port) + " unused",
                         std::string("every ") + what + " of a compound element must be connected");
    }
    for (; next < used.size() && messages < kMaxPortMessages; ++next, ++messages) {
      if (used[next] < count) continue;
      diagnostics_.error(
          where, quoted(name) + " has no " + what + ' ' + std::to_string(used[next]),
          count == 0   ? std::string("it has no ") + what + 's'
          : count == 1 ? std::string("its only ") + what + " is " + what + " 0"
                       : std::string("its ") + what + "s are 0 to " + std::to_string(count - 1));
    }
  }

  // --- variables ---

  // The configuration string with its variables replaced.
  std::string config_of(uint32_t index, const BodyElement& element, SourceLocation* where) {
    if (!element.config) return {};
    const std::string& text = element.config->text;
    const SourceLocation start = placed(element.config->where, instances_.all[index]);
    if (where) *where = start;
    Seen seen(*this, index);
    Expanded expanded = expand_variables(text, seen);
    if (!expanded.changed) return text;
    if (where) *where = pieces_of(expanded, text, start);
    return std::move(expanded.text);
  }

  SourceLocation pieces_of(const Expanded& expanded, std::string_view text, SourceLocation start) {
    Locator original(start, text);
    Locator made({1, 1, 1}, expanded.text);
    std::vector<Sources::Piece> pieces;
    pieces.reserve(expanded.stretches.size());
    for (const Expanded::Stretch& stretch : expanded.stretches) {
      const SourceLocation at = made.at(stretch.at);
      pieces.push_back({at.line, at.column, original.at(stretch.from), stretch.copied});
    }
    SourceLocation where;
    where.file = diagnostics_.sources().add_pieces(std::move(pieces));
    where.line = where.column = 1;
    where.expansion = start.expansion;
    return where;
  }

  std::optional<std::string> find_variable(uint32_t index, std::string_view name, int depth) {
    if (stopped_) return std::nullopt;  // to unwind without more work
    for (; index != kNoIndex; index = instances_.all[index].lexical) {
      if (index == 0) {
        if (const auto found = parameters_.find(name); found != parameters_.end()) {
          return found->second;
        }
      }
      const Body& body = body_of(index);
      const auto found = body.variables.find(name);
      if (found == body.variables.end()) continue;
      if (found->second < body.first_definition) return instances_.all[index].values[found->second];
      return definition(index, found->second - body.first_definition, depth);
    }
    return std::nullopt;
  }

  // The value of a definition may refer to others, in any order. What it comes to is kept, unless
  // it was cut off because of the depth at which it was asked for.
  std::string definition(uint32_t index, uint32_t number, int depth) {
    std::optional<KnownValue>& known = instances_.all[index].definitions[number];
    if (known && depth + known->height <= kMaxVariableDepth) {
      height_ = std::max(height_, depth + known->height);
      return known->text;
    }
    const std::string& text = body_of(index).definitions[number].text;
    const int outer = std::exchange(height_, depth + 1);
    Seen seen(*this, index);
    Expanded expanded = expand_variables(text, seen, depth + 1);
    std::string value = expanded.changed ? std::move(expanded.text) : text;
    const int height = height_ - depth;
    // At the bottom nothing is expanded, whether or not there is anything.
    if (height_ <= kMaxVariableDepth) known = KnownValue{value, height};
    height_ = std::max(outer, height_);
    return value;
  }

  const Program& program_;
  Diagnostics& diagnostics_;
  const ReadLimits limits_;
  std::unordered_map<std::string_view, std::string> parameters_;

  FlatGraph graph_;
  Instances instances_;
  std::vector<uint32_t> open_;
  SourceLocation where_;  // of the element at hand
  uint64_t text_ = 0;
  bool stopped_ = false;
  int height_ = 0;  // the greatest depth that was reached
};

}  // namespace

FlatGraph expand(const Program& program, Diagnostics& diagnostics, const ReadOptions& options) {
  Expander expander(program, diagnostics, options);
  FlatGraph graph = expander.run();
  for (const std::string& requirement : program.requirements) graph.require(requirement);
  return graph;
}

}  // namespace headroom::click
