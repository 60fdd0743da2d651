#include "headroom/graph/element.hh"

namespace headroom {

class CPUSwitch final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "CPUSwitch",
      .ports = "1/-",
      .processing = "h/h",
      .doc =
          "Sends packets to the output of the worker that it runs on: worker 0 to output 0, and "
          "so on, beginning again when there are more workers than outputs."};

  void push(uint32_t, PacketBatch& batch) override {
    output(worker().worker % noutputs()).push(batch);
  }
};

HEADROOM_ELEMENT(CPUSwitch);

}  // namespace headroom
