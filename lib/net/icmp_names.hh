// The names of ICMP types and codes, as configurations and printed packets have them.
//
//   icmp_type_name(11)       // "timeexceeded"
//   icmp_code_name(3, 4)     // "needfrag"
#pragma once

#include <cstdint>
#include <string_view>

namespace headroom {

// Empty when there is none.
std::string_view icmp_type_name(uint8_t type);
std::string_view icmp_code_name(uint8_t type, uint8_t code);

}  // namespace headroom
