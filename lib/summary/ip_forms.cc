#include <algorithm>

#include "headroom/net/addresses.hh"
#include "headroom/net/byte_order.hh"
#include "headroom/net/ip.hh"
#include "headroom/summary/field_forms.hh"
#include "headroom/summary/options_text.hh"
#include "headroom/summary/protocol_text.hh"
#include "headroom/summary/words.hh"

namespace headroom::summary {
namespace {

constexpr std::string_view kEcnNames[] = {"no", "ect1", "ect2", "ce"};

bool write_address(const uint8_t* bytes, std::string& text) {
  if (bytes == nullptr) return false;
  text += IPAddress::from_host_order(load_big<uint32_t>(bytes)).to_string();
  return true;
}
bool read_address(std::string_view text, uint8_t* bytes, std::string& error) {
  const auto address = IPAddress::parse(text);
  if (!address) {
    error = "expected an IP address";
    return false;
  }
  store_big(bytes, address->host_order());
  return true;
}

void set_fragment(Draft& draft, uint16_t word) { store_big(&draft.ip[6], word); }

}  // namespace

bool write_source(const PacketView& packet, std::string& text) {
  return write_address(packet.ip(12, 4), text);
}
bool read_source(std::string_view text, Draft& draft, std::string& error) {
  return read_address(text, &draft.ip[12], error);
}

bool write_destination(const PacketView& packet, std::string& text) {
  return write_address(packet.ip(16, 4), text);
}
bool read_destination(std::string_view text, Draft& draft, std::string& error) {
  return read_address(text, &draft.ip[16], error);
}

bool write_header_length(const PacketView& packet, std::string& text) {
  if (!packet.has_ip()) return false;
  text += std::to_string(packet.header_length());
  return true;
}
bool read_header_length(std::string_view text, Draft& draft, std::string& error) {
  return parse_header_length(text, draft.header_length, error);
}

bool read_total_length(std::string_view text, Draft& draft, std::string& error) {
  const auto number = parse_number(text, UINT16_MAX, error);
  if (number) draft.total_length = static_cast<uint16_t>(*number);
  return number.has_value();
}

bool write_dscp(const PacketView& packet, std::string& text) {
  const uint8_t* tos = packet.ip(1, 1);
  if (tos == nullptr) return false;
  text += std::to_string(*tos >> 2);
  return true;
}
bool read_dscp(std::string_view text, Draft& draft, std::string& error) {
  const auto number = parse_number(text, 63, error);
  if (number) draft.ip[1] = static_cast<uint8_t>((draft.ip[1] & 3U) | *number << 2);
  return number.has_value();
}

bool write_ecn(const PacketView& packet, std::string& text) {
  const uint8_t* tos = packet.ip(1, 1);
  if (tos == nullptr) return false;
  text += kEcnNames[*tos & 3];
  return true;
}
bool read_ecn(std::string_view text, Draft& draft, std::string& error) {
  const auto* const name = std::find(std::begin(kEcnNames), std::end(kEcnNames), text);
  uint64_t value = static_cast<uint64_t>(name - std::begin(kEcnNames));
  if (name == std::end(kEcnNames)) {
    const auto number = parse_number(text, 3, error);
    if (!number) {
      error = "expected no, ect1, ect2 or ce";
      return false;
    }
    value = *number;
  }
  draft.ip[1] = static_cast<uint8_t>((draft.ip[1] & ~3U) | value);
  return true;
}

bool write_fragment(const PacketView& packet, std::string& text) {
  const uint8_t* bytes = packet.ip(6, 2);
  if (bytes == nullptr) return false;
  const auto word = load_big<uint16_t>(bytes);
  if ((word & kIpFragmentOffsetMask) != 0)
    text += 'f';
  else if ((word & kIpMoreFragments) != 0)
    text += 'F';
  else
    text += (word & kIpDontFragment) != 0 ? '!' : '.';
  return true;
}
bool read_fragment(std::string_view text, Draft& draft, std::string& error) {
  uint16_t word = 0;
  if (text == "F") {
    word = kIpMoreFragments;
  } else if (text == "f") {
    word = 1;  // somewhere
  } else if (text == "!") {
    word = kIpDontFragment;
  } else if (text != ".") {
    error = "expected F, f, ! or .";
    return false;
  }
  // The offset, when it is told as well, says more.
  if (load_big<uint16_t>(&draft.ip[6]) == 0) set_fragment(draft, word);
  return true;
}

bool write_fragment_offset(const PacketView& packet, std::string& text) {
  const uint8_t* bytes = packet.ip(6, 2);
  if (bytes == nullptr) return false;
  const auto word = load_big<uint16_t>(bytes);
  text += std::to_string((word & kIpFragmentOffsetMask) * 8);
  if ((word & kIpMoreFragments) != 0) text += '+';
  if ((word & kIpDontFragment) != 0) text += '!';
  return true;
}
bool read_fragment_offset(std::string_view text, Draft& draft, std::string& error) {
  const auto offset = take_number(text, kIpFragmentOffsetMask * 8 / draft.fragment_unit, error);
  if (!offset) return false;
  const uint64_t bytes = *offset * draft.fragment_unit;
  if (bytes % 8 != 0) {
    error = "not a multiple of 8";
    return false;
  }
  auto word = static_cast<uint16_t>(bytes / 8);
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text[0] != '+' && text[0] != '!') {
      error = "expected + or ! behind the offset";
      return false;
    }
    word |= text[0] == '+' ? kIpMoreFragments : kIpDontFragment;
  }
  set_fragment(draft, word);
  return true;
}

bool write_protocol(const PacketView& packet, std::string& text) {
  const auto protocol = packet.protocol();
  if (!protocol) return false;
  switch (*protocol) {
    case kIpProtocolTcp:
      text += 'T';
      break;
    case kIpProtocolUdp:
      text += 'U';
      break;
    case kIpProtocolIcmp:
      text += 'I';
      break;
    default:
      text += std::to_string(*protocol);
  }
  return true;
}
bool read_protocol(std::string_view text, Draft& draft, std::string& error) {
  draft.protocol = parse_protocol(text, error);
  return draft.protocol.has_value();
}

bool write_ip_options_field(const PacketView& packet, std::string& text) {
  if (packet.ip(0, sizeof(IpHeader)) == nullptr) return false;
  const unsigned size = packet.header_length() - static_cast<unsigned>(sizeof(IpHeader));
  const uint8_t* options = packet.ip(sizeof(IpHeader), size);
  if (options == nullptr) return false;
  write_ip_options({options, size}, text);
  return true;
}
bool read_ip_options_field(std::string_view text, Draft& draft, std::string& error) {
  return read_ip_options(text, draft.ip_options, error);
}

}  // namespace headroom::summary
