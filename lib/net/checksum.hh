// The Internet checksum: computed, verified, and updated in place.
//
// Use ip_header_checksum_ok() and decrement_ttl() per packet, update_checksum() when a rewritten
// field is covered by a checksum, and InternetSum for payloads, which may lie in several segments.
//
//   InternetSum sum = ip_pseudo_header(ip.source, ip.destination, kIpProtocolUdp, udp_length);
//   for (auto segment : segments) sum.add(segment.data(), segment.size());
//   udp.checksum = sum.udp_checksum();
//
// Sums are kept in memory order, whatever the machine's: the ones' complement sum does not depend
// on it (RFC 1071, section 2 (B)).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "headroom/net/addresses.hh"
#include "headroom/net/byte_order.hh"
#include "headroom/net/ip.hh"

namespace headroom {

namespace checksum_detail {

// Adds with end-around carry.
constexpr uint64_t add_carry(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  const bool carry = __builtin_add_overflow(a, b, &sum);
  return sum + carry;
}

// Folds to 16 bits; the result is 0 only for 0. A half is added to the other by rotation, which
// leaves the sum with its end-around carry in the upper half.
constexpr uint16_t fold(uint64_t sum) {
  const auto half = static_cast<uint32_t>((sum + std::rotl(sum, 32)) >> 32);
  return static_cast<uint16_t>((half + std::rotl(half, 16)) >> 16);
}

// The unfolded sum of `length` bytes, the last padded with a zero if `length` is odd.
uint64_t sum_bytes(const void* data, size_t length);

template <class T>
inline T load(const void* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// Headers with options, and malformed ones.
uint16_t ip_header_sum_slow(const void* header, unsigned header_length);

}  // namespace checksum_detail

// The ones' complement sum of a sequence of bytes that is given piece by piece.
class InternetSum {
 public:
  constexpr InternetSum() = default;

  // Continues the sequence with `length` bytes. Pieces may have any alignment and odd lengths.
  void add(const void* data, size_t length) {
    append(checksum_detail::sum_bytes(data, length), length & 1);
  }
  void add(std::span<const uint8_t> bytes) { add(bytes.data(), bytes.size()); }
  void add(std::span<const std::byte> bytes) { add(bytes.data(), bytes.size()); }
  // Continues the sequence with the one that `next` is the sum of.
  constexpr void add(const InternetSum& next) { append(next.sum_, next.odd_); }

  // What belongs into the checksum field, which was zero or left out of the sequence.
  constexpr be16 checksum() const {
    return be16::from_raw(static_cast<uint16_t>(~checksum_detail::fold(sum_)));
  }
  // The same for UDP, where 0 would mean "no checksum" and 0xffff stands for it (RFC 768).
  constexpr be16 udp_checksum() const {
    const be16 result = checksum();
    return result.raw() == 0 ? be16(0xffff) : result;
  }
  // The sequence contained its checksum, and it is right.
  constexpr bool is_valid() const { return checksum_detail::fold(sum_) == 0xffff; }

 private:
  friend constexpr InternetSum ip_pseudo_header(IPAddress, IPAddress, uint8_t, uint16_t);
  friend constexpr InternetSum ip6_pseudo_header(const IP6Address&, const IP6Address&, uint8_t,
                                                 uint32_t);

  constexpr void append(uint64_t sum, bool odd) {
    // Behind an odd number of bytes every byte has the other half of its word: RFC 1071, 2 (B).
    if (odd_) sum = __builtin_bswap16(checksum_detail::fold(sum));
    sum_ = checksum_detail::add_carry(sum_, sum);
    odd_ = odd_ != odd;
  }

  uint64_t sum_ = 0;
  bool odd_ = false;
};

// The checksum of `length` contiguous bytes, in which the checksum field is zero (RFC 1071).
inline be16 internet_checksum(const void* data, size_t length) {
  return be16::from_raw(
      static_cast<uint16_t>(~checksum_detail::fold(checksum_detail::sum_bytes(data, length))));
}

// The pseudo-header of TCP and UDP over IPv4 (RFC 9293, 3.1; RFC 768). `length` is that of the
// transport header and its payload in bytes.
constexpr InternetSum ip_pseudo_header(IPAddress source, IPAddress destination, uint8_t protocol,
                                       uint16_t length) {
  InternetSum result;
  result.sum_ = uint64_t{source.network_order()} + destination.network_order() +
                be16(protocol).raw() + be16(length).raw();
  return result;
}

// The pseudo-header of upper layers over IPv6 (RFC 8200, 8.1). `destination` is the final one.
constexpr InternetSum ip6_pseudo_header(const IP6Address& source, const IP6Address& destination,
                                        uint8_t protocol, uint32_t length) {
  InternetSum result;
  result.sum_ = uint64_t{be32(length).raw()} + be32(protocol).raw();
  for (const uint64_t half : {source.high(), source.low(), destination.high(), destination.low()})
    result.sum_ = checksum_detail::add_carry(result.sum_, be64(half).raw());
  return result;
}

// The folded sum, in memory order, of an IPv4 header of `header_length` bytes, checksum included:
// 0xffff if it is right.
inline uint16_t ip_header_sum(const void* header, unsigned header_length) {
  if (header_length == 20) [[likely]] {
    const auto* bytes = static_cast<const unsigned char*>(header);
    uint64_t sum = checksum_detail::load<uint64_t>(bytes);
    sum = checksum_detail::add_carry(sum, checksum_detail::load<uint64_t>(bytes + 8));
    sum = checksum_detail::add_carry(sum, checksum_detail::load<uint32_t>(bytes + 16));
    return checksum_detail::fold(sum);
  }
  return checksum_detail::ip_header_sum_slow(header, header_length);
}

// Whether the header checksum is right. The header_length() bytes must be there; a header length
// below 20 is not right.
inline bool ip_header_checksum_ok(const IpHeader& header) {
  return ip_header_sum(&header, header.header_length()) == 0xffff;
}

// Computes the header checksum and writes it. The header_length() bytes must be there.
inline void set_ip_header_checksum(IpHeader& header) {
  header.checksum = 0;
  header.checksum =
      be16::from_raw(static_cast<uint16_t>(~ip_header_sum(&header, header.header_length())));
}

// The checksum of data in which one aligned field changed from `old_value` to `new_value`, by RFC
// 1624, equation 3: HC' = ~(~HC + ~m + m'). If `checksum` was right, the result is what computing
// it anew gives, unless the data are now all zeroes (no header with a version or pseudo-header
// is). A multiple of 0xffff is added to the sum so that it is never zero: a checksum of 0xffff,
// which some senders write for 0, then becomes what it should be.
constexpr be16 update_checksum(be16 checksum, be16 old_value, be16 new_value) {
  const uint32_t sum =
      0x2fffdU - checksum.raw() - old_value.raw() + static_cast<uint32_t>(new_value.raw());
  return be16::from_raw(static_cast<uint16_t>(~checksum_detail::fold(sum)));
}
constexpr be16 update_checksum(be16 checksum, be32 old_value, be32 new_value) {
  const uint64_t sum = uint64_t{0xffff} + (checksum.raw() ^ 0xffffU) +
                       (old_value.raw() ^ 0xffffffffU) + new_value.raw();
  return be16::from_raw(static_cast<uint16_t>(~checksum_detail::fold(sum)));
}
constexpr be16 update_checksum(be16 checksum, IPAddress old_value, IPAddress new_value) {
  return update_checksum(checksum, be32::from_raw(old_value.network_order()),
                         be32::from_raw(new_value.network_order()));
}

// The same for the checksum of UDP over IPv4: 0, "no checksum", stays, and a 0 that comes out is
// written as 0xffff (RFC 768).
template <class T>
constexpr be16 update_udp_checksum(be16 checksum, T old_value, T new_value) {
  if (checksum.raw() == 0) return checksum;
  const be16 result = update_checksum(checksum, old_value, new_value);
  return result.raw() == 0 ? be16(0xffff) : result;
}

// Decrements the TTL and updates the checksum, which stays right if it was. The TTL
// is at least 1: a router drops packets with a TTL below 2 before.
inline void decrement_ttl(IpHeader& header) {
  static_assert(std::endian::native == std::endian::little);
  uint32_t word;  // TTL, protocol, checksum
  std::memcpy(&word, &header.ttl, sizeof word);
  // As the TTL is the upper byte of its 16 bits, the sum becomes 0x100 more, which is 1 in the
  // order of memory, with an end-around carry; 0xffff, the other zero, becomes 0 (RFC 1624).
  uint32_t checksum = (word >> 16) + 1;
  checksum += checksum >= 0xffff;
  word = ((word - 1) & 0xffff) | checksum << 16;
  std::memcpy(&header.ttl, &word, sizeof word);
}

}  // namespace headroom
