// Small pieces of text that several rooms print.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headroom {

// As messages show names: 'name'.
inline std::string quoted(std::string_view name) { return '\'' + std::string(name) + '\''; }

// 1234567 -> "1,234,567".
inline std::string grouped(uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

// 3'000'000 -> "3 MB": in megabytes of 2^20 bytes, rounded up.
inline std::string megabytes(uint64_t bytes) {
  constexpr uint64_t kMegabyte = 1 << 20;
  return grouped((bytes + kMegabyte - 1) / kMegabyte) + " MB";
}

// Of ASCII letters; the rest stays.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace headroom
