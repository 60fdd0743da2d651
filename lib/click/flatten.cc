#include "headroom/click/flatten.hh"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "headroom/base/suggest.hh"
#include "headroom/click/arguments.hh"
#include "headroom/click/pairing.hh"

namespace headroom::click {
namespace {

// Looking for the nearest name goes through all names; behind so many messages nobody reads it.
constexpr int kMaxSuggestions = 100;
constexpr uint32_t kNone = FlatGraph::kNone;

std::string quoted(std::string_view name) { return '\'' + std::string(name) + '\''; }

bool has_all_digit_component(std::string_view name) {
  for (;;) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.find_first_not_of("0123456789") == std::string_view::npos) return true;
    if (slash == std::string_view::npos) return false;
    name.remove_prefix(slash + 1);
  }
}

struct ConnectionHash {
  std::size_t operator()(const PortPair& pair) const {
    const uint64_t from = (uint64_t{pair.from} << 16) ^ pair.from_port;
    const uint64_t to = (uint64_t{pair.to} << 16) ^ pair.to_port;
    return std::hash<uint64_t>{}((from * 0x9E3779B97F4A7C15U) ^ (to + (from << 7)));
  }
};
struct SameConnection {
  bool operator()(const PortPair& a, const PortPair& b) const {
    return a.from == b.from && a.from_port == b.from_port && a.to == b.to && a.to_port == b.to_port;
  }
};

class Flattener {
 public:
  Flattener(ReaderEnvironment& environment, Diagnostics& diagnostics)
      : environment_(environment), diagnostics_(diagnostics) {}

  FlatGraph run(const Tree& tree) {
    note_declarations(tree);
    for (const Statement& statement : tree.statements) {
      std::visit([this](const auto& node) { add(node); }, statement);
    }
    return finish();
  }

 private:
  // An element before the anonymous ones have got their names.
  struct Made {
    std::string_view name;  // empty: anonymous
    std::string_view class_name;
    const ConfigNode* config = nullptr;
    SourceLocation where;
  };

  void note_declarations(const Tree& tree) {
    for (const Statement& statement : tree.statements) {
      const auto* chain = std::get_if<ChainNode>(&statement);
      if (!chain) continue;
      for (const auto& side : chain->sides) {
        for (const ElementNode& element : side) {
          if (element.declares) declared_somewhere_.emplace(element.name, element.where);
        }
      }
    }
  }

  // --- statements ---

  void add(const ClassNode& node) { own_classes_.insert(node.name); }

  void add(const RequireNode& node) {
    const std::string_view config = node.config.text;
    for (const Argument& argument : split_arguments(config)) {
      const SourceLocation where = locate(node.config.where, config, argument.offset);
      const std::vector<std::string> words = split_words(argument.text);
      if (words.size() == 1) {
        const std::string name = unquote(words[0]);
        // The way texts are kept is nobody's business here.
        if (name != "compact_config") environment_.require_package(name, where, diagnostics_);
      } else if (words.size() == 2 && words[0] == "package") {
        environment_.require_package(unquote(words[1]), where, diagnostics_);
      } else if (words.size() == 2 && words[0] == "library") {
        diagnostics_.error(where, "'require(library ...)' is not supported",
                           "put the text of " + quoted(unquote(words[1])) + " here");
      } else {
        diagnostics_.error(where, "syntax error at requirement", "write: require(package NAME)");
      }
    }
  }

  void add(const ChainNode& chain) {
    const bool quiet = chain.skipped;
    const bool multiple = is_multiple_declaration(chain);
    std::vector<std::vector<uint32_t>> made;
    made.reserve(chain.sides.size());
    for (const auto& side : chain.sides) {
      std::vector<uint32_t>& indices = made.emplace_back();
      indices.reserve(side.size());
      for (const ElementNode& element : side) {
        indices.push_back(multiple           ? declare(element, side.back(), quiet)
                          : element.declares ? declare(element, element, quiet)
                                             : refer(element, quiet));
      }
    }
    if (chain.broken) return;
    check_ends(chain);
    for (std::size_t i = 0; i < chain.arrows.size(); ++i) {
      connect(chain, i, made[i], made[i + 1]);
    }
  }

  // "a, b :: Class" as a statement of its own, with nothing but names before the last.
  static bool is_multiple_declaration(const ChainNode& chain) {
    if (chain.sides.size() != 1 || chain.sides[0].size() < 2) return false;
    const std::vector<ElementNode>& side = chain.sides[0];
    if (!side.back().declares) return false;
    for (const ElementNode& element : side) {
      if (element.inputs.given || element.outputs.given) return false;
      if (&element != &side.back() && (element.declares || element.config)) return false;
    }
    return true;
  }

  // --- elements ---

  // `definition` is where the class and the configuration stand.
  uint32_t declare(const ElementNode& element, const ElementNode& definition, bool quiet) {
    // A class that is missing was reported by the parser.
    const std::string_view class_name = definition.class_name;
    if (!class_name.empty() && !quiet) check_class(class_name, definition.class_where);
    if (is_class(element.name)) {
      if (!quiet) {
        diagnostics_.error(element.where, "class " + quoted(element.name) + " used as element name",
                           "give the element a name that no class has");
      }
      return make({}, class_name, definition, element.where);
    }
    if (has_all_digit_component(element.name)) {
      if (!quiet) {
        diagnostics_.error(element.where,
                           "element name " + quoted(element.name) + " has all-digit component");
      }
    }
    if (const auto found = by_name_.find(element.name); found != by_name_.end()) {
      if (!quiet) {
        diagnostics_.error(element.where, "redeclaration of element " + quoted(element.name));
        diagnostics_.note(made_[found->second].where,
                          "element " + quoted(element.name) + " previously declared here");
      }
      return found->second;
    }
    const uint32_t index = make(element.name, class_name, definition, element.where);
    by_name_.emplace(element.name, index);
    return index;
  }

  // A name without "::": a class makes an anonymous element, all else must be declared.
  uint32_t refer(const ElementNode& element, bool quiet) {
    if (is_class(element.name)) return make({}, element.name, element, element.where);
    if (const auto found = by_name_.find(element.name); found != by_name_.end()) {
      if (element.config && !quiet) {
        diagnostics_.error(element.where, "configuration string ignored on element reference",
                           quoted(element.name) + " was declared in line " +
                               std::to_string(made_[found->second].where.line));
      }
      return found->second;
    }
    if (element.config) {
      if (!quiet) check_class(element.name, element.where);
      return make({}, element.name, element, element.where);
    }
    // One message a name; the later uses follow from the same mistake.
    if (!quiet && undeclared_.insert(element.name).second) {
      diagnostics_.error(element.where, "undeclared element " + quoted(element.name),
                         hint_for_undeclared(element.name));
    }
    return kNone;
  }

  uint32_t make(std::string_view name, std::string_view class_name, const ElementNode& definition,
                SourceLocation where) {
    made_.push_back({name, class_name, definition.config ? &*definition.config : nullptr, where});
    return static_cast<uint32_t>(made_.size() - 1);
  }

  bool is_class(std::string_view name) const {
    return own_classes_.contains(name) || environment_.is_class(name);
  }

  void check_class(std::string_view name, SourceLocation where) {
    if (is_class(name) || !unknown_classes_.insert(name).second) return;
    std::string hint;
    if (suggestions_++ < kMaxSuggestions) hint = did_you_mean(name, environment_.class_names());
    diagnostics_.error(where, "unknown element class " + quoted(name), std::move(hint));
  }

  std::string hint_for_undeclared(std::string_view name) {
    if (const auto found = declared_somewhere_.find(name); found != declared_somewhere_.end()) {
      return "it is declared in line " + std::to_string(found->second.line) +
             ", but an element must be declared before it is used";
    }
    if (suggestions_++ >= kMaxSuggestions) return {};
    std::vector<std::string_view> names;
    for (const Made& element : made_) {
      if (!element.name.empty()) names.push_back(element.name);
    }
    const std::vector<std::string_view> classes = environment_.class_names();
    names.insert(names.end(), classes.begin(), classes.end());
    return did_you_mean(name, names);
  }

  // --- connections ---

  void check_ends(const ChainNode& chain) {
    const auto given = [](const std::vector<ElementNode>& side, PortsNode ElementNode::*ports) {
      return std::find_if(side.begin(), side.end(),
                          [ports](const ElementNode& element) { return (element.*ports).given; });
    };
    const auto& first = chain.sides.front();
    if (const auto found = given(first, &ElementNode::inputs); found != first.end()) {
      diagnostics_.error(found->inputs.where, "input ports ignored at start of chain");
    }
    const auto& last = chain.sides.back();
    if (const auto found = given(last, &ElementNode::outputs); found != last.end()) {
      diagnostics_.error(found->outputs.where, "output ports ignored at end of chain");
    }
  }

  void connect(const ChainNode& chain, std::size_t arrow, const std::vector<uint32_t>& from,
               const std::vector<uint32_t>& to) {
    const SourceLocation where = chain.arrows[arrow].where;
    Side left, right;
    for (std::size_t i = 0; i < from.size(); ++i) {
      left.push_back({from[i], &chain.sides[arrow][i].outputs});
    }
    for (std::size_t i = 0; i < to.size(); ++i) {
      right.push_back({to[i], &chain.sides[arrow + 1][i].inputs});
    }
    const PairingResult result = pair_ports(left, right, chain.arrows[arrow].fat);
    if (!result.error.empty()) diagnostics_.error(where, result.error);
    for (const PortPair& pair : result.pairs) {
      if (pair.from == kNone || pair.to == kNone) continue;
      if (connected_.insert(pair).second) connections_.emplace_back(pair, where);
    }
  }

  // --- the end ---

  FlatGraph finish() {
    name_anonymous();
    FlatGraph graph;
    for (std::size_t i = 0; i < made_.size(); ++i) {
      const Made& element = made_[i];
      std::string name =
          element.name.empty() ? std::move(anonymous_names_[i]) : std::string(element.name);
      graph.add(std::move(name), std::string(element.class_name),
                element.config ? element.config->text : std::string(), element.where,
                element.config ? element.config->where : SourceLocation{});
    }
    for (const auto& [pair, where] : connections_) {
      graph.connect(pair.from, pair.from_port, pair.to, pair.to_port, where);
    }
    return graph;
  }

  // "Class@N", where N counts the elements made so far, and is raised while the name is taken.
  void name_anonymous() {
    anonymous_names_.resize(made_.size());
    std::unordered_set<std::string> taken;
    for (const Made& element : made_) {
      // Only such a name can be in the way.
      if (element.name.find('@') != std::string_view::npos) taken.emplace(element.name);
    }
    // All numbers from the last one's start to the last one given are taken, so the search goes on
    // there; it would be quadratic otherwise.
    std::unordered_map<std::string_view, uint64_t> next_free;
    for (std::size_t i = 0; i < made_.size(); ++i) {
      if (!made_[i].name.empty()) continue;
      const std::string stem = std::string(made_[i].class_name) + '@';
      uint64_t& next = next_free[made_[i].class_name];
      next = std::max<uint64_t>(next, i + 1);
      std::string name;
      do {
        name = stem + std::to_string(next++);
      } while (taken.contains(name));
      anonymous_names_[i] = std::move(name);
    }
  }

  ReaderEnvironment& environment_;
  Diagnostics& diagnostics_;

  std::vector<Made> made_;
  std::vector<std::string> anonymous_names_;  // by element index
  std::unordered_map<std::string_view, uint32_t> by_name_;
  std::unordered_map<std::string_view, SourceLocation> declared_somewhere_;
  std::unordered_set<std::string_view> undeclared_;
  std::unordered_set<std::string_view> own_classes_;
  std::unordered_set<std::string_view> unknown_classes_;
  int suggestions_ = 0;

  std::unordered_set<PortPair, ConnectionHash, SameConnection> connected_;
  std::vector<std::pair<PortPair, SourceLocation>> connections_;
};

}  // namespace

FlatGraph flatten(const Tree& tree, ReaderEnvironment& environment, Diagnostics& diagnostics) {
  return Flattener(environment, diagnostics).run(tree);
}

}  // namespace headroom::click
