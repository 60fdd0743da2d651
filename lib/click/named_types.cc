#include "headroom/click/named_types.hh"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "headroom/click/arguments.hh"
#include "headroom/click/numbers.hh"
#include "headroom/click/scan.hh"

namespace headroom::click {
namespace {

// One word, unquoted.
bool parse_text(std::string_view text, std::string& value) {
  std::string error;
  return ArgType<std::string>::parse(text, value, error);
}

struct Unit {
  std::string_view name;
  bool bits;
};
constexpr Unit kRates[] = {
    {"Bps", false}, {"B/s", false}, {"bps", true}, {"b/s", true}, {"baud", true}};

struct Protocol {
  std::string_view name;
  uint16_t number;
};
constexpr Protocol kProtocols[] = {{"icmp", 1},
                                   {"igmp", 2},
                                   {"ipip", 4},
                                   {"tcp", 6},
                                   {"udp", 17},
                                   {"dccp", 33},
                                   {"gre", 47},
                                   {"sctp", 132},
                                   {"tcpudp", IPProtocol::kTcpOrUdp},
                                   {"transp", IPProtocol::kTransport},
                                   {"payload", IPProtocol::kPayload}};

bool parse_port(std::string_view text, uint16_t& number, std::string& error, const NameScope& names,
                PortProtocol protocol) {
  if (ArgType<uint16_t>::parse(text, number, error)) return true;
  if (!error.empty()) return false;  // a number that is too large is no name
  const std::optional<uint16_t> named = names.port(text, protocol);
  if (named) number = *named;
  return named.has_value();
}

// "name/length".
template <class Address, class Prefix>
bool parse_named_with_length(std::string_view text, Prefix& value, const NameScope& names) {
  const std::size_t slash = text.rfind('/');
  Address address;
  if (slash == std::string_view::npos || !parse_named(text.substr(0, slash), address, names)) {
    return false;
  }
  const std::optional<Prefix> prefix =
      Prefix::parse(address.to_string() + std::string(text.substr(slash)));
  if (prefix) value = *prefix;
  return prefix.has_value();
}

template <class T>
bool take(const std::optional<T>& found, T& value) {
  if (found) value = *found;
  return found.has_value();
}

}  // namespace

// --- rates and words ---

bool ArgType<Bandwidth>::parse(std::string_view text, Bandwidth& value, std::string& error,
                               const NameScope&) {
  const auto number = numbers::parse_real<long double>(text);
  if (!number) return false;
  std::string_view unit = number->rest;
  while (!unit.empty() && scan::is_space(unit[0])) unit.remove_prefix(1);
  if (unit.empty() && !number->rest.empty()) return false;
  long double factor = 1;
  if (!unit.empty()) {
    const std::size_t prefix = std::string_view("kMG").find(unit[0]);
    if (prefix != std::string_view::npos) {
      factor = prefix == 0 ? 1e3L : prefix == 1 ? 1e6L : 1e9L;
      unit.remove_prefix(1);
    }
    const auto* known = std::find_if(std::begin(kRates), std::end(kRates),
                                     [unit](const Unit& rate) { return rate.name == unit; });
    if (known == std::end(kRates)) return false;
    if (known->bits) factor /= 8;
  }
  const long double scaled = std::round(number->value * factor);
  if (scaled < 0 || !(scaled <= 18446744073709551615.0L)) {
    error = scaled < 0 ? "out of range, bound 0" : "out of range, bound 18446744073709551615Bps";
    return false;
  }
  value.bytes_per_second = static_cast<uint64_t>(scaled);
  return true;
}
std::string ArgType<Bandwidth>::unparse(const Bandwidth& value) {
  return std::to_string(value.bytes_per_second) + "Bps";
}

bool ArgType<Word>::parse(std::string_view text, Word& value, std::string&, const NameScope&) {
  std::string word;
  if (!parse_text(text, word) || word.empty()) return false;
  for (const char c : word) {
    if (c <= ' ' || c >= 0x7F || c == '"' || c == '\'' || c == '\\' || c == ',') return false;
  }
  value.text = std::move(word);
  return true;
}
std::string ArgType<Word>::unparse(const Word& value) {
  return ArgType<std::string>::unparse(value.text);
}

bool ArgType<Keyword>::parse(std::string_view text, Keyword& value, std::string&,
                             const NameScope&) {
  std::string word;
  if (!parse_text(text, word) || word.empty()) return false;
  const bool good = std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_.:?!").find(c) != std::string_view::npos;
  });
  if (good) value.text = std::move(word);
  return good;
}
std::string ArgType<Keyword>::unparse(const Keyword& value) { return value.text; }

// --- numbers with names ---

bool ArgType<TcpPort>::parse(std::string_view text, TcpPort& value, std::string& error,
                             const NameScope& names) {
  return parse_port(text, value.number, error, names, PortProtocol::tcp);
}
std::string ArgType<TcpPort>::unparse(const TcpPort& value) { return std::to_string(value.number); }

bool ArgType<UdpPort>::parse(std::string_view text, UdpPort& value, std::string& error,
                             const NameScope& names) {
  return parse_port(text, value.number, error, names, PortProtocol::udp);
}
std::string ArgType<UdpPort>::unparse(const UdpPort& value) { return std::to_string(value.number); }

bool ArgType<IPProtocol>::parse(std::string_view text, IPProtocol& value, std::string& error,
                                const NameScope&) {
  for (const Protocol& protocol : kProtocols) {
    if (text != protocol.name) continue;
    value.number = protocol.number;
    return true;
  }
  uint8_t number = 0;
  if (!ArgType<uint8_t>::parse(text, number, error)) return false;
  value.number = number;
  return true;
}
std::string ArgType<IPProtocol>::unparse(const IPProtocol& value) {
  for (const Protocol& protocol : kProtocols) {
    if (value.number == protocol.number) return std::string(protocol.name);
  }
  return std::to_string(value.number);
}

bool parse_annotation(std::string_view text, unsigned size, uint8_t& offset, std::string& error,
                      const NameScope& names) {
  const unsigned last = kAnnotationBytes - size;
  if (const std::optional<AnnotationRange> named = names.annotation(text)) {
    if ((named->size != 0 && named->size != size) || named->offset > last) return false;
    offset = named->offset;
    return true;
  }
  uint32_t number = 0;
  if (!ArgType<uint32_t>::parse(text, number, error)) return false;
  if (number > last) {
    error = "out of range, bound " + std::to_string(last);
    return false;
  }
  offset = static_cast<uint8_t>(number);
  return true;
}

// --- addresses ---

bool ArgType<IPMasked>::parse(std::string_view text, IPMasked& value, std::string& error,
                              const NameScope& names) {
  IPPrefix prefix;
  if (parse_argument(text, prefix, error, names)) {
    value = {prefix.address, prefix.mask()};
    return true;
  }
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return false;
  IPMasked masked;
  if (!parse_argument(text.substr(0, slash), masked.address, error, names) ||
      !ArgType<IPAddress>::parse(text.substr(slash + 1), masked.mask, error)) {
    return false;
  }
  value = masked;
  return true;
}
std::string ArgType<IPMasked>::unparse(const IPMasked& value) {
  return value.address.to_string() + '/' + value.mask.to_string();
}

bool parse_named(std::string_view text, IPAddress& value, const NameScope& names) {
  const std::optional<NamedAddresses> found = names.addresses(text);
  return found && take(found->ip, value);
}

bool parse_named(std::string_view text, IPPrefix& value, const NameScope& names) {
  if (text.find('/') != std::string_view::npos) {
    return parse_named_with_length<IPAddress>(text, value, names);
  }
  const std::optional<NamedAddresses> found = names.addresses(text);
  if (!found) return false;
  // Where a prefix is expected, a bare address is one of 32 bits.
  if (!found->prefix && found->ip) value = IPPrefix(*found->ip, 32);
  return found->prefix ? take(found->prefix, value) : found->ip.has_value();
}

bool parse_named(std::string_view text, IP6Address& value, const NameScope& names) {
  const std::optional<NamedAddresses> found = names.addresses(text);
  if (found && take(found->ip6, value)) return true;
  // "::ffff:name": the last four bytes are a named IPv4 address.
  const std::size_t colon = text.rfind(':');
  IPAddress tail;
  if (colon == std::string_view::npos || !parse_named(text.substr(colon + 1), tail, names)) {
    return false;
  }
  const std::optional<IP6Address> whole =
      IP6Address::parse(std::string(text.substr(0, colon + 1)) + tail.to_string());
  return take(whole, value);
}

bool parse_named(std::string_view text, IP6Prefix& value, const NameScope& names) {
  if (text.find('/') != std::string_view::npos) {
    return parse_named_with_length<IP6Address>(text, value, names);
  }
  const std::optional<NamedAddresses> found = names.addresses(text);
  if (!found) return false;
  if (!found->prefix6 && found->ip6) value = IP6Prefix(*found->ip6, 128);
  return found->prefix6 ? take(found->prefix6, value) : found->ip6.has_value();
}

bool parse_named(std::string_view text, EtherAddress& value, const NameScope& names) {
  const std::optional<NamedAddresses> found = names.addresses(text);
  return found && take(found->ether, value);
}

// --- references ---

std::vector<std::string> resolution_order(std::string_view element, std::string_view name) {
  std::vector<std::string> order;
  std::size_t slash = element.rfind('/');
  while (slash != std::string_view::npos) {
    order.push_back(std::string(element.substr(0, slash + 1)) + std::string(name));
    slash = slash == 0 ? std::string_view::npos : element.rfind('/', slash - 1);
  }
  order.emplace_back(name);
  return order;
}

bool ArgType<ElementName>::parse(std::string_view text, ElementName& value, std::string&,
                                 const NameScope&) {
  std::string name;
  if (!parse_text(text, name) || name.empty()) return false;
  value.name = std::move(name);
  return true;
}
std::string ArgType<ElementName>::unparse(const ElementName& value) {
  return ArgType<std::string>::unparse(value.name);
}

bool ArgType<HandlerName>::parse(std::string_view text, HandlerName& value, std::string&,
                                 const NameScope&) {
  std::size_t end = 0;
  while (end < text.size() && !scan::is_space(text[end])) ++end;
  const std::string_view full = text.substr(0, end);
  HandlerName made;
  const std::size_t dot = full.find('.');
  made.global = dot == 0;
  if (dot != std::string_view::npos) made.element = full.substr(0, dot);
  made.handler = full.substr(dot == std::string_view::npos ? 0 : dot + 1);
  if (made.handler.empty() || full.find_first_of("\"',\\") != std::string_view::npos) return false;
  while (end < text.size() && scan::is_space(text[end])) ++end;
  made.value = text.substr(end);
  value = std::move(made);
  return true;
}
std::string ArgType<HandlerName>::unparse(const HandlerName& value) {
  std::string text = value.element;
  if (value.global || !value.element.empty()) text += '.';
  text += value.handler;
  return value.value.empty() ? text : text + ' ' + value.value;
}

bool parse_prefix_or_address(std::string_view text, IPPrefix& value, const NameScope& names) {
  std::string unused;
  if (ArgType<IPPrefix>::parse(text, value, unused)) return true;
  IPAddress address;
  if (!ArgType<IPAddress>::parse(text, address, unused) && !parse_named(text, address, names))
    return parse_named(text, value, names);
  value = IPPrefix(address, 32);
  return true;
}

}  // namespace headroom::click
