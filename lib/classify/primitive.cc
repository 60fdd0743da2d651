#include "headroom/classify/primitive.hh"

#include <algorithm>
#include <iterator>
#include <vector>

#include "headroom/base/suggest.hh"
#include "headroom/click/named_types.hh"
#include "headroom/click/numbers.hh"
#include "headroom/net/icmp_names.hh"
#include "headroom/net/ip.hh"
#include "headroom/net/tcp.hh"

namespace headroom::classify {
namespace {

using Kind = Expression::Kind;

struct HeaderWord {
  std::string_view word;
  Header header;
  uint16_t protocol;
};
constexpr HeaderWord kHeaders[] = {
    {"ip", Header::ip, kAnyProtocol},         {"tcp", Header::tcp, kIpProtocolTcp},
    {"udp", Header::udp, kIpProtocolUdp},     {"icmp", Header::icmp, kIpProtocolIcmp},
    {"transp", Header::transp, kAnyProtocol}, {"ether", Header::ether, kAnyProtocol}};

struct FieldWord {
  std::string_view word;
  Field field;
  Header header;           // the one that it is of, if there is only one
  bool directed;           // it has a source and a destination
  std::string_view value;  // what its value is called; empty when it has none
};
constexpr FieldWord kFields[] = {{"host", Field::host, Header::none, true, "an address"},
                                 {"net", Field::net, Header::ip, true, "a network ADDRESS/LENGTH"},
                                 {"port", Field::port, Header::none, true, "a port"},
                                 {"proto", Field::proto, Header::ip, false, "a protocol"},
                                 {"opt", Field::option, Header::tcp, false, "a TCP flag"},
                                 {"type", Field::type, Header::icmp, false, "an ICMP type"},
                                 {"win", Field::window, Header::tcp, false, "a number"},
                                 {"vers", Field::version, Header::ip, false, "a number"},
                                 {"hl", Field::header_length, Header::ip, false, "a number"},
                                 {"tos", Field::tos, Header::ip, false, "a number"},
                                 {"dscp", Field::dscp, Header::ip, false, "a number"},
                                 {"len", Field::length, Header::ip, false, "a number"},
                                 {"id", Field::id, Header::ip, false, "a number"},
                                 {"ttl", Field::ttl, Header::ip, false, "a number"},
                                 {"ect", Field::ect, Header::ip, false, ""},
                                 {"ce", Field::ce, Header::ip, false, ""},
                                 {"frag", Field::frag, Header::ip, false, ""},
                                 {"unfrag", Field::unfrag, Header::ip, false, ""}};
constexpr FieldWord kDataField = {"[..]", Field::data, Header::none, false, "a number"};

struct NumberField {
  Field field;
  uint8_t size;
  uint16_t offset;
  uint64_t mask;
  uint8_t shift;
};
constexpr NumberField kNumbers[] = {
    {Field::version, 1, 0, 0xf0, 4},  {Field::header_length, 1, 0, 0x0f, 0},
    {Field::tos, 1, 1, 0xff, 0},      {Field::dscp, 1, 1, 0xfc, 2},
    {Field::length, 2, 2, 0xffff, 0}, {Field::id, 2, 4, 0xffff, 0},
    {Field::ttl, 1, 8, 0xff, 0},      {Field::window, 2, 14, 0xffff, 0}};

struct Flag {
  std::string_view word;
  uint8_t bit;
};
constexpr Flag kFlags[] = {{"syn", kTcpSyn}, {"fin", kTcpFin}, {"ack", kTcpAck}, {"rst", kTcpRst},
                           {"psh", kTcpPsh}, {"urg", kTcpUrg}, {"ece", kTcpEce}, {"cwr", kTcpCwr}};

constexpr std::string_view kProtocolWords[] = {"icmp", "igmp", "ipip", "tcp",    "udp",
                                               "sctp", "dccp", "gre",  "tcpudp", "transp"};
// What `proto transp` stands for; 136 is UDP-Lite.
constexpr uint8_t kTransportProtocols[] = {kIpProtocolTcp, kIpProtocolUdp, kIpProtocolDccp,
                                           kIpProtocolSctp, 136};

const HeaderWord* find_header(std::string_view word) {
  const auto* found = std::find_if(std::begin(kHeaders), std::end(kHeaders),
                                   [&](const HeaderWord& one) { return one.word == word; });
  return found == std::end(kHeaders) ? nullptr : found;
}
const FieldWord* find_field(std::string_view word) {
  const auto* found = std::find_if(std::begin(kFields), std::end(kFields),
                                   [&](const FieldWord& one) { return one.word == word; });
  return found == std::end(kFields) ? nullptr : found;
}
const FieldWord& word_of(Field field) {
  const auto* found = std::find_if(std::begin(kFields), std::end(kFields),
                                   [&](const FieldWord& one) { return one.field == field; });
  return found == std::end(kFields) ? kDataField : *found;
}
const HeaderWord& word_of(Header header) {
  return *std::find_if(std::begin(kHeaders), std::end(kHeaders),
                       [&](const HeaderWord& one) { return one.header == header; });
}
const Flag* find_flag(std::string_view word) {
  const auto* found = std::find_if(std::begin(kFlags), std::end(kFlags),
                                   [&](const Flag& one) { return one.word == word; });
  return found == std::end(kFlags) ? nullptr : found;
}

std::vector<std::string_view> flag_words() {
  std::vector<std::string_view> words;
  for (const Flag& flag : kFlags) words.push_back(flag.word);
  return words;
}
std::vector<std::string_view> icmp_words() {
  std::vector<std::string_view> words;
  for (const IcmpName& name : icmp_type_names()) words.push_back(name.name);
  return words;
}
// Every word that may stand where a primitive begins.
std::vector<std::string_view> all_words() {
  std::vector<std::string_view> words{"src", "dst", "not", "true", "false", "any", "all"};
  for (const HeaderWord& one : kHeaders) words.push_back(one.word);
  for (const FieldWord& one : kFields) words.push_back(one.word);
  words.insert(words.end(), std::begin(kProtocolWords), std::end(kProtocolWords));
  for (const auto& more : {flag_words(), icmp_words()})
    words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool is_relation(std::string_view symbol) {
  return symbol == "&" || symbol == "<" || symbol == ">" || (symbol.back() == '=');
}
bool is_connective(std::string_view word) { return word == "and" || word == "or" || word == "not"; }
std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::optional<uint64_t> number(std::string_view text) {
  const auto read = click::numbers::parse_integer(text);
  if (!read || read->negative) return std::nullopt;
  return read->overflow ? UINT64_MAX : read->magnitude;
}

// A network with any mask, or an address alone.
std::optional<click::IPMasked> ip_value(std::string_view text, const click::NameScope& names,
                                        bool prefer_network) {
  std::string unused;
  IPAddress address;
  click::IPMasked masked;
  if (!prefer_network && click::parse_argument(text, address, unused, names))
    return click::IPMasked{address, IPAddress::broadcast()};
  if (click::parse_argument(text, masked, unused, names)) return masked;
  if (prefer_network && click::parse_argument(text, address, unused, names))
    return click::IPMasked{address, IPAddress::broadcast()};
  return std::nullopt;
}

std::optional<uint16_t> port_value(std::string_view text, Header header,
                                   const click::NameScope& names) {
  std::string unused;
  click::TcpPort tcp;
  click::UdpPort udp;
  if (header != Header::udp && click::parse_argument(text, tcp, unused, names)) return tcp.number;
  if (header != Header::tcp && click::parse_argument(text, udp, unused, names)) return udp.number;
  return std::nullopt;
}

Expression both(Kind kind, const FieldTest& first, const FieldTest& second) {
  std::vector<Expression> parts;
  parts.push_back(Expression::of(first));
  parts.push_back(Expression::of(second));
  return Expression::of(kind, std::move(parts));
}

// A test of the source, the destination or both. That one of two is A is denied by both.
Expression directed(Direction direction, const FieldTest& source, const FieldTest& destination) {
  if (direction == Direction::src) return Expression::of(source);
  if (direction == Direction::dst) return Expression::of(destination);
  const bool all =
      (direction == Direction::src_and_dst) != (source.relation == Relation::not_equal);
  return both(all ? Kind::all_of : Kind::any_of, source, destination);
}

}  // namespace

// --- reading ---

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
  const auto offset = number(trimmed(text.substr(0, colon)));
  const auto size =
      colon == text.size() ? std::optional<uint64_t>(1) : number(trimmed(text.substr(colon + 1)));
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
        tokens_.peek().kind == Token::Kind::word ? number(tokens_.peek().text) : std::nullopt;
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
      fits = find_flag(text) != nullptr;
    } else if (carried.field == Field::type) {
      fits = number(text) || icmp_type_by_name(text);
    } else {
      fits = number(text).has_value();
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
  const bool port = port_value(text, qualifiers.header, names_) && !number(text);
  switch (qualifiers.header) {
    case Header::tcp:
    case Header::udp:
      if (qualifiers.header == Header::tcp && !directed && find_flag(text) != nullptr)
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
  if (std::find(std::begin(kProtocolWords), std::end(kProtocolWords), text) !=
      std::end(kProtocolWords))
    return as(Field::proto, Header::ip);
  if (find_flag(text) != nullptr) return as(Field::option, Header::tcp);
  const bool type = icmp_type_by_name(text).has_value();
  if (type && port)
    return fail(quoted(text) + " is a port and an ICMP type: expected 'port " + std::string(text) +
                "' or 'icmp type " + std::string(text) + "'");
  if (type) return as(Field::type, Header::icmp);
  if (port) return as(Field::port, Header::none);
  if (number(text))
    return fail("expected a word before the number " + quoted(text) +
                " that says what it is, such as 'port' or 'proto'");
  return expected("an address, a port, a protocol or a word of the pattern language", text,
                  all_words());
}

// --- meaning ---

std::optional<Expression> PrimitiveParser::make(const Qualifiers& qualifiers,
                                                const Comparison& comparison) {
  switch (qualifiers.field) {
    case Field::host:
    case Field::net:
      return make_address(qualifiers, comparison);
    case Field::port:
      return make_port(qualifiers, comparison);
    case Field::proto:
      return make_protocol(comparison);
    case Field::option:
      return make_option(comparison);
    default:
      return make_number(qualifiers, comparison);
  }
}

std::optional<Expression> PrimitiveParser::make_address(const Qualifiers& qualifiers,
                                                        const Comparison& comparison) {
  if (!only_equality(comparison, "an address")) return std::nullopt;
  FieldTest source;
  source.relation = comparison.op == Operator::not_equal ? Relation::not_equal : Relation::equal;
  FieldTest destination;
  if (qualifiers.header == Header::ether) {
    EtherAddress address;
    std::string unused;
    if (!click::parse_argument(comparison.value, address, unused, names_))
      return expected("an Ethernet address", comparison.value);
    source.base = Base::ether;
    source.size = 6;
    source.mask = 0xffffffffffff;
    source.value = address.to_uint64();
    destination = source;
    source.offset = 6;
  } else {
    const bool network = qualifiers.field == Field::net;
    const auto masked = ip_value(comparison.value, names_, network);
    if (!masked || (!network && masked->mask != IPAddress::broadcast()))
      return expected(network ? "a network ADDRESS/LENGTH" : "an IP address", comparison.value);
    if (network && comparison.value.find('/') == std::string_view::npos &&
        masked->mask == IPAddress::broadcast())
      return expected("a network ADDRESS/LENGTH, or 'mask' behind the address", comparison.value);
    source.size = 4;
    source.mask = masked->mask.host_order();
    source.value = masked->address.host_order() & masked->mask.host_order();
    destination = source;
    source.offset = 12;
    destination.offset = 16;
  }
  return directed(qualifiers.direction, source, destination);
}

std::optional<Expression> PrimitiveParser::make_port(const Qualifiers& qualifiers,
                                                     const Comparison& comparison) {
  const auto port = port_value(comparison.value, qualifiers.header, names_);
  if (!port) return expected("a port, as a number up to 65535 or a name", comparison.value);
  const FieldTest source{.base = Base::transport,
                         .size = 2,
                         .offset = 0,
                         .protocol = qualifiers.header == Header::none
                                         ? kTcpOrUdp
                                         : word_of(qualifiers.header).protocol,
                         .mask = 0xffff};
  FieldTest destination = source;
  destination.offset = 2;
  const auto first = compare(source, comparison, *port, "a port");
  const auto second = compare(destination, comparison, *port, "a port");
  if (!first || !second) return std::nullopt;
  if (first->kind == Kind::constant) return first;
  return directed(qualifiers.direction, first->test, second->test);
}

std::optional<Expression> PrimitiveParser::make_protocol(const Comparison& comparison) {
  click::IPProtocol protocol;
  std::string unused;
  if (!click::parse_argument(comparison.value, protocol, unused, names_) ||
      protocol.number == click::IPProtocol::kPayload)
    return expected("a protocol, as a number up to 255 or a name", comparison.value,
                    kProtocolWords);
  const FieldTest field{.base = Base::ip, .size = 1, .offset = 9, .mask = 0xff};
  if (protocol.number < 256) return compare(field, comparison, protocol.number, "a protocol");
  if (!only_equality(comparison, "a set of protocols")) return std::nullopt;
  std::vector<Expression> parts;
  for (const uint8_t one : kTransportProtocols) {
    if (protocol.number == click::IPProtocol::kTcpOrUdp && one != kIpProtocolTcp &&
        one != kIpProtocolUdp)
      continue;
    parts.push_back(*compare(field, comparison, one, "a protocol"));
  }
  return Expression::of(comparison.op == Operator::not_equal ? Kind::all_of : Kind::any_of,
                        std::move(parts));
}

std::optional<Expression> PrimitiveParser::make_option(const Comparison& comparison) {
  const Flag* flag = find_flag(comparison.value);
  if (flag == nullptr) return expected("a TCP flag", comparison.value, flag_words());
  if (!only_equality(comparison, "a TCP flag")) return std::nullopt;
  return Expression::of(FieldTest{
      .base = Base::transport,
      .relation = comparison.op == Operator::not_equal ? Relation::not_equal : Relation::equal,
      .size = 1,
      .offset = 13,
      .protocol = kIpProtocolTcp,
      .mask = flag->bit,
      .value = flag->bit});
}

std::optional<Expression> PrimitiveParser::make_number(const Qualifiers& qualifiers,
                                                       const Comparison& comparison) {
  const FieldWord& word = word_of(qualifiers.field);
  FieldTest test;
  unsigned shift = 0;
  auto value = number(comparison.value);
  if (qualifiers.field == Field::type) {
    if (const auto named = icmp_type_by_name(comparison.value)) value = *named;
    if (!value)
      return expected("an ICMP type, as a number or a name", comparison.value, icmp_words());
    test = {.base = Base::transport, .size = 1, .protocol = kIpProtocolIcmp, .mask = 0xff};
  } else if (qualifiers.field == Field::data) {
    test = {.base = qualifiers.header == Header::ip ? Base::ip : Base::transport,
            .size = qualifiers.data_size,
            .offset = qualifiers.data_offset,
            .protocol = word_of(qualifiers.header).protocol,
            .mask = (uint64_t{1} << 8 * qualifiers.data_size) - 1};
  } else {
    const auto& field =
        *std::find_if(std::begin(kNumbers), std::end(kNumbers),
                      [&](const NumberField& one) { return one.field == qualifiers.field; });
    test = {.base = word.header == Header::tcp ? Base::transport : Base::ip,
            .size = field.size,
            .offset = field.offset,
            .protocol = word.header == Header::tcp ? uint16_t{kIpProtocolTcp} : kAnyProtocol,
            .mask = field.mask};
    shift = field.shift;
  }
  if (!value) return expected("a number", comparison.value);
  return compare(test, comparison, *value, word.word, shift);
}

std::optional<Expression> PrimitiveParser::compare(FieldTest test, const Comparison& comparison,
                                                   uint64_t value, std::string_view what,
                                                   unsigned shift) {
  const uint64_t bound = test.mask >> shift;
  for (const uint64_t given : {value, comparison.mask.value_or(0)})
    if (given > bound)
      return fail("expected a number up to " + std::to_string(bound) + " for " + std::string(what) +
                  ", not " + quoted(given == value ? comparison.value : std::to_string(given)));
  if (comparison.mask) test.mask = *comparison.mask << shift;
  test.value = value << shift;
  switch (comparison.op) {
    case Operator::equal:
      test.relation = Relation::equal;
      break;
    case Operator::not_equal:
      test.relation = Relation::not_equal;
      break;
    case Operator::at_most:
      test.relation = Relation::at_most;
      break;
    case Operator::at_least:
      test.relation = Relation::at_least;
      break;
    case Operator::less:
      if (test.value == 0) return Expression::of(false);
      test.relation = Relation::at_most;
      --test.value;
      break;
    case Operator::greater:
      if (test.value == (uint64_t{1} << 8 * test.size) - 1) return Expression::of(false);
      test.relation = Relation::at_least;
      ++test.value;
      break;
  }
  return Expression::of(test);
}

bool PrimitiveParser::only_equality(const Comparison& comparison, std::string_view what) {
  if (!comparison.mask &&
      (comparison.op == Operator::equal || comparison.op == Operator::not_equal))
    return true;
  fail("expected '==' or '!=' with " + std::string(what) + ", no other relation and no mask");
  return false;
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
