#include "headroom/graph/element.hh"

namespace headroom {

class Align final : public PacketElement<Align> {
 public:
  static constexpr ElementSpec spec{
      .name = "Align",
      .doc =
          "Passes packets on unchanged: no element needs its packets aligned. For configurations "
          "written for Click."};

  Arg<uint32_t> modulus{*this, "MODULUS", 4, {.doc = "Without effect.", .positional = true}};
  Arg<uint32_t> offset{*this, "OFFSET", 0, {.doc = "Without effect.", .positional = true}};

  Verdict process(Packet&) { return to(0); }
};

HEADROOM_ELEMENT(Align);

}  // namespace headroom
