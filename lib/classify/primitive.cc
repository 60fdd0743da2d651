#include "headroom/classify/primitive.hh"

#include <algorithm>
#include <utility>

#include "headroom/base/suggest.hh"
#include "headroom/base/text.hh"
#include "headroom/classify/pattern_words.hh"
#include "headroom/net/icmp_names.hh"

namespace headroom::classify {
namespace {

bool is_relation(std::string_view symbol) {
  return symbol == "&" || symbol == "<" || symbol == ">" || (symbol.back() == '=');
}
bool is_connective(std::string_view word) { return word == "and" || word == "or" || word == "not"; }

}  // namespace

bool PrimitiveParser::is_qualifier(std::string_view word) {
  return word == "src" || word == "dst" || find_header(word) != nullptr ||
         find_field(word) != nullptr;
}

bool PrimitiveParser::read_qualifiers(Qualifiers& qualifiers) {
  for (;;) {
    const Token token = tokens_.peek();
    if (token.kind == Token::Kind::position) {
      if (!read_position(qualifiers)) return false;
      continue;
    }
    // What follows the field is its value, also `tcp` behind `proto`.
    if (token.kind != Token::Kind::word || qualifiers.field != Field::none) break;
    if (token.text == "src" || token.text == "dst") {
      if (!read_direction(qualifiers)) return false;
    } else if (const HeaderWord* header = find_header(token.text)) {
      if (qualifiers.header != Header::none && qualifiers.header != Header::ip) {
        expected("a field of " + quoted(word_of(qualifiers.header).word), token.text);
        return false;
      }
      qualifiers.header = header->header;
      tokens_.skip();
    } else if (const FieldWord* field = find_field(token.text)) {
      qualifiers.field = field->field;
      tokens_.skip();
    } else {
      break;
    }
  }
  return check_header(qualifiers);
}

bool PrimitiveParser::read_direction(Qualifiers& qualifiers) {
  if (qualifiers.direction != Direction::none) {
    expected("a field or a value", tokens_.peek().text);
    return false;
  }
  const bool source = tokens_.peek().text == "src";
  qualifiers.direction = source ? Direction::src : Direction::dst;
  tokens_.skip();
  const Token& connective = tokens_.peek();
  const Token& other = tokens_.peek(1);
  if (other.kind != Token::Kind::word || other.text != (source ? "dst" : "src")) return true;
  if (connective.text == "or" || connective.text == "||")
    qualifiers.direction = Direction::src_or_dst;
  else if (connective.text == "and" || connective.text == "&&")
    qualifiers.direction = Direction::src_and_dst;
  else
    return true;
  tokens_.skip(2);
  return true;
}

bool PrimitiveParser::read_position(Qualifiers& qualifiers) {
  const std::string_view text = tokens_.peek().text;
  if (qualifiers.field != Field::none || qualifiers.direction != Direction::none ||
      qualifiers.header == Header::none || qualifiers.header == Header::ether) {
    fail("expected 'ip', 'tcp', 'udp', 'icmp' or 'transp' before '[" + std::string(text) + "]'");
    return false;
  }
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto trimmed = [](std::string_view part) {
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    return part;
  };
  const auto offset = number_value(trimmed(text.substr(0, colon)));
  const auto size = colon == text.size() ? std::optional<uint64_t>(1)
                                         : number_value(trimmed(text.substr(colon + 1)));
  if (!offset || !size || *size < 1 || *size > 4 || *offset + *size > 65535 || *offset > 65535) {
    fail("expected '[OFFSET]' or '[OFFSET:SIZE]' with a SIZE of 1 to 4 bytes, not '[" +
         std::string(text) + "]'");
    return false;
  }
  qualifiers.field = Field::data;
  qualifiers.data_offset = static_cast<uint16_t>(*offset);
  qualifiers.data_size = static_cast<uint8_t>(*size);
  tokens_.skip();
  return true;
}

// Whether header, direction and field go together.
bool PrimitiveParser::check_header(const Qualifiers& qualifiers) {
  if (qualifiers.field == Field::none) return true;
  const FieldWord& field = word_of(qualifiers.field);
  const Header header = qualifiers.header;
  bool fits = field.header == Header::none || header == Header::none || header == field.header;
  if (field.field == Field::host)
    fits = header == Header::none || header == Header::ip || header == Header::ether;
  if (field.field == Field::port)
    fits = header == Header::none || header == Header::tcp || header == Header::udp;
  if (!fits) {
    fail(quoted(field.word) + " is not a field of " + quoted(word_of(header).word));
    return false;
  }
  if (qualifiers.direction != Direction::none && !field.directed) {
    fail(quoted(field.word) + " has no source and destination: expected it without 'src' or 'dst'");
    return false;
  }
  return true;
}

bool PrimitiveParser::read_comparison(Comparison& comparison) {
  if (tokens_.take_symbol("&")) {
    comparison.mask =
        tokens_.peek().kind == Token::Kind::word ? number_value(tokens_.peek().text) : std::nullopt;
    if (!comparison.mask) {
      fail("expected a number as mask behind '&', not " + tokens_.next_text());
      return false;
    }
    tokens_.skip();
  }
  static constexpr struct {
    std::string_view symbol;
    Operator op;
  } kOperators[] = {{"=", Operator::equal},      {"==", Operator::equal},
                    {"!=", Operator::not_equal}, {"<", Operator::less},
                    {">", Operator::greater},    {"<=", Operator::at_most},
                    {">=", Operator::at_least}};
  bool has_operator = false;
  for (const auto& one : kOperators) {
    if (has_operator || !tokens_.take_symbol(one.symbol)) continue;
    comparison.op = one.op;
    has_operator = true;
  }
  const Token& value = tokens_.peek();
  if (value.kind == Token::Kind::word && !is_connective(value.text)) {
    comparison.value = value.text;
    tokens_.skip();
    return true;
  }
  // `ip tos & 3`: any of these bits.
  if (comparison.mask && !has_operator) {
    comparison.op = Operator::not_equal;
    comparison.value = "0";
  }
  return true;
}

std::optional<Expression> PrimitiveParser::read_value(Qualifiers qualifiers, Qualifiers& carried) {
  const bool bare = qualifiers.empty();
  if (qualifiers.direction == Direction::none) qualifiers.direction = group.direction;
  if (qualifiers.header == Header::none) qualifiers.header = group.header;
  if (!bare && !check_header(qualifiers)) return std::nullopt;

  const Token& next = tokens_.peek();
  const bool relation = next.kind == Token::Kind::symbol && is_relation(next.text);
  const bool ends = !relation && (next.kind != Token::Kind::word || is_connective(next.text));
  if (qualifiers.field != Field::none && word_of(qualifiers.field).value.empty())
    return without_value(qualifiers);
  if (ends && !bare && qualifiers.field == Field::none) return without_value(qualifiers);

  if (bare && relation && carried.field == Field::none)
    return expected("a field before the relation", next.text);
  Comparison comparison;
  if (!read_comparison(comparison)) return std::nullopt;
  if (comparison.value.empty()) {
    const std::string_view what = qualifiers.field == Field::none
                                      ? "an address, a port, a protocol or another primitive"
                                      : word_of(qualifiers.field).value;
    return fail("expected " + std::string(what) + ", not " + tokens_.next_text());
  }
  std::optional<Expression> made;
  if (qualifiers.field == Field::none) {
    made = infer(qualifiers, carried, comparison);
  } else {
    if (qualifiers.field == Field::net && tokens_.take_word("mask")) {
      if (tokens_.peek().kind != Token::Kind::word)
        return fail("expected a netmask behind 'mask', not " + tokens_.next_text());
      const std::string network =
          std::string(comparison.value) + "/" + std::string(tokens_.peek().text);
      comparison.value = network;
      made = make(qualifiers, comparison);
      if (made) tokens_.skip();
    } else {
      made = make(qualifiers, comparison);
    }
  }
  if (made) carried = qualifiers;
  return made;
}

std::optional<Expression> PrimitiveParser::without_value(const Qualifiers& qualifiers) {
  const auto ip_test = [](uint16_t offset, uint8_t size, uint64_t mask, Relation relation,
                          uint64_t value) {
    return Expression::of(FieldTest{.base = Base::ip,
                                    .relation = relation,
                                    .size = size,
                                    .offset = offset,
                                    .mask = mask,
                                    .value = value});
  };
  switch (qualifiers.field) {
    // RFC 3168, 5: both bits are 1 where congestion was met, and a sender that knows ECN sets one.
    case Field::ect:
      return ip_test(1, 1, 3, Relation::not_equal, 0);
    case Field::ce:
      return ip_test(1, 1, 3, Relation::equal, 3);
    case Field::frag:
      return ip_test(6, 2, 0x3fff, Relation::not_equal, 0);
    case Field::unfrag:
      return ip_test(6, 2, 0x3fff, Relation::equal, 0);
    default:
      break;
  }
  if (qualifiers.direction != Direction::none)
    return fail("expected an address or a port behind 'src' and 'dst', not " + tokens_.next_text());
  switch (qualifiers.header) {
    case Header::ip:
      return Expression::of(true);
    case Header::ether:
      return fail("expected 'host' behind 'ether', not " + tokens_.next_text());
    default:
      break;
  }
  Comparison comparison;
  comparison.value = word_of(qualifiers.header).word;
  return make_protocol(comparison);
}

// What a value is when no field is named.
std::optional<Expression> PrimitiveParser::infer(Qualifiers& qualifiers, const Qualifiers& carried,
                                                 const Comparison& comparison) {
  const std::string_view text = comparison.value;
  const auto as = [&](Field field, Header header) {
    qualifiers.field = field;
    qualifiers.header = header;
    return make(qualifiers, comparison);
  };
  // A name of a network alone is a network too.
  const auto ip = ip_value(text, names_, false);
  const Field address_field =
      ip && (ip->mask != IPAddress::broadcast() || text.find('/') != std::string_view::npos)
          ? Field::net
          : Field::host;
  const bool bare = qualifiers.header == group.header;

  if (carried.field != Field::none) {
    const bool address = carried.field == Field::host || carried.field == Field::net;
    bool fits = false;
    if (address && carried.header == Header::ether) {
      EtherAddress unused;
      std::string error;
      fits = click::parse_argument(text, unused, error, names_);
    } else if (address) {
      fits = ip.has_value();
    } else if (carried.field == Field::port) {
      fits = port_value(text, carried.header, names_).has_value();
    } else if (carried.field == Field::proto) {
      click::IPProtocol unused;
      std::string error;
      fits = click::parse_argument(text, unused, error, names_);
    } else if (carried.field == Field::option) {
      fits = flag_value(text).has_value();
    } else if (carried.field == Field::type) {
      fits = number_value(text) || icmp_type_by_name(text);
    } else {
      fits = number_value(text).has_value();
    }
    const bool same_direction = qualifiers.direction == group.direction;
    if (fits && bare && (same_direction || word_of(carried.field).directed)) {
      if (same_direction) qualifiers.direction = carried.direction;
      qualifiers.data_offset = carried.data_offset;
      qualifiers.data_size = carried.data_size;
      if (!address || carried.header == Header::ether) return as(carried.field, carried.header);
      return as(address_field, carried.header);
    }
  }

  const bool directed = qualifiers.direction != Direction::none;
  const bool port = port_value(text, qualifiers.header, names_) && !number_value(text);
  switch (qualifiers.header) {
    case Header::tcp:
    case Header::udp:
      if (qualifiers.header == Header::tcp && !directed && flag_value(text))
        return as(Field::option, Header::tcp);
      if (port) return as(Field::port, qualifiers.header);
      return expected(qualifiers.header == Header::tcp ? "a field of TCP, a flag or a port name"
                                                       : "a field of UDP or a port name",
                      text, flag_words());
    case Header::icmp:
      return as(Field::type, Header::icmp);
    case Header::ether:
      return as(Field::host, Header::ether);
    case Header::transp:
      return expected("'[' or a connective behind 'transp'", text);
    case Header::none:
    case Header::ip:
      break;
  }
  if (ip) return as(address_field, Header::ip);
  EtherAddress ether;
  std::string error;
  if (bare && click::parse_argument(text, ether, error, names_))
    return as(Field::host, Header::ether);
  if (directed) {
    if (port) return as(Field::port, Header::none);
    return expected("an address, a network or a port name", text, all_words());
  }
  if (is_protocol_word(text)) return as(Field::proto, Header::ip);
  if (flag_value(text)) return as(Field::option, Header::tcp);
  const bool type = icmp_type_by_name(text).has_value();
  if (type && port)
    return fail(quoted(text) + " is a port and an ICMP type: expected 'port " + std::string(text) +
                "' or 'icmp type " + std::string(text) + "'");
  if (type) return as(Field::type, Header::icmp);
  if (port) return as(Field::port, Header::none);
  if (number_value(text))
    return fail("expected a word before the number " + quoted(text) +
                " that says what it is, such as 'port' or 'proto'");
  return expected("an address, a port, a protocol or a word of the pattern language", text,
                  all_words());
}

std::nullopt_t PrimitiveParser::fail(std::string message, std::string hint) {
  error_ = {std::move(message), std::move(hint)};
  return std::nullopt;
}

std::nullopt_t PrimitiveParser::expected(std::string_view what, std::string_view found,
                                         std::span<const std::string_view> words) {
  return fail("expected " + std::string(what) + ", not " + quoted(found),
              did_you_mean(found, words));
}

}  // namespace headroom::classify
