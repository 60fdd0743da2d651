// Numbers as configurations write them, before they are fitted into a type.
//
// For argument types and for what reads numbers out of longer texts (a unit or a pattern follows).
//
//   numbers::parse_integer("0x1F")          // {magnitude 31}
//   numbers::parse_real<double>("1.5 ms")   // {value 1.5, rest " ms"}
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom::click::numbers {

struct Integer {
  uint64_t magnitude = 0;
  bool negative = false;
  bool overflow = false;  // the magnitude did not fit
};

// [+-] then 0x hexadecimal, 0b binary, 0 octal or decimal digits, with "_" between digits allowed.
// The whole text must be a number.
std::optional<Integer> parse_integer(std::string_view text);

template <class Float>
struct Real {
  Float value = 0;        // infinite when it did not fit
  std::string_view rest;  // what follows the number
};

// [+-] then digits with at most one point, then perhaps E[+-]digits; "_" between digits allowed.
// The text must begin with a number. For double and long double, each rounded once from the text.
template <class Float>
std::optional<Real<Float>> parse_real(std::string_view text);

}  // namespace headroom::click::numbers
