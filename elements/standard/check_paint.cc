#include "headroom/graph/element.hh"

namespace headroom {

class CheckPaint final : public PacketElement<CheckPaint> {
 public:
  static constexpr ElementSpec spec{
      .name = "CheckPaint",
      .ports = "1/1-2",
      .processing = "a/ah",
      .doc =
          "Passes packets with a certain paint annotation. Others go to output 1, or are dropped "
          "when that is not connected."};

  Arg<uint8_t> color{
      *this,
      "COLOR",
      {.doc = "The paint that passes.", .positional = true, .mandatory = true, .live = true}};
  Arg<click::Annotation<1>> annotation{
      *this,
      "ANNO",
      click::Annotation<1>{anno::kPaint.offset},
      {.doc = "The annotation to go by: any of one byte.", .positional = true}};

  Drop other_paint{*this, "other-paint", "Its paint is not COLOR."};

  Verdict process(Packet& packet) {
    return packet.anno_u8(annotation->offset) == *color ? to(0) : divert(1, other_paint);
  }
};

HEADROOM_ELEMENT(CheckPaint);

}  // namespace headroom
