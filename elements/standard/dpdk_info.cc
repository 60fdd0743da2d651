#include "headroom/graph/element.hh"

namespace headroom {

class DPDKInfo final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "DPDKInfo",
      .ports = "0/0",
      .doc =
          "Without effect: pools are sized by what holds packets, and the system configuration "
          "says the rest. For configurations written for FastClick.",
      .phase = Phase::information};

  ArgList<click::RawText> ignored{*this, "IGNORED", {.doc = "Without effect."}};
};

HEADROOM_ELEMENT(DPDKInfo);

}  // namespace headroom
