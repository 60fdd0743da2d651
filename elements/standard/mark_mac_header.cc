#include "headroom/graph/element.hh"
#include "headroom/net/ether.hh"

namespace headroom {

class MarkMACHeader final : public PacketElement<MarkMACHeader> {
 public:
  static constexpr uint32_t kMaxOffset = 100;
  static constexpr ElementSpec spec{
      .name = "MarkMACHeader",
      .doc =
          "Sets packets' MAC header to the Ethernet header at OFFSET. It checks nothing but that "
          "the header is there.",
      .contiguous = kMaxOffset + sizeof(EtherHeader)};

  Arg<uint32_t> offset{
      *this,
      "OFFSET",
      0,
      {.doc = "Where the header begins: at most 100.", .unit = "bytes", .positional = true}};

  Drop too_short{*this, "too-short", "The packet ends within the header."};

  bool configure(SetupContext& context) override {
    return *offset <= kMaxOffset ||
           context.error("OFFSET: out of range, bound " + std::to_string(kMaxOffset));
  }

  Verdict process(Packet& packet) {
    if (packet.length() < *offset + sizeof(EtherHeader)) [[unlikely]]
      return too_short;
    packet.set_mac_header(*offset);
    return to(0);
  }
};

HEADROOM_ELEMENT(MarkMACHeader);

}  // namespace headroom
