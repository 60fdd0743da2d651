#include "headroom/graph/element.hh"
#include "headroom/net/ip.hh"

namespace headroom {

class MarkIPHeader final : public PacketElement<MarkIPHeader> {
 public:
  static constexpr uint32_t kMaxOffset = 100;
  static constexpr ElementSpec spec{
      .name = "MarkIPHeader",
      .doc =
          "Sets packets' network and transport header to the IPv4 header at OFFSET. It checks "
          "nothing but that the header's fixed part is there; CheckIPHeader checks everything.",
      .contiguous = kMaxOffset + 60};

  Arg<uint32_t> offset{
      *this,
      "OFFSET",
      0,
      {.doc = "Where the header begins: at most 100.", .unit = "bytes", .positional = true}};

  Drop too_short{*this, "too-short", "The packet ends within the header's fixed part."};

  bool configure(SetupContext& context) override {
    return *offset <= kMaxOffset ||
           context.error("OFFSET: out of range, bound " + std::to_string(kMaxOffset));
  }

  Verdict process(Packet& packet) {
    if (packet.length() < *offset + sizeof(IpHeader)) [[unlikely]]
      return too_short;
    const IpHeader& ip = *reinterpret_cast<const IpHeader*>(packet.data() + *offset);
    packet.set_network_header(*offset, ip.header_length());
    return to(0);
  }
};

HEADROOM_ELEMENT(MarkIPHeader);

}  // namespace headroom
