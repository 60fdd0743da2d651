// PacketElement and what becomes of verdicts: drops first, then ports in ascending order, the order
// kept inside each, nothing lost.
#include <random>

#include "graph_elements.hh"

namespace headroom::test {

HEADROOM_ELEMENT(TestSwitch);
HEADROOM_ELEMENT(TestBatchSwitch);
HEADROOM_ELEMENT(OrderSink);
HEADROOM_ELEMENT(TestPuller);

namespace {

// Says which input a packet came by: process() with a port.
class TestJoin final : public PacketElement<TestJoin> {
 public:
  static constexpr ElementSpec spec{.name = "TestJoin", .ports = "-/-", .processing = "h/h"};
  Verdict process(uint32_t port, Packet&) { return to(port); }
};
HEADROOM_ELEMENT(TestJoin);

using Numbers = std::vector<uint32_t>;

// docs/examples/odd, as it is compiled outside the tree too.
TEST(OddDropTest, TheExampleOfTheGuide) {
  TestRouter test("in :: TestSource -> odd :: OddDrop -> out :: TestSink");
  test.send("in", {Bytes(1), Bytes(2), Bytes(3), Bytes(4), Bytes(64), Bytes(65)});
  EXPECT_EQ(test.sink("out").packets.size(), 3u);
  EXPECT_EQ(test.sink("out").batches, std::vector<uint32_t>{3});  // one batch in, one out
  EXPECT_EQ(test.dropped("odd", "odd-length"), 3u);
  EXPECT_EQ(test.read("odd.drops"), "0\tno-buffer\n0\tunconnected-output\n3\todd-length\n");
}

TEST(OddDropTest, WhenPulled) {
  TestRouter test(
      "in :: TestSource -> Queue -> odd :: OddDrop -> p :: TestPuller -> out :: TestSink");
  test.send("in", {Bytes(1), Bytes(2), Bytes(3), Bytes(4), Bytes(64), Bytes(65)});
  auto* puller = test.router->find_as<TestPuller>("p");
  EXPECT_EQ(puller->pull_now(4), 2u);
  EXPECT_EQ(puller->pull_now(100), 1u);
  EXPECT_EQ(puller->pull_now(100), 0u);
  EXPECT_EQ(test.dropped("odd", "odd-length"), 3u);
}

// The same for both shapes, and for several batch sizes.
struct Way {
  std::string element;
  uint32_t batch;
};

class DispatchTest : public testing::TestWithParam<Way> {
 protected:
  DispatchTest() { OrderSink::clear(); }
  std::string config() const {
    return "in :: TestSource -> s :: " + GetParam().element +
           "; s[0] -> a :: OrderSink; s[1] -> b :: OrderSink; s[3] -> c :: OrderSink";
  }
};

TEST_P(DispatchTest, EveryVerdictIsCarriedOut) {
  TestRouter test(config());
  Element* element = test.router->find("s");
  OrderSink::drops_of = element;
  std::vector<Bytes> packets;
  Numbers wanted[4];
  uint64_t bad = 0, worse = 0, unconnected = 0, held = 0;
  std::mt19937 random(7);
  const uint8_t choices[] = {0, 0,     0,        1,          1,        2,      3,
                             4, kHold, kDropBad, kDropWorse, kFarPort, kNoPort};
  for (uint32_t i = 0; i < 1000; ++i) {
    const uint8_t what = choices[random() % std::size(choices)];
    packets.push_back(order(what, i));
    if (what < 4 && what != 2) wanted[what].push_back(i);
    bad += what == kDropBad;
    worse += what == kDropWorse;
    held += what == kHold;
    unconnected += what == 2 || what == 4 || what == kFarPort || what == kNoPort;
  }
  test.send("in", packets, GetParam().batch);
  EXPECT_EQ(OrderSink::numbers("a"), wanted[0]);
  EXPECT_EQ(OrderSink::numbers("b"), wanted[1]);
  EXPECT_EQ(OrderSink::numbers("c"), wanted[3]);
  EXPECT_EQ(test.dropped("s", "bad"), bad);
  EXPECT_EQ(test.dropped("s", "worse"), worse);
  EXPECT_EQ(test.dropped("s", "unconnected-output"), unconnected);
  EXPECT_EQ(element->held(), held);
  const LedgerEntry entry = test.router->ledger().entries.at(element->index());
  EXPECT_EQ(entry.in, 1000u);
  EXPECT_EQ(entry.held, held);
  EXPECT_EQ(entry.unaccounted(), 0);
}

INSTANTIATE_TEST_SUITE_P(Ways, DispatchTest,
                         testing::Values(Way{"TestSwitch", 1}, Way{"TestSwitch", 64},
                                         Way{"TestSwitch", 256}, Way{"TestBatchSwitch", 1},
                                         Way{"TestBatchSwitch", 64}, Way{"TestBatchSwitch", 256}),
                         [](const auto& info) {
                           return info.param.element + std::to_string(info.param.batch);
                         });

class DispatchOrderTest : public testing::TestWithParam<std::string> {
 protected:
  DispatchOrderTest() { OrderSink::clear(); }
  std::string config() const {
    return "in :: TestSource -> s :: " + GetParam() +
           "; s[0] -> a :: OrderSink; s[1] -> b :: OrderSink; s[2] -> c :: OrderSink";
  }
};

TEST_P(DispatchOrderTest, DropsFirstThenAscendingPorts) {
  for (const std::vector<uint8_t>& what : {std::vector<uint8_t>{2, 1, 0, kDropBad},
                                           {kDropBad, 0, 1, 2},
                                           {2, 2, 2, 0, 1, kDropBad},
                                           {1, 1, 1, 2, kDropBad, 0}}) {
    TestRouter test(config());
    OrderSink::clear();
    OrderSink::drops_of = test.router->find("s");
    std::vector<Bytes> packets;
    for (const uint8_t one : what) packets.push_back(order(one));
    // Twice: the second time another port may be the likely one, the order stays.
    for (int round = 0; round < 2; ++round) {
      OrderSink::arrivals.clear();
      OrderSink::drops_before = 0;
      test.send("in", packets);
      EXPECT_EQ(OrderSink::sinks_in_order(), (std::vector<std::string>{"a", "b", "c"}));
      EXPECT_EQ(OrderSink::drops_before, 1u + static_cast<uint64_t>(round));
    }
  }
}

TEST_P(DispatchOrderTest, ChangingMajoritiesKeepTheOrder) {
  TestRouter test(config());
  std::mt19937 random(3);
  Numbers wanted[3];
  uint32_t number = 0;
  for (int round = 0; round < 200; ++round) {
    const uint8_t favourite = static_cast<uint8_t>(round / 7 % 3);
    std::vector<Bytes> packets;
    for (uint32_t i = random() % 300; i > 0; --i) {
      const uint8_t port = random() % 4 != 0 ? favourite : static_cast<uint8_t>(random() % 3);
      wanted[port].push_back(number);
      packets.push_back(order(port, number++));
    }
    test.send("in", packets, 64);
  }
  EXPECT_EQ(OrderSink::numbers("a"), wanted[0]);
  EXPECT_EQ(OrderSink::numbers("b"), wanted[1]);
  EXPECT_EQ(OrderSink::numbers("c"), wanted[2]);
}

TEST_P(DispatchOrderTest, OneWayIsOneBatchWhicheverPortItIs) {
  for (const uint8_t port : {0, 1, 2}) {
    TestRouter test("in :: TestSource -> s :: " + GetParam() +
                    "; s[0] -> a :: TestSink; s[1] -> b :: TestSink; s[2] -> c :: TestSink");
    for (int round = 0; round < 3; ++round) test.send("in", std::vector<Bytes>(100, order(port)));
    TestSink& sink = test.sink(std::string(1, static_cast<char>('a' + port)));
    EXPECT_EQ(sink.batches, (std::vector<uint32_t>{100, 100, 100}));
  }
}

TEST_P(DispatchOrderTest, HeldPacketsAreTheElements) {
  TestRouter test(config());
  test.send("in", {order(kHold), order(kHold), order(0), order(kHold)}, 256);
  EXPECT_EQ(test.router->find("s")->held(), 3u);
  EXPECT_EQ(test.pool->in_use(), 3u);
  EXPECT_EQ(OrderSink::arrivals.size(), 1u);
}

TEST_P(DispatchOrderTest, PulledWithAnOutputBesides) {
  // The port that is pulled gets its packets, the others are pushed or dropped.
  TestRouter test("in :: TestSource -> Queue -> s :: " + GetParam() +
                  "; s[0] -> p :: TestPuller -> a :: OrderSink; s[1] -> b :: OrderSink");
  std::vector<Bytes> packets;
  const uint8_t cycle[] = {0, 1, kDropBad, 2, kHold, kFarPort};
  for (uint32_t i = 0; i < 600; ++i) packets.push_back(order(cycle[i % 6], i));
  test.send("in", packets, 256);
  auto* puller = test.router->find_as<TestPuller>("p");
  uint32_t got = 0;
  for (int i = 0; i < 10; ++i) got += puller->pull_now(64);
  EXPECT_EQ(got, 100u);
  Numbers a, b;
  for (uint32_t i = 0; i < 600; i += 6) a.push_back(i), b.push_back(i + 1);
  EXPECT_EQ(OrderSink::numbers("a"), a);
  EXPECT_EQ(OrderSink::numbers("b"), b);
  EXPECT_EQ(test.dropped("s", "bad"), 100u);
  EXPECT_EQ(test.dropped("s", "unconnected-output"), 200u);
  EXPECT_EQ(test.router->find("s")->held(), 100u);
}

INSTANTIATE_TEST_SUITE_P(Shapes, DispatchOrderTest,
                         testing::Values("TestSwitch", "TestBatchSwitch"));

TEST(JoinTest, ProcessIsToldTheInput) {
  TestRouter test(
      "i :: TestSource -> [0] j :: TestJoin; k :: TestSource -> [2] j;"
      "j[0] -> a :: TestSink; j[2] -> b :: TestSink");
  test.send("i", {Bytes(10), Bytes(10)});
  test.send("k", {Bytes(20)});
  EXPECT_EQ(test.sink("a").packets.size(), 2u);
  EXPECT_EQ(test.sink("b").packets.size(), 1u);
}

}  // namespace
}  // namespace headroom::test
