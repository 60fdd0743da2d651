// Notifiers: sources stop at full queues, pullers at empty ones, and both go on.
#include "graph_elements.hh"

namespace headroom::test {
namespace {

// Stores packets as a Queue does, but tells nobody: who asks must poll.
class MuteQueue final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "MuteQueue", .processing = "h/l"};
  ~MuteQueue() override {
    for (Packet* packet : packets_) packet->kill();
  }
  void push(uint32_t, PacketBatch& batch) override {
    for (uint32_t i = 0; i < batch.size(); ++i) packets_.push_back(&batch[i]);
    batch.release();
  }
  void pull(uint32_t, PacketBatch& batch, uint32_t limit) override {
    for (; limit > 0 && !packets_.empty(); --limit) {
      batch.push_back(*packets_.front());
      packets_.erase(packets_.begin());
    }
  }
  uint64_t held() const override { return packets_.size(); }

 private:
  std::vector<Packet*> packets_;
};
HEADROOM_ELEMENT(MuteQueue);

// Pulls its inputs in turn, for a pull element with several.
class PullEither final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "PullEither", .ports = "1-/1", .processing = "l/l"};
  void pull(uint32_t, PacketBatch& batch, uint32_t limit) override {
    for (uint32_t port = 0; port < ninputs() && batch.empty(); ++port)
      input(port).pull(batch, limit);
  }
};
HEADROOM_ELEMENT(PullEither);

bool scheduled(TestRouter& test, const std::string& element) {
  return test.read(element + ".scheduled") == "true";
}

void rounds(TestRouter& test, int count) {
  for (int i = 0; i < count; ++i) test.scheduler->run_round();
}

TEST(NotifierTest, ASourceStopsAtAFullQueueAndGoesOn) {
  TestRouter test(
      "s :: InfiniteSource -> Null -> q :: Queue(10) -> p :: TestPuller -> out :: TestSink");
  rounds(test, 50);
  EXPECT_FALSE(scheduled(test, "s"));
  EXPECT_EQ(test.read("q.length"), "10");
  EXPECT_EQ(test.read("q.drops"), "0");
  EXPECT_EQ(test.read("s.count"), "10");
  EXPECT_EQ(test.router->find_as<TestPuller>("p")->pull_now(4), 4u);
  EXPECT_TRUE(scheduled(test, "s"));
  rounds(test, 50);
  EXPECT_EQ(test.read("q.length"), "10");
  EXPECT_EQ(test.read("s.count"), "14");
  EXPECT_FALSE(scheduled(test, "s"));
}

TEST(NotifierTest, APullerSleepsAtAnEmptyQueueAndWakes) {
  TestRouter test("in :: TestSource -> q :: Queue -> Null -> u :: Unqueue -> out :: TestSink");
  EXPECT_TRUE(scheduled(test, "u"));
  rounds(test, 3);
  EXPECT_FALSE(scheduled(test, "u"));
  EXPECT_FALSE(test.scheduler->has_scheduled_tasks());
  test.send("in", {Bytes(60), Bytes(60), Bytes(60)});
  EXPECT_TRUE(scheduled(test, "u"));
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 3u);
  EXPECT_FALSE(scheduled(test, "u"));
}

TEST(NotifierTest, ADiscardThatPullsSleepsToo) {
  TestRouter test("in :: TestSource -> Queue -> d :: Discard");
  rounds(test, 2);
  EXPECT_FALSE(scheduled(test, "d"));
  test.send("in", {Bytes(60)});
  test.run();
  EXPECT_EQ(test.read("d.count"), "1");
}

TEST(NotifierTest, AnyOfSeveralQueuesWakes) {
  TestRouter test(
      "a :: TestSource -> Queue -> [0] e :: PullEither -> u :: Unqueue -> out :: TestSink;"
      "b :: TestSource -> Queue -> [1] e");
  rounds(test, 3);
  EXPECT_FALSE(scheduled(test, "u"));
  test.send("b", {Bytes(60)});
  EXPECT_TRUE(scheduled(test, "u"));
  test.run();
  test.send("a", {Bytes(60), Bytes(60)});
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 3u);
  EXPECT_FALSE(scheduled(test, "u"));
}

TEST(NotifierTest, WithoutANotifierOnThePathOneMustPoll) {
  TestRouter test(
      "a :: TestSource -> Queue -> [0] e :: PullEither -> u :: Unqueue -> out :: TestSink;"
      "b :: TestSource -> MuteQueue -> [1] e");
  rounds(test, 20);
  EXPECT_TRUE(scheduled(test, "u"));
  test.send("b", {Bytes(60)});
  rounds(test, 2);
  EXPECT_EQ(test.sink("out").packets.size(), 1u);
}

TEST(NotifierTest, AQueueBehindAMuteOneIsNotTheSourcesBusiness) {
  // The source pushes into the MuteQueue, which always has room: the full Queue behind the Unqueue
  // must not stop it, nor its fill level wake it.
  TestRouter test(
      "s :: InfiniteSource(LIMIT 50) -> MuteQueue -> u :: Unqueue -> q :: Queue(5)"
      "-> p :: TestPuller -> TestSink");
  rounds(test, 200);
  EXPECT_EQ(test.read("s.count"), "50");
}

TEST(NotifierTest, TwoQueuesInARow) {
  TestRouter test(
      "s :: InfiniteSource(LIMIT 1000, BURST 3) -> Queue(10) -> Unqueue -> Queue(7) -> Unqueue(4)"
      "-> c :: Counter -> Discard");
  test.run();
  const uint64_t got = std::stoull(test.read("c.count"));
  uint64_t dropped = 0;
  for (const LedgerDrop& drop : test.router->ledger().drops) dropped += drop.packets;
  EXPECT_EQ(got + dropped, 1000u);
  EXPECT_FALSE(test.scheduler->has_scheduled_tasks());
}

TEST(NotifierTest, ASourceWithSeveralQueuesStopsWhenAllAreFull) {
  TestRouter test(
      "s :: InfiniteSource -> t :: Tee; t[0] -> a :: Queue(5) -> p :: TestPuller -> TestSink;"
      "t[1] -> b :: Queue(9) -> r :: TestPuller -> TestSink");
  rounds(test, 50);
  EXPECT_FALSE(scheduled(test, "s"));
  EXPECT_EQ(test.read("a.length"), "5");
  EXPECT_EQ(test.read("b.length"), "9");
  EXPECT_EQ(test.read("a.drops"), "4");
}

}  // namespace
}  // namespace headroom::test
