// The options of IPv4 headers (RFC 791, 3.1) as routers treat them.
//
//   const auto result = process_gateway_options(ip, my_address, others, milliseconds);
//   if (result.problem != 0) send_parameter_problem(result.problem);
#pragma once

#include <cstdint>
#include <span>

#include "headroom/net/addresses.hh"
#include "headroom/net/ip.hh"

namespace headroom {

// Offsets of options in the header, in turn.
class IpOptionReader {
 public:
  // `header` has header_length() bytes.
  explicit IpOptionReader(const IpHeader& header)
      : bytes_(reinterpret_cast<const uint8_t*>(&header)), end_(header.header_length()) {}

  // False behind the last option, and where an option's length is wrong (then problem() is its
  // place).
  bool next();
  uint8_t type() const { return bytes_[at_]; }
  unsigned offset() const { return at_; }
  unsigned length() const { return length_; }
  // The offset of a length that is wrong, or 0.
  unsigned problem() const { return problem_; }

 private:
  const uint8_t* bytes_;
  unsigned end_;
  unsigned at_ = sizeof(IpHeader);
  unsigned length_ = 0;
  unsigned problem_ = 0;
};

struct GatewayOptions {
  uint8_t problem = 0;   // the offset of the octet in error, for a parameter problem; 0 is none
  bool changed = false;  // the checksum is to be computed again
};

// What every router on the path does: records its address (record route) and the time (timestamp;
// milliseconds since midnight UT). `mine` is recorded; `others` too are this router's addresses.
GatewayOptions process_gateway_options(IpHeader& header, IPAddress mine,
                                       std::span<const IPAddress> others, uint32_t milliseconds);

// Copies the header for fragments behind the first: without the options that are not copied into
// all fragments (RFC 791, 3.1, "copied flag"). `to` has room for 60 bytes; returns the length.
unsigned copy_header_for_fragments(const IpHeader& header, uint8_t* to);

}  // namespace headroom
