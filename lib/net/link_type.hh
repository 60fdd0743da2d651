// Link types of captures: what they are called, and where an IPv4 header is behind their headers.
//
//   auto type = link_type_by_name("ETHER");              // 1
//   auto offset = ip_offset(*type, bytes);               // 14, or 18 behind a VLAN tag
//
// The numbers are libpcap's DLT values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

inline constexpr int kLinkNull = 0;  // a family in the host's byte order
inline constexpr int kLinkEther = 1;
inline constexpr int kLinkPpp = 9;
inline constexpr int kLinkRaw = 12;  // IPv4 or IPv6
inline constexpr int kLinkPppHdlc = 50;
inline constexpr int kLink80211 = 105;
inline constexpr int kLinkLoop = 108;    // a family in network byte order
inline constexpr int kLinkCooked = 113;  // Linux, device "any"
inline constexpr int kLink80211Radio = 127;
inline constexpr int kLinkIp4 = 228;
inline constexpr int kLinkCooked2 = 276;

// As Click calls them; a number when it has no name.
std::string link_type_name(int type);
std::optional<int> link_type_by_name(std::string_view name);
std::vector<std::string_view> link_type_names();

// Where the IPv4 header begins in a packet of the link type; nothing when it has none, or it is
// malformed or cut off.
std::optional<uint32_t> ip_offset(int type, std::span<const uint8_t> packet);

}  // namespace headroom
