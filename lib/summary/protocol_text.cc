#include "headroom/summary/protocol_text.hh"

#include "headroom/net/ip.hh"
#include "headroom/summary/words.hh"

namespace headroom::summary {
namespace {

struct Name {
  std::string_view name;
  uint8_t protocol;
};
constexpr Name kNames[] = {
    {"T", kIpProtocolTcp},     {"U", kIpProtocolUdp},   {"I", kIpProtocolIcmp},
    {"tcp", kIpProtocolTcp},   {"udp", kIpProtocolUdp}, {"icmp", kIpProtocolIcmp},
    {"igmp", kIpProtocolIgmp}, {"gre", kIpProtocolGre}, {"ipip", kIpProtocolIpIp},
    {"sctp", kIpProtocolSctp}, {"esp", kIpProtocolEsp}, {"ah", kIpProtocolAh},
    {"dccp", kIpProtocolDccp},
};

}  // namespace

std::optional<uint8_t> parse_protocol(std::string_view text, std::string& error) {
  for (const Name& name : kNames)
    if (name.name == text) return name.protocol;
  const auto number = parse_number(text, UINT8_MAX, error);
  if (number) return static_cast<uint8_t>(*number);
  if (error == "expected a number") error = "expected T, U, I, the name of a protocol or a number";
  return std::nullopt;
}

bool parse_header_length(std::string_view text, unsigned& length, std::string& error) {
  const auto number = parse_number(text, 60, error);
  if (!number) return false;
  if (*number < 20 || *number % 4 != 0) {
    error = "expected a multiple of 4 from 20 to 60";
    return false;
  }
  length = static_cast<unsigned>(*number);
  return true;
}

}  // namespace headroom::summary
