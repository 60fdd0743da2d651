#include "headroom/base/grace_periods.hh"

#include <gtest/gtest.h>

#include <vector>

#include "../../support/grace_by_hand.hh"

namespace headroom {
namespace {

using Indexes = std::vector<uint32_t>;

Indexes reclaimed(Retired& retired) {
  Indexes indexes;
  retired.reclaim([&](uint32_t index) { indexes.push_back(index); });
  return indexes;
}

TEST(Retired, WithoutReadersNothingIsKept) {
  Retired retired(nullptr);
  EXPECT_EQ(reclaimed(retired), Indexes{});
  retired.add(7);
  retired.add(3);
  EXPECT_EQ(retired.size(), 2U);
  EXPECT_EQ(reclaimed(retired), (Indexes{7, 3}));
  EXPECT_EQ(retired.size(), 0U);
}

TEST(Retired, KeptUntilAPeriodThatBeganLaterHasEnded) {
  test::GraceByHand readers;
  Retired retired(&readers);
  retired.add(1);
  readers.over = 100;  // periods from before do not count
  readers.begun = 100;
  EXPECT_EQ(reclaimed(retired), Indexes{});
  EXPECT_EQ(readers.begun, 101U);
  retired.add(2);  // after the period began: it needs another one
  EXPECT_EQ(reclaimed(retired), Indexes{});
  EXPECT_EQ(readers.begun, 101U) << "one at a time";
  readers.over = 101;
  EXPECT_EQ(reclaimed(retired), Indexes{1});
  EXPECT_EQ(readers.begun, 102U);
  EXPECT_EQ(reclaimed(retired), Indexes{});
  readers.over = 102;
  retired.add(3);
  EXPECT_EQ(reclaimed(retired), Indexes{2});
  readers.over = 103;
  EXPECT_EQ(reclaimed(retired), Indexes{3});
  EXPECT_EQ(reclaimed(retired), Indexes{});
  EXPECT_EQ(readers.begun, 103U) << "none for nothing";
}

TEST(Retired, RoomIsMadeAhead) {
  Retired retired(nullptr);
  retired.reserve(100);
  for (uint32_t round = 0; round < 3; ++round) {
    for (uint32_t i = 0; i < 100; ++i) retired.add(i);
    EXPECT_EQ(reclaimed(retired).size(), 100U);
  }
}

}  // namespace
}  // namespace headroom
