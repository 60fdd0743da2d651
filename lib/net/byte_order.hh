// Integers in network byte order that can lie anywhere in a packet.
//
// Use them for the fields of header views: a be16 occupies two bytes, has alignment 1, reads as a
// host integer and is assigned from one. Each access compiles to one movbe (or a load and bswap).
//
//   struct Ports { be16 source, destination; };
//   auto& ports = *reinterpret_cast<Ports*>(data);
//   if (ports.destination == 53) ports.destination = 5353;
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace headroom {

// `value` with its bytes reversed on a little-endian machine, unchanged on a big-endian one: the
// same function converts from host to network order and back.
template <class T>
constexpr T swap_to_network(T value) {
  static_assert(std::is_unsigned_v<T>);
  if constexpr (std::endian::native == std::endian::big || sizeof(T) == 1) {
    return value;
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bswap16(value);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bswap32(value);
  } else {
    static_assert(sizeof(T) == 8);
    return __builtin_bswap64(value);
  }
}

// An unsigned integer stored big-endian. Left uninitialised by default, so that it is trivial.
template <class T>
class Big {
 public:
  using value_type = T;

  Big() = default;
  // Stores the host value `value`. Implicit, so that a field is assigned like an integer.
  constexpr Big(T value)
      : bytes_(std::bit_cast<std::array<unsigned char, sizeof(T)>>(swap_to_network(value))) {}

  // The host value. Implicit, so that a field reads like an integer.
  constexpr operator T() const { return swap_to_network(std::bit_cast<T>(bytes_)); }
  constexpr T value() const { return *this; }

  // The stored bytes as an integer in memory order, for code that does not care about the order
  // (equality, hashing, checksums), and the way back.
  constexpr T raw() const { return std::bit_cast<T>(bytes_); }
  static constexpr Big from_raw(T raw) {
    Big big;
    big.bytes_ = std::bit_cast<std::array<unsigned char, sizeof(T)>>(raw);
    return big;
  }

  constexpr Big& operator+=(T other) { return *this = static_cast<T>(value() + other); }
  constexpr Big& operator-=(T other) { return *this = static_cast<T>(value() - other); }
  constexpr Big& operator|=(T other) { return *this = static_cast<T>(value() | other); }
  constexpr Big& operator&=(T other) { return *this = static_cast<T>(value() & other); }
  constexpr Big& operator^=(T other) { return *this = static_cast<T>(value() ^ other); }

 private:
  std::array<unsigned char, sizeof(T)> bytes_;
};

using be16 = Big<uint16_t>;
using be32 = Big<uint32_t>;
using be64 = Big<uint64_t>;

static_assert(sizeof(be16) == 2 && alignof(be16) == 1 && std::is_trivial_v<be16>);
static_assert(sizeof(be32) == 4 && alignof(be32) == 1 && std::is_trivial_v<be32>);
static_assert(sizeof(be64) == 8 && alignof(be64) == 1 && std::is_trivial_v<be64>);
static_assert(std::is_standard_layout_v<be64>);

// The big-endian integer at `bytes`, wherever it is aligned, as a host value.
template <class T>
T load_big(const void* bytes) {
  T raw;
  std::memcpy(&raw, bytes, sizeof raw);
  return swap_to_network(raw);
}

// Writes the host value `value` big-endian to `bytes`, wherever it is aligned.
template <class T>
void store_big(void* bytes, T value) {
  const T raw = swap_to_network(value);
  std::memcpy(bytes, &raw, sizeof raw);
}

}  // namespace headroom
