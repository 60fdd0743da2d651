#include "../element_test.hh"

namespace headroom::test {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

Packet* stamped(TestRouter& test, int64_t time, int64_t first = 0) {
  Packet* packet = Packet::make(*test.pool, numbered(20));
  packet->set_timestamp_anno(time);
  packet->set_anno_at<int64_t>(anno::kFirstTimestamp.offset, first);
  return packet;
}

struct Times {
  int64_t time;
  int64_t first;
  friend bool operator==(const Times&, const Times&) = default;
};

// What becomes of packets with these times, whatever the context.
Times through(const std::string& element, int64_t time, int64_t first) {
  Times result{};
  in_all_contexts(element, [&](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    std::vector<Packet*> packets;
    for (int i = 0; i < 100; ++i) packets.push_back(stamped(test, time, first));
    test.send_packets("in", packets, batch_size);
    test.run();
    const auto& seen = test.sink("out").packets;
    ASSERT_EQ(seen.size(), 100u);
    for (const auto& one : seen) {
      std::memcpy(&result.first, one.annotations.user + anno::kFirstTimestamp.offset, 8);
      result.time = one.annotations.timestamp;
      ASSERT_EQ(result.time, seen.front().annotations.timestamp);
    }
  });
  return result;
}

TEST(SetTimestamp, ToAGivenTime) {
  EXPECT_EQ(through("SetTimestamp(12.5)", 7, 8), (Times{12 * kSecond + kSecond / 2, 8}));
  EXPECT_EQ(through("SetTimestamp(TIMESTAMP 1.000000001)", 7, 8), (Times{kSecond + 1, 8}));
  EXPECT_EQ(through("SetTimestamp(12.5, FIRST true)", 7, 8),
            (Times{7, 12 * kSecond + kSecond / 2}));
}

TEST(SetTimestamp, ToNow) {
  TestRouter test(pushed("SetTimestamp"));
  test.clock.jump_to(test.clock.now() + 5 * kSecond);
  test.send_packets("in", {stamped(test, 1)});
  EXPECT_EQ(test.sink("out").packets.at(0).annotations.timestamp, test.clock.now() - 1);
}

TEST(SetTimestamp, ToTheDifference) {
  EXPECT_EQ(through("SetTimestamp(DELTA true)", 9 * kSecond, 7 * kSecond),
            (Times{2 * kSecond, 7 * kSecond}));
}

TEST(SetTimestamp, BadConfigurations) {
  const std::string context = "config:1: While configuring 'e :: SetTimestamp':\n  ";
  EXPECT_EQ(errors_of("Idle -> e :: SetTimestamp(1, DELTA true) -> Idle;"),
            context + "DELTA goes with neither TIMESTAMP nor FIRST\n");
  EXPECT_EQ(errors_of("Idle -> e :: SetTimestamp(soon) -> Idle;"),
            context + "TIMESTAMP: parse error\n");
}

TEST(AdjustTimestamp, AddsATime) {
  EXPECT_EQ(through("AdjustTimestamp(1.5)", kSecond, 8), (Times{kSecond * 5 / 2, 8}));
  EXPECT_EQ(through("AdjustTimestamp(-1ms)", kSecond, 8), (Times{kSecond - 1'000'000, 8}));
  EXPECT_EQ(through("AdjustTimestamp(1, FIRST true)", 5, 8), (Times{5, kSecond + 8}));
}

TEST(AdjustTimestamp, NoTimeStaysNone) {
  EXPECT_EQ(through("AdjustTimestamp(1)", 0, 8), (Times{0, 8}));
  EXPECT_EQ(through("AdjustTimestamp(1, ALL true)", 0, 8), (Times{kSecond, 8}));
}

TEST(AdjustTimestamp, DoesNotOverflow) {
  EXPECT_EQ(through("AdjustTimestamp(9000000000)", INT64_MAX - 5, 0), (Times{INT64_MAX - 5, 0}));
}

TEST(AdjustTimestamp, Handler) {
  TestRouter test(pushed("e :: AdjustTimestamp(1)"));
  test.write("e.time", "-2.5");
  EXPECT_EQ(test.read("e.time"), "-2500ms");
  test.send_packets("in", {stamped(test, 3 * kSecond)});
  EXPECT_EQ(test.sink("out").packets.at(0).annotations.timestamp, kSecond / 2);
  std::string error;
  for (const char* wrong : {"--1", "x", ""})
    EXPECT_FALSE(test.router->write_handler("e.time", wrong, error)) << wrong;
}

TEST(AverageCounter, CountsFromTheFirstPacketToTheLatest) {
  TestRouter test(pushed("c :: AverageCounter"));
  EXPECT_EQ(test.read("c.rate"), "0");
  const int64_t start = test.clock.now();
  for (int i = 0; i <= 4; ++i) {
    test.clock.jump_to(start + kSecond + i * kSecond / 2);
    test.send("in", std::vector<Bytes>(4, numbered(100)));
  }
  EXPECT_EQ(test.read("c.count"), "20");
  EXPECT_EQ(test.read("c.byte_count"), "2000");
  EXPECT_EQ(test.read("c.rate"), "10");
  EXPECT_EQ(test.read("c.byte_rate"), "1000");
  EXPECT_EQ(test.read("c.bit_rate"), "8000");
  EXPECT_EQ(test.read("c.link_rate"), "9920");
  test.write("c.reset", "");
  EXPECT_EQ(test.read("c.count") + test.read("c.byte_count") + test.read("c.rate"), "000");
  test.send("in", {numbered(10)});
  EXPECT_EQ(test.read("c.count"), "1");
  EXPECT_EQ(test.read("c.rate"), "0");  // a single moment is no time
}

TEST(AverageCounter, IgnoresTheBeginning) {
  TestRouter test(pushed("c :: AverageCounter(IGNORE 1)"));
  const int64_t start = test.clock.now();
  for (int i = 0; i <= 6; ++i) {
    test.clock.jump_to(start + i * kSecond / 2);
    test.send("in", {numbered(100)});
  }
  EXPECT_EQ(test.read("c.count"), "5");
  EXPECT_EQ(test.read("c.rate"), "2.5");
}

TEST(AverageCounter, InAllContexts) { expect_passes("AverageCounter", numbered(60), numbered(60)); }

}  // namespace
}  // namespace headroom::test
