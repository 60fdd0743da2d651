#include "headroom/packet/held_packets.hh"

#include <deque>
#include <random>

#include "packet_fixture.hh"

namespace headroom::test {
namespace {

class HeldPacketsTest : public PoolTest {
 protected:
  HeldPacketsTest() : PoolTest(511) {}
  Packet& packet() { return *Packet::make(*pool, 10); }
};

TEST_F(HeldPacketsTest, EachGroupKeepsItsOrder) {
  HeldPackets<int> held;
  EXPECT_TRUE(held.empty());
  EXPECT_EQ(held.first(), nullptr);
  EXPECT_EQ(held.oldest_group(), nullptr);
  auto& one = held.start(1, 100);
  auto& two = held.start(2, 100);
  Packet* packets[] = {&packet(), &packet(), &packet()};
  held.hold(two, *packets[0]);
  held.hold(one, *packets[1]);
  held.hold(two, *packets[2]);
  EXPECT_EQ(held.size(), 3u);
  EXPECT_EQ(held.find(2), &two);
  EXPECT_EQ(held.find(3), nullptr);
  EXPECT_EQ(held.oldest_group(), &two);
  EXPECT_EQ(held.take_oldest(two), packets[0]);
  EXPECT_EQ(held.oldest_group(), &one);
  EXPECT_EQ(held.take_oldest(two), packets[2]);
  EXPECT_EQ(held.take_oldest(two), nullptr);
  packets[0]->kill();
  packets[2]->kill();
  held.end(one);  // frees what it has
  EXPECT_EQ(pool->in_use(), 0u);
  held.hold(two, packet());  // and so does the end of all
}

TEST_F(HeldPacketsTest, TheEarliestDeadlineIsFirst) {
  HeldPackets<int> held;
  auto& one = held.start(1, 100);
  auto& two = held.start(2, 150);
  EXPECT_EQ(held.first(), &one);
  held.postpone(one, 200);
  EXPECT_EQ(held.first(), &two);
  EXPECT_EQ(one.deadline(), 200);
  held.end(two);
  EXPECT_EQ(held.first(), &one);
}

TEST_F(HeldPacketsTest, LikeAPlainList) {
  HeldPackets<uint32_t> held;
  std::deque<std::pair<uint32_t, Packet*>> model;
  std::mt19937 random(1);
  auto oldest_of = [&](uint32_t key) {
    return std::find_if(model.begin(), model.end(), [&](auto& one) { return one.first == key; });
  };
  for (int step = 0; step < 50000; ++step) {
    const uint32_t key = random() % 20;
    auto* group = held.find(key);
    if (random() % 2 == 0 && model.size() < 400) {
      if (group == nullptr) group = &held.start(key, step);
      model.emplace_back(key, &packet());
      held.hold(*group, *model.back().second);
    } else if (random() % 50 == 0 && group != nullptr) {
      held.end(*group);
      std::erase_if(model, [&](auto& one) { return one.first == key; });
    } else {
      if (random() % 2 == 0) group = held.oldest_group();
      if (group == nullptr) continue;
      const auto expected = oldest_of(group->key());
      Packet* const taken = held.take_oldest(*group);
      ASSERT_EQ(taken, expected == model.end() ? nullptr : expected->second);
      if (taken == nullptr) continue;
      taken->kill();
      model.erase(expected);
    }
    ASSERT_EQ(held.size(), model.size());
    ASSERT_EQ(pool->in_use(), model.size());
    if (!model.empty()) {
      ASSERT_EQ(held.oldest_group()->key(), model.front().first);
    }
  }
}

}  // namespace
}  // namespace headroom::test
