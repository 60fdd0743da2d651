// Pools, their sizes, and what they say when there is not enough memory.
#include "packet_fixture.hh"

namespace headroom::test {
namespace {

using testing::HasSubstr;

TEST(PoolPlanTest, SumsTermsAndRoundsUp) {
  PoolPlan plan;
  EXPECT_EQ(plan.needed(), 0u);
  plan.add("port 'in': 1 queue x 1024 receive descriptors", 1024);
  plan.add("port 'out': 2 queues x 512 transmit descriptors", 1024);
  plan.add("Queue 'q': capacity", 1'000'000);
  EXPECT_EQ(plan.needed(), 1'002'048u);
  EXPECT_EQ(plan.packets(), (1u << 20) - 1);
  EXPECT_EQ(plan.arithmetic(),
            "         1,024  port 'in': 1 queue x 1024 receive descriptors\n"
            "         1,024  port 'out': 2 queues x 512 transmit descriptors\n"
            "     1,000,000  Queue 'q': capacity\n"
            "     1,002,048  in all\n");
}

TEST(PoolPlanTest, SizesAreOneLessThanAPowerOfTwo) {
  for (const auto& [needed, packets] :
       std::vector<std::pair<uint64_t, uint32_t>>{{1, 1},
                                                  {2, 3},
                                                  {3, 3},
                                                  {4, 7},
                                                  {1023, 1023},
                                                  {1024, 2047},
                                                  {UINT32_MAX, UINT32_MAX},
                                                  {uint64_t{UINT32_MAX} + 1, UINT32_MAX}}) {
    PoolPlan plan;
    plan.add("all", needed);
    EXPECT_EQ(plan.packets(), packets) << needed;
  }
}

TEST(PoolTestAlone, BytesPerPacketCoverEverything) {
  EXPECT_GE(Pool::bytes_per_packet(2048), sizeof(rte_mbuf) + 128 + 2048 + 64);
  EXPECT_LT(Pool::bytes_per_packet(2048), 2560u);
  EXPECT_GE(Pool::bytes_per_packet(9000) - Pool::bytes_per_packet(2048), 9000u - 2048 - 64);
}

TEST(PoolTestAlone, ReportsWhatItHasAndWhatIsOut) {
  std::string error;
  auto pool = Pool::create({.name = "counted", .packets = 100, .data_room = 1000}, error);
  ASSERT_NE(pool, nullptr) << error;
  EXPECT_EQ(pool->capacity(), 100u);
  EXPECT_EQ(pool->options().name, "counted");
  EXPECT_EQ(pool_data_room(pool->mempool()), 1000u);
  EXPECT_EQ(pool->in_use(), 0u);
  Packet* packet = Packet::make(*pool, 2000);
  EXPECT_EQ(pool->in_use(), 2u);
  EXPECT_EQ(packet->contiguous(), 1000u);
  packet->kill();
  EXPECT_EQ(pool->in_use(), 0u);
}

TEST(PoolTestAlone, PoolsSmallerThanACacheWork) {
  for (const uint32_t packets : {1u, 2u, 3u, 10u, 383u, 384u}) {
    std::string error;
    auto pool = Pool::create(
        {.name = "small-" + std::to_string(packets), .packets = packets, .cache = 256}, error);
    ASSERT_NE(pool, nullptr) << packets << ": " << error;
    std::vector<Packet*> out;
    while (Packet* packet = Packet::make(*pool, 10)) out.push_back(packet);
    EXPECT_EQ(out.size(), packets);
    for (Packet* packet : out) packet->kill();
  }
}

TEST(PoolTestAlone, TooLittleMemoryNamesNumbersAndRemedy) {
  std::string error;
  EXPECT_EQ(Pool::create({.name = "huge", .packets = 100'000'000}, error), nullptr);
  EXPECT_THAT(error, HasSubstr("cannot make the pool 'huge': 100,000,000 packets x "));
  const uint64_t each = Pool::bytes_per_packet(2048);
  EXPECT_THAT(error, HasSubstr(std::to_string(each / 1000) + "," + std::to_string(each % 1000) +
                               " bytes = "));
  EXPECT_THAT(error, HasSubstr(" MB: "));
  EXPECT_THAT(error, HasSubstr("give more memory (eal.memory_mb or hugepages), or lower "
                               "pools.packets, pools.data_room or the ports' descriptors"));
}

TEST(PoolTestAlone, ADataRoomLargerThanASegmentIsRefused) {
  for (const uint32_t room : {65535u - 127u, 65535u, 65536u, UINT32_MAX - 100u, UINT32_MAX}) {
    std::string error;
    EXPECT_EQ(Pool::create({.name = "wide", .packets = 1, .data_room = room}, error), nullptr);
    EXPECT_THAT(error, HasSubstr("is more than the 65,407 that a packet's segment can have"))
        << room;
  }
}

TEST(PoolTestAlone, TheLargestDataRoomWorks) {
  std::string error;
  auto pool = Pool::create({.name = "widest", .packets = 7, .data_room = 65407}, error);
  ASSERT_NE(pool, nullptr) << error;
  const Bytes bytes = pattern(65407);
  Packet* packet = Packet::make(*pool, bytes);
  EXPECT_FALSE(packet->chained());
  ASSERT_TRUE(packet->push(100));
  EXPECT_TRUE(packet->chained());
  EXPECT_EQ(bytes_of(*packet, 100), bytes);
  Packet* copy = packet->copy();
  EXPECT_EQ(bytes_of(*copy, 100), bytes);
  copy->kill();
  packet->kill();
  EXPECT_EQ(pool->in_use(), 0u);
}

TEST(PoolTestAlone, MemoryOfADestroyedPoolIsUsableAgain) {
  // Also when a packet was never given back: its memory must not stay poisoned.
  for (int i = 0; i < 20; ++i) {
    std::string error;
    auto pool = Pool::create({.name = "again", .packets = 8191}, error);
    ASSERT_NE(pool, nullptr) << error;
    Packet* packet = Packet::make(*pool, 100);
    std::memset(packet->data(), 1, 100);
    if (i % 2 == 0) packet->kill();
  }
}

}  // namespace
}  // namespace headroom::test
