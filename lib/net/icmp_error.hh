// ICMP error messages: when one may be sent (RFC 1812, 4.3.2.7), and what is in it.
//
//   if (icmp_error_refusal(ip, length) == IcmpErrorRefusal::none)
//     length = make_icmp_error(buffer, {.source = my_address, .type = kIcmpTimeExceeded}, ip,
//     length);
#pragma once

#include <cstdint>
#include <span>

#include "headroom/net/addresses.hh"
#include "headroom/net/icmp.hh"
#include "headroom/net/ip.hh"

namespace headroom {

enum class IcmpErrorRefusal : uint8_t {
  none,
  bad_header,         // it fails the validation of the IP header (RFC 1812, 5.2.2)
  later_fragment,     // not the first fragment
  icmp_error,         // it is an ICMP error itself, or what it is cannot be seen
  destination_group,  // to a broadcast or multicast address
  bad_source          // the source is not the address of a single host
};

// Of the packet whose first `length` bytes are at `ip`. Broadcasts of the link layer and directed
// broadcast addresses are not seen here.
IcmpErrorRefusal icmp_error_refusal(const uint8_t* ip, uint32_t length);

struct IcmpError {
  IPAddress source = {};
  uint8_t type = 0;
  uint8_t code = 0;
  uint16_t id = 0;            // of the IP header
  uint32_t max_length = 576;  // of the whole message (RFC 1812, 4.3.2.3)
  // By type: the next hop's MTU, the pointer of a parameter problem, the gateway of a redirect.
  uint16_t mtu = 0;
  uint8_t pointer = 0;
  IPAddress gateway = {};
};

// The length of the message about a datagram of `length` bytes.
uint32_t icmp_error_length(const IcmpError& error, uint32_t length);
// Writes the message, of which the length is `to.size()`, about the datagram of which as many bytes
// as fit are at `original`.
void make_icmp_error(std::span<uint8_t> to, const IcmpError& error, const uint8_t* original);

}  // namespace headroom
