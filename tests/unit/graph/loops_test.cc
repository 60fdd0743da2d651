// Graphs with cycles: every packet is accounted for, and no element is twice on the stack.
#include "graph_elements.hh"
#include "headroom/click/reader.hh"

namespace headroom::test {
namespace {

// Sends packets around as often as their counter says: output 0 while it is above zero, then
// output 1. Byte 44 of the annotations counts down.
class Turn final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "Turn", .ports = "-/2", .processing = "h/h"};
  static constexpr uint32_t kCounter = 44;

  void push(uint32_t, PacketBatch& batch) override {
    EXPECT_FALSE(inside_) << name() << " is twice on the stack";
    inside_ = true;
    PacketBatch around, out;
    for (uint32_t i = 0; i < batch.size(); ++i) {
      Packet& packet = batch[i];
      const uint32_t left = packet.anno_u32(kCounter);
      if (left != 0) packet.set_anno_u32(kCounter, left - 1);
      (left != 0 ? around : out).push_back(packet);
    }
    batch.release();
    output(0).push(around);
    output(1).push(out);
    inside_ = false;
  }

 private:
  bool inside_ = false;
};
HEADROOM_ELEMENT(Turn);

// Passes packets on, and notices when it is entered again meanwhile.
class NoReentry final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "NoReentry", .processing = "h/h"};
  void push(uint32_t, PacketBatch& batch) override {
    EXPECT_FALSE(inside_) << name() << " is twice on the stack";
    inside_ = true;
    output(0).push(batch);
    inside_ = false;
  }

 private:
  bool inside_ = false;
};
HEADROOM_ELEMENT(NoReentry);

constexpr uint32_t kForever = UINT32_MAX;

void send_rounds(TestRouter& test, const std::vector<uint32_t>& rounds, uint32_t batch = 64) {
  std::vector<Packet*> packets;
  for (const uint32_t count : rounds) {
    Packet* packet = Packet::make(*test.pool, Bytes(60));
    ASSERT_NE(packet, nullptr);
    packet->set_anno_u32(Turn::kCounter, count);
    packets.push_back(packet);
  }
  test.send_packets("in", packets, batch);
}

TEST(LoopTest, SixtyFourThousandPacketsThroughALoop) {
  for (const uint32_t batch : {1u, 64u, 256u}) {
    TestRouter test(
        "in :: TestSource -> t :: Turn -> a :: NoReentry -> b :: NoReentry -> t;"
        "t[1] -> count :: Counter -> Discard");
    EXPECT_EQ(test.router->deferred_connections(), 1u);
    uint64_t sent = 0;
    for (; sent < 64'000; sent += 640) {
      std::vector<uint32_t> rounds;
      for (uint32_t i = 0; i < 640; ++i) rounds.push_back(i % 7);
      send_rounds(test, rounds, batch);
    }
    EXPECT_EQ(test.read("count.count"), "64000");
    EXPECT_EQ(test.pool->in_use(), 0u);
    EXPECT_EQ(test.router->ledger().in_transit, 0u);
  }
}

TEST(LoopTest, PacketsOfOneLapKeepTheirOrder) {
  TestRouter test("in :: TestSource -> t :: Turn -> t; t[1] -> out :: TestSink");
  std::vector<Packet*> packets;
  for (uint32_t i = 0; i < 1000; ++i) {
    packets.push_back(Packet::make(*test.pool, order(0, i)));
    packets.back()->set_anno_u32(Turn::kCounter, 5);
  }
  test.send_packets("in", packets, 64);
  ASSERT_EQ(test.sink("out").packets.size(), 1000u);
  for (uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(number_of(test.sink("out").packets[i].bytes), i);
}

TEST(LoopTest, TwoInterlockingLoops) {
  // t goes back to itself by way of a; u, behind t, goes back to t and to itself.
  TestRouter test(
      "in :: TestSource -> t :: Turn -> a :: NoReentry -> t;"
      "t[1] -> b :: NoReentry -> s :: TestSwitch; s[0] -> out :: TestSink;"
      "s[1] -> c :: NoReentry -> t; s[2] -> d :: NoReentry -> b");
  std::vector<uint32_t> rounds;
  for (uint32_t i = 0; i < 500; ++i) rounds.push_back(i % 50);
  send_rounds(test, rounds);
  EXPECT_EQ(test.sink("out").packets.size(), 500u);
  EXPECT_GE(test.router->deferred_connections(), 3u);
}

TEST(LoopTest, ASelfLoop) {
  TestRouter test("in :: TestSource -> t :: Turn -> t; t[1] -> out :: TestSink");
  send_rounds(test, {0, 1, 2, 1000, 5000});
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 5u);
}

TEST(LoopTest, ALoopThatNothingEnters) {
  TestRouter test("a :: Null -> b :: Null -> a; in :: TestSource -> out :: TestSink");
  EXPECT_EQ(test.router->deferred_connections(), 1u);
}

TEST(LoopTest, AnEndlessLoopStopsNeitherTheRoundNorTheLedger) {
  TestRouter test(
      "in :: TestSource -> t :: Turn -> a :: NoReentry -> t; t[1] -> Discard;"
      "InfiniteSource(LIMIT 1000) -> d :: Discard");
  std::vector<Packet*> packets;
  for (int i = 0; i < 300; ++i) {
    packets.push_back(Packet::make(*test.pool, Bytes(60)));
    packets.back()->set_anno_u32(Turn::kCounter, kForever);
  }
  test.router->find_as<TestSource>("in")->emit(packets, 64);
  for (int i = 0; i < 2000; ++i) test.scheduler->run_round();
  EXPECT_EQ(test.read("d.count"), "1000");  // others get their turn
  const Ledger ledger = test.router->ledger();
  EXPECT_TRUE(ledger.balanced()) << ledger.complaint();
  EXPECT_EQ(ledger.in_transit, 300u);
  EXPECT_EQ(ledger.entries.at(test.router->find("t")->index()).held +
                ledger.entries.at(test.router->find("a")->index()).held,
            300u);
  EXPECT_EQ(test.pool->in_use(), 300u);
  // The destructor ends router and scheduler with the packets still circling: they come home.
}

TEST(LoopTest, ARouterThatEndsTakesItsParkedPacketsAlong) {
  // The scheduler outlives the router, as it does when a graph is replaced.
  const std::string config = "in :: TestSource -> t :: Turn -> t; t[1] -> out :: TestSink";
  TestRouter test(config);
  std::vector<Packet*> packets;
  for (int i = 0; i < 100; ++i) {
    packets.push_back(Packet::make(*test.pool, Bytes(60)));
    packets.back()->set_anno_u32(Turn::kCounter, kForever);
  }
  test.router->find_as<TestSource>("in")->emit(packets, 64);
  EXPECT_EQ(test.scheduler->in_transit(), 100u);
  test.router.reset();
  EXPECT_EQ(test.scheduler->in_transit(), 0u);
  EXPECT_EQ(test.pool->in_use(), 0u);
  EXPECT_FALSE(test.scheduler->run_round());
}

TEST(LoopTest, OnlyTheEndingRoutersPackets) {
  TestRouter test("in :: TestSource -> t :: Turn -> t; t[1] -> out :: TestSink");
  const click::FlatGraph graph =
      click::read(test.diagnostics.sources().add(
                      "other", "in :: TestSource -> t :: Turn -> t; t[1] -> Discard"),
                  Registry::instance(), test.diagnostics);
  auto other = Router::build(graph, nullptr, test.diagnostics);
  ASSERT_NE(other, nullptr);
  ASSERT_TRUE(other->initialize({.scheduler = test.scheduler.get(), .pool = test.pool.get()},
                                nullptr, test.diagnostics));
  for (Router* router : {other.get(), test.router.get(), other.get()}) {
    Packet* packet = Packet::make(*test.pool, Bytes(60));
    packet->set_anno_u32(Turn::kCounter, 100);
    router->find_as<TestSource>("in")->emit({packet});
  }
  other.reset();
  EXPECT_EQ(test.scheduler->in_transit(), 1u);
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 1u);
}

TEST(LoopTest, ASchedulerThatEndsBeforeItsRouter) {
  TestRouter test("in :: TestSource -> t :: Turn -> t; t[1] -> Queue -> Discard");
  test.router->find_as<TestSource>("in")->emit({Packet::make(*test.pool, Bytes(60))});
  Packet* packet = Packet::make(*test.pool, Bytes(60));
  packet->set_anno_u32(Turn::kCounter, kForever);
  test.router->find_as<TestSource>("in")->emit({packet});
  test.scheduler.reset();
  test.router.reset();
  EXPECT_EQ(test.pool->in_use(), 0u);
}

}  // namespace
}  // namespace headroom::test
