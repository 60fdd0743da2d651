// The options of IPv4 and TCP headers as text: "rr{10.0.0.1}+5;ra=0:0", "mss1460;wscale10".
//
//   std::string text;
//   if (write_ip_options(options, text)) ...        // "." when there are none, "?" when malformed
//   std::vector<uint8_t> bytes;
//   if (!read_ip_options("nop;nop;eol", bytes, error)) ...
//
// Ends and no-operations are read, but not written, so that padding does not show.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::summary {

inline constexpr std::size_t kMaxOptions = 40;  // bytes, of either header

enum class TcpOptions : uint8_t { all, without_timestamp, sack };

void write_ip_options(std::span<const uint8_t> options, std::string& text);
void write_tcp_options(std::span<const uint8_t> options, TcpOptions which, std::string& text);

// False, with the reason, when the text makes no sense or means more than 40 bytes.
bool read_ip_options(std::string_view text, std::vector<uint8_t>& options, std::string& error);
bool read_tcp_options(std::string_view text, std::vector<uint8_t>& options, std::string& error);

}  // namespace headroom::summary
