#include "headroom/graph/element.hh"

namespace headroom {

class Paint final : public PacketElement<Paint> {
 public:
  static constexpr ElementSpec spec{.name = "Paint",
                                    .doc = "Sets every packet's paint annotation."};

  Arg<uint8_t> color{
      *this,
      "COLOR",
      {.doc = "The value to set.", .positional = true, .mandatory = true, .live = true}};
  Arg<click::Annotation<1>> annotation{
      *this,
      "ANNO",
      click::Annotation<1>{anno::kPaint.offset},
      {.doc = "The annotation to set: any of one byte.", .positional = true}};

  Verdict process(Packet& packet) {
    packet.set_anno_u8(annotation->offset, *color);
    return to(0);
  }
};

HEADROOM_ELEMENT(Paint);

}  // namespace headroom
