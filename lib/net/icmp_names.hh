// The names of ICMP types and codes, as configurations and dumps write them.
//
//   icmp_type_by_name("unreachable")                    // 3
//   icmp_code_by_name(kIcmpUnreachable, "needfrag")     // 4
//   icmp_type_name(8)                                   // "echo"
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace headroom {

struct IcmpName {
  std::string_view name;
  uint8_t number;
};

std::span<const IcmpName> icmp_type_names();
// Of the codes of one type; empty when it has none.
std::span<const IcmpName> icmp_code_names(uint8_t type);

std::optional<uint8_t> icmp_type_by_name(std::string_view name);
std::optional<uint8_t> icmp_code_by_name(uint8_t type, std::string_view name);
// Empty when there is none.
std::string_view icmp_type_name(uint8_t type);
std::string_view icmp_code_name(uint8_t type, uint8_t code);

}  // namespace headroom
