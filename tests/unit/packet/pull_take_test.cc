// pull(), take(), pullup() and copy_out() in one segment and across several.
#include "packet_fixture.hh"

namespace headroom::test {
namespace {

class PullTakeTest : public PoolTest {
 protected:
  static Bytes slice(const Bytes& bytes, std::size_t from, std::size_t to) {
    return {bytes.begin() + static_cast<std::ptrdiff_t>(from),
            bytes.begin() + static_cast<std::ptrdiff_t>(to)};
  }
  const std::vector<std::vector<uint32_t>> kShapes{
      {120},    {1, 119},     {14, 106},          {60, 60},    {119, 1},
      {0, 120}, {40, 40, 40}, {10, 1, 1, 1, 107}, {50, 0, 70}, {1, 1, 1, 1, 116}};
  const Bytes payload = pattern(120);
};

TEST_F(PullTakeTest, EveryPullOfEveryShape) {
  for (const auto& shape : kShapes)
    for (uint32_t n = 0; n <= 120; ++n) {
      SCOPED_TRACE(testing::Message() << testing::PrintToString(shape) << ", pull " << n);
      Packet* packet = make_segments(payload, shape);
      Marks{}.set(*packet);
      packet->pull(n);
      ASSERT_EQ(bytes_of(*packet), slice(payload, n, 120));
      Marks{}.expect_annotations(*packet);
      expect_sound(*packet);
      // A first segment without bytes is what few expect.
      if (n < 120 && n > 0) {
        EXPECT_GT(packet->contiguous(), 0u);
      }
      packet->kill();
      if (HasFatalFailure()) return;
    }
}

TEST_F(PullTakeTest, HeadersAndStrippedBytesAreTheSameWhereverTheSegmentsEnd) {
  for (const auto& shape : kShapes)
    for (const uint32_t n : {1u, 14u, 34u, 60u}) {
      SCOPED_TRACE(testing::Message() << testing::PrintToString(shape) << ", pull " << n);
      Packet* packet = make_segments(payload, shape);
      Marks{}.set(*packet);
      packet->pull(n);
      EXPECT_EQ(packet->mac_header_offset(), -static_cast<int32_t>(n));
      ASSERT_TRUE(packet->push(n));
      EXPECT_EQ(bytes_of(*packet), payload);
      Marks{}.expect(*packet);
      packet->kill();
    }
}

TEST_F(PullTakeTest, PullingNothingChangesNothing) {
  Packet* packet = make_segments(payload, {0, 120});
  Marks{.mac = 0, .network = 0, .transport = 0}.set(*packet);
  packet->pull(0);
  EXPECT_TRUE(packet->has_mac_header());
  EXPECT_EQ(bytes_of(*packet), payload);
  packet->kill();
}

TEST_F(PullTakeTest, EveryTakeOfEveryShape) {
  for (const auto& shape : kShapes)
    for (uint32_t n = 0; n <= 120; ++n) {
      SCOPED_TRACE(testing::Message() << testing::PrintToString(shape) << ", take " << n);
      Packet* packet = make_segments(payload, shape);
      Marks{}.set(*packet);
      packet->take(n);
      ASSERT_EQ(bytes_of(*packet), slice(payload, 0, 120 - n));
      Marks{}.expect_annotations(*packet);
      expect_sound(*packet);
      ASSERT_TRUE(packet->put(n));
      std::memcpy(packet->last(n), payload.data() + 120 - n, n);
      ASSERT_EQ(bytes_of(*packet), payload);
      packet->kill();
      if (HasFatalFailure()) return;
    }
}

TEST_F(PullTakeTest, PullupAtEverySplit) {
  for (uint32_t split = 0; split < 120; ++split)
    for (uint32_t n = 0; n <= 120; ++n) {
      Packet* packet = make_segments(payload, {split, 120 - split});
      Marks marks{.mac = 0, .network = split / 2, .transport = split};
      marks.set(*packet);
      ASSERT_TRUE(packet->pullup(n));
      ASSERT_GE(packet->contiguous(), n);
      ASSERT_EQ(std::memcmp(packet->data(), payload.data(), n), 0);
      ASSERT_EQ(bytes_of(*packet), payload);
      marks.expect(*packet);
      expect_sound(*packet);
      packet->kill();
      if (HasFatalFailure()) return;
    }
}

TEST_F(PullTakeTest, PullupOfEveryShape) {
  for (const auto& shape : kShapes) {
    Packet* packet = make_segments(payload, shape);
    for (uint32_t n = 0; n <= 120; ++n) {
      ASSERT_TRUE(packet->pullup(n));
      ASSERT_EQ(bytes_of(*packet), payload);
      expect_sound(*packet);
    }
    EXPECT_FALSE(packet->chained());
    EXPECT_FALSE(packet->pullup(121));
    packet->kill();
  }
}

TEST_F(PullTakeTest, PullupMovesTheBytesWhenTheyLieAtTheBuffersEnd) {
  Packet* packet = make_segments(payload, {20, 100}, 2112 - 30);
  Marks{}.set(*packet);
  ASSERT_TRUE(packet->pullup(100));
  EXPECT_EQ(bytes_of(*packet), payload);
  Marks{}.expect(*packet);
  packet->kill();
}

TEST_F(PullTakeTest, PullupHoldsAWholeBufferAndNoMore) {
  const Bytes big = pattern(4500);
  for (const uint32_t n : {2112u, 2113u, 4500u, 4501u}) {
    Packet* packet = Packet::make(*pool, big, 64);
    EXPECT_EQ(packet->pullup(n), n <= 2112);
    EXPECT_EQ(bytes_of(*packet), big);
    expect_sound(*packet);
    packet->kill();
  }
}

TEST_F(PullTakeTest, PullLeavesAFilledFirstSegmentEvenOfTheLargestOnes) {
  const Bytes big = pattern(2048 + 3 * 2176);
  for (const uint32_t n : {2047u, 2048u, 2049u, 2048u + 2176u, 2048u + 2 * 2176u, 8000u}) {
    Packet* packet = Packet::make(*pool, big, 64);
    packet->pull(n);
    EXPECT_GT(packet->contiguous(), 0u) << n;
    EXPECT_EQ(bytes_of(*packet), slice(big, n, big.size()));
    expect_sound(*packet);
    packet->kill();
  }
}

TEST_F(PullTakeTest, SharedSegmentsAreNotMovedBytesOf) {
  Packet* packet = make_segments(payload, {20, 100});
  Packet* clone = packet->clone();
  EXPECT_FALSE(packet->pullup(40));
  EXPECT_FALSE(clone->pullup(40));
  packet->pull(30);
  clone->take(90);
  EXPECT_EQ(bytes_of(*packet), slice(payload, 30, 120));
  EXPECT_EQ(bytes_of(*clone), slice(payload, 0, 30));
  expect_sound(*packet);
  expect_sound(*clone);
  packet->kill();
  EXPECT_TRUE(clone->pullup(30));
  EXPECT_EQ(bytes_of(*clone), slice(payload, 0, 30));
  clone->kill();
}

TEST_F(PullTakeTest, CopyOutOfEveryRange) {
  for (const auto& shape : kShapes) {
    Packet* packet = make_segments(payload, shape);
    for (uint32_t from = 0; from <= 120; ++from)
      for (uint32_t size = 0; size <= 120 - from; size += 1 + size / 8) {
        Bytes out(size + 1, 0xaa);
        ASSERT_TRUE(packet->copy_out(from, out.data(), size));
        ASSERT_EQ(out.back(), 0xaa);
        out.pop_back();
        ASSERT_EQ(out, slice(payload, from, from + size));
      }
    uint8_t byte;
    EXPECT_FALSE(packet->copy_out(120, &byte, 1));
    EXPECT_FALSE(packet->copy_out(121, &byte, 0));
    EXPECT_FALSE(packet->copy_out(1, &byte, UINT32_MAX));
    EXPECT_FALSE(packet->copy_out(UINT32_MAX, &byte, 2));
    packet->kill();
  }
}

}  // namespace
}  // namespace headroom::test
