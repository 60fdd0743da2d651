#include "../element_test.hh"

namespace headroom::test {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// The packets' times, as nanoseconds since the first.
std::vector<int64_t> times_at(TestRouter& test, std::string_view sink) {
  std::vector<int64_t> times;
  for (const auto& seen : test.sink(sink).packets)
    times.push_back(seen.annotations.timestamp -
                    test.sink(sink).packets.front().annotations.timestamp);
  return times;
}

// Looking at the simulated clock takes a nanosecond; nothing else does.
void expect_spaced(const std::vector<int64_t>& times, double period) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double due = static_cast<double>(i) * period;
    EXPECT_GE(static_cast<double>(times[i]), due - 5) << i;
    EXPECT_LE(static_cast<double>(times[i]), due + 1000) << i;
  }
}

TEST(RatedSource, MakesPacketsAtItsRate) {
  for (const uint32_t rate : {1u, 10u, 300u, 1000u, 1'000'000u}) {
    SCOPED_TRACE(rate);
    TestRouter test("s :: RatedSource(RATE " + std::to_string(rate) +
                    ", LIMIT 500) -> out :: TestSink;");
    test.run();
    const auto times = times_at(test, "out");
    ASSERT_EQ(times.size(), 500u);
    expect_spaced(times, 1e9 / rate);
    EXPECT_EQ(test.read("s.count"), "500");
  }
}

TEST(RatedSource, PulledAtItsRate) {
  TestRouter test(
      "s :: RatedSource(DATA \\<0102>, RATE 1000, LIMIT 100) -> u :: Unqueue(BURST 64)"
      "-> out :: TestSink;");
  test.run();
  EXPECT_EQ(bytes_at(test, "out"), std::vector<Bytes>(100, Bytes{1, 2}));
  expect_spaced(times_at(test, "out"), 1e6);
  EXPECT_EQ(test.read("s.count"), "100");
}

TEST(RatedSource, CatchesUpWithAHundredthOfASecond) {
  for (const uint32_t rate : {5u, 1000u}) {
    TestRouter test("RatedSource(RATE " + std::to_string(rate) +
                    ", LIMIT 1000) -> out :: TestSink;");
    test.scheduler->run_round();
    ASSERT_EQ(test.sink("out").packets.size(), 1u);
    test.clock.jump_to(test.clock.now() + 100 * kSecond);
    test.scheduler->run_round();
    test.scheduler->run_round();
    EXPECT_EQ(test.sink("out").packets.size(), 1 + std::max(2u, rate / 100));
  }
}

TEST(RatedSource, RateChangesWhileItRuns) {
  TestRouter test("s :: RatedSource(RATE 10, LIMIT 30) -> out :: TestSink;");
  while (test.sink("out").packets.size() < 10) test.run(1);
  test.write("s.rate", "1000");
  EXPECT_EQ(test.read("s.rate"), "1000");
  test.run();
  const auto times = times_at(test, "out");
  ASSERT_EQ(times.size(), 30u);
  expect_spaced(std::vector<int64_t>(times.begin(), times.begin() + 10), 1e8);
  EXPECT_NEAR(static_cast<double>(times[29] - times[9]), 20e6, 1e4);
}

TEST(RatedSource, NothingAtRateZero) {
  TestRouter test("s :: RatedSource(RATE 0) -> out :: TestSink;");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 1u);  // the token it begins with
  test.write("s.limit", "3");
  test.write("s.rate", "100");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 3u);
}

TEST(RatedSource, ActiveAndReset) {
  TestRouter test("s :: RatedSource(RATE 100, LIMIT 5, ACTIVE false) -> out :: TestSink;");
  test.run();
  EXPECT_EQ(test.read("s.count"), "0");
  test.write("s.active", "true");
  test.run();
  EXPECT_EQ(test.read("s.count"), "5");
  test.write("s.reset", "");
  test.run();
  EXPECT_EQ(test.read("s.count"), "5");
  EXPECT_EQ(test.sink("out").packets.size(), 10u);
  test.write("s.limit", "6");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 11u);
}

TEST(RatedSource, DataAndLength) {
  TestRouter test("s :: RatedSource(ab, 10, 1, LENGTH 5) -> out :: TestSink;");
  test.run();
  test.write("s.data", "xyz");
  test.write("s.reset", "");
  test.run();
  test.write("s.length", "-1");
  test.write("s.reset", "");
  test.run();
  EXPECT_EQ(
      bytes_at(test, "out"),
      (std::vector<Bytes>{{'a', 'b', 'a', 'b', 'a'}, {'x', 'y', 'z', 'x', 'y'}, {'x', 'y', 'z'}}));
  std::string error;
  EXPECT_FALSE(test.router->write_handler("s.length", "70000", error));
  EXPECT_EQ(error, "LENGTH: out of range, bound 65535");
  EXPECT_EQ(test.read("s.length"), "-1");
}

TEST(RatedSource, StopsTheRouterOnlyWhenAsked) {
  TestRouter stops("RatedSource(LIMIT 3, STOP true) -> out :: TestSink; RatedSource -> Discard;");
  stops.run();
  EXPECT_TRUE(stops.router->wants_stop());
  EXPECT_EQ(stops.sink("out").packets.size(), 3u);
  TestRouter goes_on("RatedSource(LIMIT 3) -> out :: TestSink;");
  goes_on.run();
  EXPECT_FALSE(goes_on.router->wants_stop());
}

TEST(RatedSource, AnEmptyPoolIsCounted) {
  TestRouter test("s :: RatedSource(RATE 1000000, LIMIT 10) -> Queue -> Idle;", {.packets = 7});
  test.run();
  EXPECT_EQ(test.dropped("s", "no-buffer"), 3u);
}

TEST(RatedSource, BadConfigurations) {
  const std::string context = "config:1: While configuring 's :: RatedSource':\n  ";
  EXPECT_EQ(errors_of("s :: RatedSource(x, -1) -> Idle;"),
            context + "RATE: out of range, bound 0\n");
  EXPECT_EQ(errors_of("s :: RatedSource(LENGTH 65536) -> Idle;"),
            context + "LENGTH: out of range, bound 65535\n");
  EXPECT_EQ(errors_of("s :: RatedSource(\"\", LENGTH 3) -> Idle;"), context + "DATA: empty\n");
}

}  // namespace
}  // namespace headroom::test
