#include "headroom/graph/element.hh"

namespace headroom {

class PacketSizeClassifier final : public PacketElement<PacketSizeClassifier> {
 public:
  static constexpr ElementSpec spec{
      .name = "PacketSizeClassifier",
      .ports = "1/1-3",
      .processing = "h/h",
      .doc =
          "Sends packets shorter than 128 bytes to output 0, others shorter than 512 bytes to "
          "output 1, and the rest to output 2."};

  ArgList<click::RawText> ignored{*this, "IGNORED", {.doc = "Without effect, as in NBA."}};

  Drop no_output{*this, "no-such-output", "There is no output for its size."};

  Verdict process(Packet& packet) {
    const uint32_t length = packet.length();
    const uint32_t port = (length >= 128 ? 1U : 0U) + (length >= 512 ? 1U : 0U);
    return port < noutputs() ? to(port) : Verdict(no_output);
  }
};

HEADROOM_ELEMENT(PacketSizeClassifier);

}  // namespace headroom
