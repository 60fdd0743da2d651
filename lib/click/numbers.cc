#include "headroom/click/numbers.hh"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <string>
#include <system_error>

#include "headroom/click/scan.hh"

namespace headroom::click::numbers {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool take_sign(std::string_view& text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

// Appends the digits at the front of `text` without the underscores between them.
void take_digits(std::string_view& text, std::string& digits) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (is_digit(text[at])) {
      digits += text[at++];
    } else if (text[at] == '_' && at > 0 && is_digit(text[at - 1]) && at + 1 < text.size() &&
               is_digit(text[at + 1])) {
      ++at;
    } else {
      break;
    }
  }
  text.remove_prefix(at);
}

// Whether the number is 1 or more, by where its first digit stands.
bool is_large(const std::string& whole, const std::string& fraction, int64_t exponent) {
  const std::size_t first = whole.find_first_not_of('0');
  if (first != std::string::npos) {
    return static_cast<int64_t>(whole.size() - first) + exponent > 0;
  }
  const std::size_t zeros = std::min(fraction.find_first_not_of('0'), fraction.size());
  return exponent > static_cast<int64_t>(zeros);
}

}  // namespace

std::optional<Integer> parse_integer(std::string_view text) {
  Integer number;
  number.negative = take_sign(text);
  unsigned base = 10;
  if (text.size() > 1 && text[0] == '0') {
    if (text[1] == 'x' || text[1] == 'X') {
      base = 16;
    } else if (text[1] == 'b' || text[1] == 'B') {
      base = 2;
    } else {
      base = 8;
    }
    if (base != 8) text.remove_prefix(2);
  }
  bool after_digit = false;
  for (const char c : text) {
    if (c == '_' && after_digit) {
      after_digit = false;
      continue;
    }
    const int digit = scan::hex_digit(c);
    if (digit < 0 || static_cast<unsigned>(digit) >= base) return std::nullopt;
    const auto value = static_cast<uint64_t>(digit);
    if (number.magnitude > (std::numeric_limits<uint64_t>::max() - value) / base) {
      number.overflow = true;
    } else {
      number.magnitude = number.magnitude * base + value;
    }
    after_digit = true;
  }
  // The end must be a digit; so must something be.
  if (!after_digit) return std::nullopt;
  return number;
}

template <class Float>
std::optional<Real<Float>> parse_real(std::string_view text) {
  const bool negative = take_sign(text);
  std::string whole, fraction;
  take_digits(text, whole);
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    take_digits(text, fraction);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;

  // An "e" without digits behind it belongs to what follows.
  int64_t exponent = 0;
  if (!text.empty() && (text[0] == 'e' || text[0] == 'E')) {
    std::string_view rest = text.substr(1);
    const bool exponent_negative = take_sign(rest);
    std::string digits;
    take_digits(rest, digits);
    if (!digits.empty()) {
      // Larger ones make no difference to any number that fits into memory.
      for (const char c : digits)
        exponent = std::min<int64_t>(exponent * 10 + (c - '0'), 1'000'000'000'000);
      if (exponent_negative) exponent = -exponent;
      text = rest;
    }
  }

  Real<Float> number;
  number.rest = text;
  const std::string plain = (whole.empty() ? "0" : whole) + '.' +
                            (fraction.empty() ? "0" : fraction) + 'e' + std::to_string(exponent);
  const auto [end, code] = std::from_chars(plain.data(), plain.data() + plain.size(), number.value);
  if (code == std::errc::result_out_of_range) {
    number.value = is_large(whole, fraction, exponent) ? std::numeric_limits<Float>::infinity() : 0;
  }
  if (negative) number.value = -number.value;
  return number;
}

template std::optional<Real<double>> parse_real(std::string_view);
template std::optional<Real<long double>> parse_real(std::string_view);

}  // namespace headroom::click::numbers
