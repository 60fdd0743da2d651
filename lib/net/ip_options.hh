// The IPv4 options that every router on the way has to do with: record route and timestamp
// (RFC 791, 3.1). Source routes concern only the router that a packet is addressed to.
//
//   const auto result = update_router_options(ip, {.address = mine, .milliseconds = time});
//   if (result.bad()) send_parameter_problem(result.bad_octet);
//   if (result.changed) set_ip_header_checksum(ip);
#pragma once

#include <cstdint>
#include <span>

#include "headroom/net/ip.hh"

namespace headroom {

struct RouterOptions {
  IPAddress address;                    // that of the interface by which the packet leaves
  std::span<const IPAddress> others{};  // this router's other addresses
  uint32_t milliseconds = 0;            // since midnight, universal time
};

struct RouterOptionsResult {
  bool changed = false;
  uint8_t bad_octet = 0;  // the offset in the header of what is wrong, or 0
  bool bad() const { return bad_octet != 0; }
};

// Writes this router into the options of the header, whose header_length() bytes must be there.
// The checksum is left to the caller. When an option is malformed, what stands before it may have
// been written.
RouterOptionsResult update_router_options(IpHeader& ip, const RouterOptions& router);

}  // namespace headroom
