#include "arp_frames.hh"
#include "headroom/click/reader.hh"

namespace headroom::test {
namespace {

const std::string kSecondQuerier =
    "t :: ARPTable(CAPACITY 3, ENTRY_PACKET_CAPACITY 2);"
    "in2 :: TestSource -> q2 :: ARPQuerier(10.0.0.1, 2:0:0:0:0:1, TABLE t) -> out2 :: TestSink;"
    "arp2 :: TestSource -> [1] q2; q2[1] -> queries2 :: TestSink;";

TEST(ARPTable, QueriersShareWhatTheyKnow) {
  QuerierTest q(", TABLE t", kSecondQuerier);
  q.send("10.0.0.2", {1});
  q.send("10.0.0.2", {2}, "in2");
  EXPECT_EQ(q.asked().size() + q.asked("queries2").size(), 1u) << "once a second, whoever asks";
  q.hear({});
  EXPECT_EQ(q.sent(), Strings{"020000000002:1"});
  q.test.scheduler->run_round();
  EXPECT_EQ(q.sent("out2"), Strings{"020000000002:2"});
  q.send("10.0.0.2", {3}, "in2");
  EXPECT_EQ(q.sent("out2"), Strings{"020000000002:3"});
  EXPECT_EQ(q.test.read("t.count"), "1");
  for (const char* handler : {"t.table", "q.table", "q2.table"})
    EXPECT_EQ(q.test.read(handler).substr(0, 29), "10.0.0.2 1 02-00-00-00-00-02 ");
  q.test.write("t.clear", "");
  q.send("10.0.0.2", {4});
  EXPECT_EQ(q.sent(), Strings{});
}

TEST(ARPTable, QueriersShareItsCapacity) {
  QuerierTest q(", TABLE t", kSecondQuerier);
  q.send("10.0.0.2", {1, 2, 3});
  EXPECT_EQ(q.test.dropped("q", "neighbour-full"), 1u);
  q.send("10.0.0.3", {4});
  EXPECT_EQ(q.test.read("t.length"), "3");
  q.send("10.0.0.4", {5}, "in2");
  EXPECT_EQ(q.test.dropped("q2", "hold-full"), 1u) << "it has none of its own to drop";
  q.send("10.0.0.4", {6});
  EXPECT_EQ(q.test.dropped("q", "hold-full"), 1u);
  EXPECT_EQ(q.test.read("t.drops"), "3");
  EXPECT_EQ(q.test.read("q.drops"), "2");
  EXPECT_EQ(q.test.read("q2.drops"), "1");
  q.hear({.sender_ip = "10.0.0.4"});
  EXPECT_EQ(q.sent(), Strings{"020000000002:6"});
  EXPECT_EQ(q.test.read("t.length"), "2");
  q.send("10.0.0.4", {7}, "in2");
  EXPECT_EQ(q.sent("out2"), Strings{"020000000002:7"});
}

TEST(ARPTable, GivingUpIsEachQueriersOwn) {
  QuerierTest q(", TABLE t, TRIES 1", kSecondQuerier);
  q.send("10.0.0.2", {1});
  q.send("10.0.0.2", {2}, "in2");
  q.pass(kSecond + 1000);
  EXPECT_EQ(q.test.dropped("q", "unresolved"), 1u);
  EXPECT_EQ(q.test.dropped("q2", "unresolved"), 0u);
  q.hear({});
  q.test.scheduler->run_round();
  EXPECT_EQ(q.sent("out2"), Strings{"020000000002:2"});
}

TEST(ARPTable, AloneAndItsTimeout) {
  TestRouter test("t :: ARPTable(TIMEOUT 5); Idle -> Discard");
  test.write("t.insert", "10.0.0.2 2:0:0:0:0:2");
  EXPECT_EQ(test.read("t.count"), "1");
  test.clock.jump_to(test.clock.now() + 5 * kSecond);
  EXPECT_EQ(test.read("t.count"), "0");
  test.write("t.timeout", "0");
  test.write("t.insert", "10.0.0.2 2:0:0:0:0:2");
  test.clock.jump_to(test.clock.now() + 500000 * kSecond);
  EXPECT_EQ(test.read("t.count"), "1");
  EXPECT_EQ(test.read("t.length"), "0");
  EXPECT_EQ(errors_of("t :: ARPTable(CAPACITY 0, TIMEOUT 3)"),
            "config:1: While configuring 't :: ARPTable':\n"
            "  CAPACITY: out of range, bound 1\n");
}

// Handlers exist before the router runs.
TEST(ARPTable, BeforeItRuns) {
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("config", "t :: ARPTable");
  const auto graph = click::read(file, Registry::instance(), diagnostics);
  const auto router = Router::build(graph, nullptr, diagnostics);
  ASSERT_NE(router, nullptr);
  std::string error;
  EXPECT_EQ(router->read_handler("t.count", error), "0");
  EXPECT_EQ(router->read_handler("t.table", error), "");
  EXPECT_TRUE(router->write_handler("t.timeout", "7", error)) << error;
  for (const auto& [handler, value] :
       {std::pair{"t.insert", "1.2.3.4 1:2:3:4:5:6"}, {"t.delete", "1.2.3.4"}, {"t.clear", ""}}) {
    EXPECT_FALSE(router->write_handler(handler, value, error)) << handler;
    EXPECT_EQ(error, "the router does not run yet");
  }
}

}  // namespace
}  // namespace headroom::test
