// How long packets take: a stamp that travels in a packet, and a histogram of times.
//
// The stamp is a time and its complement in the last 16 bytes of a frame. The complement tells a
// stamp from other bytes, and lets the stamp add nothing to a checksum over it: it can replace
// zeroes, and a UDP checksum stays right. It is at the end of the frame because routers put headers
// on and take them off at the start.
//
//   write_stamp(frame + length, now);                             // when it comes
//   if (const auto then = read_stamp(frame + length)) histogram.add(now - *then);   // when it goes
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace headroom {

inline constexpr std::size_t kStampSize = 16;

// `end` is behind the last byte of the frame.
inline void write_stamp(uint8_t* end, uint64_t time) {
  const std::array<uint64_t, 2> stamp{time, ~time};
  std::memcpy(end - kStampSize, stamp.data(), kStampSize);
}
inline std::optional<uint64_t> read_stamp(const uint8_t* end) {
  std::array<uint64_t, 2> stamp;
  std::memcpy(stamp.data(), end - kStampSize, kStampSize);
  if (stamp[0] != ~stamp[1]) return std::nullopt;
  return stamp[0];
}

// Counts times in bins whose width is a 32nd of the time or less. One thread adds, any may read.
class LatencyHistogram {
 public:
  static constexpr unsigned kFineBits = 5;
  static constexpr std::size_t kBins = (64 - kFineBits + 1) << kFineBits;

  void add(uint64_t time) {
    std::atomic<uint64_t>& bin = bins_[bin_of(time)];
    bin.store(bin.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  uint64_t count(std::size_t bin) const { return bins_[bin].load(std::memory_order_relaxed); }

  static constexpr std::size_t bin_of(uint64_t time) {
    if (time < 1U << kFineBits) return time;
    const unsigned shift = static_cast<unsigned>(std::bit_width(time)) - kFineBits - 1;
    return (std::size_t{shift} << kFineBits) + (time >> shift);
  }
  // The longest time that counts in this bin.
  static constexpr uint64_t upper(std::size_t bin) {
    if (bin < 2U << kFineBits) return bin;
    const std::size_t shift = (bin >> kFineBits) - 1;
    const uint64_t step = (bin & ((1U << kFineBits) - 1)) | 1U << kFineBits;
    return ((step + 1) << shift) - 1;
  }

 private:
  std::array<std::atomic<uint64_t>, kBins> bins_{};
};

}  // namespace headroom
