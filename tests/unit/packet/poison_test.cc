// Sanitizer builds: a byte that is not the packet's cannot be read. Ordinary builds: the same
// operations cost nothing and change nothing.
#include "packet_fixture.hh"

namespace headroom::test {
namespace {

class PoisonTest : public PoolTest {
 protected:
  // Where the byte is looked at, so that no optimizer drops the load.
  static uint8_t look(const uint8_t* at) { return *static_cast<const volatile uint8_t*>(at); }
};

#if HEADROOM_POISON

// The nearest byte before `at` that can be poisoned: AddressSanitizer sees units of eight bytes, of
// which it can close the end, but not the beginning.
const uint8_t* before(const uint8_t* at) {
  const auto address = reinterpret_cast<uintptr_t>(at);
  return reinterpret_cast<const uint8_t*>((address & ~uintptr_t{7}) - 1);
}

constexpr const char* kPoisoned = "AddressSanitizer: use-after-poison";

TEST_F(PoisonTest, OneByteTooFarOnEitherSide) {
  for (const uint32_t length : {0u, 1u, 7u, 8u, 60u, 61u, 2048u}) {
    Packet* packet = Packet::make(*pool, length);
    uint8_t* data = packet->data();
    for (uint32_t i = 0; i < length; ++i) data[i] = 1;
    EXPECT_DEATH(look(data + length), kPoisoned) << length;
    EXPECT_DEATH(look(before(data)), kPoisoned) << length;
    packet->kill();
  }
}

TEST_F(PoisonTest, TheSliceIsNotHeadroom) {
  Packet* packet = Packet::make(*pool, 60);
  packet->annotations().timestamp = 1;
  ASSERT_TRUE(packet->push(64));
  std::memset(packet->data(), 1, 64);
  EXPECT_EQ(packet->headroom(), 0u);
  packet->annotations().user[47] = 1;
  packet->kill();
}

TEST_F(PoisonTest, StrippedAndTakenBytes) {
  Packet* packet = Packet::make(*pool, 100);
  uint8_t* data = packet->data();
  packet->pull(14);
  EXPECT_DEATH(look(data), kPoisoned);
  EXPECT_DEATH(look(data + 7), kPoisoned);
  look(data + 14);
  packet->take(10);
  look(data + 89);
  EXPECT_DEATH(look(data + 90), kPoisoned);
  ASSERT_TRUE(packet->push(14) && packet->put(10));
  std::memset(packet->data(), 1, 100);  // they are the packet's again
  EXPECT_DEATH(look(packet->data() + 100), kPoisoned);
  packet->kill();
}

TEST_F(PoisonTest, AFreedPacketsBytesAndAnnotations) {
  Packet* packet = Packet::make(*pool, 60);
  packet->kill();
  EXPECT_DEATH(look(packet->data()), kPoisoned);
  EXPECT_DEATH(packet->annotations().timestamp = 1, kPoisoned);
}

TEST_F(PoisonTest, ThroughABatchToo) {
  PacketBatch batch;
  Packet* packet = Packet::make(*pool, 60);
  batch.push_back(*packet);
  batch.kill();
  EXPECT_DEATH(look(packet->data()), kPoisoned);
}

TEST_F(PoisonTest, AfterShiftingAndChaining) {
  Packet* packet = Packet::make(*pool, 1000, 10);
  ASSERT_TRUE(packet->push(86));
  std::memset(packet->data(), 1, 1086);
  EXPECT_DEATH(look(before(packet->data())), kPoisoned);
  EXPECT_DEATH(look(packet->data() + 1086), kPoisoned);
  ASSERT_TRUE(packet->put(1000));
  EXPECT_DEATH(look(before(packet->data())), kPoisoned);
  EXPECT_DEATH(look(packet->data() + 2086), kPoisoned);
  ASSERT_TRUE(packet->put(1000));
  ASSERT_TRUE(packet->chained());
  EXPECT_DEATH(look(packet->end_data()), kPoisoned);
  std::memset(packet->last(1000), 1, 1000);
  EXPECT_DEATH(look(packet->last(1000) + 1000), kPoisoned);
  packet->kill();
}

TEST_F(PoisonTest, AcrossSegments) {
  const Bytes bytes = pattern(200);
  Packet* packet = make_segments(bytes, {50, 100, 50});
  uint8_t* data = packet->data();
  EXPECT_DEATH(look(data + 50), kPoisoned);
  packet->pull(60);
  EXPECT_DEATH(look(before(packet->data())), kPoisoned);
  EXPECT_DEATH(look(packet->end_data()), kPoisoned);
  packet->pull(packet->length());
  EXPECT_DEATH(look(packet->data()), kPoisoned);
  EXPECT_DEATH(look(before(packet->data())), kPoisoned);
  packet->kill();
}

TEST_F(PoisonTest, ACloneHasItsSliceAndNoneOfItsOwnBuffer) {
  Packet* packet = Packet::make(*pool, 60);
  Packet* clone = packet->clone();
  clone->annotations().timestamp = 1;
  look(clone->data() + 59);
  EXPECT_DEATH(look(clone->data() + 60), kPoisoned);
  EXPECT_DEATH(look(reinterpret_cast<uint8_t*>(&clone->annotations()) + 64), kPoisoned);
  packet->kill();
  look(clone->data() + 59);  // the bytes live on
  clone->pull(10);           // and are private now
  EXPECT_DEATH(look(before(clone->data())), kPoisoned);
  clone->kill();
}

TEST_F(PoisonTest, AnOriginalIsPrivateAgainWhenItsCloneHasEnded) {
  Packet* packet = Packet::make(*pool, 60);
  Packet* clone = packet->clone();
  clone->kill();
  EXPECT_DEATH(clone->annotations().timestamp = 1, kPoisoned);
  uint8_t* data = packet->data();
  packet->pull(10);
  EXPECT_DEATH(look(data), kPoisoned);
  packet->kill();
}

TEST_F(PoisonTest, ACopyIsFenced) {
  Packet* packet = Packet::make(*pool, 60);
  packet->pull(14);
  Packet* copy = packet->copy();
  EXPECT_DEATH(look(before(copy->data())), kPoisoned);
  EXPECT_DEATH(look(copy->data() + 46), kPoisoned);
  EXPECT_DEATH(look(before(packet->data())), kPoisoned);  // copying did not open the original
  packet->kill();
  copy->kill();
}

TEST_F(PoisonTest, UnfenceOpensTheBuffersForADriver) {
  Packet* packet = Packet::make(*pool, 60);
  packet->unfence();
  look(packet->data() - 1);
  look(packet->data() + 60);
  packet->fence();
  EXPECT_DEATH(look(packet->data() + 60), kPoisoned);
  packet->kill();
}

#else

TEST_F(PoisonTest, OrdinaryBuildsPoisonNothing) {
  static_assert(!kPoison);
  Packet* packet = Packet::make(*pool, 60);
  packet->pull(14);
  look(packet->data() - 14);
  packet->fence();
  packet->unfence();
  packet->kill();
}

#endif

}  // namespace
}  // namespace headroom::test
