#include "headroom/click/overloads.hh"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "headroom/base/suggest.hh"
#include "headroom/click/scan.hh"

namespace headroom::click {
namespace {

// The first word of an argument, which may be a keyword.
std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && !scan::is_space(text[end])) ++end;
  return text.substr(0, end);
}

std::string counted(std::size_t count, const char* thing) {
  return std::to_string(count) + ' ' + thing + (count == 1 ? "" : "s");
}

std::string ports_text(uint32_t inputs, uint32_t outputs) {
  return counted(inputs, "input") + ", " + counted(outputs, "output");
}

// "F(<arg>, COUNT, ...)[1 input, 1 output]"
std::string signature(const Body& body) {
  std::string formals;
  const auto add = [&formals](std::string_view text) {
    if (!formals.empty()) formals += ", ";
    formals += text;
  };
  for (uint32_t i = 0; i < body.formals.size(); ++i) {
    add(i < body.positional ? "<arg>" : body.formals[i].keyword);
  }
  if (!body.rest.empty()) add("...");
  if (!formals.empty()) formals = '(' + formals + ')';
  return body.class_name + formals + '[' + ports_text(body.inputs, body.outputs) + ']';
}

template <class Function>
void for_each_alternative(const Program& program, uint32_t class_index, Function&& function) {
  for (; class_index != kNoIndex; class_index = program.classes[class_index].previous) {
    for (const uint32_t body : program.classes[class_index].bodies) {
      if (function(program.bodies[body])) return;
    }
  }
}

std::string hint_for(const Program& program, uint32_t class_index, const Use& use) {
  std::vector<std::string_view> keywords;
  for_each_alternative(program, class_index, [&](const Body& body) {
    for (uint32_t i = body.positional; i < body.formals.size(); ++i) {
      keywords.push_back(body.formals[i].keyword);
    }
    return false;
  });
  for (const Argument& argument : use.arguments) {
    const std::string_view word = first_word(argument.text);
    if (std::find(keywords.begin(), keywords.end(), word) != keywords.end()) continue;
    if (std::string hint = did_you_mean(word, keywords); !hint.empty()) return hint;
  }
  std::size_t least = SIZE_MAX, most = 0;
  for_each_alternative(program, class_index, [&](const Body& body) {
    least = std::min(least, body.formals.size());
    most = std::max(most, body.rest.empty() ? body.formals.size() : SIZE_MAX);
    return false;
  });
  const std::size_t given = use.arguments.size();
  if (given < least) return "it takes at least " + counted(least, "argument");
  if (given > most)
    return most == 0 ? "it takes no arguments" : "it takes at most " + counted(most, "argument");
  return "the arguments and the connected ports must be those of one candidate";
}

void explain(const Program& program, uint32_t class_index, const Use& use, Choice& choice) {
  const std::string& name = program.classes[class_index].name;
  std::string given;
  if (!use.arguments.empty()) given = counted(use.arguments.size(), "argument") + ", ";
  choice.message = "no match for '" + name + '[' + given + ports_text(use.inputs, use.outputs) +
                   "]'\ncandidates are:";
  for_each_alternative(program, class_index, [&](const Body& body) {
    choice.message += "\n  " + signature(body);
    return false;
  });
  choice.hint = hint_for(program, class_index, use);
}

}  // namespace

std::optional<std::vector<std::string>> bind_formals(const Body& body,
                                                     const std::vector<Argument>& arguments) {
  const std::size_t positional = body.positional;
  if (arguments.size() < positional) return std::nullopt;
  const bool only_positional = body.formals.size() == positional && body.rest.empty();
  if (only_positional && arguments.size() != positional) return std::nullopt;

  std::vector<std::string> values(body.formals.size() + (body.rest.empty() ? 0 : 1));
  for (std::size_t i = 0; i < positional; ++i) values[i] = arguments[i].text;

  std::unordered_map<std::string_view, std::size_t> keywords;
  for (std::size_t i = positional; i < body.formals.size(); ++i) {
    keywords.emplace(body.formals[i].keyword, i);
  }
  std::vector<bool> bound(body.formals.size());
  bool any_rest = false;
  for (std::size_t i = positional; i < arguments.size(); ++i) {
    const std::string_view text = arguments[i].text;
    const std::string_view word = first_word(text);
    if (const auto found = keywords.find(word); found != keywords.end()) {
      std::string_view value = text.substr(word.size());
      while (!value.empty() && scan::is_space(value[0])) value.remove_prefix(1);
      values[found->second] = value;
      bound[found->second] = true;
    } else if (body.rest.empty()) {
      return std::nullopt;
    } else {
      if (std::exchange(any_rest, true)) values.back() += ", ";
      values.back() += text;
    }
  }
  for (std::size_t i = positional; i < bound.size(); ++i) {
    if (!bound[i]) return std::nullopt;
  }
  return values;
}

Choice choose(const Program& program, uint32_t class_index, const Use& use) {
  Choice choice;
  // Where there is no choice, the ports need not fit: what is wrong with them can be told better.
  const bool single = program.classes[class_index].alternatives_all == 1;
  uint32_t at = class_index;
  for (; at != kNoIndex && !program.classes[at].primitive; at = program.classes[at].previous) {
    for (const uint32_t index : program.classes[at].bodies) {
      const Body& body = program.bodies[index];
      if (!single && (body.inputs != use.inputs || body.outputs != use.outputs)) continue;
      std::optional<std::vector<std::string>> values = bind_formals(body, use.arguments);
      if (!values) continue;
      choice.found = true;
      choice.body = index;
      choice.values = std::move(*values);
      return choice;
    }
  }
  if (at != kNoIndex) {
    choice.found = true;
    choice.primitive = at;
    return choice;
  }
  explain(program, class_index, use, choice);
  return choice;
}

}  // namespace headroom::click
