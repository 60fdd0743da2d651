#include "../element_test.hh"

namespace headroom::test {
namespace {

constexpr const char* kConfig =
    "in :: TestSource -> q :: Queue(2000) -> u :: Unqueue%s -> out :: TestSink;";

std::string config(const std::string& arguments) {
  std::string text(kConfig);
  return text.replace(text.find("%s"), 2, arguments);
}

TEST(Unqueue, MovesEverythingInOrderAndSleeps) {
  for (const char* arguments :
       {"", "(BURST 3)", "(64)", "(BURST 256)", "(BURST 1000)", "(BURST -1)", "(0)"}) {
    SCOPED_TRACE(arguments);
    TestRouter test(config(arguments));
    std::vector<Bytes> packets;
    for (int i = 0; i < 600; ++i)
      packets.push_back({static_cast<uint8_t>(i >> 8), static_cast<uint8_t>(i)});
    test.send("in", packets);
    test.run();
    EXPECT_EQ(bytes_at(test, "out"), packets);
    EXPECT_EQ(test.read("u.count"), "600");
    EXPECT_EQ(test.read("u.scheduled"), "false");
    test.send("in", {packets[0]});  // wakes it
    EXPECT_EQ(test.read("u.scheduled"), "true");
    test.run();
    EXPECT_EQ(test.read("u.count"), "601");
  }
}

TEST(Unqueue, TakesBurstPacketsEachTime) {
  TestRouter test(config("(BURST 3)"));
  test.send("in", std::vector<Bytes>(8, Bytes{1}));
  test.scheduler->run_round();
  EXPECT_EQ(test.read("u.count"), "3");
  test.write("u.burst", "4");
  EXPECT_EQ(test.read("u.burst"), "4");
  test.scheduler->run_round();
  EXPECT_EQ(test.read("u.count"), "7");
  test.run();
  EXPECT_EQ(test.sink("out").batches, (std::vector<uint32_t>{3, 4, 1}));
}

TEST(Unqueue, StopsAtItsLimit) {
  TestRouter test(config("(BURST 4, LIMIT 10)"));
  test.send("in", std::vector<Bytes>(25, Bytes{1}));
  test.run();
  EXPECT_EQ(test.read("u.count"), "10");
  EXPECT_EQ(test.read("u.scheduled"), "false");
  test.write("u.reset", "");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 20u);
  test.write("u.limit", "-1");
  EXPECT_EQ(test.read("u.limit"), "-1");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 25u);
}

TEST(Unqueue, IsActiveOrNot) {
  TestRouter test(config("(ACTIVE false)"));
  test.send("in", std::vector<Bytes>(5, Bytes{1}));
  test.run();
  EXPECT_EQ(test.read("u.count"), "0");
  EXPECT_EQ(test.read("u.active"), "false");
  test.write("u.active", "true");
  test.run();
  EXPECT_EQ(test.read("u.count"), "5");
  test.write("u.active", "false");
  test.send("in", std::vector<Bytes>(5, Bytes{1}));
  test.run();
  EXPECT_EQ(test.read("u.count"), "5");
}

TEST(Unqueue, GoesOnWhenAllThatItPulledWasDroppedOnTheWay) {
  TestRouter test("in :: TestSource -> Queue -> Strip(2) -> u :: Unqueue -> out :: TestSink;");
  std::vector<Bytes> packets(100, Bytes{1});
  packets.push_back({1, 2, 3});
  test.send("in", packets);
  test.run();
  EXPECT_EQ(bytes_at(test, "out"), (std::vector<Bytes>{{3}}));
}

TEST(Unqueue, AnEndlessSourceDoesNotKeepTheWorker) {
  TestRouter test("InfiniteSource(\\<00>) -> u :: Unqueue(BURST -1) -> Discard;");
  test.scheduler->run_round();
  EXPECT_EQ(test.read("u.count"), "65536");
}

TEST(Unqueue, BadConfigurations) {
  EXPECT_EQ(errors_of("Idle -> Unqueue(BURST x) -> Idle;"),
            "config:1: While configuring 'Unqueue@2 :: Unqueue':\n  BURST: parse error\n");
  EXPECT_EQ(errors_of("Idle -> Unqueue(LIMIT 1, LIMT 2) -> Idle;"),
            "config:1: While configuring 'Unqueue@2 :: Unqueue':\n  LIMT: unknown argument\n");
  TestRouter test(config(""));
  std::string error;
  EXPECT_FALSE(test.router->write_handler("u.burst", "many", error));
  EXPECT_FALSE(test.router->write_handler("u.active", "perhaps", error));
  EXPECT_EQ(test.read("u.burst"), "1");
}

}  // namespace
}  // namespace headroom::test
