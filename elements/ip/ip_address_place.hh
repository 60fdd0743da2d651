// The argument type of a place in an IPv4 packet: `src` or `dst`, the addresses of the IPv4 header
// that the network header annotation points to, or an offset from the packet's first byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "headroom/click/arg_types.hh"

namespace headroom {

struct IpAddressPlace {
  enum class Kind : uint8_t { offset, source, destination };
  Kind kind = Kind::offset;
  uint32_t offset = 0;  // in the packet; of src and dst in the IPv4 header
};

namespace click {

template <>
struct ArgType<IpAddressPlace> {
  static constexpr std::string_view name = "offset, src or dst";
  static bool parse(std::string_view text, IpAddressPlace& value, std::string& error) {
    if (text == "src") {
      value = {IpAddressPlace::Kind::source, 12};
    } else if (text == "dst") {
      value = {IpAddressPlace::Kind::destination, 16};
    } else {
      uint32_t offset = 0;
      if (!ArgType<uint32_t>::parse(text, offset, error)) {
        if (error.empty()) error = "should be an offset in bytes, src or dst";
        return false;
      }
      constexpr uint32_t kMax = 65535;
      if (offset > kMax) {
        error = "out of range, bound " + std::to_string(kMax);
        return false;
      }
      value = {IpAddressPlace::Kind::offset, offset};
    }
    return true;
  }
  static std::string unparse(const IpAddressPlace& value) {
    return value.kind == IpAddressPlace::Kind::source        ? "src"
           : value.kind == IpAddressPlace::Kind::destination ? "dst"
                                                             : std::to_string(value.offset);
  }
};

}  // namespace click
}  // namespace headroom
