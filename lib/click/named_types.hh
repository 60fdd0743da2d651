// Argument types that names can be written for, and those that are names: ports, protocols,
// annotations, words, references to elements and handlers.
//
// parse_argument() reads any type, with the names that an element may use; ArgType<T>::parse(text,
// value, error) knows only built-in ones.
//
//   TcpPort port;
//   parse_argument("www", port, error, scope);        // 80
//   HandlerName handler;
//   parse_argument("q.reset", handler, error, scope); // {element "q", handler "reset"}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/click/arg_types.hh"
#include "headroom/click/names.hh"

namespace headroom::click {

// "10Mbps", "1.5 MBps"; without a unit, bytes per second.
struct Bandwidth {
  uint64_t bytes_per_second = 0;
};
// Text in which nothing needs quotes: printable, and no blank, quote, backslash or comma.
struct Word {
  std::string text;
};
// Letters, digits and _ . : ? !
struct Keyword {
  std::string text;
};
struct TcpPort {
  uint16_t number = 0;
};
struct UdpPort {
  uint16_t number = 0;
};
// A number of the IPv4 header, or a name; names also for what no header has.
struct IPProtocol {
  static constexpr uint16_t kTcpOrUdp = 256;   // "tcpudp"
  static constexpr uint16_t kTransport = 257;  // "transp": TCP, UDP and the like
  static constexpr uint16_t kPayload = 258;    // "payload"
  uint16_t number = 0;
};
// "a.b.c.d/len", "a.b.c.d/mask" with any mask, or a name.
struct IPMasked {
  IPAddress address;
  IPAddress mask;
};
// A name of an annotation of `Size` bytes, or an offset among the packet's user bytes:
//
//   Arg<click::Annotation<1>> anno{*this, "ANNO", click::Annotation<1>{17}, {.doc = "..."}};
//   packet.set_anno_u8(anno->offset, 3);
template <unsigned Size>
struct Annotation {
  uint8_t offset = 0;
};
// An element, by its name as seen from another; which one it is, the router knows.
struct ElementName {
  std::string name;
};
// "element.handler", ".handler" (of the router) or "handler" (one's own, else the router's), then
// perhaps a value.
struct HandlerName {
  std::string element;
  std::string handler;
  std::string value;
  bool global = false;  // ".handler"
};

// The names that `name` may stand for in the scope of `element` ("a/b/x"): a/b/name, a/name, name.
std::vector<std::string> resolution_order(std::string_view element, std::string_view name);

#define HEADROOM_NAMED_TYPE(type, text)                                          \
  template <>                                                                    \
  struct ArgType<type> {                                                         \
    static constexpr std::string_view name = text;                               \
    static bool parse(std::string_view text_in, type& value, std::string& error, \
                      const NameScope& names = {});                              \
    static std::string unparse(const type& value);                               \
  }

HEADROOM_NAMED_TYPE(Bandwidth, "bandwidth");
HEADROOM_NAMED_TYPE(Word, "word");
HEADROOM_NAMED_TYPE(Keyword, "keyword");
HEADROOM_NAMED_TYPE(TcpPort, "TCP port");
HEADROOM_NAMED_TYPE(UdpPort, "UDP port");
HEADROOM_NAMED_TYPE(IPProtocol, "IP protocol");
HEADROOM_NAMED_TYPE(IPMasked, "IP address with mask");
HEADROOM_NAMED_TYPE(ElementName, "element");
HEADROOM_NAMED_TYPE(HandlerName, "handler");

#undef HEADROOM_NAMED_TYPE

// False for an annotation of another size, and for an offset too near to the end.
bool parse_annotation(std::string_view text, unsigned size, uint8_t& offset, std::string& error,
                      const NameScope& names);

template <unsigned Size>
struct ArgType<Annotation<Size>> {
  static constexpr std::string_view name = Size == 1   ? "annotation of 1 byte"
                                           : Size == 2 ? "annotation of 2 bytes"
                                           : Size == 4 ? "annotation of 4 bytes"
                                                       : "annotation";
  static constexpr std::string_view example = Size == 1   ? "PAINT"
                                              : Size == 2 ? "VLAN_TCI"
                                              : Size == 4 ? "AGGREGATE"
                                                          : "";
  static bool parse(std::string_view text, Annotation<Size>& value, std::string& error,
                    const NameScope& names = {}) {
    return parse_annotation(text, Size, value.offset, error, names);
  }
  static std::string unparse(const Annotation<Size>& value) {
    const std::string_view known = builtin_annotation({value.offset, Size});
    return known.empty() ? std::to_string(value.offset) : std::string(known);
  }
};

// Addresses of types that know nothing of names, written as names.
bool parse_named(std::string_view text, IPAddress& value, const NameScope& names);
bool parse_named(std::string_view text, IPPrefix& value, const NameScope& names);
// A prefix, or an address as a prefix of 32 bits; a name for an address is that even if it stands
// for a prefix as well.
bool parse_prefix_or_address(std::string_view text, IPPrefix& value, const NameScope& names);
bool parse_named(std::string_view text, IP6Address& value, const NameScope& names);
bool parse_named(std::string_view text, IP6Prefix& value, const NameScope& names);
bool parse_named(std::string_view text, EtherAddress& value, const NameScope& names);

// Reads a value of any argument type, with the names that an element may use.
template <class T>
bool parse_argument(std::string_view text, T& value, std::string& error, const NameScope& names) {
  if constexpr (requires { ArgType<T>::parse(text, value, error, names); }) {
    return ArgType<T>::parse(text, value, error, names);
  } else if constexpr (requires { parse_named(text, value, names); }) {
    return ArgType<T>::parse(text, value, error) || parse_named(text, value, names);
  } else {
    return ArgType<T>::parse(text, value, error);
  }
}

}  // namespace headroom::click
