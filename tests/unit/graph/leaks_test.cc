// Elements that lose packets: nothing disappears quietly, and the culprit is named.
#include "graph_elements.hh"

namespace headroom::test {
namespace {

// Leaves its batch as it is.
class Forgetful final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "Forgetful", .processing = "h/h"};
};
HEADROOM_ELEMENT(Forgetful);

// Passes on all but the first packet, which it leaves in the batch.
class Careless final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "Careless", .processing = "h/h"};
  void push(uint32_t, PacketBatch& batch) override {
    PacketBatch others;
    for (uint32_t i = 1; i < batch.size(); ++i) others.push_back(batch[i]);
    batch.set_size(1);
    output(0).push(others);
  }
};
HEADROOM_ELEMENT(Careless);

// Frees packets behind the ledger's back.
class Killer final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "Killer", .processing = "h/h"};
  void push(uint32_t, PacketBatch& batch) override { batch.kill(); }
};
HEADROOM_ELEMENT(Killer);

// Makes packets behind the ledger's back.
class Forger final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "Forger", .processing = "h/h"};
  void push(uint32_t, PacketBatch& batch) override {
    batch.push_back(*Packet::make(pool(), 60));
    output(0).push(batch);
  }
};
HEADROOM_ELEMENT(Forger);

const std::vector<Bytes> kFive(5, Bytes(60));
constexpr TestRouter::Options kUnbalanced{.packets = 255, .expect_balanced = false};

#ifdef NDEBUG
TEST(LeakTest, AForgottenBatchIsCountedAndFreed) {
  const uint64_t before = PacketBatch::leaked();
  TestRouter test("in :: TestSource -> f :: Forgetful -> out :: TestSink", kUnbalanced);
  test.send("in", kFive);
  EXPECT_EQ(PacketBatch::leaked(), before + 5);
  EXPECT_EQ(test.pool->in_use(), 0u);
  const Ledger ledger = test.router->ledger();
  EXPECT_FALSE(ledger.balanced());
  EXPECT_THAT(ledger.complaint(), testing::StartsWith("'f :: Forgetful' lost 5 packets\n"));
  EXPECT_EQ(ledger.leaked, 5u);
}

TEST(LeakTest, OnePacketOfABatch) {
  TestRouter test("in :: TestSource -> c :: Careless -> out :: TestSink", kUnbalanced);
  test.send("in", kFive);
  EXPECT_EQ(test.sink("out").packets.size(), 4u);
  EXPECT_THAT(test.router->ledger().complaint(),
              testing::StartsWith("'c :: Careless' lost 1 packets\n"));
}

TEST(LeakTest, FromTheInboxToo) {
  TestRouter test(
      "in :: TestSource -> s :: TestSwitch -> f :: Forgetful -> s;"
      "s[1] -> out :: TestSink",
      kUnbalanced);
  ASSERT_EQ(test.router->deferred_connections(), 1u);
  test.send("in", {order(0), order(1), order(0)});
  EXPECT_EQ(test.sink("out").packets.size(), 1u);
  EXPECT_THAT(test.router->ledger().complaint(), testing::HasSubstr("'f :: Forgetful' lost 2"));
}

TEST(LeakTest, ARouterIsNotBlamedForWhatOthersLost) {
  {
    PacketBatch batch;
    std::string error;
    auto pool = Pool::create({.name = "blame", .packets = 15, .cache = 0}, error);
    batch.push_back(*Packet::make(*pool, 60));
    batch.leak();
  }
  TestRouter test("in :: TestSource -> out :: TestSink");
  test.send("in", kFive);
  EXPECT_EQ(test.router->ledger().leaked, 0u);
}
#else
TEST(LeakTest, AForgottenBatchAbortsWithItsName) {
  EXPECT_DEATH(
      {
        TestRouter test("in :: TestSource -> f :: Forgetful -> out :: TestSink", kUnbalanced);
        test.send("in", kFive);
      },
      "headroom: 5 packets leaked by f");
  EXPECT_DEATH(
      {
        TestRouter test("in :: TestSource -> c :: Careless -> out :: TestSink", kUnbalanced);
        test.send("in", kFive);
      },
      "headroom: 1 packets leaked by c");
}
#endif

TEST(LeakTest, FreedWithoutAccounting) {
  TestRouter test("in :: TestSource -> k :: Killer -> out :: TestSink", kUnbalanced);
  test.send("in", kFive);
  const Ledger ledger = test.router->ledger();
  EXPECT_FALSE(ledger.balanced());
  EXPECT_EQ(ledger.complaint(), "'k :: Killer' lost 5 packets\n");
  EXPECT_EQ(ledger.total().unaccounted(), 5);
}

TEST(LeakTest, MadeWithoutAccounting) {
  TestRouter test("in :: TestSource -> f :: Forger -> out :: TestSink", kUnbalanced);
  test.send("in", kFive, 1);
  EXPECT_EQ(test.router->ledger().complaint(), "'f :: Forger' has 5 too many packets\n");
}

TEST(LeakTest, TheLedgerFollowsPacketsThroughEverything) {
  TestRouter test(
      "in :: TestSource -> s :: TestSwitch; s[0] -> Queue(10) -> u :: Unqueue -> Null -> s;"
      "s[1] -> t :: Tee; t[0] -> out :: TestSink; t[1] -> Queue -> Counter -> d :: Discard;"
      "s[3] -> Idle");
  std::vector<Bytes> packets;
  const uint8_t cycle[] = {0, 1, 2, 3, kHold, kDropBad, kFarPort};
  for (uint32_t i = 0; i < 700; ++i) packets.push_back(order(cycle[i % 7], i));
  test.send("in", packets, 64);
  for (int i = 0; i < 100; ++i) {
    test.scheduler->run_round();
    const Ledger ledger = test.router->ledger();
    ASSERT_TRUE(ledger.balanced()) << ledger.complaint();
  }
  EXPECT_EQ(test.sink("out").packets.size(), 100u);
  EXPECT_EQ(test.read("d.count"), "100");
  const LedgerEntry total = test.router->ledger().total();
  EXPECT_EQ(total.created, 800u);  // 700 by the source, 100 by the Tee
  EXPECT_EQ(total.held, 100u + 10u);
}

}  // namespace
}  // namespace headroom::test
