#include "headroom/base/random.hh"

#include <gtest/gtest.h>

namespace headroom {
namespace {

// The first numbers of splitmix64 for the seed 1234567, as published with it.
TEST(Random, IsSplitmix64) {
  Random random(1234567);
  for (const uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u})
    EXPECT_EQ(random.next(), expected);
}

TEST(Random, SameSeedSameNumbers) {
  Random a(5);
  Random b(5);
  Random c(6);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const uint64_t number = a.next();
    EXPECT_EQ(number, b.next());
    differs |= number != c.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Random, ProbabilitiesAreWhatTheySay) {
  Random random(1);
  int hits = 0;
  for (int i = 0; i < 100'000; ++i) {
    EXPECT_FALSE(random.happens(0));
    EXPECT_TRUE(random.happens(1));
    hits += random.happens(0.1);
  }
  EXPECT_NEAR(hits, 10'000, 400);
}

TEST(Random, Ranges) {
  Random random(1);
  bool seen[3] = {};
  for (int i = 0; i < 1000; ++i) {
    const uint64_t number = random.below(3);
    ASSERT_LT(number, 3u);
    seen[number] = true;
    const double real = random.uniform();
    ASSERT_GE(real, 0);
    ASSERT_LT(real, 1);
  }
  EXPECT_TRUE(seen[0] && seen[1] && seen[2]);
}

}  // namespace
}  // namespace headroom
