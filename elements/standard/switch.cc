#include "headroom/graph/element.hh"

namespace headroom {

class Switch final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "Switch",
      .ports = "1/1-",
      .processing = "h/h",
      .doc = "Sends all packets to one output, which a handler changes."};

  Arg<int32_t> target{*this,
                      "OUTPUT",
                      0,
                      {.doc = "The output; negative drops all packets.",
                       .positional = true,
                       .live = true,
                       .handler = "switch"}};

  Drop off{*this, "switched-off", "OUTPUT is negative."};

  bool reconfigure(std::string& error) override {
    if (exists(error)) return true;
    error = "OUTPUT: " + error;
    return false;
  }

  bool configure(SetupContext& context) override {
    std::string reason;
    return exists(reason) || context.error("OUTPUT: " + reason);
  }

  void push(uint32_t, PacketBatch& batch) override {
    if (*target < 0)
      off.drop(batch);
    else
      output(static_cast<uint32_t>(*target)).push(batch);
  }

 private:
  bool exists(std::string& error) const {
    if (*target < 0 || static_cast<uint32_t>(*target) < noutputs()) return true;
    error = "out of range, bound " + std::to_string(noutputs() - 1);
    return false;
  }
};

HEADROOM_ELEMENT(Switch);

}  // namespace headroom
