#include "headroom/net/byte_order.hh"
#include "headroom/net/icmp.hh"
#include "headroom/net/icmp_names.hh"
#include "headroom/net/tcp.hh"
#include "headroom/net/udp.hh"
#include "headroom/summary/field_forms.hh"
#include "headroom/summary/options_text.hh"
#include "headroom/summary/protocol_text.hh"
#include "headroom/summary/words.hh"

namespace headroom::summary {
namespace {

constexpr std::string_view kFlags = "FSRPAUECN";
// Of old dumps, and an own name of CWR.
struct OldFlag {
  char letter;
  unsigned bit;
};
constexpr OldFlag kOldFlags[] = {{'W', 7}, {'X', 6}, {'Y', 7}};

constexpr std::size_t kFlagsAt = 12;  // with the header's length before them

// The options, as far as all of them are here.
bool write_options(const PacketView& packet, TcpOptions which, std::string& text) {
  const uint8_t* data_offset = packet.transport(kIpProtocolTcp, 12, 1);
  if (data_offset == nullptr || *data_offset >> 4 < 5) return false;
  const std::size_t size = (*data_offset >> 4) * 4U - sizeof(TcpHeader);
  const uint8_t* options = packet.transport(kIpProtocolTcp, sizeof(TcpHeader), size);
  if (options == nullptr) return false;
  write_tcp_options({options, size}, which, text);
  return true;
}

// The ICMP header, if `bytes` of it are here.
const uint8_t* icmp(const PacketView& packet, std::size_t bytes) {
  return packet.transport(kIpProtocolIcmp, 0, bytes);
}

void give_icmp(Draft& draft, std::size_t at, uint8_t value) {
  draft.icmp[at] = value;
  draft.icmp_given |= static_cast<uint8_t>(1U << at);
}

bool has_id(uint8_t type) {
  return type == kIcmpEcho || type == kIcmpEchoReply ||
         (type >= kIcmpTimestamp && type <= 18);  // timestamp, information, mask
}

bool write_word(const uint8_t* bytes, std::string& text) {
  text += std::to_string(load_big<uint16_t>(bytes));
  return true;
}

bool write_named(std::string_view name, uint8_t number, std::string& text) {
  text += name.empty() ? std::to_string(number) : std::string(name);
  return true;
}

std::optional<uint8_t> code_by_name(const Draft& draft, std::string_view name) {
  if ((draft.icmp_given & 1) != 0) return icmp_code_by_name(draft.icmp[0], name);
  // The type may stand behind it.
  for (const uint8_t type :
       {kIcmpUnreachable, kIcmpRedirect, kIcmpTimeExceeded, kIcmpParameterProblem})
    if (const auto code = icmp_code_by_name(type, name)) return code;
  return std::nullopt;
}

}  // namespace

bool write_data_offset(const PacketView& packet, std::string& text) {
  const uint8_t* data_offset = packet.transport(kIpProtocolTcp, 12, 1);
  if (data_offset == nullptr) return false;
  text += std::to_string((*data_offset >> 4) * 4);
  return true;
}
bool read_data_offset(std::string_view text, Draft& draft, std::string& error) {
  return parse_header_length(text, draft.tcp_header_length, error);
}

bool write_tcp_flags(const PacketView& packet, std::string& text) {
  const uint8_t* bytes = packet.transport(kIpProtocolTcp, kFlagsAt, 2);
  if (bytes == nullptr) return false;
  const unsigned flags = load_big<uint16_t>(bytes) & 0x1ffU;
  if (flags == 0) text += '.';
  for (std::size_t bit = 0; bit < kFlags.size(); ++bit)
    if ((flags >> bit & 1) != 0) text += kFlags[bit];
  return true;
}
bool read_tcp_flags(std::string_view text, Draft& draft, std::string& error) {
  uint64_t flags = 0;
  if (text[0] >= '0' && text[0] <= '9') {
    const auto number = parse_number(text, 0x1ff, error);
    if (!number) return false;
    flags = *number;
  } else if (text != ".") {
    for (const char letter : text) {
      std::size_t bit = kFlags.find(letter);
      for (const OldFlag& old : kOldFlags)
        if (old.letter == letter) bit = old.bit;
      if (bit == std::string_view::npos) {
        error = "expected letters of FSRPAUECN, or a dot";
        return false;
      }
      flags |= uint64_t{1} << bit;
    }
  }
  store_big(&draft.tcp[kFlagsAt], static_cast<uint16_t>(flags));
  return true;
}

bool write_tcp_options_field(const PacketView& packet, std::string& text) {
  return write_options(packet, TcpOptions::all, text);
}
bool read_tcp_options_field(std::string_view text, Draft& draft, std::string& error) {
  return read_tcp_options(text, draft.tcp_options, error);
}
bool write_tcp_options_without_time(const PacketView& packet, std::string& text) {
  return write_options(packet, TcpOptions::without_timestamp, text);
}
bool write_tcp_sack(const PacketView& packet, std::string& text) {
  return write_options(packet, TcpOptions::sack, text);
}
bool read_some_tcp_options(std::string_view text, Draft& draft, std::string& error) {
  std::vector<uint8_t> options;
  if (!read_tcp_options(text, options, error)) return false;
  // tcp_opt says all of them.
  if (options.size() > draft.tcp_options.size()) draft.tcp_options = std::move(options);
  return true;
}

bool read_udp_length(std::string_view text, Draft& draft, std::string& error) {
  const auto number = parse_number(text, UINT16_MAX, error);
  if (number) draft.udp_length = static_cast<uint16_t>(*number);
  return number.has_value();
}

bool write_icmp_type(const PacketView& packet, std::string& text) {
  const uint8_t* header = icmp(packet, 1);
  return header != nullptr && write_named(icmp_type_name(header[0]), header[0], text);
}
bool read_icmp_type(std::string_view text, Draft& draft, std::string& error) {
  auto type = icmp_type_by_name(text);
  if (!type) {
    const auto number = parse_number(text, UINT8_MAX, error);
    if (!number) return error = "expected the name of an ICMP type or a number", false;
    type = static_cast<uint8_t>(*number);
  }
  give_icmp(draft, 0, *type);
  return true;
}

bool write_icmp_code(const PacketView& packet, std::string& text) {
  const uint8_t* header = icmp(packet, 2);
  return header != nullptr && write_named(icmp_code_name(header[0], header[1]), header[1], text);
}
bool read_icmp_code(std::string_view text, Draft& draft, std::string& error) {
  auto code = code_by_name(draft, text);
  if (!code) {
    const auto number = parse_number(text, UINT8_MAX, error);
    if (!number) return error = "expected the name of an ICMP code or a number", false;
    code = static_cast<uint8_t>(*number);
  }
  give_icmp(draft, 1, *code);
  return true;
}

bool write_icmp_id(const PacketView& packet, std::string& text) {
  const uint8_t* header = icmp(packet, 6);
  return header != nullptr && has_id(header[0]) && write_word(header + 4, text);
}
bool write_icmp_sequence(const PacketView& packet, std::string& text) {
  const uint8_t* header = icmp(packet, 8);
  return header != nullptr && has_id(header[0]) && write_word(header + 6, text);
}
bool write_icmp_mtu(const PacketView& packet, std::string& text) {
  const uint8_t* header = icmp(packet, 8);
  return header != nullptr && header[0] == kIcmpUnreachable &&
         header[1] == kIcmpFragmentationNeeded && write_word(header + 6, text);
}

}  // namespace headroom::summary
