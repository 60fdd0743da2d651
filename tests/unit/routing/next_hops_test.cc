#include "headroom/routing/next_hops.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace headroom {
namespace {

TEST(NextHops, InternsAndCountsUsers) {
  NextHops next_hops;
  const NextHop a{IPAddress(10, 0, 0, 1), 1};
  const NextHop b{IPAddress(10, 0, 0, 1), 2};
  const uint32_t first = next_hops.acquire(a);
  const uint32_t second = next_hops.acquire(b);
  EXPECT_NE(first, second);
  EXPECT_EQ(next_hops.acquire(a), first);
  EXPECT_EQ(next_hops.users(first), 2U);
  EXPECT_EQ(next_hops[first], a);
  EXPECT_EQ(next_hops[second], b);
  EXPECT_EQ(next_hops.size(), 2U);
  EXPECT_EQ(next_hops.find(a), first);
  next_hops.release(first);
  EXPECT_EQ(next_hops.find(a), first);
  next_hops.release(first);
  EXPECT_EQ(next_hops.find(a), std::nullopt);
  EXPECT_EQ(next_hops.size(), 1U);
  EXPECT_EQ(next_hops.acquire({IPAddress(), 3}), first);  // reused
}

TEST(NextHops, AddressForDirectlyConnected) {
  const IPAddress destination(192, 168, 1, 9);
  EXPECT_EQ((NextHop{IPAddress(), 1}.address_for(destination)), destination);
  EXPECT_EQ((NextHop{IPAddress(10, 0, 0, 1), 1}.address_for(destination)), IPAddress(10, 0, 0, 1));
}

TEST(NextHops, RandomUseKeepsIndexesDense) {
  std::mt19937 random(1);
  NextHops next_hops;
  std::vector<std::pair<uint32_t, NextHop>> held;
  uint32_t highest = 0;
  for (int i = 0; i < 200000; ++i) {
    if (held.size() < 9000 && random() % 2 == 0) {
      const NextHop hop{IPAddress::from_host_order(random() % 20000),
                        static_cast<uint32_t>(random() % 4)};
      held.emplace_back(next_hops.acquire(hop), hop);
      highest = std::max(highest, held.back().first);
    } else if (!held.empty()) {
      std::swap(held[random() % held.size()], held.back());
      ASSERT_EQ(next_hops[held.back().first], held.back().second);
      next_hops.release(held.back().first);
      held.pop_back();
    }
  }
  std::map<uint32_t, uint32_t> users;
  for (const auto& [index, hop] : held) {
    ASSERT_EQ(next_hops[index], hop);
    ++users[index];
  }
  for (const auto& [index, count] : users) ASSERT_EQ(next_hops.users(index), count);
  EXPECT_EQ(next_hops.size(), users.size());
  EXPECT_LE(highest, 9000U);
}

TEST(NextHops, PointersStayWhenItGrows) {
  NextHops next_hops;
  const NextHop* first = &next_hops[next_hops.acquire({IPAddress(1, 1, 1, 1), 0})];
  for (uint32_t i = 0; i < 20000; ++i) next_hops.acquire({IPAddress::from_host_order(i), 1});
  EXPECT_EQ(first, &next_hops[0]);
  EXPECT_EQ(first->gateway, IPAddress(1, 1, 1, 1));
}

}  // namespace
}  // namespace headroom
