#include "from_port.hh"

namespace headroom {

class FromDevice final : public FromPort {
 public:
  static constexpr ElementSpec spec{
      .name = "FromDevice",
      .ports = "0/1",
      .processing = "h/h",
      .doc =
          "Receives packets from a port of the system configuration or, where there is none of "
          "that "
          "name, from a network interface of Linux, which it attaches by AF_XDP. What an attached "
          "interface receives does not reach the system's own network stack.",
      .phase = Phase::devices};

  // What Click's has besides and means nothing here.
  Arg<bool> sniffer{*this, "SNIFFER", false, {.doc = "Accepted, without effect."}};
  Arg<uint32_t> snaplen{
      *this, "SNAPLEN", 0, {.doc = "Accepted, without effect: no frame is cut.", .unit = "bytes"}};
  Arg<std::string> method{
      *this, "METHOD", "", {.doc = "Accepted, without effect: see ports.*.attach."}};
  Arg<bool> promisc{
      *this, "PROMISC", true, {.doc = "Accepted, without effect: see ports.*.promiscuous."}};

 protected:
  bool claim(SetupContext& context) override {
    return context.machine->claim_interface(*port, context);
  }
};

HEADROOM_ELEMENT(FromDevice);

}  // namespace headroom
