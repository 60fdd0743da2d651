#include "../element_test.hh"

namespace headroom::test {
namespace {

std::vector<Bytes> numbered(int count, int from = 0) {
  std::vector<Bytes> packets;
  for (int i = from; i < from + count; ++i)
    packets.push_back({static_cast<uint8_t>(i >> 8), static_cast<uint8_t>(i)});
  return packets;
}

TEST(Queue, DropsWhatComesWhenItIsFull) {
  TestRouter test(
      "in :: TestSource -> q :: Queue(5) -> u :: Unqueue(ACTIVE false) -> out :: TestSink");
  test.send("in", numbered(8));
  EXPECT_EQ(test.read("q.length"), "5");
  EXPECT_EQ(test.read("q.highwater_length"), "5");
  EXPECT_EQ(test.read("q.drops"), "3");
  EXPECT_EQ(test.dropped("q", "queue-full"), 3u);
  test.write("u.active", "true");
  test.run();
  EXPECT_EQ(bytes_at(test, "out"), numbered(5));
  EXPECT_EQ(test.read("q.length"), "0");
  test.write("q.reset_counts", "");
  EXPECT_EQ(test.read("q.highwater_length"), "0");
}

TEST(Queue, KeepsTheOrderAroundTheEndOfItsSlots) {
  TestRouter test(
      "in :: TestSource -> q :: Queue(7) -> u :: Unqueue(BURST 3, LIMIT 3) -> out :: TestSink");
  for (int i = 0; i < 40; ++i) {
    test.send("in", numbered(3, 3 * i));
    test.write("u.reset", "");
    test.run();
  }
  EXPECT_EQ(bytes_at(test, "out"), numbered(120));
}

// Every fill against every new capacity, with the first packet anywhere in the slots.
TEST(Queue, ItsCapacityChanges) {
  for (int start = 0; start < 6; ++start)
    for (int fill = 0; fill <= 6; ++fill)
      for (int capacity = 0; capacity <= 9; ++capacity) {
        SCOPED_TRACE(testing::Message() << start << ' ' << fill << ' ' << capacity);
        TestRouter test("in :: TestSource -> q :: Queue(6) -> u :: Unqueue -> out :: TestSink");
        test.send("in", numbered(start));
        test.run();
        test.sink("out").clear();
        test.sink("out").packets.clear();
        test.write("u.active", "false");
        test.send("in", numbered(fill));
        test.write("q.capacity", std::to_string(capacity));
        EXPECT_EQ(test.read("q.config"), "CAPACITY " + std::to_string(capacity));
        const int kept = std::min(fill, capacity);
        EXPECT_EQ(test.read("q.length"), std::to_string(kept));
        EXPECT_EQ(test.dropped("q", "flushed"), static_cast<uint64_t>(fill - kept));
        test.send("in", numbered(12, fill));
        test.write("u.active", "true");
        test.run();
        std::vector<Bytes> expected = numbered(kept);
        for (const Bytes& later : numbered(capacity - kept, fill)) expected.push_back(later);
        EXPECT_EQ(bytes_at(test, "out"), expected);
      }
}

TEST(Queue, AWiderOneWakesItsSource) {
  TestRouter test(
      "InfiniteSource(LIMIT 10, BURST 1) -> q :: Queue(4) -> Unqueue(ACTIVE false) -> Discard");
  test.run();
  EXPECT_EQ(test.read("q.length"), "4");
  test.write("q.capacity", "20");
  test.run();
  EXPECT_EQ(test.read("q.length"), "10");
  EXPECT_EQ(test.read("q.drops"), "0");
}

}  // namespace
}  // namespace headroom::test
