#include "../element_test.hh"

namespace headroom::test {
namespace {

Bytes text(std::string_view bytes) { return {bytes.begin(), bytes.end()}; }

TEST(InfiniteSource, MakesLimitPacketsOfItsData) {
  TestRouter test("s :: InfiniteSource(DATA \\<01 02 03>, LIMIT 5, BURST 2) -> out :: TestSink");
  test.run();
  EXPECT_EQ(bytes_at(test, "out"), std::vector<Bytes>(5, Bytes{1, 2, 3}));
  EXPECT_EQ(test.sink("out").batches, (std::vector<uint32_t>{2, 2, 1}));
  EXPECT_EQ(test.read("s.count"), "5");
  test.write("s.reset", "");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 10u);
}

TEST(InfiniteSource, LengthCutsOrRepeats) {
  TestRouter test(
      "InfiniteSource(abc, LIMIT 1, LENGTH 7) -> longer :: TestSink;"
      "InfiniteSource(abc, LIMIT 1, LENGTH 2) -> shorter :: TestSink;"
      "InfiniteSource(abc, LIMIT 1, LENGTH 0) -> none :: TestSink");
  test.run();
  EXPECT_EQ(bytes_at(test, "longer"), std::vector<Bytes>{text("abcabca")});
  EXPECT_EQ(bytes_at(test, "shorter"), std::vector<Bytes>{text("ab")});
  EXPECT_EQ(bytes_at(test, "none"), std::vector<Bytes>{Bytes{}});
}

TEST(InfiniteSource, CanBePulled) {
  TestRouter test("InfiniteSource(x, LIMIT 9) -> u :: Unqueue(BURST 4) -> out :: TestSink");
  test.run(100);
  EXPECT_EQ(test.sink("out").packets.size(), 9u);
}

TEST(InfiniteSource, StopsTheRouterOneSchedulingLater) {
  TestRouter test("InfiniteSource(x, LIMIT 3, STOP true) -> out :: TestSink");
  for (int i = 0; i < 3; ++i) test.scheduler->run_round();
  EXPECT_EQ(test.sink("out").packets.size(), 3u);
  EXPECT_FALSE(test.router->wants_stop());
  test.scheduler->run_round();
  EXPECT_TRUE(test.router->wants_stop());
}

TEST(InfiniteSource, EndCall) {
  for (const std::string middle : {"", "Unqueue ->"}) {
    TestRouter test("s :: InfiniteSource(x, LIMIT 3, END_CALL c.reset, STOP true) -> " + middle +
                    " c :: Counter -> out :: TestSink");
    test.run(1000);
    EXPECT_TRUE(test.router->wants_stop());
    EXPECT_EQ(test.sink("out").packets.size(), 3u);
    EXPECT_EQ(test.read("c.count"), "0");
  }
}

TEST(InfiniteSource, ChangesWhileItRuns) {
  TestRouter test("s :: InfiniteSource(ab, LIMIT 2) -> out :: TestSink");
  test.run();
  test.write("s.data", "xyz");
  test.write("s.limit", "3");
  test.run();
  test.write("s.length", "1");
  test.write("s.config", "xyz, 6, BURST 3, LENGTH 1");
  test.run();
  EXPECT_EQ(bytes_at(test, "out"), (std::vector<Bytes>{text("ab"), text("ab"), text("xyz"),
                                                       text("x"), text("x"), text("x")}));
  EXPECT_EQ(test.sink("out").batches.back(), 3u);
  std::string error;
  EXPECT_FALSE(test.router->write_handler("s.burst", "0", error));
  EXPECT_EQ(error, "BURST: out of range, 1 to 256");
  EXPECT_EQ(test.read("s.burst"), "3");
  test.write("s.active", "false");
  test.write("s.limit", "-1");
  test.run(10);
  EXPECT_EQ(test.sink("out").packets.size(), 6u);
}

TEST(InfiniteSource, Mistakes) {
  EXPECT_EQ(errors_of("InfiniteSource(BURST 257) -> Discard"),
            "config:1: While configuring 'InfiniteSource@1 :: InfiniteSource':\n"
            "  BURST: out of range, 1 to 256\n");
  EXPECT_THAT(errors_of("InfiniteSource(LENGTH 65536) -> Discard"),
              testing::HasSubstr("LENGTH: out of range, bound 65535"));
  EXPECT_THAT(errors_of("InfiniteSource(\"\", LENGTH 1) -> Discard"),
              testing::HasSubstr("DATA: empty"));
}

}  // namespace
}  // namespace headroom::test
