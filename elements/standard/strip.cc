#include <algorithm>

#include "headroom/graph/element.hh"

namespace headroom {

class Strip final : public PacketElement<Strip> {
 public:
  static constexpr ElementSpec spec{
      .name = "Strip",
      .doc =
          "Takes bytes off the front of packets. Unstrip puts them back; header annotations stay "
          "on the byte that they are on."};

  Arg<uint32_t> bytes{
      *this,
      "LENGTH",
      {.doc = "Bytes to take off.", .unit = "bytes", .positional = true, .mandatory = true}};

  Drop too_short{*this, "too-short", "It has fewer than LENGTH bytes."};

  Verdict process(Packet& packet) {
    const uint32_t length = *bytes;
    if (packet.length() < length) [[unlikely]]
      return too_short;
    // In one segment, where possible, so that they lie before the packet's bytes when Unstrip asks
    // for them. Where it is not, pull() does the same for the bytes that stay.
    if (packet.contiguous() <= length && packet.chained()) [[unlikely]]
      packet.pullup(std::min(length + 1, packet.length()));
    packet.pull(length);
    return to(0);
  }
};

HEADROOM_ELEMENT(Strip);

}  // namespace headroom
