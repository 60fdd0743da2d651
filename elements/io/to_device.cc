#include "to_port.hh"

namespace headroom {

class ToDevice final : public ToPort {
 public:
  static constexpr ElementSpec spec{
      .name = "ToDevice",
      .ports = "1/0",
      .doc =
          "Transmits packets on a port of the system configuration or, where there is none of that "
          "name, on a network interface of Linux, which it attaches by AF_XDP. Pulls when its "
          "input "
          "is a pull port.",
      .phase = Phase::devices};

  // What Click's has besides and means nothing here.
  Arg<std::string> method{
      *this, "METHOD", "", {.doc = "Accepted, without effect: see ports.*.attach."}};

 protected:
  bool claim(SetupContext& context) override {
    return context.machine->claim_interface(*port, context);
  }
};

HEADROOM_ELEMENT(ToDevice);

}  // namespace headroom
