#include "drills.hh"

namespace headroom::test {
namespace {

uint32_t extra_length(const TestSink::Seen& seen) {
  uint32_t value = 0;
  std::memcpy(&value, seen.annotations.user + anno::kExtraLength.offset, sizeof value);
  return value;
}

TEST(Truncate, TakesTheEndOff) {
  for (const uint32_t length : {0u, 1u, 40u, 139u, 140u, 1000u}) {
    SCOPED_TRACE(length);
    const Drill drill{"e :: Truncate(" + std::to_string(length) + ")"};
    drill_pass(drill, numbered(140), first_bytes(numbered(140), length));
    drill_copies(drill, numbered(140), first_bytes(numbered(140), length));
  }
  drill_lengths({"e :: Truncate(20)"}, numbered(40));
}

TEST(Truncate, CountsWhatItTookOff) {
  TestRouter test(
      pushed("e :: Truncate(30) -> f :: Truncate(LENGTH 20, EXTRA_ANNO false) -> Truncate(15)"));
  test.send("in", {numbered(40), numbered(18), numbered(10)});
  const auto& seen = test.sink("out").packets;
  EXPECT_EQ(extra_length(seen.at(0)), 15u);
  EXPECT_EQ(extra_length(seen.at(1)), 3u);
  EXPECT_EQ(extra_length(seen.at(2)), 0u);
  test.write("e.nbytes", "4");
  test.write("e.extra_anno", "false");
  EXPECT_EQ(test.read("e.nbytes") + test.read("f.extra_anno"), "4false");
  test.send("in", {numbered(40)});
  EXPECT_EQ(seen.at(3).bytes, numbered(4));
  EXPECT_EQ(extra_length(seen.at(3)), 0u);
}

TEST(Pad, MakesPacketsLonger) {
  for (const std::size_t length : {0u, 30u, 31u, 60u, 300u}) {
    SCOPED_TRACE(length);
    Bytes expected = numbered(30);
    if (length > 30) expected.resize(length);
    const Drill drill{"e :: Pad(" + std::to_string(length) + ")"};
    drill_rewrite(drill, numbered(30), expected);
  }
}

TEST(Pad, ToMoreThanASegmentHolds) {
  for (const std::size_t length : {2000u, 5000u, 65535u}) {
    TestRouter test(pushed("e :: Pad(" + std::to_string(length) + ")"));
    for (const uint32_t headroom : {0u, 64u, 1500u})
      test.send_packets("in", {Packet::make(*test.pool, numbered(100), headroom)});
    Bytes expected = numbered(100);
    expected.resize(length);
    EXPECT_EQ(bytes_at(test, "out"), std::vector<Bytes>(3, expected));
  }
}

TEST(Pad, ByTheExtraLengthAnnotation) {
  const Drill drill{"e :: Pad",
                    [](Packet& packet) { packet.set_anno_u32(anno::kExtraLength.offset, 9); }};
  drill_pass(drill, numbered(30), concat({numbered(30), Bytes(9)}));
  TestRouter test(pushed("Truncate(10) -> Pad -> Pad"));
  test.send("in", {numbered(30)});
  EXPECT_EQ(bytes_at(test, "out").at(0), concat({numbered(10), Bytes(20)}));
  EXPECT_EQ(extra_length(test.sink("out").packets.at(0)), 0u);
}

TEST(Pad, WithoutZeroesItIsAsLong) {
  TestRouter test(pushed("Pad(100, ZERO false)"));
  test.send("in", {numbered(30)});
  EXPECT_EQ(first_bytes(bytes_at(test, "out").at(0), 30), numbered(30));
  EXPECT_EQ(bytes_at(test, "out").at(0).size(), 100u);
}

TEST(Pad, DropsWhatWouldBeTooLong) {
  TestRouter test(pushed("e :: Pad"));
  for (const uint32_t extra : {65535u - 30, 65535u - 29, UINT32_MAX}) {
    Packet* packet = Packet::make(*test.pool, numbered(30));
    packet->set_anno_u32(anno::kExtraLength.offset, extra);
    test.send_packets("in", {packet});
  }
  EXPECT_EQ(test.dropped("e", "too-long"), 2u);
  EXPECT_EQ(test.sink("out").packets.size(), 1u);
  TestRouter empty(pushed("e :: Pad(60000)"), {.packets = 3});
  empty.send("in", {numbered(30)});
  EXPECT_EQ(empty.dropped("e", "no-buffer"), 1u);
  EXPECT_EQ(errors_of("Idle -> e :: Pad(65536) -> Idle;"),
            "config:1: While configuring 'e :: Pad':\n  LENGTH: out of range, bound 65535\n");
}

}  // namespace
}  // namespace headroom::test
