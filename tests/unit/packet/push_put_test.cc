// push() and put(): with the room there is, by shifting, by chaining; always the same packet, its
// bytes, annotations and header positions.
#include "packet_fixture.hh"

namespace headroom::test {
namespace {

class PushPutTest : public PoolTest {
 protected:
  // Pushes n bytes, writes them all, and checks everything.
  void push_and_check(Packet* packet, uint32_t n, const Bytes& payload, const Marks& marks) {
    ASSERT_TRUE(packet->push(n));
    ASSERT_EQ(packet->length(), payload.size() + n);
    ASSERT_GE(packet->contiguous(), n);
    std::memset(packet->data(), 0xee, n);
    ASSERT_EQ(bytes_of(*packet, n), payload);
    marks.expect(*packet, static_cast<int32_t>(n));
    expect_sound(*packet);
  }
  void put_and_check(Packet* packet, uint32_t n, const Bytes& payload, const Marks& marks) {
    ASSERT_TRUE(packet->put(n));
    ASSERT_EQ(packet->length(), payload.size() + n);
    std::memset(packet->last(n), 0xee, n);
    Bytes wanted = payload;
    wanted.insert(wanted.end(), n, 0xee);
    ASSERT_EQ(bytes_of(*packet), wanted);
    marks.expect(*packet);
    expect_sound(*packet);
  }
};

TEST_F(PushPutTest, EveryPushSizeOnEveryHeadroom) {
  for (const uint32_t length : {40u, 1500u, 2048u}) {
    const Bytes payload = pattern(length);
    for (uint32_t headroom = 0; headroom <= 128; headroom += length == 40 ? 1 : 16)
      for (uint32_t n = 1; n <= 300; n += length == 40 ? 1 : 5) {
        SCOPED_TRACE(testing::Message()
                     << length << " bytes, headroom " << headroom << ", push " << n);
        Packet* packet = Packet::make(*pool, payload, headroom);
        Marks{}.set(*packet);
        push_and_check(packet, n, payload, Marks{});
        packet->kill();
        if (HasFatalFailure()) return;
      }
  }
}

TEST_F(PushPutTest, EveryPutSizeOnEveryTailroom) {
  for (uint32_t tailroom = 0; tailroom <= 128; ++tailroom)
    for (uint32_t n = 1; n <= 300; n += 7)
      for (const uint32_t headroom : {0u, 64u, 400u}) {
        const Bytes payload = pattern(2112 - headroom - tailroom);
        SCOPED_TRACE(testing::Message()
                     << "tailroom " << tailroom << ", headroom " << headroom << ", put " << n);
        Packet* packet = Packet::make(*pool, payload, headroom);
        ASSERT_EQ(packet->tailroom(), tailroom);
        Marks{}.set(*packet);
        put_and_check(packet, n, payload, Marks{});
        packet->kill();
        if (HasFatalFailure()) return;
      }
}

TEST_F(PushPutTest, ATunnelHeaderLargerThanTheHeadroomShiftsInsideTheBuffer) {
  const Bytes payload = pattern(1400);
  Packet* packet = Packet::make(*pool, payload, 64);
  Marks{}.set(*packet);
  push_and_check(packet, 86, payload, Marks{});
  EXPECT_FALSE(packet->chained());
  // Room is left at both ends, so that the next push and put need no shift.
  EXPECT_GT(packet->headroom(), 200u);
  EXPECT_GT(packet->tailroom(), 200u);
  packet->kill();
}

TEST_F(PushPutTest, OnAFullBufferTheEndMovesToASegmentBehind) {
  const Bytes payload = pattern(2048);
  Packet* packet = Packet::make(*pool, payload, 64);
  Marks{}.set(*packet);
  push_and_check(packet, 86, payload, Marks{});
  EXPECT_EQ(segments_of(*packet), (std::vector<uint32_t>{2112, 22}));
  // The new segment has room before its bytes: the next push need not chain again.
  push_and_check(packet, 50, bytes_of(*packet), {.mac = 86, .network = 100, .transport = 120});
  packet->kill();
}

TEST_F(PushPutTest, OnAFullBufferPutChains) {
  const Bytes payload = pattern(2112);
  Packet* packet = Packet::make(*pool, payload, 0);
  Marks{}.set(*packet);
  put_and_check(packet, 86, payload, Marks{});
  EXPECT_EQ(segments_of(*packet), (std::vector<uint32_t>{2112, 86}));
  put_and_check(packet, 86, bytes_of(*packet), Marks{});
  EXPECT_EQ(segments_of(*packet), (std::vector<uint32_t>{2112, 172}));
  packet->kill();
}

TEST_F(PushPutTest, PushOnAChainedPacketWithFullFirstSegment) {
  const Bytes payload = pattern(4000);
  Packet* packet = Packet::make(*pool, payload, 10);
  Marks{}.set(*packet);
  push_and_check(packet, 86, payload, Marks{});
  EXPECT_EQ(packet->mbuf()->nb_segs, 3);
  packet->kill();
}

TEST_F(PushPutTest, MorePushesThanAnyBufferHolds) {
  // Forty headers of sixty bytes: shifts, then chains, again and again.
  Bytes wanted = pattern(2000);
  Packet* packet = Packet::make(*pool, wanted, 0);
  for (uint32_t i = 0; i < 40; ++i) {
    ASSERT_TRUE(packet->push(60));
    std::memset(packet->data(), static_cast<int>(i), 60);
    wanted.insert(wanted.begin(), 60, static_cast<uint8_t>(i));
    expect_sound(*packet);
  }
  EXPECT_EQ(bytes_of(*packet), wanted);
  packet->kill();
}

TEST_F(PushPutTest, AnEmptyPacketGrowsAtBothEnds) {
  Packet* packet = Packet::make(*pool, 0, 0);
  ASSERT_TRUE(packet->push(2112));
  std::memset(packet->data(), 1, 2112);
  ASSERT_TRUE(packet->put(2048));
  std::memset(packet->last(2048), 2, 2048);
  Bytes wanted(2112, 1);
  wanted.insert(wanted.end(), 2048, 2);
  EXPECT_EQ(bytes_of(*packet), wanted);
  packet->kill();
}

TEST_F(PushPutTest, MoreThanABufferHoldsIsRefusedWithNothingChanged) {
  const Bytes payload = pattern(100);
  for (const uint32_t n :
       {2113u, 65535u, 65536u, 0x7fffffffu, 0x80000000u, 0xffffff9cu, 0xffffffffu}) {
    Packet* packet = Packet::make(*pool, payload);
    Marks{}.set(*packet);
    EXPECT_FALSE(packet->push(n)) << n;
    EXPECT_FALSE(packet->put(n)) << n;
    EXPECT_EQ(bytes_of(*packet), payload);
    Marks{}.expect(*packet);
    expect_sound(*packet);
    packet->kill();
  }
}

TEST_F(PushPutTest, WithAnEmptyPoolNothingChangesAndLaterItWorks) {
  const Bytes payload = pattern(2112);
  Packet* packet = Packet::make(*pool, payload, 0);
  Marks{}.set(*packet);
  const Annotations before = packet->annotations();
  exhaust();
  EXPECT_FALSE(packet->push(86));
  EXPECT_FALSE(packet->put(86));
  EXPECT_EQ(packet->clone(), nullptr);
  EXPECT_EQ(packet->copy(), nullptr);
  EXPECT_EQ(Packet::make(*pool, 1), nullptr);
  EXPECT_EQ(bytes_of(*packet), payload);
  EXPECT_EQ(std::memcmp(&before, &packet->annotations(), sizeof before), 0);
  EXPECT_EQ(segments_of(*packet), std::vector<uint32_t>{2112});
  give_back();
  push_and_check(packet, 86, payload, Marks{});
  packet->kill();
}

TEST_F(PushPutTest, StrippedBytesComeBackWithPushWhateverHappenedBetween) {
  // Strip(14) ... Unstrip(14): Click keeps what lies before data() when a buffer is moved.
  const Bytes payload = pattern(1600);
  {
    Packet* packet = Packet::make(*pool, payload, 400);
    Marks{}.set(*packet);
    packet->pull(14);
    ASSERT_TRUE(packet->put(200));  // shifts
    packet->take(200);
    ASSERT_TRUE(packet->push(14));
    EXPECT_EQ(bytes_of(*packet), payload);
    Marks{}.expect(*packet);
    packet->kill();
  }
  {
    Packet* packet = Packet::make(*pool, payload, 0);
    Marks{}.set(*packet);
    packet->pull(14);
    ASSERT_TRUE(packet->push(86));  // shifts
    packet->pull(72);
    EXPECT_EQ(bytes_of(*packet), payload);
    Marks{}.expect(*packet);
    packet->kill();
  }
}

}  // namespace
}  // namespace headroom::test
