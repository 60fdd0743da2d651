#include "headroom/graph/element.hh"

namespace headroom {

class Tee final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "Tee",
      .ports = "1/1-",
      .processing = "h/h",
      .doc =
          "Sends a copy of every packet to each output. The copies share their bytes until one of "
          "them is written to, and have annotations of their own; the last output gets the "
          "original."};

  Arg<uint32_t> outputs{
      *this,
      "N",
      0,
      {.doc = "The number of outputs. Not needed: when given, it is checked.", .positional = true}};

  bool configure(SetupContext& context) override {
    if (!outputs.given() || *outputs == noutputs()) return true;
    return context.error("N: " + std::to_string(noutputs()) + " outputs are connected, not " +
                         std::to_string(*outputs));
  }

  void push(uint32_t, PacketBatch& batch) override {
    for (uint32_t port = 0; port + 1 < noutputs(); ++port) {
      PacketBatch clones;
      for (uint32_t i = 0; i < batch.size(); ++i) {
        Packet* clone = batch[i].clone();
        if (clone == nullptr) [[unlikely]]
          no_buffer.count_lost(1);
        else
          clones.push_back(*clone);
      }
      count_created(batch.size());
      output(port).push(clones);
    }
    output(noutputs() - 1).push(batch);
  }
};

HEADROOM_ELEMENT(Tee);

}  // namespace headroom
