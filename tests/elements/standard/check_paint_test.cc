#include "drills.hh"

namespace headroom::test {
namespace {

// Paints the packets of a test 0, 1, 2, 0, 1, 2, ...
std::vector<Packet*> painted(TestRouter& test, std::size_t count, uint32_t place) {
  std::vector<Packet*> packets;
  for (std::size_t i = 0; i < count; ++i) {
    packets.push_back(Packet::make(*test.pool, Bytes{static_cast<uint8_t>(i)}));
    packets.back()->set_anno_u8(place, static_cast<uint8_t>(i % 3));
  }
  return packets;
}
std::vector<Bytes> every_third(std::size_t count, std::initializer_list<std::size_t> rests) {
  std::vector<Bytes> packets;
  for (std::size_t i = 0; i < count; ++i)
    for (const std::size_t rest : rests)
      if (i % 3 == rest) packets.push_back({static_cast<uint8_t>(i)});
  return packets;
}

TEST(CheckPaint, PassesOneColor) {
  for (const auto& [arguments, place] :
       {std::pair{"1", 17u}, std::pair{"1, 40", 40u}, std::pair{"COLOR 1, ANNO PAINT", 17u}})
    in_all_contexts("e :: CheckPaint(" + std::string(arguments) + ")",
                    [&, where = place](const std::string& config, uint32_t batch_size) {
                      TestRouter test(config);
                      test.send_packets("in", painted(test, 200, where), batch_size);
                      test.run();
                      EXPECT_EQ(bytes_at(test, "out"), every_third(200, {1}));
                      EXPECT_EQ(test.dropped("e", "other-paint"), 133u);
                    });
}

TEST(CheckPaint, OthersGoToOutputOne) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(
        "in :: TestSource -> e :: CheckPaint(0) -> a :: TestSink; e[1] -> b :: TestSink;");
    test.send_packets("in", painted(test, 200, 17), batch_size);
    EXPECT_EQ(bytes_at(test, "a"), every_third(200, {0}));
    EXPECT_EQ(bytes_at(test, "b"), every_third(200, {1, 2}));
    test.write("e.color", "2");
    EXPECT_EQ(test.read("e.color"), "2");
    test.send_packets("in", painted(test, 3, 17));
    EXPECT_EQ(bytes_at(test, "a").back(), Bytes{2});
  });
}

TEST(PaintTee, CopiesOneColor) {
  for (const char* way : {"", "Queue(1000) -> "})
    in_all_batch_sizes([&](uint32_t batch_size) {
      const std::string pull = way;
      TestRouter test("in :: TestSource -> " + pull + "e :: PaintTee(1) -> " +
                      (pull.empty() ? "" : "Unqueue(BURST 64) -> ") +
                      "a :: TestSink; e[1] -> b :: TestSink;");
      test.send_packets("in", painted(test, 200, 17), batch_size);
      test.run();
      EXPECT_EQ(bytes_at(test, "a"), every_third(200, {0, 1, 2}));
      EXPECT_EQ(bytes_at(test, "b"), every_third(200, {1}));
      test.write("e.color", "7");
      test.send_packets("in", painted(test, 3, 17));
      test.run();
      EXPECT_EQ(test.sink("b").packets.size(), 67u);
    });
}

TEST(PaintTee, CopiesAreIndependent) {
  TestRouter test(
      "in :: TestSource -> e :: PaintTee(0) -> EtherMirror -> Paint(5) -> a :: TestSink;"
      "e[1] -> Paint(6) -> b :: TestSink;");
  test.sink("a").keep = test.sink("b").keep = true;
  test.send_packets("in", in_pieces({}, *test.pool, numbered(40)));
  const Bytes mirrored =
      concat({hex("060708090a0b 000102030405"), without_first(numbered(40), 12)});
  for (Packet* packet : test.sink("a").kept) {
    EXPECT_EQ(to_hex(bytes_of(*packet)), to_hex(mirrored));
    EXPECT_EQ(packet->paint_anno(), 5);
  }
  for (Packet* packet : test.sink("b").kept) {
    EXPECT_EQ(to_hex(bytes_of(*packet)), to_hex(numbered(40)));
    EXPECT_EQ(packet->paint_anno(), 6);
  }
}

TEST(PaintTee, AnEmptyPoolIsCounted) {
  TestRouter test("in :: TestSource -> e :: PaintTee(0) -> a :: TestSink; e[1] -> b :: TestSink;",
                  {.packets = 3});
  test.send("in", std::vector<Bytes>(2, Bytes{1}));
  EXPECT_EQ(test.dropped("e", "no-buffer"), 1u);
  EXPECT_EQ(test.sink("a").packets.size(), 2u);
  EXPECT_EQ(test.sink("b").packets.size(), 1u);
}

TEST(CheckPaint, BadConfigurations) {
  EXPECT_EQ(errors_of("Idle -> e :: CheckPaint(256) -> Idle;"),
            "config:1: While configuring 'e :: CheckPaint':\n  COLOR: out of range, bound 255\n");
  EXPECT_EQ(errors_of("Idle -> e :: CheckPaint(1, 48) -> Idle;"),
            "config:1: While configuring 'e :: CheckPaint':\n  ANNO: out of range, bound 47\n");
}

}  // namespace
}  // namespace headroom::test
