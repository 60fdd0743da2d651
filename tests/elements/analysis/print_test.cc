#include "../element_test.hh"

namespace headroom::test {
namespace {

std::string printed(const std::string& arguments, const std::vector<Bytes>& packets) {
  TestRouter test(pushed("p :: Print(" + arguments + ")"));
  testing::internal::CaptureStderr();
  test.send("in", packets);
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(bytes_at(test, "out"), packets);
  return text;
}

TEST(Print, Hex) {
  EXPECT_EQ(printed("", {numbered(5)}), "   5 | 00010203 04\n");
  EXPECT_EQ(printed("hello", {numbered(8), hex("ff")}),
            "hello:    8 | 00010203 04050607\nhello:    1 | ff\n");
  EXPECT_EQ(printed("\"two words\", 3", {numbered(1500)}), "two words: 1500 | 000102\n");
  EXPECT_EQ(printed("a", {numbered(60)}),
            "a:   60 | 00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617\n");
  EXPECT_EQ(printed("", {Bytes{}}), "   0\n");
  EXPECT_EQ(printed("x, 0", {numbered(9)}), "x:    9\n");
}

TEST(Print, AllBytes) {
  std::string expected = " 300 |";
  for (int i = 0; i < 300; ++i) {
    if (i % 4 == 0) expected += " ";
    expected += to_hex(Bytes{static_cast<uint8_t>(i)});
  }
  EXPECT_EQ(printed("MAXLENGTH -1", {numbered(300)}), expected + "\n");
}

TEST(Print, Ascii) {
  const std::string text = "GET / HTTP/1.1\r\nHost";
  EXPECT_EQ(printed("CONTENTS ASCII", {Bytes(text.begin(), text.end())}),
            "  20 | GET / HT TP/1.1.. Host\n");
  EXPECT_EQ(printed("CONTENTS ascii", {hex("1f 20 7e 7f 80 ff")}), "   6 | . ~...\n");
}

TEST(Print, NoContents) {
  for (const char* contents : {"NONE", "none", "false"})
    EXPECT_EQ(printed("a, CONTENTS " + std::string(contents), {numbered(9)}), "a:    9\n");
  EXPECT_EQ(printed("CONTENTS true", {numbered(2)}), "   2 | 0001\n");
}

TEST(Print, TimestampAnnotationsAndRoom) {
  TestRouter test(pushed("Print(a, TIMESTAMP true, PRINTANNO true, HEADROOM true, MAXLENGTH 2)"));
  Packet* packet = Packet::make(*test.pool, numbered(6), 30);
  packet->set_timestamp_anno(12'000'034'999);
  packet->set_dst_ip_anno(IPAddress(10, 0, 0, 2));
  packet->set_paint_anno(0xab);
  const uint32_t tailroom = packet->tailroom();
  testing::internal::CaptureStderr();
  test.send_packets("in", {packet});
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "a: 12.000034:    6 (h30 t" + std::to_string(tailroom) +
          ") | 0a000002 00000000 00000000 00000000 00ab0000 00000000 00000000 00000000 00000000 "
          "00000000 00000000 00000000 | 0001\n");
}

TEST(Print, PacketsCutEverywhereInBothContexts) {
  in_all_contexts("Print(x, 130)", [](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    std::string line = "x:  140 |";
    for (int i = 0; i < 130; ++i)
      line += (i % 4 == 0 ? " " : "") + to_hex(Bytes{static_cast<uint8_t>(i)});
    std::vector<Packet*> packets = cut_everywhere(*test.pool, numbered(140));
    packets.push_back(make_shredded(*test.pool, numbered(140), 100));
    testing::internal::CaptureStderr();
    test.send_packets("in", packets, batch_size);
    test.run();
    const std::string text = testing::internal::GetCapturedStderr();
    std::string expected;
    for (std::size_t i = 0; i < packets.size(); ++i) expected += line + "\n";
    EXPECT_EQ(text, expected);
    EXPECT_EQ(bytes_at(test, "out"), std::vector<Bytes>(packets.size(), numbered(140)));
  });
}

TEST(Print, Active) {
  TestRouter test(pushed("p :: Print(a, ACTIVE false)"));
  testing::internal::CaptureStderr();
  test.send("in", {numbered(1)});
  EXPECT_EQ(test.read("p.active"), "false");
  test.write("p.active", "true");
  test.send("in", {numbered(2)});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "a:    2 | 0001\n");
}

TEST(Print, BadConfigurations) {
  const std::string context = "config:1: While configuring 'p :: Print':\n  ";
  EXPECT_EQ(errors_of("Idle -> p :: Print(5 b) -> Idle;"), context + "LABEL: parse error\n");
  EXPECT_EQ(errors_of("Idle -> p :: Print(CONTENTS FULL) -> Idle;"),
            context + "CONTENTS: should be NONE, HEX or ASCII\n");
  EXPECT_EQ(errors_of("Idle -> p :: Print(MAXLENGTH 10, foo) -> Idle;"),
            context + "too many arguments\n");
}

}  // namespace
}  // namespace headroom::test
