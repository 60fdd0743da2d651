#include "headroom/traffic/latency.hh"

#include <gtest/gtest.h>

#include <vector>

#include "headroom/base/random.hh"
#include "headroom/net/checksum.hh"

namespace headroom {
namespace {

TEST(Latency, AStampIsReadAsWrittenAndOtherBytesAreNone) {
  std::vector<uint8_t> frame(60, 0);
  uint8_t* const end = frame.data() + frame.size();
  EXPECT_FALSE(read_stamp(end));
  write_stamp(end, 0x123456789abcdef0);
  EXPECT_EQ(read_stamp(end), 0x123456789abcdef0u);
  for (std::size_t i = 60 - kStampSize; i < 60; ++i) {
    frame[i] ^= 1;
    EXPECT_FALSE(read_stamp(end)) << i;
    frame[i] ^= 1;
  }
  EXPECT_EQ(frame[60 - kStampSize - 1], 0);
}

TEST(Latency, AStampInPlaceOfZeroesLeavesAChecksumRight) {
  Random random(1);
  for (std::size_t size = 30; size < 40; ++size) {
    std::vector<uint8_t> bytes(size, 0);
    for (std::size_t i = 2; i < size - kStampSize; ++i)
      bytes[i] = static_cast<uint8_t>(random.next());
    const be16 checksum = internet_checksum(bytes.data(), size);
    std::memcpy(bytes.data(), &checksum, sizeof checksum);
    write_stamp(bytes.data() + size, random.next());
    InternetSum sum;
    sum.add(bytes.data(), size);
    EXPECT_TRUE(sum.is_valid()) << size;
  }
}

TEST(Latency, BinsAreInOrderAndNarrow) {
  using Histogram = LatencyHistogram;
  for (std::size_t bin = 0; bin + 1 < Histogram::kBins; ++bin) {
    const uint64_t upper = Histogram::upper(bin);
    ASSERT_EQ(Histogram::bin_of(upper), bin);
    ASSERT_EQ(Histogram::bin_of(upper + 1), bin + 1);
    const uint64_t lower = bin == 0 ? 0 : Histogram::upper(bin - 1) + 1;
    ASSERT_LE(upper - lower, lower / 32);
  }
  EXPECT_EQ(Histogram::upper(Histogram::kBins - 1), UINT64_MAX);
  EXPECT_EQ(Histogram::bin_of(UINT64_MAX), Histogram::kBins - 1);
}

TEST(Latency, CountsWhatWasAdded) {
  LatencyHistogram histogram;
  for (int i = 0; i < 3; ++i) histogram.add(1000);
  histogram.add(0);
  EXPECT_EQ(histogram.count(LatencyHistogram::bin_of(1000)), 3u);
  EXPECT_EQ(histogram.count(0), 1u);
}

}  // namespace
}  // namespace headroom
