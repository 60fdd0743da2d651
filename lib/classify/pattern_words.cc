#include "headroom/classify/pattern_words.hh"

#include <algorithm>
#include <iterator>
#include <string>

#include "headroom/click/numbers.hh"
#include "headroom/net/icmp_names.hh"
#include "headroom/net/ip.hh"
#include "headroom/net/tcp.hh"

namespace headroom::classify {
namespace {

constexpr HeaderWord kHeaders[] = {
    {"ip", Header::ip, kAnyProtocol},         {"tcp", Header::tcp, kIpProtocolTcp},
    {"udp", Header::udp, kIpProtocolUdp},     {"icmp", Header::icmp, kIpProtocolIcmp},
    {"transp", Header::transp, kAnyProtocol}, {"ether", Header::ether, kAnyProtocol}};

constexpr FieldWord kFields[] = {{"host", Field::host, Header::none, true, "an address"},
                                 {"net", Field::net, Header::ip, true, "a network ADDRESS/LENGTH"},
                                 {"port", Field::port, Header::none, true, "a port"},
                                 {"proto", Field::proto, Header::ip, false, "a protocol"},
                                 {"opt", Field::option, Header::tcp, false, "a TCP flag"},
                                 {"type", Field::type, Header::icmp, false, "an ICMP type"},
                                 {"win", Field::window, Header::tcp, false, "a number"},
                                 {"vers", Field::version, Header::ip, false, "a number"},
                                 {"hl", Field::header_length, Header::ip, false, "a number"},
                                 {"tos", Field::tos, Header::ip, false, "a number"},
                                 {"dscp", Field::dscp, Header::ip, false, "a number"},
                                 {"len", Field::length, Header::ip, false, "a number"},
                                 {"id", Field::id, Header::ip, false, "a number"},
                                 {"ttl", Field::ttl, Header::ip, false, "a number"},
                                 {"ect", Field::ect, Header::ip, false, ""},
                                 {"ce", Field::ce, Header::ip, false, ""},
                                 {"frag", Field::frag, Header::ip, false, ""},
                                 {"unfrag", Field::unfrag, Header::ip, false, ""}};
constexpr FieldWord kDataField = {"[..]", Field::data, Header::none, false, "a number"};

struct Flag {
  std::string_view word;
  uint8_t bit;
};
constexpr Flag kFlags[] = {{"syn", kTcpSyn}, {"fin", kTcpFin}, {"ack", kTcpAck}, {"rst", kTcpRst},
                           {"psh", kTcpPsh}, {"urg", kTcpUrg}, {"ece", kTcpEce}, {"cwr", kTcpCwr}};

constexpr std::string_view kProtocolWords[] = {"icmp", "igmp", "ipip", "tcp",    "udp",
                                               "sctp", "dccp", "gre",  "tcpudp", "transp"};

}  // namespace

const HeaderWord* find_header(std::string_view word) {
  const auto* found = std::find_if(std::begin(kHeaders), std::end(kHeaders),
                                   [&](const HeaderWord& one) { return one.word == word; });
  return found == std::end(kHeaders) ? nullptr : found;
}
const FieldWord* find_field(std::string_view word) {
  const auto* found = std::find_if(std::begin(kFields), std::end(kFields),
                                   [&](const FieldWord& one) { return one.word == word; });
  return found == std::end(kFields) ? nullptr : found;
}
const FieldWord& word_of(Field field) {
  const auto* found = std::find_if(std::begin(kFields), std::end(kFields),
                                   [&](const FieldWord& one) { return one.field == field; });
  return found == std::end(kFields) ? kDataField : *found;
}
const HeaderWord& word_of(Header header) {
  return *std::find_if(std::begin(kHeaders), std::end(kHeaders),
                       [&](const HeaderWord& one) { return one.header == header; });
}
std::optional<uint8_t> flag_value(std::string_view word) {
  for (const Flag& flag : kFlags)
    if (flag.word == word) return flag.bit;
  return std::nullopt;
}
bool is_protocol_word(std::string_view word) {
  return std::find(std::begin(kProtocolWords), std::end(kProtocolWords), word) !=
         std::end(kProtocolWords);
}

std::vector<std::string_view> flag_words() {
  std::vector<std::string_view> words;
  for (const Flag& flag : kFlags) words.push_back(flag.word);
  return words;
}
std::vector<std::string_view> icmp_words() {
  std::vector<std::string_view> words;
  for (const IcmpName& name : icmp_type_names()) words.push_back(name.name);
  return words;
}
std::vector<std::string_view> protocol_words() {
  return {std::begin(kProtocolWords), std::end(kProtocolWords)};
}
std::vector<std::string_view> all_words() {
  std::vector<std::string_view> words{"src", "dst", "not", "true", "false", "any", "all"};
  for (const HeaderWord& one : kHeaders) words.push_back(one.word);
  for (const FieldWord& one : kFields) words.push_back(one.word);
  words.insert(words.end(), std::begin(kProtocolWords), std::end(kProtocolWords));
  for (const auto& more : {flag_words(), icmp_words()})
    words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::optional<uint64_t> number_value(std::string_view text) {
  const auto read = click::numbers::parse_integer(text);
  if (!read || read->negative) return std::nullopt;
  return read->overflow ? UINT64_MAX : read->magnitude;
}

std::optional<click::IPMasked> ip_value(std::string_view text, const click::NameScope& names,
                                        bool prefer_network) {
  std::string unused;
  IPAddress address;
  click::IPMasked masked;
  if (!prefer_network && click::parse_argument(text, address, unused, names))
    return click::IPMasked{address, IPAddress::broadcast()};
  if (click::parse_argument(text, masked, unused, names)) return masked;
  if (prefer_network && click::parse_argument(text, address, unused, names))
    return click::IPMasked{address, IPAddress::broadcast()};
  return std::nullopt;
}

std::optional<uint16_t> port_value(std::string_view text, Header header,
                                   const click::NameScope& names) {
  std::string unused;
  click::TcpPort tcp;
  click::UdpPort udp;
  if (header != Header::udp && click::parse_argument(text, tcp, unused, names)) return tcp.number;
  if (header != Header::tcp && click::parse_argument(text, udp, unused, names)) return udp.number;
  return std::nullopt;
}

}  // namespace headroom::classify
