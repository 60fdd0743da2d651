#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "headroom/base/suggest.hh"
#include "headroom/click/arguments.hh"
#include "headroom/click/scan.hh"

namespace headroom::click {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_keyword_byte(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == ':' || c == '.' || c == '?' || c == '!';
}

// An argument on its way to a parameter.
struct Given {
  const Argument* argument = nullptr;
  std::size_t keyword_size = 0;  // of "KEYWORD value", else 0
  bool consumed = false;

  std::string_view text() const { return argument->text; }
  std::string_view keyword() const { return text().substr(0, keyword_size); }
  std::string_view value() const {
    std::string_view rest = text().substr(keyword_size);
    while (!rest.empty() && scan::is_space(rest[0])) rest.remove_prefix(1);
    return rest;
  }
};

class Binder {
 public:
  Binder(std::string_view config, std::span<const Parameter> parameters,
         SourceLocation element_where, SourceLocation config_where, Diagnostics& diagnostics)
      : config_(config),
        parameters_(parameters),
        element_where_(element_where),
        config_where_(config_where),
        diagnostics_(diagnostics),
        arguments_(split_arguments(config)),
        located_(config_where) {
    given_.reserve(arguments_.size());
    for (const Argument& argument : arguments_) {
      given_.push_back({&argument, keyword_of(argument.text).size(), false});
    }
    for (std::size_t i = 0; i < given_.size(); ++i) {
      if (given_[i].keyword_size > 0) by_keyword_[given_[i].keyword()].push_back(i);
    }
  }

  bool bind() {
    for (const Parameter& parameter : parameters_) {
      if (parameter.rest) {
        bind_rest(parameter);
      } else {
        bind_one(parameter);
      }
    }
    report_leftovers();
    return good_;
  }

 private:
  void bind_one(const Parameter& parameter) {
    // What a position may take is settled first: an argument behind the own keyword is none.
    Given* const first = parameter.positional ? first_unconsumed() : nullptr;
    const Given* by_keyword = nullptr;
    if (const auto found = by_keyword_.find(parameter.name); found != by_keyword_.end()) {
      for (const std::size_t i : found->second) {
        if (given_[i].consumed) continue;
        given_[i].consumed = true;
        by_keyword = &given_[i];
      }
    }
    const Given* by_position = nullptr;
    // Without its keyword a mandatory one takes even what looks like another keyword.
    if (first && (first->keyword_size == 0 || (parameter.mandatory && !by_keyword))) {
      first->consumed = true;
      by_position = first;
    }
    if (by_keyword) {
      read(parameter, *by_keyword, true);
    } else if (by_position) {
      read(parameter, *by_position, false);
    } else if (parameter.mandatory) {
      report_missing(parameter);
    }
  }

  void bind_rest(const Parameter& parameter) {
    bool any = false;
    for (std::size_t i = first_unconsumed_; i < given_.size(); ++i) {
      Given& given = given_[i];
      if (given.consumed) continue;
      const bool own = given.keyword_size > 0 && given.keyword() == parameter.name;
      if (given.keyword_size > 0 && !own && is_parameter(given.keyword())) continue;
      given.consumed = true;
      any = true;
      read(parameter, given, own);
    }
    if (!any && parameter.mandatory) report_missing(parameter);
  }

  Given* first_unconsumed() {
    while (first_unconsumed_ < given_.size() && given_[first_unconsumed_].consumed) {
      ++first_unconsumed_;
    }
    return first_unconsumed_ < given_.size() ? &given_[first_unconsumed_] : nullptr;
  }

  bool is_parameter(std::string_view name) const {
    return std::any_of(parameters_.begin(), parameters_.end(),
                       [name](const Parameter& parameter) { return parameter.name == name; });
  }

  void read(const Parameter& parameter, const Given& given, bool by_keyword) {
    std::size_t offset = given.argument->offset;
    // The value stands where it stands in the source, where comments may precede it.
    if (by_keyword) offset = scan::blank_end(config_, offset + given.keyword_size);
    if (parameter.offsets) parameter.offsets->push_back(static_cast<uint32_t>(offset));
    if (parameter.deprecated) {
      add(Severity::warning, place(offset), std::string(parameter.name) + ": argument deprecated");
    }
    std::string error;
    if (parameter.read(by_keyword ? given.value() : given.text(), error)) return;
    const bool plain = error.empty();
    report(offset, std::string(parameter.name) + ": " + (plain ? "parse error" : error),
           plain ? hint_for_value(parameter, given) : "");
  }

  std::string hint_for_value(const Parameter& parameter, const Given& given) const {
    if (is_parameter(given.text())) return hint_for_lone_keyword(given);
    if (parameter.type.empty()) return {};
    const bool vowel =
        std::string_view("aeiouAEIO").find(parameter.type[0]) != std::string_view::npos;
    std::string hint = vowel ? "expected an " : "expected a ";
    hint += parameter.type;
    if (!parameter.example.empty()) hint += ", such as " + std::string(parameter.example);
    return hint;
  }

  void report_missing(const Parameter& parameter) {
    good_ = false;
    add(Severity::error, element_where_,
        std::string(parameter.name) + ": required argument missing", synopsis());
  }

  void report_leftovers() {
    bool too_many = false;
    for (const Given& given : given_) {
      if (given.consumed) continue;
      if (given.keyword_size > 0) {
        report(given.argument->offset, std::string(given.keyword()) + ": unknown argument",
               hint_for_unknown(given.keyword()));
      } else if (!std::exchange(too_many, true)) {
        report(given.argument->offset, "too many arguments", hint_for_leftover(given));
      }
    }
  }

  std::string hint_for_unknown(std::string_view keyword) const {
    if (is_parameter(keyword)) return {};
    std::vector<std::string_view> names;
    for (const Parameter& parameter : parameters_) names.push_back(parameter.name);
    std::string hint = did_you_mean(keyword, names);
    return hint.empty() ? synopsis() : hint;
  }

  std::string hint_for_leftover(const Given& given) const {
    if (is_parameter(given.text())) return hint_for_lone_keyword(given);
    // A positional parameter that is left over from the keywords before it.
    const auto keyword_before = std::find_if(given_.begin(), given_.end(), [](const Given& other) {
      return other.keyword_size > 0 && other.consumed;
    });
    if (keyword_before != given_.end() && keyword_before->argument < given.argument) {
      return "arguments without a keyword come before those with one";
    }
    return synopsis();
  }

  static std::string hint_for_lone_keyword(const Given& given) {
    return "a keyword needs a value: " + std::string(given.text()) + " VALUE";
  }

  // "it takes: SRC, DST, [PAINT], [ACTIVE VALUE]"
  std::string synopsis() const {
    if (parameters_.empty()) return "it takes no arguments";
    std::string text = "it takes: ";
    for (const bool positional : {true, false}) {
      for (const Parameter& parameter : parameters_) {
        if (positional != (parameter.positional || parameter.rest)) continue;
        std::string one(parameter.name);
        if (parameter.rest) one += "...";
        if (!positional) one += " VALUE";
        if (!parameter.mandatory) one = '[' + one + ']';
        text += (text.ends_with(' ') ? "" : ", ") + one;
      }
    }
    return text;
  }

  void report(std::size_t offset, std::string message, std::string hint = {}) {
    good_ = false;
    add(Severity::error, place(offset), std::move(message), std::move(hint));
  }

  SourceLocation place(std::size_t offset) {
    // Mistakes come mostly in order; searching on from the last one keeps long lists linear.
    if (offset < located_offset_) {
      located_offset_ = 0;
      located_ = config_where_;
    }
    located_ = locate(located_, config_.substr(located_offset_), offset - located_offset_);
    located_offset_ = offset;
    return located_.known() ? located_ : element_where_;
  }

  // The landmark of an element's messages is the element, wherever its argument stands.
  void add(Severity severity, SourceLocation where, std::string message, std::string hint = {}) {
    Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.where = where;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    diagnostic.context_where = element_where_;
    diagnostics_.add(std::move(diagnostic));
  }

  std::string_view config_;
  std::span<const Parameter> parameters_;
  SourceLocation element_where_;
  SourceLocation config_where_;
  Diagnostics& diagnostics_;
  std::vector<Argument> arguments_;
  std::vector<Given> given_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_keyword_;
  std::size_t first_unconsumed_ = 0;
  std::size_t located_offset_ = 0;  // the last place that was asked for
  SourceLocation located_;
  bool good_ = true;
};

}  // namespace

std::string_view keyword_of(std::string_view argument) {
  if (argument.empty() || !is_letter(argument[0])) return {};
  std::size_t size = 1;
  while (size < argument.size() && is_keyword_byte(argument[size])) ++size;
  // Arguments end in no blank, so behind a blank there is more.
  return size < argument.size() && scan::is_space(argument[size]) ? argument.substr(0, size)
                                                                  : std::string_view{};
}

bool bind_arguments(std::string_view config, std::span<const Parameter> parameters,
                    SourceLocation element_where, SourceLocation config_where,
                    Diagnostics& diagnostics) {
  return Binder(config, parameters, element_where, config_where, diagnostics).bind();
}

}  // namespace headroom::click
