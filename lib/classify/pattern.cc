#include "headroom/classify/pattern.hh"

#include <utility>
#include <vector>

#include "headroom/classify/pattern_tokens.hh"
#include "headroom/classify/primitive.hh"

namespace headroom::classify {
namespace {

using Kind = Expression::Kind;

class PatternParser {
 public:
  PatternParser(Tokens& tokens, const click::NameScope& names, PatternError& error)
      : tokens_(tokens), primitives_(tokens, names, error), error_(error) {}

  std::optional<Expression> parse() {
    Qualifiers carried;
    auto expression = parse_choice(carried);
    if (expression && tokens_.peek().kind != Token::Kind::end)
      return fail("expected 'and', 'or' or the end of the pattern, not " + tokens_.next_text());
    return expression;
  }

 private:
  // Deeper ones are no pattern that a person writes, and would exhaust the stack.
  static constexpr int kMaxDepth = 200;

  std::optional<Expression> parse_choice(Qualifiers& carried) {
    if (++depth_ > kMaxDepth) return fail("nested too deeply, more than 200 levels");
    auto condition = parse_any(carried);
    if (condition && tokens_.take_symbol("?")) {
      auto yes = parse_choice(carried);
      if (!yes) return yes;
      if (!tokens_.take_symbol(":")) return fail("expected ':', not " + tokens_.next_text());
      auto no = parse_choice(carried);
      if (!no) return no;
      std::vector<Expression> parts;
      parts.push_back(std::move(*condition));
      parts.push_back(std::move(*yes));
      parts.push_back(std::move(*no));
      condition = Expression::of(Kind::choice, std::move(parts));
    }
    --depth_;
    return condition;
  }

  std::optional<Expression> parse_any(Qualifiers& carried) {
    std::vector<Expression> parts;
    do {
      auto part = parse_all(carried);
      if (!part) return part;
      parts.push_back(std::move(*part));
    } while (tokens_.take_word("or") || tokens_.take_symbol("||"));
    return combined(Kind::any_of, std::move(parts));
  }

  std::optional<Expression> parse_all(Qualifiers& carried) {
    std::vector<Expression> parts;
    do {
      auto part = parse_not(carried);
      if (!part) return part;
      parts.push_back(std::move(*part));
    } while (tokens_.take_word("and") || tokens_.take_symbol("&&") || begins_another());
    return combined(Kind::all_of, std::move(parts));
  }

  // `and` may be left out where the next primitive says what it is about.
  bool begins_another() const {
    const Token& next = tokens_.peek();
    if (next.kind == Token::Kind::word)
      return next.text == "not" || PrimitiveParser::is_qualifier(next.text);
    return next.kind == Token::Kind::symbol && (next.text == "(" || next.text == "!");
  }

  std::optional<Expression> parse_not(Qualifiers& carried) {
    bool negated = false;
    while (tokens_.take_word("not") || tokens_.take_symbol("!")) negated = !negated;
    auto part = parse_factor(carried);
    if (!part || !negated) return part;
    std::vector<Expression> parts;
    parts.push_back(std::move(*part));
    return Expression::of(Kind::negation, std::move(parts));
  }

  std::optional<Expression> parse_factor(Qualifiers& carried) {
    for (const std::string_view word : {"true", "all", "any", "-"})
      if (tokens_.take_word(word)) return Expression::of(true);
    if (tokens_.take_word("false")) return Expression::of(false);
    Qualifiers qualifiers;
    if (!primitives_.read_qualifiers(qualifiers)) return std::nullopt;
    // `tcp (..)` is `tcp and (..)`; `src (..)` and `dst port (..)` are about what is inside.
    const bool group = qualifiers.direction != Direction::none || qualifiers.field != Field::none;
    if ((!group && !qualifiers.empty()) || !tokens_.take_symbol("("))
      return primitives_.read_value(qualifiers, carried);
    const Qualifiers outer = primitives_.group;
    if (group) {
      primitives_.group = qualifiers;
      carried = qualifiers;
    }
    auto expression = parse_choice(carried);
    primitives_.group = outer;
    if (expression && !tokens_.take_symbol(")"))
      return fail("expected ')', 'and' or 'or', not " + tokens_.next_text());
    return expression;
  }

  static Expression combined(Kind kind, std::vector<Expression> parts) {
    if (parts.size() == 1) return std::move(parts[0]);
    return Expression::of(kind, std::move(parts));
  }

  std::nullopt_t fail(std::string message) {
    error_.message = std::move(message);
    return std::nullopt;
  }

  Tokens& tokens_;
  PrimitiveParser primitives_;
  PatternError& error_;
  int depth_ = 0;
};

}  // namespace

std::optional<Expression> parse_pattern(std::string_view text, const click::NameScope& names,
                                        PatternError& error) {
  Tokens tokens(text, error);
  if (!tokens.ok()) return std::nullopt;
  return PatternParser(tokens, names, error).parse();
}

}  // namespace headroom::classify
