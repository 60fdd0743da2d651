#include "../element_test.hh"

namespace headroom::test {
namespace {

const std::string kElement = "e :: EtherRewrite(00:01:02:03:04:05, 10:11:12:13:14:15)";
const Bytes kAddresses = hex("101112131415 000102030405");

TEST(EtherRewrite, WritesBothAddresses) {
  const Bytes frame = Ip4Frame{}.build();
  expect_passes(kElement, frame, concat({kAddresses, without_first(frame, 12)}));
  expect_passes(kElement, numbered(14), concat({kAddresses, hex("0c0d")}));
}

TEST(EtherRewrite, DropsWhatIsTooShort) {
  for (std::size_t length = 0; length < 14; ++length) {
    SCOPED_TRACE(length);
    expect_dropped(kElement, numbered(20), numbered(length), "too-short");
  }
}

TEST(EtherRewrite, LeavesOtherCopiesAlone) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(
        "in :: TestSource -> t :: Tee -> EtherRewrite(1:1:1:1:1:1, 2:2:2:2:2:2) -> a :: TestSink;"
        "t[1] -> EtherRewrite(3:3:3:3:3:3, 4:4:4:4:4:4) -> b :: TestSink; t[2] -> c :: TestSink;");
    for (const char* sink : {"a", "b", "c"}) test.sink(sink).keep = true;
    const Bytes frame = Ip4Frame{}.build();
    test.send_packets("in", cut_everywhere(*test.pool, frame), batch_size);
    const Bytes rest = without_first(frame, 12);
    const std::pair<const char*, Bytes> expected[] = {
        {"a", concat({hex("020202020202 010101010101"), rest})},
        {"b", concat({hex("040404040404 030303030303"), rest})},
        {"c", frame}};
    for (const auto& [sink, bytes] : expected)
      for (Packet* packet : test.sink(sink).kept)
        EXPECT_EQ(to_hex(bytes_of(*packet)), to_hex(bytes));
  });
}

TEST(EtherRewrite, DropsACopyThatCannotBeMade) {
  TestRouter test(pushed(kElement), {.packets = 3});
  Packet* packet = Packet::make(*test.pool, numbered(60));
  Packet* clone = packet->clone();
  Packet* other = Packet::make(*test.pool, numbered(60));
  test.send_packets("in", {packet, clone, other});
  EXPECT_EQ(test.dropped("e", "no-buffer"), 1u);
  EXPECT_EQ(test.sink("out").packets.size(), 2u);
}

TEST(EtherRewrite, Handlers) {
  TestRouter test(pushed(kElement));
  EXPECT_EQ(test.read("e.src"), "00-01-02-03-04-05");
  EXPECT_EQ(test.read("e.dst"), "10-11-12-13-14-15");
  test.write("e.src", "2:0:0:0:0:1");
  test.write("e.dst", "2:0:0:0:0:2");
  test.send("in", {numbered(14)});
  EXPECT_EQ(to_hex(bytes_at(test, "out").at(0)), "0200000000020200000000010c0d");
  std::string error;
  EXPECT_FALSE(test.router->write_handler("e.src", "2:0:0:0:0", error));
  EXPECT_EQ(test.read("e.src"), "02-00-00-00-00-01");
}

TEST(EtherRewrite, BadConfigurations) {
  const std::string context = "config:1: While configuring 'e :: EtherRewrite':\n";
  EXPECT_EQ(errors_of("Idle -> e :: EtherRewrite -> Idle;"),
            context + "  SRC: required argument missing\n  DST: required argument missing\n");
  EXPECT_EQ(errors_of("Idle -> e :: EtherRewrite(1:2:3:4:5, 1:2:3:4:5:6) -> Idle;"),
            context + "  SRC: parse error\n");
}

}  // namespace
}  // namespace headroom::test
