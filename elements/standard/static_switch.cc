#include "headroom/graph/element.hh"

namespace headroom {

class StaticSwitch final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "StaticSwitch",
                                    .ports = "1/1-",
                                    .processing = "h/h",
                                    .doc = "Sends all packets to one output, always the same."};

  Arg<int32_t> target{
      *this,
      "OUTPUT",
      {.doc = "The output; negative drops all packets.", .positional = true, .mandatory = true}};

  Drop off{*this, "switched-off", "OUTPUT is negative."};

  bool configure(SetupContext& context) override {
    return *target < 0 || static_cast<uint32_t>(*target) < noutputs() ||
           context.error("OUTPUT: out of range, bound " + std::to_string(noutputs() - 1));
  }

  void push(uint32_t, PacketBatch& batch) override {
    if (*target < 0)
      off.drop(batch);
    else
      output(static_cast<uint32_t>(*target)).push(batch);
  }
};

HEADROOM_ELEMENT(StaticSwitch);

}  // namespace headroom
