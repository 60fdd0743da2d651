// What CheckTCPHeader, CheckUDPHeader and CheckICMPHeader share: the way to the transport header,
// bad packets to output 1, and the handlers that count them.
//
//   class CheckUDPHeader final : public CheckTransport<CheckUDPHeader> {
//     static constexpr uint8_t kProtocol = kIpProtocolUdp;
//     Verdict check(Packet& packet, const Transport& transport);
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "headroom/graph/drop_handlers.hh"
#include "headroom/graph/element.hh"
#include "headroom/packet/transport.hh"

namespace headroom {

template <class T>
class CheckTransport : public PacketElement<T> {
 public:
  Arg<bool> verbose{
      *this, "VERBOSE", false, {.doc = "Whether a line is printed for every bad packet."}};
  Arg<bool> details{
      *this, "DETAILS", false, {.doc = "No effect: drop_details always counts by reason."}};

  Drop no_header{*this, "no-network-header",
                 "It has no network header, which CheckIPHeader or MarkIPHeader sets, or the IPv4 "
                 "header is malformed."};
  Drop other_protocol{*this, "other-protocol", "The IPv4 header says another protocol."};
  Drop fragment{*this, "fragment", "It is a fragment: only the whole datagram can be checked."};
  Drop bad_length{*this, "bad-length",
                  "A length in the headers is too small, or beyond the end of what contains it."};
  Drop bad_checksum{*this, "bad-checksum", "The checksum is wrong."};

  DropHandlers bad_packets{*this,
                           {&no_header, &other_protocol, &fragment, &bad_length, &bad_checksum}};

  Verdict process(Packet& packet) {
    const auto transport = find_transport(packet);
    if (!transport) [[unlikely]]
      return bad(no_header);
    if (transport->ip.protocol != T::kProtocol) [[unlikely]]
      return bad(other_protocol);
    if (transport->is_fragment()) [[unlikely]]
      return bad(fragment);
    if (!transport->complete) [[unlikely]]
      return bad(bad_length);
    return static_cast<T*>(this)->check(packet, *transport);
  }

 protected:
  [[gnu::noinline, gnu::cold]] Verdict bad(Drop& reason) {
    if (*verbose)
      std::fprintf(stderr, "%s: bad %s header: %.*s\n", this->name().c_str(), T::kProtocolName,
                   static_cast<int>(reason.name().size()), reason.name().data());
    return this->divert(1, reason);
  }
};

}  // namespace headroom
