#include "headroom/graph/fusion.hh"

namespace headroom {

class PaintTee final : public BatchElement<PaintTee> {
 public:
  static constexpr ElementSpec spec{
      .name = "PaintTee",
      .ports = "1/2",
      .processing = "a/ah",
      .doc =
          "Passes all packets, and sends a copy of those with a certain paint annotation to "
          "output 1. A router does so to notice packets that leave where they came in, for ICMP "
          "redirects."};

  Arg<uint8_t> color{*this,
                     "COLOR",
                     {.doc = "The paint of packets that are copied.",
                      .positional = true,
                      .mandatory = true,
                      .live = true}};
  Arg<click::Annotation<1>> annotation{
      *this,
      "ANNO",
      click::Annotation<1>{anno::kPaint.offset},
      {.doc = "The annotation to go by: any of one byte.", .positional = true}};

  [[gnu::always_inline]] bool passes(FastPacket& p) const {
    return p.packet.anno_u8(annotation->offset) != *color;
  }
  [[gnu::always_inline]] void apply(FastPacket&) {}

  void process(PacketBatch& batch) {
    PacketBatch clones;
    for (uint32_t i = 0; i < batch.size(); ++i) {
      if (batch[i].anno_u8(annotation->offset) != *color) continue;
      count_created(1);
      Packet* clone = batch[i].clone();
      if (clone == nullptr) [[unlikely]]
        no_buffer.count_lost(1);
      else
        clones.push_back(*clone);
    }
    output(1).push(clones);
  }
};

HEADROOM_ELEMENT(PaintTee);

}  // namespace headroom
