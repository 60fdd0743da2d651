#include "../element_test.hh"

namespace headroom::test {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(Shaper, LetsItsRateThrough) {
  for (const uint32_t rate : {1u, 7u, 1000u, 250'000u}) {
    SCOPED_TRACE(rate);
    TestRouter test("in :: TestSource -> Queue -> s :: Shaper(" + std::to_string(rate) +
                    ") -> SetTimestamp -> Unqueue(BURST 64) -> out :: TestSink;");
    std::vector<Bytes> packets;
    for (uint8_t i = 0; i < 100; ++i) packets.push_back({i});
    test.send("in", packets);
    test.run();
    EXPECT_EQ(bytes_at(test, "out"), packets);
    const auto& seen = test.sink("out").packets;
    const int64_t first = seen.front().annotations.timestamp;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const double due = static_cast<double>(i) * 1e9 / rate;
      EXPECT_NEAR(static_cast<double>(seen[i].annotations.timestamp - first), due, 1000) << i;
    }
  }
}

TEST(Shaper, WakesWhenPacketsComeAgain) {
  TestRouter test(
      "in :: TestSource -> q :: Queue -> s :: Shaper(10) -> u :: Unqueue -> out :: TestSink;");
  for (int i = 1; i <= 3; ++i) {
    test.send("in", std::vector<Bytes>(5, Bytes{1}));
    test.run();
    EXPECT_EQ(test.sink("out").packets.size(), 5u * static_cast<unsigned>(i));
    EXPECT_FALSE(test.scheduler->has_scheduled_tasks());
  }
}

TEST(Shaper, AtMostAHundredthOfASecondAtOnce) {
  TestRouter test(
      "in :: TestSource -> Queue -> Shaper(1000) -> Unqueue(BURST 64) -> out :: TestSink;");
  test.run();
  test.clock.jump_to(test.clock.now() + 100 * kSecond);
  test.send("in", std::vector<Bytes>(64, Bytes{1}));
  test.scheduler->run_round();
  test.scheduler->run_round();
  EXPECT_EQ(test.sink("out").packets.size(), 10u);
}

TEST(Shaper, RateChangesWhileItRuns) {
  TestRouter test("in :: TestSource -> Queue -> s :: Shaper(0) -> Unqueue -> out :: TestSink;");
  test.send("in", std::vector<Bytes>(11, Bytes{1}));
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 1u);  // the token it begins with
  const int64_t before = test.clock.now();
  test.write("s.rate", "100");
  EXPECT_EQ(test.read("s.rate"), "100");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 11u);
  EXPECT_NEAR(static_cast<double>(test.clock.now() - before), 1e8, 1e4);
}

TEST(Shaper, ASourceThatCannotTellIsPolled) {
  TestRouter test(
      "InfiniteSource(\\<01>, LIMIT 50) -> Shaper(1000) -> Unqueue(LIMIT 50) -> out :: TestSink;");
  test.run(10'000);
  EXPECT_EQ(test.sink("out").packets.size(), 50u);
}

TEST(Shaper, BadConfigurations) {
  EXPECT_EQ(errors_of("Idle -> s :: Shaper -> Idle;"),
            "config:1: While configuring 's :: Shaper':\n  RATE: required argument missing\n");
}

TEST(RoundRobinSched, TakesTurns) {
  for (const char* burst : {"1", "2", "64"}) {
    TestRouter test(
        "a :: TestSource -> Queue -> [0] s :: RoundRobinSched; b :: TestSource -> Queue -> [1] s;"
        "Idle -> [2] s; s -> Unqueue(BURST " +
        std::string(burst) + ") -> out :: TestSink;");
    test.send("a", {{1}, {2}, {3}, {4}});
    test.send("b", {{11}, {12}});
    test.run();
    EXPECT_EQ(bytes_at(test, "out"), (std::vector<Bytes>{{1}, {11}, {2}, {12}, {3}, {4}}));
    // It goes on behind the input that was last.
    test.send("a", {{5}});
    test.send("b", {{13}});
    test.run();
    EXPECT_EQ(test.sink("out").packets.size(), 8u);
  }
}

TEST(PrioSched, TheFirstInputGoesFirst) {
  for (const char* burst : {"1", "3", "64"}) {
    TestRouter test(
        "a :: TestSource -> Queue -> [0] s :: PrioSched; b :: TestSource -> Queue -> [1] s;"
        "s -> Unqueue(BURST " +
        std::string(burst) + ") -> out :: TestSink;");
    test.send("b", {{11}, {12}});
    test.send("a", {{1}, {2}, {3}, {4}});
    test.run();
    EXPECT_EQ(bytes_at(test, "out"), (std::vector<Bytes>{{1}, {2}, {3}, {4}, {11}, {12}}));
  }
}

}  // namespace
}  // namespace headroom::test
