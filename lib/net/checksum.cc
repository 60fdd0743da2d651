#include "headroom/net/checksum.hh"

namespace headroom::checksum_detail {
namespace {

// Four 64-bit lanes: one AVX2 register, or what the machine has instead.
using Lanes = uint64_t __attribute__((vector_size(32)));

}  // namespace

uint64_t sum_bytes(const void* data, size_t length) {
  const auto* at = static_cast<const unsigned char*>(data);
  uint64_t sum = 0;
  if (length >= 64) {
    // The 32-bit halves of each lane are summed apart, so that carries collect above them: a lane
    // overflows after 2^32 additions only.
    const Lanes low_half = {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
    Lanes low{};
    Lanes high{};
    Lanes low2{};
    Lanes high2{};
    do {
      const auto lanes = load<Lanes>(at);
      const auto lanes2 = load<Lanes>(at + 32);
      low += lanes & low_half;
      high += lanes >> 32;
      low2 += lanes2 & low_half;
      high2 += lanes2 >> 32;
      at += 64;
      length -= 64;
    } while (length >= 64);
    // No lane exceeds 2^32 * (pieces), so this sum of 16 cannot overflow for any real length.
    const Lanes total = low + high + low2 + high2;
    sum = total[0] + total[1] + total[2] + total[3];
  }
  for (; length >= 8; at += 8, length -= 8) sum = add_carry(sum, load<uint64_t>(at));
  if (length & 4) {
    sum = add_carry(sum, load<uint32_t>(at));
    at += 4;
  }
  // At most three bytes are left.
  uint64_t rest = 0;
  if (length & 2) {
    rest = load<uint16_t>(at);
    at += 2;
  }
  if (length & 1) rest += std::endian::native == std::endian::little ? *at : *at << 8;
  return add_carry(sum, rest);
}

uint16_t ip_header_sum_slow(const void* header, unsigned header_length) {
  if (header_length < 20) return 0;
  return fold(sum_bytes(header, header_length));
}

}  // namespace headroom::checksum_detail
