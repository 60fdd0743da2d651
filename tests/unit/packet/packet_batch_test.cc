// PacketBatch: an owner of packets that counts what it loses.
#include "packet_fixture.hh"

namespace headroom::test {
namespace {

class PacketBatchTest : public PoolTest {
 protected:
  PacketBatchTest() : PoolTest(1023) {}
  void fill(PacketBatch& batch, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      Packet* packet = Packet::make(*pool, 60);
      packet->set_anno_u32(0, i);
      batch.push_back(*packet);
    }
  }
};

TEST_F(PacketBatchTest, HoldsUpToItsCapacity) {
  PacketBatch batch;
  EXPECT_TRUE(batch.empty());
  EXPECT_EQ(batch.room(), PacketBatch::kCapacity);
  fill(batch, 256);
  EXPECT_TRUE(batch.full());
  EXPECT_EQ(batch.room(), 0u);
  EXPECT_EQ(pool->in_use(), 256u);
  for (uint32_t i = 0; i < 256; ++i) EXPECT_EQ(batch[i].anno_u32(0), i);
  batch.kill();
  EXPECT_TRUE(batch.empty());
  EXPECT_EQ(pool->in_use(), 0u);
  batch.kill();  // an empty one is no mistake
}

TEST_F(PacketBatchTest, AppendMovesInOrder) {
  PacketBatch first;
  PacketBatch second;
  fill(first, 100);
  fill(second, 156);
  first.append(second);
  EXPECT_TRUE(second.empty());
  ASSERT_EQ(first.size(), 256u);
  for (uint32_t i = 0; i < 256; ++i) EXPECT_EQ(first[i].anno_u32(0), i < 100 ? i : i - 100);
  first.append(second);
  EXPECT_EQ(first.size(), 256u);
  first.kill();
}

TEST_F(PacketBatchTest, SetAndReleaseGiveUpOwnership) {
  PacketBatch batch;
  fill(batch, 2);
  Packet* old = &batch[0];
  Packet* fresh = Packet::make(*pool, 99);
  batch.set(0, *fresh);
  EXPECT_EQ(batch[0].length(), 99u);
  old->kill();
  PacketBatch other;
  other.push_back(batch[0]);
  other.push_back(batch[1]);
  batch.release();
  other.kill();
}

TEST_F(PacketBatchTest, TheArrayIsWhatDriversFill) {
  PacketBatch batch;
  ASSERT_EQ(rte_pktmbuf_alloc_bulk(pool->mempool(), batch.mbufs(), 64), 0);
  batch.set_size(64);
  EXPECT_EQ(static_cast<void*>(&batch[63]), static_cast<void*>(batch.mbufs()[63]));
  batch.kill();
}

TEST_F(PacketBatchTest, KillFreesChainedAndClonedPackets) {
  PacketBatch batch;
  Packet* packet = Packet::make(*pool, 9000);
  batch.push_back(*packet->clone());
  batch.push_back(*packet);
  batch.push_back(*packet->clone());
  batch.kill();
  EXPECT_EQ(pool->in_use(), 0u);
}

#ifdef NDEBUG
TEST_F(PacketBatchTest, DestroyedWithPacketsItCountsAndFreesThem) {
  const uint64_t before = PacketBatch::leaked();
  {
    PacketBatch batch;
    fill(batch, 5);
  }
  EXPECT_EQ(PacketBatch::leaked(), before + 5);
  EXPECT_EQ(pool->in_use(), 0u);
}
#else
TEST_F(PacketBatchTest, DestroyedWithPacketsItAborts) {
  EXPECT_DEATH(
      {
        PacketBatch batch;
        fill(batch, 5);
      },
      "headroom: 5 packets leaked by a batch that was destroyed");
}

TEST_F(PacketBatchTest, MisuseIsAsserted) {
  EXPECT_DEATH(
      {
        PacketBatch batch;
        fill(batch, 257);
      },
      "full");
  EXPECT_DEATH(
      {
        PacketBatch batch;
        batch[0].kill();
      },
      "index < size_");
}

TEST_F(PacketBatchTest, GrowingASharedPacketIsAsserted) {
  Packet* packet = Packet::make(*pool, 60);
  Packet* clone = packet->clone();
  EXPECT_DEATH(clone->push(14), "shared");
  EXPECT_DEATH(packet->put(14), "shared");
  clone->kill();
  packet->kill();
}
#endif

}  // namespace
}  // namespace headroom::test
