#include "headroom/graph/element.hh"

namespace headroom {

class AlignmentInfo final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "AlignmentInfo",
      .ports = "0/0",
      .doc =
          "No effect: elements read packets at any alignment. Accepted because configurations that "
          "were prepared for Click have it.",
      .phase = Phase::information};

  ArgList<click::RawText> alignments{
      *this, "ELEMENT-ALIGNMENT", {.doc = "ELEMENT CHUNK OFFSET [CHUNK OFFSET]..., as in Click."}};
};

HEADROOM_ELEMENT(AlignmentInfo);

}  // namespace headroom
