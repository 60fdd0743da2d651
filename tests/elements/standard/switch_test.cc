#include "drills.hh"

namespace headroom::test {
namespace {

std::vector<Bytes> some(std::size_t count) {
  std::vector<Bytes> packets;
  for (std::size_t i = 0; i < count; ++i)
    packets.push_back({static_cast<uint8_t>(i), static_cast<uint8_t>(i >> 8)});
  return packets;
}

std::string three_sinks(const std::string& element) {
  return "in :: TestSource -> e :: " + element +
         "; e[0] -> a :: TestSink; e[1] -> b :: TestSink; e[2] -> c :: TestSink;";
}

std::vector<std::size_t> counts(TestRouter& test) {
  return {test.sink("a").packets.size(), test.sink("b").packets.size(),
          test.sink("c").packets.size()};
}
using Counts = std::vector<std::size_t>;

TEST(Switch, SendsAllToOneOutput) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(three_sinks("Switch"));
    test.send("in", some(300), batch_size);
    EXPECT_EQ(bytes_at(test, "a"), some(300));
    test.write("e.switch", "2");
    EXPECT_EQ(test.read("e.switch"), "2");
    test.send("in", some(100), batch_size);
    test.write("e.switch", "-1");
    test.send("in", some(50), batch_size);
    EXPECT_EQ(counts(test), (Counts{300, 0, 100}));
    EXPECT_EQ(test.dropped("e", "switched-off"), 50u);
    std::string error;
    EXPECT_FALSE(test.router->write_handler("e.switch", "3", error));
    EXPECT_EQ(error, "OUTPUT: out of range, bound 2");
    EXPECT_EQ(test.read("e.switch"), "-1");
  });
}

TEST(StaticSwitch, SendsAllToOneOutput) {
  TestRouter test(three_sinks("StaticSwitch(1)"));
  test.send("in", some(300), 64);
  EXPECT_EQ(bytes_at(test, "b"), some(300));
  TestRouter off(three_sinks("StaticSwitch(-1)"));
  off.send("in", some(300), 64);
  EXPECT_EQ(off.dropped("e", "switched-off"), 300u);
}

TEST(Switch, BadConfigurations) {
  for (const std::string element : {"Switch", "StaticSwitch"}) {
    const std::string context = "config:1: While configuring 'e :: " + element + "':\n  ";
    EXPECT_EQ(errors_of("Idle -> e :: " + element + "(2) -> Idle; e[1] -> Idle;"),
              context + "OUTPUT: out of range, bound 1\n");
  }
  EXPECT_EQ(
      errors_of("Idle -> e :: StaticSwitch -> Idle;"),
      "config:1: While configuring 'e :: StaticSwitch':\n  OUTPUT: required argument missing\n");
}

TEST(RoundRobinSwitch, TakesTurnsAcrossBatches) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(three_sinks("RoundRobinSwitch"));
    test.send("in", some(301), batch_size);
    std::vector<Bytes> expected[3];
    for (std::size_t i = 0; i < 301; ++i) expected[i % 3].push_back(some(301)[i]);
    EXPECT_EQ(bytes_at(test, "a"), expected[0]);
    EXPECT_EQ(bytes_at(test, "b"), expected[1]);
    EXPECT_EQ(bytes_at(test, "c"), expected[2]);
  });
  TestRouter one(pushed("RoundRobinSwitch"));
  one.send("in", some(10));
  EXPECT_EQ(bytes_at(one, "out"), some(10));
}

TEST(HashSwitch, GoesByTheSumOfTheBytes) {
  TestRouter test(three_sinks("HashSwitch(1, 2)"));
  const std::vector<Bytes> packets = {
      {9, 0, 0, 7}, {9, 1, 0, 7}, {9, 1, 1, 7}, {9, 2, 2, 7}, {9, 255, 255, 7}, {9, 1}, {}};
  test.send("in", packets);
  EXPECT_EQ(bytes_at(test, "a"), (std::vector<Bytes>{{9, 0, 0, 7}, {9, 255, 255, 7}, {9, 1}, {}}));
  EXPECT_EQ(bytes_at(test, "b"), (std::vector<Bytes>{{9, 1, 0, 7}, {9, 2, 2, 7}}));
  EXPECT_EQ(bytes_at(test, "c"), (std::vector<Bytes>{{9, 1, 1, 7}}));
}

// With a power of two of outputs, bits 4 and up are folded in.
TEST(HashSwitch, PowersOfTwo) {
  TestRouter test(
      "in :: TestSource -> e :: HashSwitch(0, 1); e[0] -> a :: TestSink; e[1] -> b :: TestSink;");
  for (int i = 0; i < 256; ++i) test.send("in", {{static_cast<uint8_t>(i)}});
  for (const Bytes& bytes : bytes_at(test, "a")) EXPECT_EQ((bytes[0] ^ bytes[0] >> 4) & 1, 0);
  for (const Bytes& bytes : bytes_at(test, "b")) EXPECT_EQ((bytes[0] ^ bytes[0] >> 4) & 1, 1);
  EXPECT_EQ(test.sink("b").packets.size(), 128u);
}

TEST(HashSwitch, InAnyPieces) {
  const Drill drill{.elements = "e :: HashSwitch(5, 60)", .push_only = true};
  drill_read(drill, numbered(100));
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(three_sinks("HashSwitch(5, 60)"));
    Bytes packet = numbered(100);
    uint32_t sum = 0;
    for (std::size_t i = 5; i < 65; ++i) sum += packet[i];
    test.send_packets("in", in_pieces({}, *test.pool, packet), batch_size);
    Counts expected{0, 0, 0};
    expected[sum % 3] = 101;
    EXPECT_EQ(counts(test), expected);
  });
}

TEST(HashSwitch, BadConfigurations) {
  const std::string context = "config:1: While configuring 'e :: HashSwitch':\n  ";
  EXPECT_EQ(errors_of("Idle -> e :: HashSwitch(0, 0) -> Idle;"),
            context + "LENGTH must be 1 to 65535, and OFFSET at most that\n");
  EXPECT_EQ(errors_of("Idle -> e :: HashSwitch(0) -> Idle;"),
            context + "LENGTH: required argument missing\n");
}

}  // namespace
}  // namespace headroom::test
