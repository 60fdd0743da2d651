// What is wrong with an IPv4 header (RFC 1812, 5.2.2).
//
//   if (room < sizeof(IpHeader)) return too_short;
//   if (check_ip_header(ip, room, true) != IpFault::none) return bad;
#pragma once

#include <cstdint>

#include "headroom/net/checksum.hh"
#include "headroom/net/ip.hh"

namespace headroom {

enum class IpFault : uint8_t {
  none,
  too_short,  // the header's options reach beyond the end
  bad_version,
  bad_header_length,
  bad_length,  // the total length is below the header's or beyond the end
  bad_checksum
};

// `room` is what there is from the header on: 20 bytes at least.
inline IpFault check_ip_header(const IpHeader& ip, uint32_t room, bool verify_checksum) {
  unsigned header_length = sizeof(IpHeader);
  if (ip.version_and_length != 0x45) [[unlikely]] {
    if (ip.version() != 4) return IpFault::bad_version;
    header_length = ip.header_length();
    if (header_length < sizeof(IpHeader)) return IpFault::bad_header_length;
    if (header_length > room) return IpFault::too_short;
  }
  const uint32_t total_length = ip.total_length;
  if (total_length > room || total_length < header_length) [[unlikely]]
    return IpFault::bad_length;
  if (verify_checksum && ip_header_sum(&ip, header_length) != 0xffff) [[unlikely]]
    return IpFault::bad_checksum;
  return IpFault::none;
}

}  // namespace headroom
