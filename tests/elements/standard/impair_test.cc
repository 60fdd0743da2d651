#include <bit>
#include <set>

#include "drills.hh"

namespace headroom::test {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

std::vector<Bytes> some(std::size_t count) {
  std::vector<Bytes> packets;
  for (std::size_t i = 0; i < count; ++i)
    packets.push_back({static_cast<uint8_t>(i), static_cast<uint8_t>(i >> 8), 0, 0});
  return packets;
}

// Which of them these are.
std::vector<uint32_t> numbers(const std::vector<Bytes>& packets) {
  std::vector<uint32_t> all;
  for (const Bytes& bytes : packets) all.push_back(bytes.at(0) | uint32_t{bytes.at(1)} << 8);
  return all;
}
std::vector<uint32_t> sorted(std::vector<uint32_t> all) {
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Bytes> through(const std::string& arguments, std::size_t count, uint32_t batch_size) {
  TestRouter test(pushed("e :: Impair(" + arguments + ")"));
  test.send("in", some(count), batch_size);
  test.run();
  return bytes_at(test, "out");
}

TEST(Impair, DoesNothingByDefault) {
  drill_read({.elements = "e :: Impair", .push_only = true}, numbered(140));
  EXPECT_EQ(through("", 1000, 64), some(1000));
}

TEST(Impair, LosesPackets) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(pushed("e :: Impair(LOSS 0.25)"));
    test.send("in", some(2000), batch_size);
    EXPECT_NEAR(static_cast<double>(test.dropped("e", "lost")), 500, 100);
    EXPECT_EQ(test.sink("out").packets.size() + test.dropped("e", "lost"), 2000u);
  });
  EXPECT_TRUE(through("LOSS 1", 1000, 64).empty());
}

TEST(Impair, TheSameInEveryRunAndBatchSize) {
  const std::string all = "LOSS 0.1, CORRUPT 0.1, DUPLICATE 0.1, REORDER 0.1, SEED ";
  const auto once = through(all + "7", 1000, 64);
  for (const uint32_t batch_size : {1u, 64u, 256u})
    EXPECT_EQ(through(all + "7", 1000, batch_size), once);
  EXPECT_NE(through(all + "8", 1000, 64), once);
}

TEST(Impair, FlipsOneBit) {
  TestRouter test(
      "in :: TestSource -> t :: Tee -> e :: Impair(CORRUPT 1) -> a :: TestSink;"
      "t[1] -> b :: TestSink;");
  test.sink("a").keep = test.sink("b").keep = true;
  std::set<std::size_t> places;
  for (int round = 0; round < 3; ++round)
    test.send_packets("in", in_pieces({}, *test.pool, Bytes(30)));
  for (Packet* packet : test.sink("a").kept) {
    const Bytes bytes = bytes_of(*packet);
    int bits = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bits += std::popcount(bytes[i]);
      if (bytes[i] != 0) places.insert(i);
    }
    EXPECT_EQ(bits, 1);
  }
  for (Packet* packet : test.sink("b").kept) EXPECT_EQ(bytes_of(*packet), Bytes(30));
  EXPECT_GT(places.size(), 15u);
  EXPECT_EQ(test.read("e.corrupted"), "93");
  test.send("in", {Bytes{}});  // has no bit
  EXPECT_EQ(test.read("e.corrupted"), "93");
}

TEST(Impair, DuplicatesPackets) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(pushed("e :: Impair(DUPLICATE 1)"));
    test.send("in", some(500), batch_size);
    const auto seen = bytes_at(test, "out");
    ASSERT_EQ(seen.size(), 1000u);
    for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(seen[i], some(500)[i / 2]);
    EXPECT_EQ(test.read("e.duplicated"), "500");
  });
  TestRouter empty(pushed("e :: Impair(DUPLICATE 1)"), {.packets = 3});
  empty.send("in", some(2));
  EXPECT_EQ(empty.dropped("e", "no-buffer"), 1u);
  EXPECT_EQ(empty.sink("out").packets.size(), 3u);
}

TEST(Impair, DelaysByTheTime) {
  TestRouter test(pushed("e :: Impair(DELAY 1, TIME 20ms) -> SetTimestamp"));
  const int64_t start = test.clock.now();
  test.send("in", some(10), 3);
  EXPECT_EQ(test.read("e.delayed"), "10");
  EXPECT_TRUE(test.sink("out").packets.empty());
  test.clock.jump_to(start + 20 * kMillisecond - 100);
  test.scheduler->run_round();
  EXPECT_TRUE(test.sink("out").packets.empty());
  test.run();
  EXPECT_EQ(bytes_at(test, "out"), some(10));
  for (const auto& seen : test.sink("out").packets)
    EXPECT_NEAR(static_cast<double>(seen.annotations.timestamp - start), 20e6, 1000);
}

TEST(Impair, SomeAreDelayedAndNoneIsLost) {
  TestRouter test(pushed("e :: Impair(DELAY 0.5, DUPLICATE 0.5, TIME 1ms)"));
  for (std::size_t i = 0; i < 1000; ++i) {
    test.send("in", {some(1000)[i]});
    test.clock.jump_to(test.clock.now() + kMillisecond / 3);
    test.scheduler->run_round();
  }
  test.run();
  const auto seen = numbers(bytes_at(test, "out"));
  EXPECT_NEAR(static_cast<double>(seen.size()), 1500, 100);
  const std::set<uint32_t> different(seen.begin(), seen.end());
  EXPECT_EQ(different.size(), 1000u);
  EXPECT_NE(seen, sorted(seen));
}

TEST(Impair, ReordersAndLosesNone) {
  const auto seen = numbers(through("REORDER 0.3", 1000, 64));
  EXPECT_NE(seen, numbers(some(1000)));
  EXPECT_EQ(sorted(seen), numbers(some(1000)));
}

TEST(Impair, AReorderedPacketWaitsForAnotherOrTheTime) {
  TestRouter test(pushed("e :: Impair(REORDER 1, TIME 5ms)"));
  test.send("in", {some(3)[0]});
  test.write("e.reorder", "0");
  EXPECT_TRUE(test.sink("out").packets.empty());
  test.send("in", {some(3)[1]});
  EXPECT_EQ(bytes_at(test, "out"), (std::vector<Bytes>{some(3)[1], some(3)[0]}));
  test.write("e.reorder", "1");
  test.send("in", {some(3)[2]});
  const int64_t sent = test.clock.now();
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 3u);
  EXPECT_GE(test.clock.now(), sent + 5 * kMillisecond - 100);
  EXPECT_EQ(test.read("e.reordered"), "2");
}

TEST(Impair, HoldsNoMoreThanItsCapacity) {
  TestRouter test(pushed("e :: Impair(DELAY 1, CAPACITY 10)"));
  test.send("in", some(25));
  EXPECT_EQ(test.dropped("e", "too-many-held"), 15u);
  test.run();
  EXPECT_EQ(bytes_at(test, "out"), some(10));
  // What is held when the router ends is freed.
  test.send("in", some(5));
}

TEST(Impair, Handlers) {
  TestRouter test(pushed("e :: Impair(LOSS 1)"));
  for (const char* name : {"loss", "corrupt", "duplicate", "delay", "reorder"}) {
    const std::string handler = "e." + std::string(name);
    test.write(handler, "0.5");
    EXPECT_EQ(test.read(handler), "0.5");
    std::string error;
    for (const char* wrong : {"1.1", "-0.1", "often"})
      EXPECT_FALSE(test.router->write_handler(handler, wrong, error)) << wrong;
    EXPECT_EQ(test.read(handler), "0.5");
  }
}

TEST(Impair, BadConfigurations) {
  EXPECT_EQ(errors_of("Idle -> e :: Impair(LOSS 2, DELAY -1) -> Idle;"),
            "config:1: While configuring 'e :: Impair':\n  LOSS: should be a probability, 0 to 1\n"
            "  DELAY: should be a probability, 0 to 1\n");
}

}  // namespace
}  // namespace headroom::test
