// One primitive of the pattern language: its qualifiers, and what they and a value mean together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "headroom/classify/field_test.hh"
#include "headroom/classify/pattern.hh"
#include "headroom/classify/pattern_tokens.hh"

namespace headroom::classify {

enum class Direction : uint8_t { none, src, dst, src_or_dst, src_and_dst };
enum class Header : uint8_t { none, ip, tcp, udp, icmp, transp, ether };
enum class Field : uint8_t {
  none,
  host,
  net,
  port,
  proto,
  option,
  type,
  version,
  header_length,
  tos,
  dscp,
  length,
  id,
  ttl,
  window,
  data,
  ect,
  ce,
  frag,
  unfrag
};

struct Qualifiers {
  Direction direction = Direction::none;
  Header header = Header::none;
  Field field = Field::none;
  uint16_t data_offset = 0;
  uint8_t data_size = 0;

  bool empty() const {
    return direction == Direction::none && header == Header::none && field == Field::none;
  }
};

class PrimitiveParser {
 public:
  PrimitiveParser(Tokens& tokens, const click::NameScope& names, PatternError& error)
      : tokens_(tokens), names_(names), error_(error) {}

  // Reads as many qualifiers as there are; false after a mistake.
  bool read_qualifiers(Qualifiers& qualifiers);
  // Reads what follows them. `carried` are those of the primitive before, and become this one's.
  std::optional<Expression> read_value(Qualifiers qualifiers, Qualifiers& carried);

  // What stands before the parenthesis that primitives are in; they take what they do not say.
  Qualifiers group;

  // Whether the word may begin a primitive as a qualifier.
  static bool is_qualifier(std::string_view word);

 private:
  enum class Operator : uint8_t { equal, not_equal, less, greater, at_most, at_least };
  // A relation and a value, as written.
  struct Comparison {
    Operator op = Operator::equal;
    std::optional<uint64_t> mask;
    std::string_view value;
  };

  bool read_direction(Qualifiers& qualifiers);
  bool read_position(Qualifiers& qualifiers);
  bool check_header(const Qualifiers& qualifiers);
  bool read_comparison(Comparison& comparison);
  std::optional<Expression> without_value(const Qualifiers& qualifiers);
  std::optional<Expression> infer(Qualifiers& qualifiers, const Qualifiers& carried,
                                  const Comparison& comparison);

  std::optional<Expression> make(const Qualifiers& qualifiers, const Comparison& comparison);
  std::optional<Expression> make_address(const Qualifiers& qualifiers,
                                         const Comparison& comparison);
  std::optional<Expression> make_port(const Qualifiers& qualifiers, const Comparison& comparison);
  std::optional<Expression> make_protocol(const Comparison& comparison);
  std::optional<Expression> make_option(const Comparison& comparison);
  std::optional<Expression> make_number(const Qualifiers& qualifiers, const Comparison& comparison);
  // `test` with the relation, mask and value of the comparison; the value is moved by `shift`.
  std::optional<Expression> compare(FieldTest test, const Comparison& comparison, uint64_t value,
                                    std::string_view what, unsigned shift = 0);
  bool only_equality(const Comparison& comparison, std::string_view what);
  std::nullopt_t fail(std::string message, std::string hint = {});
  // "expected WHAT, not 'VALUE'", with the nearest of these words.
  std::nullopt_t expected(std::string_view what, std::string_view found,
                          std::span<const std::string_view> words = {});

  Tokens& tokens_;
  const click::NameScope& names_;
  PatternError& error_;
};

}  // namespace headroom::classify
