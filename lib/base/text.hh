// Small pieces of text that several rooms print.
#pragma once

#include <cstdint>
#include <string>

namespace headroom {

// 1234567 -> "1,234,567".
inline std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

}  // namespace headroom
