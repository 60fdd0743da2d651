// The types that an element's arguments can have: how their text is read and what they are called.
//
// ArgType<T> is specialised for every type that an argument may have. Use it wherever text becomes
// a value; a new type is one specialisation:
//
//   uint32_t value = 0;
//   std::string error;   // stays empty for a plain "parse error"
//   ArgType<uint32_t>::parse("0x10", value, error)   // true, 16
//
//   template <> struct ArgType<Color> {
//     static constexpr std::string_view name = "colour";
//     static bool parse(std::string_view text, Color& value, std::string& error);
//     static std::string unparse(const Color& value);   // the form that parse() reads back
//   };
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "headroom/net/addresses.hh"

namespace headroom::click {

template <class T>
struct ArgType;

// A length of time in nanoseconds: "10ms", "1.5 s", "2min"; without a unit, seconds.
struct Duration {
  int64_t nanoseconds = 0;
};
// Text taken as written, without unquoting.
struct RawText {
  std::string text;
};
// A path, unquoted; "-" means standard input or output.
struct Filename {
  std::string path;
};

#define HEADROOM_ARG_TYPE(type, text)                                             \
  template <>                                                                     \
  struct ArgType<type> {                                                          \
    static constexpr std::string_view name = text;                                \
    static bool parse(std::string_view text_in, type& value, std::string& error); \
    static std::string unparse(const type& value);                                \
  }

HEADROOM_ARG_TYPE(bool, "boolean");
HEADROOM_ARG_TYPE(int32_t, "integer");
HEADROOM_ARG_TYPE(int64_t, "integer");
HEADROOM_ARG_TYPE(uint8_t, "unsigned integer");
HEADROOM_ARG_TYPE(uint16_t, "unsigned integer");
HEADROOM_ARG_TYPE(uint32_t, "unsigned integer");
HEADROOM_ARG_TYPE(uint64_t, "unsigned integer");
HEADROOM_ARG_TYPE(double, "real number");
HEADROOM_ARG_TYPE(Duration, "time");
HEADROOM_ARG_TYPE(std::string, "string");
HEADROOM_ARG_TYPE(RawText, "text");
HEADROOM_ARG_TYPE(Filename, "filename");
HEADROOM_ARG_TYPE(IPAddress, "IP address");
HEADROOM_ARG_TYPE(IPPrefix, "IP address prefix");
HEADROOM_ARG_TYPE(IP6Address, "IPv6 address");
HEADROOM_ARG_TYPE(IP6Prefix, "IPv6 address prefix");
HEADROOM_ARG_TYPE(EtherAddress, "Ethernet address");

#undef HEADROOM_ARG_TYPE

}  // namespace headroom::click
