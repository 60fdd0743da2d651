// clone(), copy(), uniqueify(): shared bytes, own annotations, any order of ending.
#include "packet_fixture.hh"

namespace headroom::test {
namespace {

class CloneTest : public PoolTest {
 protected:
  const Bytes payload = pattern(300);
  const Marks first{.seed = 10};
  const Marks second{.network = 18, .transport = 38, .seed = 90};
  const Marks third{.network = 22, .transport = 42, .seed = 150};
};

TEST_F(CloneTest, AnnotationsAreTheirOwn) {
  Packet* packet = Packet::make(*pool, payload);
  first.set(*packet);
  Packet* clone = packet->clone();
  first.expect(*clone);
  EXPECT_EQ(clone->data(), packet->data());
  EXPECT_TRUE(clone->shared() && packet->shared());
  second.set(*clone);
  first.expect(*packet);
  second.expect(*clone);
  third.set(*packet);
  second.expect(*clone);
  packet->kill();
  second.expect(*clone);
  EXPECT_FALSE(clone->shared());
  clone->kill();
}

TEST_F(CloneTest, BothCopiesAreRewrittenIndependently) {
  for (const bool clone_first : {false, true}) {
    Packet* packet = Packet::make(*pool, payload);
    first.set(*packet);
    Packet* clone = packet->clone();
    Packet*& one = clone_first ? clone : packet;
    Packet*& other = clone_first ? packet : clone;
    one = one->uniqueify();
    EXPECT_FALSE(one->shared() || other->shared());
    std::memset(one->data(), 0x11, one->length());
    EXPECT_EQ(bytes_of(*other), payload);
    std::memset(other->data(), 0x22, other->length());
    EXPECT_EQ(bytes_of(*one), Bytes(300, 0x11));
    EXPECT_EQ(bytes_of(*other), Bytes(300, 0x22));
    first.expect(*one);
    first.expect(*other);
    // Both can grow in both directions, whichever buffer they live in.
    for (Packet* grown : {one, other}) {
      ASSERT_TRUE(grown->push(700) && grown->put(700));
      std::memset(grown->data(), 0x33, 700);
      std::memset(grown->last(700), 0x44, 700);
      first.expect(*grown, 700);
    }
    one->kill();
    other->kill();
  }
}

TEST_F(CloneTest, AnyOrderOfEndingOfACloneOfAClone) {
  std::vector<int> order{0, 1, 2};
  do {
    Packet* packets[3];
    packets[0] = Packet::make(*pool, payload);
    first.set(*packets[0]);
    packets[1] = packets[0]->clone();
    second.set(*packets[1]);
    packets[2] = packets[1]->clone();
    second.expect(*packets[2]);
    third.set(*packets[2]);
    const Marks* marks[3] = {&first, &second, &third};
    std::vector<int> alive{0, 1, 2};
    for (const int dies : order) {
      for (const int i : alive) {
        EXPECT_EQ(bytes_of(*packets[i]), payload);
        marks[i]->expect(*packets[i]);
        EXPECT_EQ(packets[i]->shared(), alive.size() > 1);
      }
      packets[dies]->kill();
      std::erase(alive, dies);
    }
    EXPECT_EQ(pool->in_use(), 0u);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(CloneTest, TheOriginalsBufferStaysWhileACloneLives) {
  Packet* packet = Packet::make(*pool, payload);
  Packet* clone = packet->clone();
  packet->kill();
  EXPECT_EQ(pool->in_use(), 2u);
  // Nobody gets the buffer in the meantime.
  exhaust();
  EXPECT_EQ(bytes_of(*clone), payload);
  give_back();
  clone->kill();
}

TEST_F(CloneTest, PullAndTakeOfOneDoNotShowInTheOther) {
  Packet* packet = Packet::make(*pool, payload);
  first.set(*packet);
  Packet* clone = packet->clone();
  packet->pull(100);
  packet->take(100);
  EXPECT_EQ(bytes_of(*clone), payload);
  EXPECT_EQ(packet->length(), 100u);
  clone->pull(300);
  EXPECT_EQ(packet->length(), 100u);
  EXPECT_EQ(packet->data()[0], payload[100]);
  packet->kill();
  ASSERT_TRUE(clone->push(300));  // it is private now
  clone->kill();
}

TEST_F(CloneTest, HeaderPositionsThroughCopiesAfterPulls) {
  for (const uint32_t pulled : {0u, 14u, 34u, 63u})
    for (const uint32_t headroom : {0u, 20u, 64u, 300u}) {
      Packet* packet = Packet::make(*pool, payload, headroom);
      first.set(*packet);
      packet->pull(pulled);
      const int32_t moved = -static_cast<int32_t>(pulled);
      Packet* copy = packet->copy();
      Packet* clone = packet->clone();
      Packet* unique = clone->clone()->uniqueify();
      for (Packet* one : {packet, copy, clone, unique}) {
        first.expect(*one, moved);
        EXPECT_EQ(bytes_of(*one), Bytes(payload.begin() + pulled, payload.end()));
      }
      EXPECT_FALSE(copy->shared() || unique->shared());
      // What was stripped can be unstripped from a copy too.
      for (Packet* one : {copy, unique}) {
        ASSERT_TRUE(one->push(pulled));
        EXPECT_EQ(bytes_of(*one), payload) << pulled << " " << headroom;
        first.expect(*one);
      }
      for (Packet* one : {packet, copy, clone, unique}) one->kill();
    }
}

TEST_F(CloneTest, ChainedPackets) {
  const Bytes big = pattern(9000);
  Packet* packet = Packet::make(*pool, big);
  first.set(*packet);
  Packet* clone = packet->clone();
  EXPECT_EQ(clone->mbuf()->nb_segs, packet->mbuf()->nb_segs);
  EXPECT_TRUE(clone->shared() && packet->shared());
  Packet* copy = clone->copy();
  EXPECT_FALSE(copy->shared());
  for (Packet* one : {packet, clone, copy}) {
    EXPECT_EQ(bytes_of(*one), big);
    first.expect(*one);
    expect_sound(*one);
  }
  packet->kill();
  EXPECT_FALSE(clone->shared());
  ASSERT_TRUE(clone->put(1000) && clone->push(500));
  expect_sound(*clone);
  clone->kill();
  copy->kill();
}

TEST_F(CloneTest, OneSharedSegmentMakesThePacketShared) {
  Packet* packet = make_segments(payload, {100, 200});
  Packet* clone = packet->clone();
  packet->pull(100);  // the first segment's bytes are gone; the second is still shared
  EXPECT_TRUE(packet->shared());
  packet = packet->uniqueify();
  EXPECT_FALSE(packet->shared() || clone->shared());
  EXPECT_EQ(bytes_of(*packet), Bytes(payload.begin() + 100, payload.end()));
  packet->kill();
  clone->kill();
}

TEST_F(CloneTest, UniqueifyOfAPrivatePacketIsThePacket) {
  Packet* packet = Packet::make(*pool, payload);
  EXPECT_EQ(packet->uniqueify(), packet);
  Packet* clone = packet->clone();
  packet->kill();
  EXPECT_EQ(clone->uniqueify(), clone);
  clone->kill();
}

TEST_F(CloneTest, UniqueifyWithAnEmptyPoolFreesThePacket) {
  Packet* packet = Packet::make(*pool, payload);
  Packet* clone = packet->clone();
  exhaust();
  const uint32_t out = pool->in_use();
  EXPECT_EQ(clone->copy(), nullptr);
  EXPECT_EQ(clone->uniqueify(), nullptr);
  EXPECT_EQ(pool->in_use(), out - 1);
  EXPECT_EQ(bytes_of(*packet), payload);
  EXPECT_FALSE(packet->shared());
  give_back();
  packet->kill();
}

TEST_F(CloneTest, ChainedCopyThatRunsOutHalfWayGivesBackWhatItTook) {
  const Bytes big = pattern(9000);
  Packet* packet = Packet::make(*pool, big);
  std::vector<Packet*> filler;
  while (pool->in_use() < pool->capacity() - 2) filler.push_back(Packet::make(*pool, 10));
  EXPECT_EQ(packet->copy(), nullptr);
  EXPECT_EQ(packet->clone(), nullptr);
  EXPECT_EQ(pool->in_use(), pool->capacity() - 2);
  EXPECT_FALSE(packet->shared());
  EXPECT_EQ(bytes_of(*packet), big);
  for (Packet* one : filler) one->kill();
  packet->kill();
}

TEST_F(CloneTest, EmptyPacketsCanBeClonedAndCopied) {
  Packet* packet = Packet::make(*pool, 0);
  first.set(*packet);
  Packet* clone = packet->clone();
  ASSERT_NE(clone, nullptr);
  Packet* copy = packet->copy();
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->length(), 0u);
  first.expect_annotations(*copy);
  clone = clone->uniqueify();
  ASSERT_NE(clone, nullptr);
  for (Packet* one : {packet, clone, copy}) one->kill();
}

TEST_F(CloneTest, ACopyHasNoTraceOfBorrowedBuffers) {
  Packet* packet = Packet::make(*pool, payload);
  Packet* clone = packet->clone();
  Packet* copy = clone->copy();
  EXPECT_EQ(copy->mbuf()->ol_flags & (RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL), 0u);
  EXPECT_EQ(static_cast<void*>(&copy->annotations()), copy->mbuf()->buf_addr);
  EXPECT_NE(static_cast<void*>(&clone->annotations()), clone->mbuf()->buf_addr);
  for (Packet* one : {packet, clone, copy}) one->kill();
}

}  // namespace
}  // namespace headroom::test
