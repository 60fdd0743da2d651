#include <algorithm>
#include <cstring>

#include "headroom/graph/element.hh"

namespace headroom {

class Pad final : public PacketElement<Pad> {
 public:
  static constexpr uint32_t kMaxLength = 65535;
  static constexpr ElementSpec spec{
      .name = "Pad",
      .doc =
          "Makes packets longer: of at least LENGTH bytes or, without LENGTH, by as many as their "
          "extra length annotation says, which it clears.",
      .writes = true};

  Arg<uint32_t> length{
      *this,
      "LENGTH",
      0,
      {.doc = "Bytes that packets have at least.", .unit = "bytes", .positional = true}};
  Arg<bool> zero{*this,
                 "ZERO",
                 true,
                 {.doc = "Whether the new bytes are zeroes; if not, they are undefined."}};

  Drop too_long{*this, "too-long", "It would come to have more than 65535 bytes."};

  bool configure(SetupContext& context) override {
    return *length <= kMaxLength ||
           context.error("LENGTH: out of range, bound " + std::to_string(kMaxLength));
  }

  Verdict process(Packet& packet) {
    const uint32_t extra = packet.anno_u32(anno::kExtraLength.offset);
    const uint64_t wanted = length.given() ? *length : uint64_t{packet.length()} + extra;
    packet.set_anno_u32(anno::kExtraLength.offset, 0);
    if (wanted <= packet.length()) return to(0);
    if (wanted > kMaxLength) return too_long;
    while (packet.length() < wanted) {
      const uint32_t piece =
          std::min<uint32_t>(static_cast<uint32_t>(wanted) - packet.length(), kPiece);
      if (!packet.put(piece)) return no_buffer;
      if (*zero) std::memset(packet.last(piece), 0, piece);
    }
    return to(0);
  }

 private:
  static constexpr uint32_t kPiece = 512;  // fits into a segment of any pool
};

HEADROOM_ELEMENT(Pad);

}  // namespace headroom
