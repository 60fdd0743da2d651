#include "headroom/graph/element.hh"

namespace headroom {

class ScheduleInfo final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "ScheduleInfo",
      .ports = "0/0",
      .doc = "No effect: tasks take turns. Accepted because configurations for Click have it.",
      .phase = Phase::information};

  ArgList<click::RawText> shares{*this, "ELEMENT-SHARE", {.doc = "ELEMENT SHARE, as in Click."}};
};

HEADROOM_ELEMENT(ScheduleInfo);

}  // namespace headroom
