#include "../element_test.hh"

namespace headroom::test {
namespace {

std::string seen(TestRouter& test, uint32_t length) {
  test.send("in", {numbered(length)});
  std::string result;
  for (const char* name : {"a", "b", "c"}) {
    if (!test.sink(name).packets.empty()) result += name;
    test.sink(name).clear();
  }
  return result;
}

TEST(PacketSizeClassifier, ThreeSizes) {
  TestRouter test(
      "in :: TestSource -> s :: PacketSizeClassifier(100, whatever);"
      "s[0] -> a :: TestSink; s[1] -> b :: TestSink; s[2] -> c :: TestSink;");
  for (const uint32_t length : {1U, 60U, 127U}) EXPECT_EQ(seen(test, length), "a");
  for (const uint32_t length : {128U, 511U}) EXPECT_EQ(seen(test, length), "b");
  for (const uint32_t length : {512U, 1500U}) EXPECT_EQ(seen(test, length), "c");
}

TEST(PacketSizeClassifier, CountsSegments) {
  TestRouter test(
      "in :: TestSource -> s :: PacketSizeClassifier;"
      "s[0] -> a :: TestSink; s[1] -> b :: TestSink; s[2] -> c :: TestSink;");
  test.send_packets("in", {make_split(*test.pool, numbered(600), 100)});
  EXPECT_EQ(test.sink("c").packets.size(), 1U);
}

TEST(PacketSizeClassifier, ASizeWithoutAnOutputIsADrop) {
  TestRouter test("in :: TestSource -> s :: PacketSizeClassifier -> TestSink");
  test.send("in", {numbered(127), numbered(128), numbered(1000)});
  EXPECT_EQ(test.dropped("s", "no-such-output"), 2U);
}

}  // namespace
}  // namespace headroom::test
