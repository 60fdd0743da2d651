// Ethernet, IPv4 and IPv6 addresses and prefixes: small values with parsing and printing.
//
// Use them wherever an address is meant: as arguments, as table keys, and in place in packets
// (every type but the prefixes has alignment 1 and the bytes of the wire). parse() takes the whole
// text or gives nothing; parse(to_string(x)) == x for every type. All default to all-zeroes.
//
//   auto prefix = IPPrefix::parse("10.1/16");
//   if (prefix && prefix->contains(header.source)) return to(1);
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "headroom/net/byte_order.hh"

namespace headroom {

// A 48-bit MAC address (IEEE 802).
class EtherAddress {
 public:
  using Bytes = std::array<uint8_t, 6>;

  constexpr EtherAddress() = default;
  constexpr explicit EtherAddress(const Bytes& bytes) : bytes_(bytes) {}
  constexpr EtherAddress(uint8_t b0, uint8_t b1, uint8_t b2, uint8_t b3, uint8_t b4, uint8_t b5)
      : bytes_{b0, b1, b2, b3, b4, b5} {}

  static constexpr EtherAddress broadcast() { return {0xff, 0xff, 0xff, 0xff, 0xff, 0xff}; }
  // The address at `bytes`, of which six are read.
  static EtherAddress from_bytes(const void* bytes) {
    EtherAddress address;
    std::memcpy(address.bytes_.data(), bytes, address.bytes_.size());
    return address;
  }
  // The address whose last byte is the lowest byte of `value`; the upper 16 bits are ignored.
  static constexpr EtherAddress from_uint64(uint64_t value) {
    EtherAddress address;
    for (size_t i = 0; i < 6; ++i) address.bytes_[i] = static_cast<uint8_t>(value >> (40 - 8 * i));
    return address;
  }

  // Six groups of one or two hexadecimal digits, separated all by '-' or all by ':'.
  static std::optional<EtherAddress> parse(std::string_view text);
  // "00-15-58-2D-FB-8F".
  std::string to_string() const;

  constexpr const Bytes& bytes() const { return bytes_; }
  constexpr const uint8_t* data() const { return bytes_.data(); }
  constexpr uint8_t* data() { return bytes_.data(); }
  constexpr uint64_t to_uint64() const {
    if (std::is_constant_evaluated()) {
      uint64_t value = 0;
      for (uint8_t byte : bytes_) value = value << 8 | byte;
      return value;
    }
    return uint64_t{load_big<uint32_t>(data())} << 16 | load_big<uint16_t>(data() + 4);
  }

  constexpr bool is_zero() const { return to_uint64() == 0; }
  constexpr bool is_broadcast() const { return *this == broadcast(); }
  // The group bit (I/G) is set: multicast, of which broadcast is one.
  constexpr bool is_group() const { return bytes_[0] & 1; }
  constexpr bool is_multicast() const { return is_group() && !is_broadcast(); }
  // The address was administered locally (U/L bit), not given by a manufacturer.
  constexpr bool is_local() const { return bytes_[0] & 2; }

  // As integers: a defaulted comparison calls memcmp().
  friend constexpr bool operator==(const EtherAddress& a, const EtherAddress& b) {
    return a.to_uint64() == b.to_uint64();
  }
  friend constexpr std::strong_ordering operator<=>(const EtherAddress& a, const EtherAddress& b) {
    return a.to_uint64() <=> b.to_uint64();
  }

 private:
  Bytes bytes_{};
};

// An IPv4 address, kept in network order. Ordered by numerical value.
class IPAddress {
 public:
  constexpr IPAddress() = default;
  constexpr IPAddress(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
      : value_(static_cast<uint32_t>(a) << 24 | static_cast<uint32_t>(b) << 16 |
               static_cast<uint32_t>(c) << 8 | d) {}

  // From and to 0x7f000001 for 127.0.0.1, on every machine.
  static constexpr IPAddress from_host_order(uint32_t value) {
    IPAddress address;
    address.value_ = value;
    return address;
  }
  constexpr uint32_t host_order() const { return value_; }
  // From and to the integer whose memory is the four bytes of the wire (what in_addr holds).
  static constexpr IPAddress from_network_order(uint32_t raw) {
    IPAddress address;
    address.value_ = be32::from_raw(raw);
    return address;
  }
  constexpr uint32_t network_order() const { return value_.raw(); }

  static constexpr IPAddress broadcast() { return {255, 255, 255, 255}; }
  // The netmask with the first `length` bits set; length <= 32.
  static constexpr IPAddress mask_of(unsigned length) {
    return from_host_order(static_cast<uint32_t>(~(uint64_t{0xffffffff} >> length)));
  }

  // Exactly four decimal numbers 0-255 of at most three digits. A leading zero does not make a
  // number octal, as it does in inet_aton(): it is refused, because readers disagree on it.
  static std::optional<IPAddress> parse(std::string_view text);
  // "127.0.0.1".
  std::string to_string() const;

  constexpr bool is_zero() const { return value_.raw() == 0; }
  constexpr bool is_broadcast() const { return value_.raw() == 0xffffffff; }
  constexpr bool is_multicast() const { return host_order() >> 28 == 0xe; }  // RFC 5771
  constexpr bool is_loopback() const { return host_order() >> 24 == 127; }   // RFC 1122, 3.2.1.3
  constexpr bool is_link_local() const { return host_order() >> 16 == 0xa9fe; }  // RFC 3927
  // The length of the netmask that this address is, or nothing if its ones are not contiguous.
  constexpr std::optional<unsigned> mask_length() const {
    const auto ones = static_cast<unsigned>(std::countl_one(host_order()));
    if (*this != mask_of(ones)) return std::nullopt;
    return ones;
  }

  friend constexpr IPAddress operator&(IPAddress a, IPAddress b) {
    return from_network_order(a.network_order() & b.network_order());
  }
  friend constexpr IPAddress operator|(IPAddress a, IPAddress b) {
    return from_network_order(a.network_order() | b.network_order());
  }
  constexpr IPAddress operator~() const { return from_network_order(~network_order()); }
  friend constexpr bool operator==(IPAddress a, IPAddress b) {
    return a.network_order() == b.network_order();
  }
  friend constexpr std::strong_ordering operator<=>(IPAddress a, IPAddress b) {
    return a.host_order() <=> b.host_order();
  }

 private:
  be32 value_{0};
};

// An IPv4 address with a prefix length. The address keeps its host bits (an interface's
// "10.0.0.1/24"), and they count in comparisons; canonical() clears them.
struct IPPrefix {
  IPAddress address;
  uint8_t length = 0;  // 0-32

  constexpr IPPrefix() = default;
  // `length` must be 0-32.
  constexpr explicit IPPrefix(IPAddress address_in, unsigned length_in = 32)
      : address(address_in), length(static_cast<uint8_t>(length_in)) {}

  // "a.b.c.d/len"; "a.b/len", where the missing parts are zero and len must not reach into them;
  // "a.b.c.d/mask" with a contiguous mask; or an address alone, meaning /32.
  static std::optional<IPPrefix> parse(std::string_view text);
  // "10.0.0.1/24".
  std::string to_string() const;

  constexpr IPAddress mask() const { return IPAddress::mask_of(length); }
  constexpr IPAddress network() const { return address & mask(); }
  // The directed broadcast address: the last one of the prefix.
  constexpr IPAddress last() const { return address | ~mask(); }
  constexpr IPPrefix canonical() const { return IPPrefix(network(), length); }
  constexpr bool contains(IPAddress other) const { return ((other & mask()) == network()); }
  constexpr bool contains(const IPPrefix& other) const {
    return other.length >= length && contains(other.address);
  }

  friend constexpr bool operator==(const IPPrefix&, const IPPrefix&) = default;
  friend constexpr auto operator<=>(const IPPrefix&, const IPPrefix&) = default;
};

// An IPv6 address (RFC 4291).
class IP6Address {
 public:
  using Bytes = std::array<uint8_t, 16>;

  constexpr IP6Address() = default;
  constexpr explicit IP6Address(const Bytes& bytes) : bytes_(bytes) {}
  // The address at `bytes`, of which sixteen are read.
  static IP6Address from_bytes(const void* bytes) {
    IP6Address address;
    std::memcpy(address.bytes_.data(), bytes, address.bytes_.size());
    return address;
  }
  // ::ffff:a.b.c.d (RFC 4291, 2.5.5.2).
  static constexpr IP6Address mapped(IPAddress address) {
    IP6Address result;
    result.bytes_[10] = result.bytes_[11] = 0xff;
    for (size_t i = 0; i < 4; ++i)
      result.bytes_[12 + i] = static_cast<uint8_t>(address.host_order() >> (24 - 8 * i));
    return result;
  }
  static constexpr IP6Address from_halves(uint64_t high, uint64_t low) {
    IP6Address result;
    for (size_t i = 0; i < 8; ++i) {
      result.bytes_[i] = static_cast<uint8_t>(high >> (56 - 8 * i));
      result.bytes_[8 + i] = static_cast<uint8_t>(low >> (56 - 8 * i));
    }
    return result;
  }
  // The netmask with the first `length` bits set; length <= 128.
  static constexpr IP6Address mask_of(unsigned length) {
    constexpr uint64_t ones = ~uint64_t{0};
    return from_halves(length >= 64 ? ones : ~(ones >> length), length <= 64 ? 0
                                                                : length >= 128
                                                                    ? ones
                                                                    : ~(ones >> (length - 64)));
  }

  // The text forms of RFC 4291, 2.2: eight groups, "::" for at least one group of zeroes, an IPv4
  // address as the last two groups. No zone ("%eth0") and no brackets.
  static std::optional<IP6Address> parse(std::string_view text);
  // The canonical form of RFC 5952: "2001:db8::1"; "::ffff:192.0.2.1" for mapped addresses.
  std::string to_string() const;

  constexpr const Bytes& bytes() const { return bytes_; }
  constexpr const uint8_t* data() const { return bytes_.data(); }
  constexpr uint8_t* data() { return bytes_.data(); }
  // The 16-bit group `index`, 0-7 from the left.
  constexpr uint16_t group(size_t index) const {
    return static_cast<uint16_t>(bytes_[2 * index] << 8 | bytes_[2 * index + 1]);
  }
  // The first and the last eight bytes as host integers.
  constexpr uint64_t high() const { return half(0); }
  constexpr uint64_t low() const { return half(8); }

  constexpr bool is_zero() const { return (high() | low()) == 0; }  // the unspecified address
  constexpr bool is_loopback() const { return high() == 0 && low() == 1; }
  constexpr bool is_multicast() const { return bytes_[0] == 0xff; }
  constexpr bool is_link_local() const { return bytes_[0] == 0xfe && (bytes_[1] & 0xc0) == 0x80; }
  constexpr bool is_mapped() const { return high() == 0 && low() >> 32 == 0xffff; }

  // The length of the netmask that this address is, or nothing if its ones are not contiguous.
  constexpr std::optional<unsigned> mask_length() const {
    auto ones = static_cast<unsigned>(std::countl_one(high()));
    if (ones == 64) ones += static_cast<unsigned>(std::countl_one(low()));
    if (*this != mask_of(ones)) return std::nullopt;
    return ones;
  }

  friend constexpr IP6Address operator&(const IP6Address& a, const IP6Address& b) {
    return from_halves(a.high() & b.high(), a.low() & b.low());
  }

  friend constexpr bool operator==(const IP6Address& a, const IP6Address& b) {
    return ((a.high() ^ b.high()) | (a.low() ^ b.low())) == 0;
  }
  friend constexpr std::strong_ordering operator<=>(const IP6Address& a, const IP6Address& b) {
    const auto order = a.high() <=> b.high();
    return order != 0 ? order : a.low() <=> b.low();
  }

 private:
  constexpr uint64_t half(size_t first) const {
    if (std::is_constant_evaluated()) {
      uint64_t value = 0;
      for (size_t i = 0; i < 8; ++i) value = value << 8 | bytes_[first + i];
      return value;
    }
    return load_big<uint64_t>(data() + first);
  }

  Bytes bytes_{};
};

// An IPv6 address with a prefix length; keeps its host bits as IPPrefix does.
struct IP6Prefix {
  IP6Address address;
  uint8_t length = 0;  // 0-128

  constexpr IP6Prefix() = default;
  // `length` must be 0-128.
  constexpr explicit IP6Prefix(const IP6Address& address_in, unsigned length_in = 128)
      : address(address_in), length(static_cast<uint8_t>(length_in)) {}

  // "addr/len"; "addr/mask" with a contiguous mask; or an address alone, meaning /128.
  static std::optional<IP6Prefix> parse(std::string_view text);
  // "2001:db8::1/64".
  std::string to_string() const;

  constexpr IP6Address mask() const { return IP6Address::mask_of(length); }
  constexpr IP6Address network() const { return address & mask(); }
  constexpr IP6Prefix canonical() const { return IP6Prefix(network(), length); }
  constexpr bool contains(const IP6Address& other) const { return (other & mask()) == network(); }
  constexpr bool contains(const IP6Prefix& other) const {
    return other.length >= length && contains(other.address);
  }

  friend constexpr bool operator==(const IP6Prefix&, const IP6Prefix&) = default;
  friend constexpr auto operator<=>(const IP6Prefix&, const IP6Prefix&) = default;
};

static_assert(sizeof(EtherAddress) == 6 && alignof(EtherAddress) == 1);
static_assert(sizeof(IPAddress) == 4 && alignof(IPAddress) == 1);
static_assert(sizeof(IP6Address) == 16 && alignof(IP6Address) == 1);
static_assert(std::is_trivially_copyable_v<EtherAddress> &&
              std::is_trivially_copyable_v<IPAddress> && std::is_trivially_copyable_v<IPPrefix> &&
              std::is_trivially_copyable_v<IP6Address> && std::is_trivially_copyable_v<IP6Prefix>);
static_assert(std::is_standard_layout_v<EtherAddress> && std::is_standard_layout_v<IPAddress> &&
              std::is_standard_layout_v<IP6Address>);

// A 64-bit mix with good low and high bits, for the hashes below. Not for hostile keys.
constexpr size_t mix_hash(uint64_t value) {
  value ^= value >> 32;
  value *= 0x9e3779b97f4a7c15;
  value ^= value >> 29;
  value *= 0xbf58476d1ce4e5b9;
  return value ^ value >> 32;
}

}  // namespace headroom

template <>
struct std::hash<headroom::EtherAddress> {
  size_t operator()(const headroom::EtherAddress& address) const noexcept {
    return headroom::mix_hash(address.to_uint64());
  }
};
template <>
struct std::hash<headroom::IPAddress> {
  size_t operator()(headroom::IPAddress address) const noexcept {
    return headroom::mix_hash(address.host_order());
  }
};
template <>
struct std::hash<headroom::IPPrefix> {
  size_t operator()(const headroom::IPPrefix& prefix) const noexcept {
    return headroom::mix_hash(uint64_t{prefix.address.host_order()} << 8 | prefix.length);
  }
};
template <>
struct std::hash<headroom::IP6Address> {
  size_t operator()(const headroom::IP6Address& address) const noexcept {
    return headroom::mix_hash(address.high() + headroom::mix_hash(address.low()));
  }
};
template <>
struct std::hash<headroom::IP6Prefix> {
  size_t operator()(const headroom::IP6Prefix& prefix) const noexcept {
    return headroom::mix_hash(std::hash<headroom::IP6Address>()(prefix.address) + prefix.length);
  }
};
