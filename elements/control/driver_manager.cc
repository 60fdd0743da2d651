#include "script.hh"

namespace headroom {

class DriverManager final : public Script {
 public:
  static constexpr ElementSpec spec{
      .name = "DriverManager",
      .ports = "0/0",
      .doc =
          "A Script that decides what stop events mean: `wait` waits for one, and the router ends "
          "when the instructions do. DriverManager(wait, write x.flush, wait 0.1s) gives x a tenth "
          "of "
          "a second after the first source has ended.",
      .once = true};

 protected:
  std::string_view default_type() const override { return "DRIVER"; }
};

HEADROOM_ELEMENT(DriverManager);

}  // namespace headroom
