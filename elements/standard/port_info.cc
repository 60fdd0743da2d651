#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

namespace headroom {

class PortInfo final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "PortInfo",
      .ports = "0/0",
      .doc =
          "Gives names to TCP and UDP ports, for the arguments of other elements. Names hold in "
          "the compound element that this one stands in and in all inside it, and go before those "
          "of /etc/services.",
      .phase = Phase::information};

  // Its name can be no keyword: a definition may begin with any word.
  ArgList<click::RawText> definitions{
      *this,
      "NAME-PORT",
      {.doc = "NAME PORT, for both protocols, or NAME PORT/tcp, NAME PORT/udp."}};

  bool configure(SetupContext& context) override {
    bool good = true;
    for (std::size_t i = 0; i < definitions->size(); ++i) {
      std::string error;
      if (!router().names().add_ports(name(), (*definitions)[i].text, error))
        good = context.error(definitions, i, error, "PORT is a number, PROTOCOL is tcp or udp");
    }
    return good;
  }
};

HEADROOM_ELEMENT(PortInfo);

}  // namespace headroom
