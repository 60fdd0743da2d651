#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

namespace headroom {

class AddressInfo final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "AddressInfo",
      .ports = "0/0",
      .doc =
          "Gives names to addresses, for the arguments of other elements. A name may stand for an "
          "IPv4 address, an IPv4 prefix, an IPv6 address, an IPv6 prefix and an Ethernet address "
          "at once; a prefix with host bits is an address too. NAME:ip, :ipnet, :ip6, :ip6net and "
          ":eth ask for one of them, NAME:bcast for the last address of its prefix, NAME:gw for "
          "the first one. Names hold in the compound element that this one stands in and in all "
          "inside it. Names that are not defined may be network devices of the machine.",
      .phase = Phase::information};

  // Its name can be no keyword: a definition may begin with any word.
  ArgList<click::RawText> definitions{
      *this,
      "NAME-ADDRESSES",
      {.doc = "NAME ADDR...: a name, and the addresses that it stands for."}};

  bool configure(SetupContext& context) override {
    bool good = true;
    for (std::size_t i = 0; i < definitions->size(); ++i) {
      std::string error;
      if (!router().names().add_addresses(name(), (*definitions)[i].text, error))
        good = context.error(definitions, i, error, "write: NAME 10.0.0.1 1:2:3:4:5:6 10.1.0.0/16");
    }
    return good;
  }
};

HEADROOM_ELEMENT(AddressInfo);

}  // namespace headroom
