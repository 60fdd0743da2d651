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
//     static constexpr std::string_view example = "red";        // may be left out
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

// What an example of a value is, for messages; empty when the type has none.
template <class T>
constexpr std::string_view example_of() {
  if constexpr (requires { ArgType<T>::example; }) {
    return ArgType<T>::example;
  } else {
    return {};
  }
}

#define HEADROOM_ARG_TYPE(type, text, example_text)                               \
  template <>                                                                     \
  struct ArgType<type> {                                                          \
    static constexpr std::string_view name = text;                                \
    static constexpr std::string_view example = example_text;                     \
    static bool parse(std::string_view text_in, type& value, std::string& error); \
    static std::string unparse(const type& value);                                \
  }

HEADROOM_ARG_TYPE(bool, "boolean", "true or false");
HEADROOM_ARG_TYPE(int32_t, "integer", "10");
HEADROOM_ARG_TYPE(int64_t, "integer", "10");
HEADROOM_ARG_TYPE(uint8_t, "unsigned integer", "10");
HEADROOM_ARG_TYPE(uint16_t, "unsigned integer", "10");
HEADROOM_ARG_TYPE(uint32_t, "unsigned integer", "10");
HEADROOM_ARG_TYPE(uint64_t, "unsigned integer", "10");
HEADROOM_ARG_TYPE(double, "real number", "1.5");
HEADROOM_ARG_TYPE(Duration, "time", "10ms or 2s");
HEADROOM_ARG_TYPE(std::string, "string", "abc or \"with blanks\"");
HEADROOM_ARG_TYPE(RawText, "text", "");
HEADROOM_ARG_TYPE(Filename, "filename", "trace.pcap");
HEADROOM_ARG_TYPE(IPAddress, "IP address", "10.0.0.1, or a name from AddressInfo");
HEADROOM_ARG_TYPE(IPPrefix, "IP address prefix", "10.1.0.0/16, or a name from AddressInfo");
HEADROOM_ARG_TYPE(IP6Address, "IPv6 address", "2001:db8::1, or a name from AddressInfo");
HEADROOM_ARG_TYPE(IP6Prefix, "IPv6 address prefix", "2001:db8::/32, or a name from AddressInfo");
HEADROOM_ARG_TYPE(EtherAddress, "Ethernet address",
                  "00:15:58:2d:fb:8f, or a name from AddressInfo");

#undef HEADROOM_ARG_TYPE

}  // namespace headroom::click
