#include "headroom/net/addresses.hh"

namespace headroom {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The value of a hexadecimal digit, or -1.
constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Takes a decimal number of at most three digits and without leading zeroes off the front of
// `text`; nothing if there is none or it exceeds `limit`.
std::optional<unsigned> take_decimal(std::string_view& text, unsigned limit) {
  size_t digits = 0;
  unsigned value = 0;
  while (digits < text.size() && is_digit(text[digits])) {
    if (digits == 3) return std::nullopt;
    value = value * 10 + static_cast<unsigned>(text[digits++] - '0');
  }
  if (digits == 0 || value > limit || (digits > 1 && text[0] == '0')) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

// A prefix length that is the whole of `text`.
std::optional<unsigned> parse_length(std::string_view text, unsigned limit) {
  const auto length = take_decimal(text, limit);
  if (!text.empty()) return std::nullopt;
  return length;
}

struct PartialAddress {
  uint32_t value = 0;
  unsigned parts = 0;
};

// One to four decimal parts that are the whole of `text`; missing parts are zero.
std::optional<PartialAddress> parse_parts(std::string_view text) {
  PartialAddress result;
  for (;;) {
    const auto part = take_decimal(text, 255);
    if (!part) return std::nullopt;
    result.value |= *part << (24 - 8 * result.parts);
    ++result.parts;
    if (text.empty()) return result;
    if (result.parts == 4 || text.front() != '.') return std::nullopt;
    text.remove_prefix(1);
  }
}

void append_hex(std::string& out, uint16_t group) {
  static constexpr char digits[] = "0123456789abcdef";
  bool started = false;
  for (int shift = 12; shift >= 0; shift -= 4) {
    const unsigned digit = group >> shift & 15;
    started = started || digit != 0 || shift == 0;
    if (started) out += digits[digit];
  }
}

}  // namespace

std::optional<EtherAddress> EtherAddress::parse(std::string_view text) {
  Bytes bytes{};
  char separator = 0;
  size_t at = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0) {
      if (at >= text.size()) return std::nullopt;
      const char c = text[at++];
      if (i == 1) separator = c;
      if (c != separator || (c != '-' && c != ':')) return std::nullopt;
    }
    int value = at < text.size() ? hex_value(text[at]) : -1;
    if (value < 0) return std::nullopt;
    ++at;
    if (const int low = at < text.size() ? hex_value(text[at]) : -1; low >= 0) {
      value = value << 4 | low;
      ++at;
    }
    bytes[i] = static_cast<uint8_t>(value);
  }
  if (at != text.size()) return std::nullopt;
  return EtherAddress(bytes);
}

std::string EtherAddress::to_string() const {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(17);
  for (const uint8_t byte : bytes_) {
    if (!out.empty()) out += '-';
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

std::optional<IPAddress> IPAddress::parse(std::string_view text) {
  const auto parts = parse_parts(text);
  if (!parts || parts->parts != 4) return std::nullopt;
  return from_host_order(parts->value);
}

std::string IPAddress::to_string() const {
  const uint32_t value = host_order();
  std::string out;
  out.reserve(15);
  for (int shift = 24; shift >= 0; shift -= 8) {
    if (shift < 24) out += '.';
    out += std::to_string(value >> shift & 255);
  }
  return out;
}

std::optional<IPPrefix> IPPrefix::parse(std::string_view text) {
  const size_t slash = text.find('/');
  const auto parts = parse_parts(text.substr(0, slash));
  if (!parts) return std::nullopt;
  const auto address = IPAddress::from_host_order(parts->value);
  if (slash == std::string_view::npos) {
    if (parts->parts != 4) return std::nullopt;
    return IPPrefix(address, 32);
  }
  const std::string_view rest = text.substr(slash + 1);
  auto length = parse_length(rest, 32);
  if (!length) {
    const auto mask = IPAddress::parse(rest);
    if (mask) length = mask->mask_length();
  }
  if (!length || *length > 8 * parts->parts) return std::nullopt;
  return IPPrefix(address, *length);
}

std::string IPPrefix::to_string() const {
  return address.to_string() + '/' + std::to_string(length);
}

std::optional<IP6Address> IP6Address::parse(std::string_view text) {
  Bytes bytes{};
  size_t filled = 0;  // bytes written
  size_t gap = 17;    // where "::" stands, in bytes; 17: nowhere
  bool more = !text.empty();
  if (text.starts_with("::")) {
    gap = 0;
    text.remove_prefix(2);
    more = !text.empty();
  }
  if (!more && gap == 17) return std::nullopt;
  while (more) {
    size_t digits = 0;
    unsigned value = 0;
    while (digits < text.size() && digits < 5 && hex_value(text[digits]) >= 0)
      value = value << 4 | static_cast<unsigned>(hex_value(text[digits++]));
    if (digits < text.size() && text[digits] == '.') {
      const auto tail = IPAddress::parse(text);
      if (!tail || filled > 12) return std::nullopt;
      store_big(&bytes[filled], tail->host_order());
      filled += 4;
      break;
    }
    if (digits == 0 || digits > 4 || filled > 14) return std::nullopt;
    store_big(&bytes[filled], static_cast<uint16_t>(value));
    filled += 2;
    text.remove_prefix(digits);
    if (text.empty()) break;
    if (text.starts_with("::")) {
      if (gap != 17) return std::nullopt;
      gap = filled;
      text.remove_prefix(2);
      more = !text.empty();
    } else {
      if (text.front() != ':') return std::nullopt;
      text.remove_prefix(1);
    }
  }
  if (gap == 17) {
    if (filled != 16) return std::nullopt;
    return IP6Address(bytes);
  }
  if (filled > 14) return std::nullopt;  // "::" stands for one group at least
  Bytes spread{};
  std::memcpy(spread.data(), bytes.data(), gap);
  std::memcpy(spread.data() + 16 - (filled - gap), bytes.data() + gap, filled - gap);
  return IP6Address(spread);
}

std::string IP6Address::to_string() const {
  if (is_mapped())  // RFC 5952, section 5
    return "::ffff:" + IPAddress::from_host_order(static_cast<uint32_t>(low())).to_string();
  // RFC 5952, 4.2: "::" replaces the longest run of at least two zero groups, the first of equals.
  size_t best = 8;
  size_t best_length = 1;
  for (size_t i = 0; i < 8; ++i) {
    size_t end = i;
    while (end < 8 && group(end) == 0) ++end;
    if (end - i > best_length) {
      best = i;
      best_length = end - i;
    }
    if (end > i) i = end;
  }
  std::string out;
  out.reserve(39);
  for (size_t i = 0; i < 8; ++i) {
    if (i == best) {
      out += "::";
      i += best_length - 1;
      continue;
    }
    if (!out.empty() && out.back() != ':') out += ':';
    append_hex(out, group(i));
  }
  return out;
}

std::optional<IP6Prefix> IP6Prefix::parse(std::string_view text) {
  const size_t slash = text.find('/');
  const auto address = IP6Address::parse(text.substr(0, slash));
  if (!address) return std::nullopt;
  if (slash == std::string_view::npos) return IP6Prefix(*address, 128);
  const std::string_view rest = text.substr(slash + 1);
  auto length = parse_length(rest, 128);
  if (!length) {
    const auto mask = IP6Address::parse(rest);
    if (mask) length = mask->mask_length();
  }
  if (!length) return std::nullopt;
  return IP6Prefix(*address, *length);
}

std::string IP6Prefix::to_string() const {
  return address.to_string() + '/' + std::to_string(length);
}

}  // namespace headroom
