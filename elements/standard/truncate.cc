#include "headroom/graph/element.hh"

namespace headroom {

class Truncate final : public PacketElement<Truncate> {
 public:
  static constexpr ElementSpec spec{
      .name = "Truncate",
      .doc =
          "Takes the end off packets that are longer than LENGTH. How many bytes that were is "
          "added to the extra length annotation."};

  Arg<uint32_t> length{*this,
                       "LENGTH",
                       {.doc = "Bytes that stay at most.",
                        .unit = "bytes",
                        .positional = true,
                        .mandatory = true,
                        .live = true,
                        .handler = "nbytes"}};
  Arg<bool> extra{
      *this,
      "EXTRA_ANNO",
      true,
      {.doc = "Whether the extra length annotation counts what was taken off.", .live = true}};

  Verdict process(Packet& packet) {
    if (packet.length() <= *length) return to(0);
    const uint32_t surplus = packet.length() - *length;
    if (*extra)
      packet.set_anno_u32(anno::kExtraLength.offset,
                          packet.anno_u32(anno::kExtraLength.offset) + surplus);
    packet.take(surplus);
    return to(0);
  }
};

HEADROOM_ELEMENT(Truncate);

}  // namespace headroom
