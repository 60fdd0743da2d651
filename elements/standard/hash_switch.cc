#include <vector>

#include "headroom/graph/element.hh"

namespace headroom {

class HashSwitch final : public PacketElement<HashSwitch> {
 public:
  static constexpr ElementSpec spec{
      .name = "HashSwitch",
      .ports = "1/1-",
      .processing = "h/h",
      .doc =
          "Sends every packet to an output chosen by a hash of some of its bytes, so that packets "
          "of a flow stay together. Packets without those bytes go to output 0."};

  Arg<uint32_t> offset{
      *this,
      "OFFSET",
      {.doc = "The first of the bytes.", .unit = "bytes", .positional = true, .mandatory = true}};
  Arg<uint32_t> length{
      *this,
      "LENGTH",
      {.doc = "How many bytes.", .unit = "bytes", .positional = true, .mandatory = true}};

  bool configure(SetupContext& context) override {
    if (*length == 0 || *length > kMax || *offset > kMax)
      return context.error("LENGTH must be 1 to 65535, and OFFSET at most that");
    end_ = *offset + *length;
    gathered_.resize(*length);
    return true;
  }

  Verdict process(Packet& packet) {
    if (packet.length() < end_) [[unlikely]]
      return to(0);
    const uint8_t* bytes = packet.data() + *offset;
    if (packet.contiguous() < end_) [[unlikely]] {
      packet.copy_out(*offset, gathered_.data(), *length);
      bytes = gathered_.data();
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < *length; ++i) sum += bytes[i];
    // Where outputs are a power of two, the upper half of a byte counts as well.
    const uint32_t outputs = noutputs();
    if (outputs == 2 || outputs == 4 || outputs == 8) return to((sum ^ sum >> 4) & (outputs - 1));
    return to(sum % outputs);
  }

 private:
  static constexpr uint32_t kMax = 65535;

  uint32_t end_ = 0;
  std::vector<uint8_t> gathered_;
};

HEADROOM_ELEMENT(HashSwitch);

}  // namespace headroom
