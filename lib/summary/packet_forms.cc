#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "headroom/net/ether.hh"
#include "headroom/summary/field_forms.hh"
#include "headroom/summary/words.hh"

namespace headroom::summary {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr uint64_t kMaxSeconds = INT64_MAX / kSecond - 1;

bool write_time(int64_t time, int digits, std::string& text) {
  char part[48];
  if (digits == 6)
    std::snprintf(part, sizeof part, "%" PRId64 ".%06" PRId64, time / kSecond,
                  time % kSecond / 1000);
  else
    std::snprintf(part, sizeof part, "%" PRId64 ".%09" PRId64, time / kSecond, time % kSecond);
  text += part;
  return true;
}

// SECONDS[.FRACTION]; digits behind the ninth are less than a nanosecond.
bool read_time(std::string_view text, int64_t& time, std::string& error) {
  const auto seconds = take_number(text, kMaxSeconds, error);
  if (!seconds) return false;
  int64_t nanoseconds = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    for (int64_t unit = kSecond / 10; !text.empty() && text[0] >= '0' && text[0] <= '9';
         unit /= 10, text.remove_prefix(1))
      nanoseconds += (text[0] - '0') * unit;
  }
  if (!text.empty()) {
    error = "expected seconds, as 996033261.451094";
    return false;
  }
  time = static_cast<int64_t>(*seconds) * kSecond + nanoseconds;
  return true;
}

bool write_number(uint64_t number, std::string& text) {
  text += std::to_string(number);
  return true;
}

bool write_ether_address(const PacketView& packet, std::size_t at, std::string& text) {
  if (packet.link.size() < sizeof(EtherHeader)) return false;
  EtherAddress address;
  std::copy_n(packet.link.data() + at, sizeof address, reinterpret_cast<uint8_t*>(&address));
  text += address.to_string();
  return true;
}

}  // namespace

bool write_timestamp(const PacketView& packet, std::string& text) {
  return write_time(packet.timestamp, 6, text);
}
bool read_timestamp(std::string_view text, Draft& draft, std::string& error) {
  return read_time(text, draft.timestamp, error);
}
bool write_timestamp_ns(const PacketView& packet, std::string& text) {
  return write_time(packet.timestamp, 9, text);
}
bool read_timestamp_ns(std::string_view text, Draft& draft, std::string& error) {
  return read_time(text, draft.timestamp, error);
}
bool write_first_timestamp(const PacketView& packet, std::string& text) {
  return write_time(packet.first_timestamp, 6, text);
}
bool read_first_timestamp(std::string_view text, Draft& draft, std::string& error) {
  return read_time(text, draft.first_timestamp, error);
}

bool write_seconds(const PacketView& packet, std::string& text) {
  return write_number(static_cast<uint64_t>(packet.timestamp / kSecond), text);
}
bool read_seconds(std::string_view text, Draft& draft, std::string& error) {
  const auto seconds = parse_number(text, kMaxSeconds, error);
  if (seconds)
    draft.timestamp = static_cast<int64_t>(*seconds) * kSecond + draft.timestamp % kSecond;
  return seconds.has_value();
}
bool write_microseconds(const PacketView& packet, std::string& text) {
  return write_number(static_cast<uint64_t>(packet.timestamp % kSecond / 1000), text);
}
bool read_microseconds(std::string_view text, Draft& draft, std::string& error) {
  const auto microseconds = parse_number(text, 999'999, error);
  if (microseconds)
    draft.timestamp =
        draft.timestamp / kSecond * kSecond + static_cast<int64_t>(*microseconds) * 1000;
  return microseconds.has_value();
}
bool write_all_microseconds(const PacketView& packet, std::string& text) {
  return write_number(static_cast<uint64_t>(packet.timestamp / 1000), text);
}
bool read_all_microseconds(std::string_view text, Draft& draft, std::string& error) {
  const auto microseconds = parse_number(text, kMaxSeconds * 1'000'000, error);
  if (microseconds) draft.timestamp = static_cast<int64_t>(*microseconds) * 1000;
  return microseconds.has_value();
}

bool write_count(const PacketView& packet, std::string& text) {
  return write_number(uint64_t{packet.extra_packets} + 1, text);
}
bool read_count(std::string_view text, Draft& draft, std::string& error) {
  const auto count = parse_number(text, uint64_t{UINT16_MAX} + 1, error);
  if (count) draft.count = std::max(static_cast<uint32_t>(*count), 1U);
  return count.has_value();
}

bool write_direction(const PacketView& packet, std::string& text) {
  if (packet.paint > 1) return write_number(packet.paint, text);
  text += packet.paint == 0 ? '>' : '<';
  return true;
}
bool read_direction(std::string_view text, Draft& draft, std::string& error) {
  return read_link(text, draft, error);
}
bool write_link(const PacketView& packet, std::string& text) {
  return write_number(packet.paint, text);
}
bool read_link(std::string_view text, Draft& draft, std::string& error) {
  if (text == ">" || text == "L") return draft.paint = 0, true;
  if (text == "<" || text == "R" || text == "X") return draft.paint = 1, true;
  const auto paint = parse_number(text, UINT8_MAX, error);
  if (paint) draft.paint = static_cast<uint8_t>(*paint);
  return paint.has_value();
}

bool write_aggregate(const PacketView& packet, std::string& text) {
  return write_number(packet.aggregate, text);
}
bool read_aggregate(std::string_view text, Draft& draft, std::string& error) {
  const auto aggregate = parse_number(text, UINT32_MAX, error);
  if (aggregate) draft.aggregate = static_cast<uint32_t>(*aggregate);
  return aggregate.has_value();
}

bool write_wire_length(const PacketView& packet, std::string& text) {
  return write_number(uint64_t{packet.length} + packet.extra_length, text);
}
bool write_ether_source(const PacketView& packet, std::string& text) {
  return write_ether_address(packet, 6, text);
}
bool write_ether_destination(const PacketView& packet, std::string& text) {
  return write_ether_address(packet, 0, text);
}

}  // namespace headroom::summary
