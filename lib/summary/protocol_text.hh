// Pieces of text that dumps and arguments have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::summary {

// T, U, I, a name such as icmp, or a number. Nothing, with the reason, when it is none.
std::optional<uint8_t> parse_protocol(std::string_view text, std::string& error);

// The length of an IPv4 or TCP header in bytes: 20 to 60, a multiple of 4.
bool parse_header_length(std::string_view text, unsigned& length, std::string& error);

}  // namespace headroom::summary
