#include "headroom/click/resolve.hh"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "headroom/base/suggest.hh"
#include "headroom/click/arguments.hh"
#include "headroom/click/declarations.hh"
#include "headroom/click/libraries.hh"
#include "headroom/click/locator.hh"
#include "headroom/click/parser.hh"
#include "headroom/click/scope.hh"

namespace headroom::click {
namespace {

using Kind = BodyElement::Kind;

// Looking for the nearest name goes through all names; behind so many messages nobody reads it.
constexpr int kMaxSuggestions = 100;
constexpr uint32_t kNone = kNoIndex;
constexpr std::size_t kMaxLibraryDepth = 50;

class Resolver {
 public:
  Resolver(Program& program, ReaderEnvironment& environment, Diagnostics& diagnostics,
           const ReadOptions& options)
      : program_(program),
        environment_(environment),
        diagnostics_(diagnostics),
        options_(options) {}

  void run(uint32_t file) {
    program_.bodies.emplace_back();
    Scope scope(program_, 0, nullptr);
    scope_ = &scope;
    libraries_.insert(library_identity(diagnostics_.sources().name(file)));
    for (const std::string& name : options_.packages) require_package(name, {file, 1, 1});
    add_source(file);
    scope.finish();
    program_.file_classes = std::move(scope.classes);
    report_misused_instances(program_, diagnostics_);
  }

 private:
  void add_source(uint32_t file) {
    if (diagnostics_.sources().text(file).starts_with("!<arch>")) {
      diagnostics_.error({file, 1, 1}, "configuration archives are not supported",
                         "take the configuration out of it: ar p FILE config");
      return;
    }
    const Tree& tree = program_.trees.emplace_back(parse(file, diagnostics_));
    note_declarations(tree.statements, scope_->declared_somewhere);
    add(tree.statements);
  }

  void add(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
      std::visit([this](const auto& node) { add(node); }, statement);
    }
  }

  // --- require ---

  void add(const RequireNode& node) {
    const std::string_view config = node.config.text;
    Locator locator(node.config.where, config);
    for (const Argument& argument : split_arguments(config)) {
      const SourceLocation where = locator.at(argument.offset);
      const std::vector<std::string> words = split_words(argument.text);
      if (words.size() == 1 && unquote(words[0]) == "compact_config") {
        // The way texts are kept is nobody's business here; it is only shown again.
        program_.requirements.emplace_back("compact_config");
      } else if (words.size() == 1) {
        require_package(unquote(words[0]), where);
      } else if (words.size() == 2 && words[0] == "package") {
        require_package(unquote(words[1]), where);
      } else if (words.size() == 2 && words[0] == "library") {
        require_library(unquote(words[1]), where);
      } else {
        diagnostics_.error(where, "syntax error at requirement",
                           "write: require(package NAME) or require(library FILE)");
      }
    }
  }

  void require_package(const std::string& name, SourceLocation where) {
    if (auto text = options_.package_text ? options_.package_text(name) : std::nullopt) {
      if (at_file_scope("package", where)) add_library("package " + name, std::move(*text), where);
      return;
    }
    program_.requirements.push_back("package " + name);
    if (!is_builtin_package(name)) environment_.require_package(name, where, diagnostics_);
  }

  bool at_file_scope(const std::string& what, SourceLocation where) {
    if (!scope_->outer && scope_->inner.empty()) return true;
    diagnostics_.error(where, "'require " + what + "' must be used at file scope");
    return false;
  }

  void require_library(const std::string& name, SourceLocation where) {
    if (!at_file_scope("library", where)) return;
    std::string path;
    std::optional<std::string> text =
        load_library(name, diagnostics_.sources().name(where.file), options_, path);
    if (!text) {
      diagnostics_.error(where, "library " + quoted(name) + " not found in CLICKPATH/conf",
                         places_of_libraries(options_));
      return;
    }
    add_library(path, std::move(*text), where);
  }

  void add_library(const std::string& path, std::string text, SourceLocation where) {
    if (!libraries_.insert(library_identity(path)).second) return;
    if (library_depth_ == kMaxLibraryDepth) {
      diagnostics_.error(where, "libraries require each other too deeply");
      return;
    }
    ++library_depth_;
    add_source(diagnostics_.sources().add(path, std::move(text)));
    --library_depth_;
  }

  // --- variables and classes ---

  void add(const DefineNode& node) { add_definitions(node, scope_->body, diagnostics_); }

  void add(const ClassNode& node) {
    uint32_t index = kNone;
    if (node.body) {
      index = make_class(*node.body, node.name);
    } else {
      index = find_class(node.synonym_of);
      if (index == kNone) index = report_unknown_class(node.synonym_of, node.synonym_where);
    }
    scope_->classes.insert_or_assign(node.name, index);
  }

  uint32_t make_class(const BodyNode& node, std::string_view name) {
    Class made;
    made.name = name.empty() ? "<anonymous>" : std::string(name);
    made.alternatives_all = 0;
    if (node.extends) {
      made.previous = find_class(name);
      if (made.previous == kNone) {
        diagnostics_.error(node.where, "cannot extend unknown element class " + quoted(made.name));
      } else {
        made.alternatives_all = program_.classes[made.previous].alternatives_all;
      }
    }
    for (const CompoundNode& alternative : node.alternatives) {
      made.bodies.push_back(add_body(alternative, made.name));
    }
    made.alternatives_all += static_cast<uint32_t>(made.bodies.size());
    if (made.alternatives_all > kMaxAlternatives) {
      diagnostics_.error(node.where, "class " + quoted(made.name) + " has more than " +
                                         std::to_string(kMaxAlternatives) + " alternatives");
      made.previous = kNone;
    }
    program_.classes.push_back(std::move(made));
    return static_cast<uint32_t>(program_.classes.size() - 1);
  }

  // At most kMaxNesting of these are at work at a time: the parser sees to it.
  uint32_t add_body(const CompoundNode& node, const std::string& class_name) {
    const auto index = static_cast<uint32_t>(program_.bodies.size());
    Body& body = program_.bodies.emplace_back();
    body.parent = scope_->index;
    body.class_name = class_name;
    body.where = node.where;
    add_formals(node.formals, body, diagnostics_);

    Scope scope(program_, index, scope_);
    scope_ = &scope;
    const std::size_t errors = diagnostics_.errors();
    note_declarations(node.statements, scope.declared_somewhere);
    add(node.statements);
    const Inner& inner = scope.inner.back();
    close(inner, body.inputs, body.outputs, errors);
    body.input_misused = inner.input_misused;
    body.output_misused = inner.output_misused;
    scope.finish();
    scope_ = scope.outer;
    return index;
  }

  // What is missing after other mistakes may be missing because of them.
  void close(const Inner& inner, uint32_t& inputs, uint32_t& outputs, std::size_t errors_before) {
    Diagnostics ignored;
    const bool good = diagnostics_.errors() == errors_before;
    scope_->close(inner, inputs, outputs, good ? diagnostics_ : ignored);
  }

  uint32_t find_class(std::string_view name) {
    for (const Scope* scope = scope_; scope; scope = scope->outer) {
      if (const auto found = scope->classes.find(name); found != scope->classes.end()) {
        return found->second;
      }
    }
    if (const auto found = primitives_.find(name); found != primitives_.end()) return found->second;
    return environment_.is_class(name) ? add_primitive(name) : kNone;
  }

  uint32_t add_primitive(std::string_view name) {
    const auto index = static_cast<uint32_t>(program_.classes.size());
    Class& made = program_.classes.emplace_back();
    made.name = name;
    made.primitive = true;
    primitives_.emplace(name, index);
    return index;
  }

  // From now on it is a class, so that one message is enough.
  uint32_t report_unknown_class(std::string_view name, SourceLocation where) {
    if (options_.accept_unknown_classes) return add_primitive(name);
    std::string hint;
    if (suggestions_++ < kMaxSuggestions) hint = did_you_mean(name, class_names());
    diagnostics_.error(where, "unknown element class " + quoted(name), std::move(hint));
    return add_primitive(name);
  }

  std::vector<std::string_view> class_names() const {
    std::vector<std::string_view> names;
    for (const Scope* scope = scope_; scope; scope = scope->outer) {
      for (const auto& [name, index] : scope->classes) names.push_back(name);
    }
    // The order of the map is nobody's; of two names equally near, the first is suggested.
    std::sort(names.begin(), names.end());
    const std::vector<std::string_view> known = environment_.class_names();
    names.insert(names.end(), known.begin(), known.end());
    return names;
  }

  // --- chains ---

  void add(const ChainNode& chain) {
    if (!chain.skipped) check_start(chain);
    const bool multiple = is_multiple_declaration(chain);
    std::vector<std::vector<uint32_t>> made;
    made.reserve(chain.sides.size());
    for (const auto& side : chain.sides) {
      std::vector<uint32_t>& indices = made.emplace_back();
      indices.reserve(side.size());
      uint32_t class_index = kNone;
      if (multiple) class_index = class_of(side.back(), chain.skipped);
      for (const ElementNode& element : side) {
        indices.push_back(multiple ? declare(element, side.back(), class_index, chain.skipped)
                                   : add(element, chain.skipped));
      }
    }
    if (!scope_->inner.empty()) {
      const std::vector<uint32_t>& last = made.back();
      scope_->inner.back().ends_in_output =
          last.size() == 1 && last[0] == scope_->inner.back().output;
    }
    if (chain.broken) return;
    check_ends(chain, diagnostics_);
    for (std::size_t i = 0; i < chain.arrows.size(); ++i) {
      connect(chain, i, made[i], made[i + 1]);
    }
  }

  uint32_t add(const ElementNode& element, bool quiet) {
    switch (element.kind) {
      case ElementNode::Kind::named:
        if (!element.declares) return refer(element, quiet);
        return declare(element, element, class_of(element, quiet), quiet);
      case ElementNode::Kind::compound:
        if (!element.body) return kNone;
        return make({}, {}, make_class(*element.body, {}), element, element.where);
      case ElementNode::Kind::group:
        return add_group(*element.group);
      case ElementNode::Kind::inner_input:
        return scope_->inner.back().input;
      case ElementNode::Kind::inner_output:
        // In the middle of a chain that was reported.
        return scope_->inner.empty() ? kNone : scope_->inner.back().output;
    }
    return kNone;
  }

  uint32_t add_group(const GroupNode& node) {
    const uint32_t group = scope_->make(Kind::group, {}, {}, node.where);
    const uint32_t input = scope_->make(Kind::group_input, "input", {}, node.where);
    const uint32_t output = scope_->make(Kind::group_output, "output", {}, node.where);
    for (const uint32_t index : {group, input, output}) scope_->body.elements[index].group = group;
    scope_->inner.push_back({input, output, "<anonymous group>", node.where});
    const std::size_t errors = diagnostics_.errors();
    add(node.statements);
    BodyElement& made = scope_->body.elements[group];
    close(scope_->inner.back(), made.inputs, made.outputs, errors);
    scope_->inner.pop_back();
    return group;
  }

  // --- elements ---

  uint32_t class_of(const ElementNode& element, bool quiet) {
    if (element.body) return make_class(*element.body, {});
    // A class that is missing was reported by the parser.
    if (element.class_name.empty()) return kNone;
    const uint32_t index = find_class(element.class_name);
    if (index != kNone) return index;
    return quiet ? add_primitive(element.class_name)
                 : report_unknown_class(element.class_name, element.class_where);
  }

  // `definition` is where the class and the configuration stand.
  uint32_t declare(const ElementNode& element, const ElementNode& definition, uint32_t class_index,
                   bool quiet) {
    const std::string_view name = element.name;
    if (find_class(name) != kNone) {
      if (!quiet) {
        diagnostics_.error(element.where, "class " + quoted(name) + " used as element name",
                           "give the element a name that no class has");
      }
      return make({}, definition.class_name, class_index, definition, element.where);
    }
    if (has_all_digit_component(name) && !quiet) {
      diagnostics_.error(element.where,
                         "element name " + quoted(name) + " has all-digit component");
    }
    const uint32_t other = find_element(name);
    if (other != kNone) {
      if (!quiet) {
        diagnostics_.error(element.where, "redeclaration of element " + quoted(name));
        diagnostics_.note(scope_->body.elements[other].where,
                          "element " + quoted(name) + " previously declared here");
      }
      return other;
    }
    const uint32_t index = make(name, {}, class_index, definition, element.where);
    scope_->by_name.emplace(name, index);
    return index;
  }

  // A name without "::": a class makes an anonymous element, all else must be declared.
  uint32_t refer(const ElementNode& element, bool quiet) {
    const std::string_view name = element.name;
    if (const uint32_t found = find_class(name); found != kNone) {
      return make({}, name, found, element, element.where);
    }
    if (const uint32_t found = find_element(name); found != kNone) {
      if (element.config && !quiet) {
        diagnostics_.error(element.where, "configuration string ignored on element reference",
                           quoted(name) + " was declared in line " +
                               std::to_string(scope_->body.elements[found].where.line),
                           scope_->body.elements[found].where);
      }
      return found;
    }
    const bool accepted =
        options_.accept_unknown_classes && !scope_->declared_somewhere.contains(name);
    if (element.config || accepted) {
      const uint32_t unknown =
          quiet ? add_primitive(name) : report_unknown_class(name, element.where);
      return make({}, name, unknown, element, element.where);
    }
    // One message a name; the later uses follow from the same mistake.
    if (!quiet && scope_->undeclared.insert(name).second) {
      SourceLocation declared;
      std::string hint = hint_for_undeclared(name, declared);
      diagnostics_.error(element.where, "undeclared element " + quoted(name), std::move(hint),
                         declared);
    }
    return kNone;
  }

  uint32_t find_element(std::string_view name) const {
    if (!scope_->inner.empty()) {
      if (name == "input") return scope_->inner.back().input;
      if (name == "output") return scope_->inner.back().output;
    }
    const auto found = scope_->by_name.find(name);
    return found == scope_->by_name.end() ? kNone : found->second;
  }

  uint32_t make(std::string_view name, std::string_view stem, uint32_t class_index,
                const ElementNode& definition, SourceLocation where) {
    const uint32_t index = scope_->make(Kind::element, name, stem, where);
    BodyElement& element = scope_->body.elements[index];
    element.class_index = class_index;
    if (definition.config) element.config = &*definition.config;
    return index;
  }

  // `where` becomes the place that the hint speaks of, if it does of one.
  std::string hint_for_undeclared(std::string_view name, SourceLocation& where) {
    const auto& declared = scope_->declared_somewhere;
    if (const auto found = declared.find(name); found != declared.end()) {
      where = found->second;
      return "it is declared in line " + std::to_string(found->second.line) +
             ", but an element must be declared before it is used";
    }
    for (const Scope* scope = scope_->outer; scope; scope = scope->outer) {
      if (scope->by_name.contains(name)) {
        return "elements outside a compound element cannot be used in it; connect " + quoted(name) +
               " to its input or output";
      }
    }
    if (suggestions_++ >= kMaxSuggestions) return {};
    std::vector<std::string_view> names;
    for (const BodyElement& element : scope_->body.elements) {
      if (!element.name.empty()) names.push_back(element.name);
    }
    const std::vector<std::string_view> classes = class_names();
    names.insert(names.end(), classes.begin(), classes.end());
    std::string hint = did_you_mean(name, names);
    if (!hint.empty()) return hint;
    return "neither an element nor a class has that name; elements are declared so: " +
           std::string(name) + " :: CLASS";
  }

  // --- connections ---

  void check_start(const ChainNode& chain) {
    if (scope_->inner.empty() || chain.arrows.empty() || chain.sides[0].size() != 1) return;
    const ElementNode& first = chain.sides[0][0];
    const bool bare = first.kind == ElementNode::Kind::inner_input && !first.outputs.given;
    if (bare && !scope_->inner.back().ends_in_output) {
      diagnostics_.warning(chain.where, "suggest 'input ->' or '[0] ->' to start connection",
                           "the statement before may have been meant to go on here");
    }
  }

  // A group has all its ports on a side where none are given.
  static const PortsNode* ports_of(const PortsNode& given, uint32_t count, PortsNode& implied) {
    if (given.given) return &given;
    implied.given = true;
    if (count > 0) implied.ranges.push_back({0, count - 1});
    return &implied;
  }

  void connect(const ChainNode& chain, std::size_t arrow, const std::vector<uint32_t>& from,
               const std::vector<uint32_t>& to) {
    const SourceLocation where = chain.arrows[arrow].where;
    std::vector<BodyElement>& elements = scope_->body.elements;
    std::vector<PortsNode> implied(from.size() + to.size());
    Side left, right;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const PortsNode* ports = &chain.sides[arrow][i].outputs;
      if (from[i] != kNone && elements[from[i]].kind == Kind::group) {
        ports = ports_of(*ports, elements[from[i]].outputs, implied[i]);
      }
      left.push_back({from[i], ports});
    }
    for (std::size_t i = 0; i < to.size(); ++i) {
      const PortsNode* ports = &chain.sides[arrow + 1][i].inputs;
      if (to[i] != kNone && elements[to[i]].kind == Kind::group) {
        ports = ports_of(*ports, elements[to[i]].inputs, implied[from.size() + i]);
      }
      right.push_back({to[i], ports});
    }
    const PairingResult result = pair_ports(left, right, chain.arrows[arrow].fat);
    if (!result.error.empty()) diagnostics_.error(where, result.error, result.hint);
    for (const PortPair& pair : result.pairs) {
      if (pair.from == kNone || pair.to == kNone) continue;
      if (check_direction(pair, where)) scope_->connect(pair, where);
    }
  }

  // Nothing goes into an input as seen from inside, and nothing comes out of an output.
  bool check_direction(const PortPair& pair, SourceLocation where) {
    const Kind from = scope_->body.elements[pair.from].kind;
    const Kind to = scope_->body.elements[pair.to].kind;
    Inner& inner = scope_->inner.empty() ? nowhere_ : scope_->inner.back();
    bool good = true;
    if (to == Kind::input || to == Kind::group_input) {
      good = false;
      if (!std::exchange(inner.input_misused, true)) report_misuse(inner, "input", "output", where);
    }
    if (from == Kind::output || from == Kind::group_output) {
      good = false;
      if (!std::exchange(inner.output_misused, true)) {
        report_misuse(inner, "output", "input", where);
      }
    }
    return good;
  }

  void report_misuse(const Inner& inner, const char* name, const char* use, SourceLocation where) {
    diagnostics_.error(
        where, quoted(inner.owner) + " pseudoelement '" + name + "' may only be used as " + use);
  }

  Program& program_;
  ReaderEnvironment& environment_;
  Diagnostics& diagnostics_;
  const ReadOptions& options_;

  Scope* scope_ = nullptr;
  Inner nowhere_;
  std::unordered_map<std::string_view, uint32_t> primitives_;
  std::unordered_set<std::string> libraries_;
  std::size_t library_depth_ = 0;
  int suggestions_ = 0;
};

}  // namespace

void resolve(uint32_t file, Program& program, ReaderEnvironment& environment,
             Diagnostics& diagnostics, const ReadOptions& options) {
  Resolver(program, environment, diagnostics, options).run(file);
}

}  // namespace headroom::click
