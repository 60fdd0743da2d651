#include "headroom/classify/alternatives.hh"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <utility>

namespace headroom::classify {
namespace {

constexpr std::size_t kProductLimit = 64;
// A larger `a ? b : c` stays whole: taken apart, its condition is there twice.
constexpr std::size_t kChoiceLimit = 16;

std::size_t count_leaves(const Expression& expression) {
  std::size_t count = expression.parts.empty() ? 1 : 0;
  for (const Expression& part : expression.parts) count += count_leaves(part);
  return count;
}

// What must be there for the test to be possible at all.
Cube presence(const FieldTest& test) {
  Cube cube;
  switch (test.base) {
    case Base::ip:
      cube.demand(uint64_t{1} << (std::min(test.end(), PacketKey::kIpBits) - 1));
      break;
    case Base::transport:
      cube.demand(uint64_t{1} << (PacketKey::kIpBits - 1 +
                                  std::min(test.end(), PacketKey::kTransportBits)));
      if (test.protocol == kTcpOrUdp)
        cube.demand(PacketKey::kTcpOrUdpBit);
      else if (test.protocol != kAnyProtocol)
        cube.demand(PacketKey::kIp + 9, 1, 0xff, test.protocol);
      break;
    case Base::ether:
      cube.demand(PacketKey::kEtherBit);
      break;
  }
  return cube;
}

uint64_t ones(const FieldTest& test) { return (uint64_t{1} << 8 * test.size) - 1; }

// The values that a range test allows; nothing for other tests, and where bits are masked out.
std::optional<std::pair<uint64_t, uint64_t>> range_of(const FieldTest& test) {
  if (test.mask != ones(test) || !key_offset(test)) return std::nullopt;
  if (test.relation == Relation::at_most) return std::pair(uint64_t{0}, test.value);
  if (test.relation == Relation::at_least) return std::pair(test.value, ones(test));
  return std::nullopt;
}

std::vector<Alternative> of_test(const Expression& expression) {
  const FieldTest& test = expression.test;
  Alternative made{presence(test), {}};
  const auto at = key_offset(test);
  if (!at || test.relation != Relation::equal) {
    made.rest.push_back({&expression, false});
    if (const auto range = range_of(test)) {
      const unsigned differing = std::bit_width(range->first ^ range->second);
      made.cube.demand(*at, test.size, test.mask >> differing << differing, range->first);
    }
    return {std::move(made)};
  }
  if ((test.value & ~test.mask) != 0) return {};
  Cube field;
  field.demand(*at, test.size, test.mask, test.value);
  if (!made.cube.add(field)) return {};
  return {std::move(made)};
}

std::vector<Alternative> expand(const Expression& expression, bool negated);

// All parts together.
std::vector<Alternative> product(const std::vector<Literal>& parts, std::size_t limit) {
  std::vector<Alternative> result(1);
  for (const Literal& part : parts) {
    const std::vector<Alternative> factor = expand(*part.expression, part.negated);
    if (result.size() * factor.size() > limit && factor.size() > 1) {
      for (Alternative& one : result) one.rest.push_back(part);
      continue;
    }
    std::vector<Alternative> combined;
    for (const Alternative& left : result)
      for (const Alternative& right : factor) {
        Alternative both = left;
        if (!both.cube.add(right.cube)) continue;
        both.rest.insert(both.rest.end(), right.rest.begin(), right.rest.end());
        combined.push_back(std::move(both));
      }
    result = std::move(combined);
    if (result.empty()) break;
  }
  return result;
}

std::vector<Alternative> expand(const Expression& expression, bool negated) {
  using Kind = Expression::Kind;
  switch (expression.kind) {
    case Kind::constant:
      return std::vector<Alternative>(expression.value != negated ? 1 : 0);
    case Kind::test:
      if (negated) return {Alternative{{}, {{&expression, true}}}};
      return of_test(expression);
    case Kind::negation:
      return expand(expression.parts[0], !negated);
    case Kind::all_of:
    case Kind::any_of: {
      std::vector<Literal> parts;
      for (const Expression& part : expression.parts) parts.push_back({&part, negated});
      const std::size_t limit = std::max(kProductLimit, 4 * count_leaves(expression));
      if ((expression.kind == Kind::all_of) != negated) return product(parts, limit);
      std::vector<Alternative> result;
      for (const Literal& part : parts) {
        std::vector<Alternative> more = expand(*part.expression, part.negated);
        std::move(more.begin(), more.end(), std::back_inserter(result));
      }
      return result;
    }
    case Kind::choice: {
      if (count_leaves(expression) > kChoiceLimit)
        return {Alternative{{}, {{&expression, negated}}}};
      std::vector<Alternative> result =
          product({{&expression.parts[0], false}, {&expression.parts[1], negated}}, kProductLimit);
      std::vector<Alternative> more =
          product({{&expression.parts[0], true}, {&expression.parts[2], negated}}, kProductLimit);
      std::move(more.begin(), more.end(), std::back_inserter(result));
      return result;
    }
  }
  return {};
}

}  // namespace

std::vector<Alternative> alternatives(const Expression& expression) {
  return expand(expression, false);
}

std::vector<Alternative> split_ranges(const Alternative& alternative) {
  std::vector<Alternative> result{{alternative.cube, {}}};
  for (const Literal& literal : alternative.rest) {
    const bool is_test = literal.expression->kind == Expression::Kind::test && !literal.negated;
    const auto range = is_test ? range_of(literal.expression->test) : std::nullopt;
    if (!range || result.size() > kProductLimit) {
      for (Alternative& one : result) one.rest.push_back(literal);
      continue;
    }
    const FieldTest& test = literal.expression->test;
    std::vector<Alternative> combined;
    uint64_t at = range->first;
    for (;;) {
      // The largest aligned block that begins here and does not reach beyond the range.
      unsigned bits = at == 0 ? 8U * test.size : static_cast<unsigned>(std::countr_zero(at));
      while (at + (uint64_t{1} << bits) - 1 > range->second) --bits;
      Cube block;
      block.demand(*key_offset(test), test.size, test.mask >> bits << bits, at);
      for (const Alternative& one : result) {
        Alternative narrowed = one;
        if (narrowed.cube.add(block)) combined.push_back(std::move(narrowed));
      }
      at += uint64_t{1} << bits;
      if (at > range->second) break;
    }
    result = std::move(combined);
  }
  return result;
}

}  // namespace headroom::classify
