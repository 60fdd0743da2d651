// An IPv4 packet as one line of text, in the manner of tcpdump.
//
//   ip_text(bytes, packet.length(), {.ttl = true})
//   // "ttl 64 10.0.0.1.1000 > 10.0.0.2.53: udp 26"
//
// Whatever the bytes are: what is missing or makes no sense is called truncated.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace headroom {

struct IpTextOptions {
  bool id = false;
  bool ttl = false;
  bool tos = false;
  bool length = false;
  bool swap = false;  // identifier and sequence of ICMP echoes in the other byte order
};

// The most bytes that ip_text() looks at.
inline constexpr uint32_t kIpTextBytes = 60 + 8 + 60 + 8;

// `bytes` begin with the IPv4 header, and are the packet's first kIpTextBytes or all there are;
// `packet_length` is that of the whole packet.
std::string ip_text(std::span<const uint8_t> bytes, uint32_t packet_length,
                    const IpTextOptions& options = {});

enum class DumpForm : uint8_t { none, hex, ascii };

// Bytes on lines of their own that begin with two blanks: 24 bytes in hex, with a blank after every
// four, or 48 characters, with a blank after every eight and a dot for what cannot be printed.
std::string dump_text(std::span<const uint8_t> bytes, DumpForm form);

}  // namespace headroom
