// An expression as alternatives, any of which makes it true: what can be looked up by a key, and
// what remains to be tested.
//
//   for (const Alternative& one : alternatives(expression))
//     if (one.cube.matches(key) && holds_all(one.rest)) ...
//
// An equality on a field of the key becomes part of the cube. A range leaves its common prefix
// there and remains a test, because its alternatives would be many; split_range() makes them where
// so many rules share a cube that it pays. An expression that would have too many alternatives
// keeps some of its parts whole in `rest`.
#pragma once

#include <vector>

#include "headroom/classify/field_test.hh"
#include "headroom/classify/packet_key.hh"

namespace headroom::classify {

// A part of an expression, or its negation.
struct Literal {
  const Expression* expression;
  bool negated;
};

struct Alternative {
  Cube cube;
  std::vector<Literal> rest;  // all must hold
};

// They point into the expression.
std::vector<Alternative> alternatives(const Expression& expression);

// Replaces ranges among `rest` by as many alternatives as it takes prefixes, at most a few dozen.
std::vector<Alternative> split_ranges(const Alternative& alternative);

}  // namespace headroom::classify
