#include "headroom/click/declarations.hh"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "headroom/click/arguments.hh"
#include "headroom/click/locator.hh"
#include "headroom/click/scan.hh"
#include "headroom/click/variables.hh"

namespace headroom::click {

bool has_all_digit_component(std::string_view name) {
  for (;;) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.find_first_not_of("0123456789") == std::string_view::npos) return true;
    if (slash == std::string_view::npos) return false;
    name.remove_prefix(slash + 1);
  }
}

// Groups are nested at most kMaxNesting deep, and so are these calls.
void note_declarations(const std::vector<Statement>& statements,
                       std::unordered_map<std::string_view, SourceLocation>& declared) {
  for (const Statement& statement : statements) {
    const auto* chain = std::get_if<ChainNode>(&statement);
    if (!chain) continue;
    for (const auto& side : chain->sides) {
      for (const ElementNode& element : side) {
        if (element.declares) declared.emplace(element.name, element.where);
        if (element.group) note_declarations(element.group->statements, declared);
      }
    }
  }
}

bool is_multiple_declaration(const ChainNode& chain) {
  if (chain.sides.size() != 1 || chain.sides[0].size() < 2) return false;
  const std::vector<ElementNode>& side = chain.sides[0];
  if (!side.back().declares) return false;
  for (const ElementNode& element : side) {
    if (element.inputs.given || element.outputs.given) return false;
    if (element.kind != ElementNode::Kind::named) return false;
    if (&element != &side.back() && (element.declares || element.config)) return false;
  }
  return true;
}

namespace {

void report_multiply_defined(std::string_view variable, SourceLocation where,
                             Diagnostics& diagnostics) {
  diagnostics.error(where, "parameter '$" + std::string(variable) + "' multiply defined");
}

}  // namespace

void add_formals(const std::vector<FormalNode>& nodes, Body& body, Diagnostics& diagnostics) {
  enum class Kind { positional, keyword, rest };
  const auto kind_of = [](const FormalNode& node) {
    if (node.keyword.empty()) return Kind::positional;
    return node.keyword == "__REST__" ? Kind::rest : Kind::keyword;
  };
  std::unordered_set<std::string_view> keywords;
  Kind last = Kind::positional;
  bool ordered = true;
  for (const FormalNode& node : nodes) {
    const Kind kind = kind_of(node);
    if (kind < last && std::exchange(ordered, false)) {
      diagnostics.error(node.where,
                        "compound element parameters out of order\n"
                        "(The correct order is '[positional], [keywords], [__REST__]'.)");
    }
    last = std::max(last, kind);
    if (kind != Kind::positional && !keywords.insert(node.keyword).second) {
      diagnostics.error(node.where, "repeated keyword parameter '" + std::string(node.keyword) +
                                        "' in compound element");
      continue;
    }
    const auto index = static_cast<uint32_t>(body.variables.size());
    if (!body.variables.emplace(node.variable, index).second) {
      report_multiply_defined(node.variable, node.where, diagnostics);
      continue;
    }
    if (kind == Kind::rest) {
      body.rest = node.variable;
    } else {
      body.formals.push_back({node.keyword, node.variable});
      if (kind == Kind::positional) ++body.positional;
    }
  }
  body.first_definition = static_cast<uint32_t>(body.variables.size());
}

void add_definitions(const DefineNode& node, Body& body, Diagnostics& diagnostics) {
  const std::string_view config = node.config.text;
  Locator locator(node.config.where, config);
  for (const Argument& argument : split_arguments(config)) {
    const SourceLocation where = locator.at(argument.offset);
    const std::string_view text = argument.text;
    std::size_t end = text.starts_with('$') ? 1 : 0;
    while (end > 0 && end < text.size() && is_variable_byte(text[end])) ++end;
    if (end < 2 || (end < text.size() && !scan::is_space(text[end]))) {
      diagnostics.error(where, "bad 'define' declaration: not a variable",
                        "write: define($NAME VALUE, $NAME VALUE)");
      continue;
    }
    // The text of the source outlives the argument.
    const std::string_view variable = config.substr(argument.offset + 1, end - 1);
    const auto index = static_cast<uint32_t>(body.variables.size());
    if (!body.variables.emplace(variable, index).second) {
      report_multiply_defined(variable, where, diagnostics);
      continue;
    }
    std::string_view value = text.substr(end);
    while (!value.empty() && scan::is_space(value[0])) value.remove_prefix(1);
    body.definitions.push_back({variable, std::string(value), where});
  }
}

void check_ends(const ChainNode& chain, Diagnostics& diagnostics) {
  const auto given = [](const std::vector<ElementNode>& side, PortsNode ElementNode::*ports) {
    return std::find_if(side.begin(), side.end(),
                        [ports](const ElementNode& element) { return (element.*ports).given; });
  };
  const auto& first = chain.sides.front();
  if (const auto found = given(first, &ElementNode::inputs); found != first.end()) {
    diagnostics.error(found->inputs.where, "input ports ignored at start of chain");
  }
  const auto& last = chain.sides.back();
  if (const auto found = given(last, &ElementNode::outputs); found != last.end()) {
    diagnostics.error(found->outputs.where, "output ports ignored at end of chain");
  }
}

void report_misused_instances(const Program& program, Diagnostics& diagnostics) {
  std::vector<bool> reported(program.bodies.size());
  for (const Body& body : program.bodies) {
    for (const BodyElement& element : body.elements) {
      if (element.class_index == kNoIndex) continue;
      for (const uint32_t index : program.classes[element.class_index].bodies) {
        const Body& inside = program.bodies[index];
        if (!(inside.input_misused || inside.output_misused) || reported[index]) continue;
        reported[index] = true;
        if (inside.input_misused) {
          diagnostics.error(element.where, quoted(element.name + "/input") + " used as input");
        }
        if (inside.output_misused) {
          diagnostics.error(element.where, quoted(element.name + "/output") + " used as output");
        }
      }
    }
  }
}

}  // namespace headroom::click
