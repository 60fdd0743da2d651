#include <openssl/evp.h>

#include <array>

#include "headroom/summary/field_forms.hh"
#include "headroom/summary/words.hh"

namespace headroom::summary {
namespace {

constexpr uint64_t kMaxLength = UINT16_MAX;

// What is here of it; nothing when not even its start is.
std::optional<std::span<const uint8_t>> payload_of(const PacketView& packet) {
  const auto offset = packet.payload_offset();
  const auto datagram = packet.datagram();
  if (!offset || *offset > datagram.size()) return std::nullopt;
  return datagram.subspan(*offset);
}

std::optional<std::array<uint8_t, 16>> md5_of(const PacketView& packet) {
  const auto payload = payload_of(packet);
  std::array<uint8_t, 16> sum{};
  if (!payload ||
      EVP_Digest(payload->data(), payload->size(), sum.data(), nullptr, EVP_md5(), nullptr) != 1)
    return std::nullopt;
  return sum;
}

bool read_length(std::string_view text, std::optional<uint32_t>& length, std::string& error) {
  const auto number = parse_number(text, kMaxLength, error);
  if (number) length = static_cast<uint32_t>(*number);
  return number.has_value();
}

}  // namespace

bool write_payload(const PacketView& packet, std::string& text) {
  const auto payload = payload_of(packet);
  if (!payload) return false;
  append_quoted({reinterpret_cast<const char*>(payload->data()), payload->size()}, text);
  return true;
}
bool read_payload(std::string_view text, Draft& draft, std::string& error) {
  std::string bytes(text);
  if (text[0] == '"' && !unquote(text, bytes)) {
    error = "the quotes do not end with the payload";
    return false;
  }
  if (bytes.size() > kMaxLength) {
    error = "longer than 65535 bytes";
    return false;
  }
  draft.payload = std::move(bytes);
  return true;
}

bool write_payload_length(const PacketView& packet, std::string& text) {
  const auto offset = packet.payload_offset();
  if (!offset) return false;
  text += std::to_string(packet.datagram_length() - *offset);
  return true;
}
bool read_payload_length(std::string_view text, Draft& draft, std::string& error) {
  return read_length(text, draft.payload_length, error);
}

bool write_capture_length(const PacketView& packet, std::string& text) {
  if (!packet.has_ip()) return false;
  text += std::to_string(packet.datagram().size());
  return true;
}
bool read_capture_length(std::string_view text, Draft& draft, std::string& error) {
  return read_length(text, draft.capture_length, error);
}

bool write_payload_md5(const PacketView& packet, std::string& text) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@";
  const auto sum = md5_of(packet);
  if (!sum) return false;
  for (unsigned bit = 0; bit < 128; bit += 6) {
    const unsigned byte = bit / 8;
    const unsigned pair = (*sum)[byte] << 8 | (byte + 1 < sum->size() ? (*sum)[byte + 1] : 0U);
    text += kDigits[pair >> (10 - bit % 8) & 63];
  }
  return true;
}

bool write_payload_md5_hex(const PacketView& packet, std::string& text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  const auto sum = md5_of(packet);
  if (!sum) return false;
  for (const uint8_t byte : *sum) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return true;
}

}  // namespace headroom::summary
