#include "headroom/graph/element.hh"

namespace headroom {

class EnsureDPDKBuffer final : public PacketElement<EnsureDPDKBuffer> {
 public:
  static constexpr ElementSpec spec{
      .name = "EnsureDPDKBuffer",
      .doc =
          "Passes packets on unchanged: every packet lies in a DPDK buffer. For configurations "
          "written for FastClick."};

  ArgList<click::RawText> ignored{*this, "IGNORED", {.doc = "Without effect."}};

  Verdict process(Packet&) { return to(0); }
};

HEADROOM_ELEMENT(EnsureDPDKBuffer);

}  // namespace headroom
