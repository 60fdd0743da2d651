// What sources that make the same packet over and over share: its bytes, from DATA and LENGTH.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

inline constexpr char kSourceData[] =
    "Random remark in a packet, at least 64 bytes in all. Well, now it is.";

// The text, repeated or cut to `length`; of its own length when that is negative. False, with the
// reason in `error`, when there is no such packet.
inline bool make_source_bytes(std::string_view data, int64_t length, std::vector<uint8_t>& bytes,
                              std::string& error) {
  constexpr std::size_t kMaxLength = 65535;
  const std::size_t size = length < 0 ? data.size() : static_cast<std::size_t>(length);
  if (size > kMaxLength) {
    error = "LENGTH: out of range, bound " + std::to_string(kMaxLength);
    return false;
  }
  if (data.empty() && size != 0) {
    error = "DATA: empty";
    return false;
  }
  bytes.resize(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(data[i % data.size()]);
  return true;
}

}  // namespace headroom
