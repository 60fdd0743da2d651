// What the field, relation and value of a primitive mean: tests of bytes.
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "headroom/classify/pattern_words.hh"
#include "headroom/classify/primitive.hh"
#include "headroom/net/icmp_names.hh"
#include "headroom/net/ip.hh"

namespace headroom::classify {
namespace {

using Kind = Expression::Kind;

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

// What `proto transp` stands for; 136 is UDP-Lite.
constexpr uint8_t kTransportProtocols[] = {kIpProtocolTcp, kIpProtocolUdp, kIpProtocolDccp,
                                           kIpProtocolSctp, 136};

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
                    protocol_words());
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
  const auto flag = flag_value(comparison.value);
  if (!flag) return expected("a TCP flag", comparison.value, flag_words());
  if (!only_equality(comparison, "a TCP flag")) return std::nullopt;
  return Expression::of(FieldTest{
      .base = Base::transport,
      .relation = comparison.op == Operator::not_equal ? Relation::not_equal : Relation::equal,
      .size = 1,
      .offset = 13,
      .protocol = kIpProtocolTcp,
      .mask = *flag,
      .value = *flag});
}

std::optional<Expression> PrimitiveParser::make_number(const Qualifiers& qualifiers,
                                                       const Comparison& comparison) {
  const FieldWord& word = word_of(qualifiers.field);
  FieldTest test;
  unsigned shift = 0;
  auto value = number_value(comparison.value);
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
                  ", not " + "'" +
                  (given == value ? std::string(comparison.value) : std::to_string(given)) + "'");
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

}  // namespace headroom::classify
