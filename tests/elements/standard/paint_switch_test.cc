#include <map>
#include <random>

#include "../element_test.hh"

namespace headroom::test {
namespace {

constexpr const char* kConfig =
    "in :: TestSource -> s :: PaintSwitch; s[0] -> o0 :: TestSink; s[1] -> o1 :: TestSink;"
    "s[2] -> o2 :: TestSink;";

Packet* painted(TestRouter& test, uint32_t number, uint8_t paint, uint32_t cut = 0) {
  Bytes bytes = numbered(150);
  bytes[0] = static_cast<uint8_t>(number >> 8);
  bytes[1] = static_cast<uint8_t>(number);
  Packet* packet = make_split(*test.pool, bytes, cut);
  packet->set_paint_anno(paint);
  return packet;
}

TEST(PaintSwitch, KeepsTheOrderAtEveryOutput) {
  in_all_batch_sizes([](uint32_t batch_size) {
    // Mixes of paints: each alone, a few of others, all.
    for (const std::vector<uint8_t>& paints : {std::vector<uint8_t>{0},
                                               {1},
                                               {2},
                                               {255},
                                               {3},
                                               {254},
                                               {0, 0, 0, 1},
                                               {2, 2, 2, 255},
                                               {0, 1, 2, 3, 255},
                                               {1, 1, 255, 255, 3}}) {
      TestRouter test(kConfig);
      std::mt19937 random(7);
      std::map<std::string, std::vector<uint32_t>> expected;
      uint64_t dropped = 0;
      std::vector<Packet*> packets;
      for (uint32_t i = 0; i < 300; ++i) {
        const uint8_t paint = paints[random() % paints.size()];
        packets.push_back(painted(test, i, paint, i % 129));
        for (uint8_t port = 0; port < 3; ++port)
          if (paint == port || paint == 255) expected["o" + std::to_string(port)].push_back(i);
        dropped += paint >= 3 && paint != 255;
      }
      test.send_packets("in", packets, batch_size);
      for (const char* sink : {"o0", "o1", "o2"}) {
        std::vector<uint32_t> seen;
        for (const Bytes& bytes : bytes_at(test, sink)) {
          seen.push_back(static_cast<uint32_t>(bytes[0] << 8 | bytes[1]));
          EXPECT_EQ(without_first(bytes, 2), without_first(numbered(150), 2));
        }
        EXPECT_EQ(seen, expected[sink]);
      }
      EXPECT_EQ(test.dropped("s", "no-such-output"), dropped);
    }
  });
}

TEST(PaintSwitch, CopiesThatThePoolHasNoPacketFor) {
  TestRouter test(kConfig, {.packets = 15});
  for (const char* sink : {"o0", "o1", "o2"}) test.sink(sink).keep = true;
  std::vector<Packet*> packets;
  for (uint32_t i = 0; i < 6; ++i) packets.push_back(painted(test, i, 255));
  test.send_packets("in", packets);
  EXPECT_EQ(test.dropped("s", "no-buffer"), 3u);
  EXPECT_EQ(test.sink("o2").packets.size(), 6u);
}

TEST(PaintSwitch, OtherAnnotation) {
  TestRouter test(
      "in :: TestSource -> s :: PaintSwitch(ANNO 20) -> o0 :: TestSink; s[1] -> o1 :: TestSink;");
  Packet* packet = painted(test, 0, 0);
  packet->set_anno_u8(20, 1);
  test.send_packets("in", {packet});
  EXPECT_EQ(test.sink("o1").packets.size(), 1u);
}

TEST(PaintSwitch, OneOutput) {
  TestRouter test("in :: TestSource -> s :: PaintSwitch -> out :: TestSink;");
  test.send_packets("in", {painted(test, 0, 0), painted(test, 1, 255), painted(test, 2, 1)});
  EXPECT_EQ(test.sink("out").packets.size(), 2u);
  EXPECT_EQ(test.dropped("s", "no-such-output"), 1u);
}

TEST(PaintSwitch, BadConfigurations) {
  EXPECT_EQ(errors_of("Idle -> s :: PaintSwitch(DST_IP) -> Idle;"),
            "config:1: While configuring 's :: PaintSwitch':\n  ANNO: parse error\n");
  EXPECT_EQ(errors_of("Idle -> s :: PaintSwitch; s[255] -> Idle; s[0] -> Idle"),
            "config:1: While configuring 's :: PaintSwitch':\n  it can have at most 255 outputs\n");
}

}  // namespace
}  // namespace headroom::test
