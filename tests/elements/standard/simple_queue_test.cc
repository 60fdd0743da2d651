#include "../element_test.hh"

namespace headroom::test {
namespace {

std::vector<Bytes> some(std::size_t count) {
  std::vector<Bytes> packets;
  for (std::size_t i = 0; i < count; ++i) packets.push_back({static_cast<uint8_t>(i)});
  return packets;
}

// Both kinds; an Unqueue that is switched off, so that the queue is looked at in between.
void for_both(const std::function<void(TestRouter&)>& f) {
  for (const char* kind : {"SimpleQueue", "Queue"}) {
    SCOPED_TRACE(kind);
    TestRouter test("in :: TestSource -> q :: " + std::string(kind) +
                    "(10) -> u :: Unqueue(ACTIVE false) -> out :: TestSink;");
    f(test);
  }
}

void pull_all(TestRouter& test) {
  test.write("u.active", "true");
  test.run(100);
  test.write("u.active", "false");
  test.run(1);
}

TEST(SimpleQueue, KeepsOrderAndDropsWhatDoesNotFit) {
  for_both([](TestRouter& test) {
    for (int round = 0; round < 3; ++round) {
      test.send("in", some(7), 3);
      test.send("in", some(6), 4);
      EXPECT_EQ(test.read("q.length"), "10");
      pull_all(test);
      auto expected = some(7);
      for (const Bytes& one : some(3)) expected.push_back(one);
      EXPECT_EQ(bytes_at(test, "out"), expected);
      test.sink("out").clear();
    }
    EXPECT_EQ(test.dropped("q", "queue-full"), 9u);
    EXPECT_EQ(test.read("q.drops"), "9");
    EXPECT_EQ(test.read("q.highwater_length"), "10");
    test.write("q.reset_counts", "");
    EXPECT_EQ(test.read("q.highwater_length"), "0");
  });
}

TEST(SimpleQueue, CapacityChangesWhileItRuns) {
  for_both([](TestRouter& test) {
    test.send("in", some(8));
    test.write("q.capacity", "5");
    EXPECT_EQ(test.read("q.capacity"), "5");
    EXPECT_EQ(test.dropped("q", "flushed"), 3u);
    test.send("in", some(1));
    EXPECT_EQ(test.dropped("q", "queue-full"), 1u);
    test.write("q.capacity", "7");
    test.send("in", some(3));
    pull_all(test);
    auto expected = some(5);
    for (const Bytes& one : some(2)) expected.push_back(one);
    EXPECT_EQ(bytes_at(test, "out"), expected);
    test.write("q.capacity", "0");
    test.send("in", some(2));
    EXPECT_EQ(test.read("q.length"), "0");
    EXPECT_EQ(test.dropped("q", "queue-full"), 4u);
    std::string error;
    EXPECT_FALSE(test.router->write_handler("q.capacity", "many", error));
  });
}

TEST(SimpleQueue, ResetDropsAll) {
  for_both([](TestRouter& test) {
    test.send("in", some(8));
    test.write("q.reset", "");
    EXPECT_EQ(test.read("q.length"), "0");
    EXPECT_EQ(test.dropped("q", "flushed"), 8u);
    test.send("in", some(2));
    pull_all(test);
    EXPECT_EQ(bytes_at(test, "out"), some(2));
  });
}

TEST(Queue, SourcesGoOnWhenAHandlerMadeRoom) {
  for (const char* handler : {"q.reset", "q.capacity"}) {
    TestRouter test("s :: InfiniteSource(LIMIT 20) -> q :: Queue(5) -> Idle;");
    test.run(50);
    EXPECT_EQ(test.read("s.count"), "5");
    test.write(handler, "6");
    test.run(50);
    EXPECT_EQ(test.read("s.count"), std::string(handler) == "q.reset" ? "10" : "6");
  }
}

TEST(SimpleQueue, TellsNobody) {
  TestRouter test("in :: TestSource -> SimpleQueue -> u :: Unqueue -> out :: TestSink;");
  test.run(10);
  EXPECT_TRUE(test.scheduler->has_scheduled_tasks());  // it polls
  test.send("in", some(3));
  test.run(10);
  EXPECT_EQ(bytes_at(test, "out"), some(3));
}

}  // namespace
}  // namespace headroom::test
