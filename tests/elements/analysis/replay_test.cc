#include "../element_test.hh"

namespace headroom::test {
namespace {

std::vector<Bytes> three() { return {Bytes{1, 1}, Bytes{2, 2}, Bytes{3, 3}}; }

std::vector<Bytes> repeated(const std::vector<Bytes>& packets, int times) {
  std::vector<Bytes> all;
  for (int i = 0; i < times; ++i) all.insert(all.end(), packets.begin(), packets.end());
  return all;
}

void send(TestRouter& test, const std::vector<Bytes>& packets) {
  std::vector<Packet*> made;
  for (const Bytes& bytes : packets) made.push_back(Packet::make(*test.pool, bytes));
  test.router->find_as<TestSource>("in")->emit(std::move(made), 64);
}

TEST(Replay, SendsWhatItCollectedSoOften) {
  for (const char* clone : {"false", "true"}) {
    for (const char* replay : {"r :: ReplayUnqueue(STOP 4", "r :: Replay(4"}) {
      SCOPED_TRACE(replay);
      const bool pulled = std::string(replay).find("Unqueue") == std::string::npos;
      TestRouter test("in :: TestSource -> q :: Queue -> " + std::string(replay) +
                      ", QUICK_CLONE " + clone + ")" + (pulled ? " -> Unqueue" : "") +
                      " -> out :: TestSink;");
      send(test, three());
      test.run();
      EXPECT_EQ(bytes_at(test, "out"), repeated(three(), 4));
      EXPECT_EQ(test.read("r.count"), "12");
      EXPECT_EQ(test.read("r.loops"), "4");
    }
  }
}

TEST(Replay, WhatIsChangedDownstreamIsNotChangedInTheNextLoop) {
  TestRouter test(
      "in :: TestSource -> Queue -> ReplayUnqueue(3, QUICK_CLONE true) -> Strip(1) -> Paint(3)"
      " -> out :: TestSink;");
  send(test, three());
  test.run();
  EXPECT_EQ(bytes_at(test, "out"), repeated({Bytes{1}, Bytes{2}, Bytes{3}}, 3));
}

TEST(Replay, CollectsNoMoreThanItsLimit) {
  TestRouter test(
      "in :: TestSource -> q :: Queue -> ReplayUnqueue(2, LIMIT 2) -> out :: TestSink;");
  send(test, three());
  test.run();
  EXPECT_EQ(bytes_at(test, "out"), repeated({Bytes{1, 1}, Bytes{2, 2}}, 2));
  EXPECT_EQ(test.read("q.length"), "1");
}

TEST(Replay, PausesWhileItIsNotActive) {
  TestRouter test(
      "in :: TestSource -> Queue -> r :: ReplayUnqueue(2, ACTIVE false, BURST 1) -> out :: "
      "TestSink;");
  send(test, three());
  test.run(50);
  EXPECT_EQ(test.sink("out").packets.size(), 0u);
  test.write("r.active", "true");
  test.run();
  EXPECT_EQ(bytes_at(test, "out"), repeated(three(), 2));
}

TEST(Replay, KeepsWhatItHoldsInTheLedger) {
  TestRouter test("in :: TestSource -> Queue -> r :: ReplayUnqueue -> out :: TestSink;");
  send(test, three());
  test.run(100);
  EXPECT_GT(test.sink("out").packets.size(), 100u);
  // The router's end checks the ledger, and that all packets come home.
}

TEST(Replay, WaitsForPacketsThatComeLater) {
  TestRouter test("in :: TestSource -> Queue -> r :: ReplayUnqueue(2) -> out :: TestSink;");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 0u);
  send(test, three());
  test.run();
  EXPECT_EQ(bytes_at(test, "out"), repeated(three(), 2));
}

}  // namespace
}  // namespace headroom::test
