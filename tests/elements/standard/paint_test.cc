#include "../element_test.hh"

namespace headroom::test {
namespace {

TEST(Paint, SetsTheAnnotationAndNothingElse) {
  in_all_contexts("Paint(200)", [](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    std::vector<Packet*> packets = cut_everywhere(*test.pool, numbered(140));
    for (Packet* packet : packets) packet->set_anno_u32(anno::kAggregate.offset, 0x12345678);
    test.send_packets("in", packets, batch_size);
    test.run();
    const auto& seen = test.sink("out").packets;
    ASSERT_EQ(seen.size(), 129u);
    for (const auto& packet : seen) {
      EXPECT_EQ(packet.bytes, numbered(140));
      Annotations expected{};
      expected.user[17] = 200;
      const uint32_t aggregate = 0x12345678;
      std::memcpy(expected.user + 20, &aggregate, 4);
      EXPECT_EQ(std::memcmp(packet.annotations.user, expected.user, sizeof expected.user), 0);
    }
  });
}

TEST(Paint, OtherAnnotationsAndHandler) {
  for (const auto& [text, offset] : {std::pair{"Paint(9, 47)", 47},
                                     {"Paint(9, ANNO FIX_IP_SRC)", 19},
                                     {"Paint(9, PAINT)", 17},
                                     {"Paint(ANNO 0x10, COLOR 9)", 16}}) {
    SCOPED_TRACE(text);
    TestRouter test(pushed("p :: " + std::string(text)));
    EXPECT_EQ(test.read("p.color"), "9");
    test.send("in", {{1}});
    test.write("p.color", "10");
    test.send("in", {{1}});
    EXPECT_EQ(test.sink("out").packets.at(0).annotations.user[offset], 9);
    EXPECT_EQ(test.sink("out").packets.at(1).annotations.user[offset], 10);
    std::string error;
    EXPECT_FALSE(test.router->write_handler("p.color", "256", error));
    EXPECT_EQ(error, "COLOR: out of range, bound 255");
  }
}

TEST(Paint, PaintsCopiesIndependently) {
  TestRouter test(
      "in :: TestSource -> t :: Tee -> Paint(1) -> a :: TestSink;"
      "t[1] -> Paint(2) -> b :: TestSink;");
  test.sink("a").keep = test.sink("b").keep = true;
  test.send("in", {numbered(60)});
  EXPECT_EQ(test.sink("a").kept.at(0)->paint_anno(), 1);
  EXPECT_EQ(test.sink("b").kept.at(0)->paint_anno(), 2);
}

TEST(Paint, BadConfigurations) {
  const std::string context = "config:1: While configuring 'p :: Paint':\n  ";
  EXPECT_EQ(errors_of("Idle -> p :: Paint -> Idle;"),
            context + "COLOR: required argument missing\n");
  EXPECT_EQ(errors_of("Idle -> p :: Paint(256) -> Idle;"),
            context + "COLOR: out of range, bound 255\n");
  EXPECT_EQ(errors_of("Idle -> p :: Paint(1, 48) -> Idle;"),
            context + "ANNO: out of range, bound 47\n");
  EXPECT_EQ(errors_of("Idle -> p :: Paint(1, AGGREGATE) -> Idle;"),
            context + "ANNO: parse error\n");
  EXPECT_EQ(errors_of("Idle -> p :: Paint(1, COLOUR) -> Idle;"), context + "ANNO: parse error\n");
  EXPECT_EQ(errors_of("Idle -> p :: Paint(1, 2, 3) -> Idle;"), context + "too many arguments\n");
}

}  // namespace
}  // namespace headroom::test
