#include "../element_test.hh"

namespace headroom::test {
namespace {

TEST(Tee, CopiesToEveryOutput) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(
        "in :: TestSource -> t :: Tee; t[0] -> a :: TestSink; t[1] -> b :: TestSink;"
        "t[2] -> c :: TestSink;");
    std::vector<Bytes> packets;
    for (int i = 0; i < 300; ++i) packets.push_back(numbered(20, static_cast<uint8_t>(i)));
    test.send("in", packets, batch_size);
    for (const char* sink : {"a", "b", "c"}) EXPECT_EQ(bytes_at(test, sink), packets);
    const Ledger ledger = test.router->ledger();
    EXPECT_EQ(ledger.entries[1].created, 600u);
    EXPECT_EQ(ledger.entries[1].out, 900u);
  });
}

TEST(Tee, WithOneOutputPassesPacketsOn) {
  TestRouter test("in :: TestSource -> Tee(1) -> out :: TestSink;");
  test.send("in", {numbered(5)});
  EXPECT_EQ(bytes_at(test, "out"), (std::vector<Bytes>{numbered(5)}));
}

TEST(Tee, CopiesOfCopies) {
  TestRouter test(
      "in :: TestSource -> t :: Tee; t[0] -> u :: Tee; t[1] -> v :: Tee;"
      "u[0] -> Paint(1) -> a :: TestSink; u[1] -> Paint(2) -> b :: TestSink;"
      "v[0] -> EtherRewrite(1:1:1:1:1:1, 2:2:2:2:2:2) -> c :: TestSink; v[1] -> d :: TestSink;");
  for (const char* sink : {"a", "b", "c", "d"}) test.sink(sink).keep = true;
  const Bytes frame = Ip4Frame{}.build();
  std::vector<Packet*> packets = cut_everywhere(*test.pool, frame);
  for (Packet* packet : packets) packet->set_paint_anno(7);
  test.send_packets("in", packets);
  Bytes rewritten = frame;
  const Bytes addresses = hex("020202020202 010101010101");
  std::copy(addresses.begin(), addresses.end(), rewritten.begin());
  const std::pair<const char*, int> paints[] = {{"a", 1}, {"b", 2}, {"c", 7}, {"d", 7}};
  for (const auto& [sink, paint] : paints) {
    SCOPED_TRACE(sink);
    ASSERT_EQ(test.sink(sink).packets.size(), packets.size());
    // Looked at when all are there: what was written through one was not through another.
    for (Packet* packet : test.sink(sink).kept) {
      EXPECT_EQ(to_hex(bytes_of(*packet)), to_hex(*sink == 'c' ? rewritten : frame));
      EXPECT_EQ(packet->paint_anno(), paint);
    }
  }
  EXPECT_TRUE(test.sink("d").kept[0]->shared());
  EXPECT_FALSE(test.sink("c").kept[0]->shared());
}

TEST(Tee, CountsCopiesThatThePoolHasNoPacketFor) {
  TestRouter test(
      "in :: TestSource -> t :: Tee; t[0] -> a :: TestSink; t[1] -> b :: TestSink;"
      "t[2] -> c :: TestSink;",
      {.packets = 63});
  for (const char* sink : {"a", "b", "c"}) test.sink(sink).keep = true;
  test.send("in", std::vector<Bytes>(30, numbered(64)));
  EXPECT_EQ(test.sink("a").packets.size(), 30u);
  EXPECT_EQ(test.sink("b").packets.size(), 3u);
  EXPECT_EQ(test.sink("c").packets.size(), 30u);  // the originals
  EXPECT_EQ(test.dropped("t", "no-buffer"), 27u);
}

TEST(Tee, ChecksTheNumberOfOutputs) {
  EXPECT_EQ(errors_of("Idle -> t :: Tee(2) -> Idle; t[1] -> Idle;"), "");
  EXPECT_EQ(errors_of("Idle -> t :: Tee(3) -> Idle; t[1] -> Idle;"),
            "config:1: While configuring 't :: Tee':\n  N: 2 outputs are connected, not 3\n");
}

}  // namespace
}  // namespace headroom::test
