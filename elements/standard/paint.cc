#include "headroom/graph/element.hh"

namespace headroom {

class Paint final : public PacketElement<Paint> {
 public:
  static constexpr ElementSpec spec{.name = "Paint",
                                    .doc = "Sets every packet's paint annotation."};

  Arg<uint8_t> color{
      *this, "COLOR", {.doc = "The value to set.", .positional = true, .mandatory = true}};
  Arg<click::Annotation<1>> annotation{
      *this,
      "ANNO",
      click::Annotation<1>{anno::kPaint.offset},
      {.doc = "The annotation to set: any of one byte.", .positional = true}};

  ReadHandler color_value{*this, "color", "The value that is set.",
                          [this] { return std::to_string(*color); }};
  WriteHandler color_set{*this, "color", "", [this](std::string_view value, std::string& error) {
                           return color.read(value, error);
                         }};

  Verdict process(Packet& packet) {
    packet.set_anno_u8(annotation->offset, *color);
    return to(0);
  }
};

HEADROOM_ELEMENT(Paint);

}  // namespace headroom
