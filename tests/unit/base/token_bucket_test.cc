#include "headroom/base/token_bucket.hh"

#include <gtest/gtest.h>

namespace headroom {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(TokenBucket, FillsAtItsRateUpToItsCapacity) {
  TokenBucket bucket(10, 3);
  bucket.start(1000, 1);
  EXPECT_EQ(bucket.tokens(1000), 1u);
  bucket.take(1);
  EXPECT_EQ(bucket.tokens(1000 + kSecond / 10 - 1), 0u);
  EXPECT_EQ(bucket.tokens(1000 + kSecond / 10), 1u);
  EXPECT_EQ(bucket.tokens(1000 + 3 * kSecond / 10), 3u);
  EXPECT_EQ(bucket.tokens(1000 + 100 * kSecond), 3u);
}

TEST(TokenBucket, LosesNoFractionHoweverOftenItIsLookedAt) {
  for (const uint32_t rate : {1u, 3u, 7u, 999'999'937u, 4'294'967'295u}) {
    SCOPED_TRACE(rate);
    TokenBucket bucket(rate, 4'000'000'000u);
    bucket.start(0, 0);
    uint64_t taken = 0;
    for (int64_t time = 0; time <= kSecond / 2; time += 7919) {
      const uint64_t now = bucket.tokens(time);
      bucket.take(now);
      taken += now;
    }
    taken += bucket.tokens(kSecond / 2);
    EXPECT_EQ(taken, rate / 2);
  }
}

TEST(TokenBucket, SaysWhenThereWillBeTokens) {
  for (const uint32_t rate : {1u, 3u, 10u, 1'000'000u, 999'999'937u}) {
    SCOPED_TRACE(rate);
    TokenBucket bucket(rate, 2);
    bucket.start(500, 0);
    for (const uint64_t n : {1u, 2u}) {
      const int64_t time = bucket.time_of(n);
      TokenBucket before = bucket;
      EXPECT_LT(before.tokens(time - 1), n);
      EXPECT_GE(before.tokens(time), n);
    }
    EXPECT_EQ(bucket.time_of(3), INT64_MAX);
  }
  TokenBucket never(0, 5);
  never.start(0, 0);
  EXPECT_EQ(never.time_of(1), INT64_MAX);
  EXPECT_EQ(never.tokens(INT64_MAX - 1), 0u);
  never.start(7, 1);
  EXPECT_EQ(never.time_of(1), 7);
}

TEST(TokenBucket, TimeThatGoesBackwardsBringsNothing) {
  TokenBucket bucket(10, 10);
  bucket.start(kSecond, 0);
  EXPECT_EQ(bucket.tokens(0), 0u);
  EXPECT_EQ(bucket.tokens(kSecond), 0u);
  EXPECT_EQ(bucket.tokens(2 * kSecond), 10u);
}

TEST(TokenBucket, ANewRateKeepsTheTokensThatFit) {
  TokenBucket bucket(10, 10);
  bucket.start(0, 8);
  bucket.configure(1000, 5);
  EXPECT_EQ(bucket.tokens(0), 5u);
  bucket.take(5);
  EXPECT_EQ(bucket.tokens(kSecond / 1000), 1u);
}

TEST(TokenBucket, TheLongestTimesDoNotOverflow) {
  TokenBucket bucket(UINT32_MAX, UINT32_MAX);
  bucket.start(0, 0);
  EXPECT_EQ(bucket.tokens(INT64_MAX), UINT32_MAX);
  bucket.start(0, 0);
  EXPECT_EQ(bucket.tokens(kSecond), UINT32_MAX);
}

TEST(TokenBucket, DefaultBurst) {
  EXPECT_EQ(burst_of_rate(0), 2u);
  EXPECT_EQ(burst_of_rate(199), 2u);
  EXPECT_EQ(burst_of_rate(200), 2u);
  EXPECT_EQ(burst_of_rate(1000), 10u);
}

}  // namespace
}  // namespace headroom
