#include "../element_test.hh"

namespace headroom::test {
namespace {

TEST(Strip, TakesBytesOffTheFront) {
  const Bytes packet = numbered(140);
  for (const uint32_t n : {0u, 1u, 14u, 60u, 139u, 140u}) {
    SCOPED_TRACE(n);
    expect_passes("Strip(" + std::to_string(n) + ")", packet, without_first(packet, n));
  }
}

TEST(Strip, DropsWhatIsTooShort) {
  for (std::size_t length = 0; length < 14; ++length) {
    SCOPED_TRACE(length);
    expect_dropped("e :: Strip(14)", numbered(20), numbered(length), "too-short");
  }
}

TEST(Strip, UnstripPutsThemBackWhereverThePacketIsCut) {
  for (const uint32_t n : {1u, 14u, 60u, 139u}) {
    SCOPED_TRACE(n);
    const std::string number = std::to_string(n);
    expect_passes("Strip(" + number + ") -> Unstrip(" + number + ")", numbered(140), numbered(140));
  }
  TestRouter test(pushed("Strip(14) -> Unstrip(14)"));
  test.send_packets("in", {make_shredded(*test.pool, numbered(60), 30)});
  EXPECT_EQ(bytes_at(test, "out"), (std::vector<Bytes>{numbered(60)}));
}

TEST(Strip, HeaderAnnotationsStayOnTheirByte) {
  TestRouter test(pushed("Strip(14) -> Strip(6)"));
  const Bytes frame = numbered(60);
  for (const uint32_t cut : {0u, 10u, 14u, 34u}) {
    Packet* packet = make_split(*test.pool, frame, cut);
    packet->pullup(40);
    packet->set_network_header(34, 20);
    test.send_packets("in", {packet});
  }
  for (const auto& seen : test.sink("out").packets) EXPECT_EQ(seen.network_offset, 14);
}

// A copy is stripped, its original is not.
TEST(Strip, CopiesAreIndependent) {
  TestRouter test(
      "in :: TestSource -> t :: Tee -> Strip(14) -> a :: TestSink; t[1] -> b :: TestSink;");
  test.sink("a").keep = test.sink("b").keep = true;
  std::vector<Packet*> packets = cut_everywhere(*test.pool, numbered(140));
  test.send_packets("in", packets);
  for (Packet* packet : test.sink("a").kept)
    EXPECT_EQ(to_hex(bytes_of(*packet)), to_hex(without_first(numbered(140), 14)));
  for (Packet* packet : test.sink("b").kept)
    EXPECT_EQ(to_hex(bytes_of(*packet)), to_hex(numbered(140)));
}

TEST(Strip, CopiesGetTheirBytesBack) {
  TestRouter test(
      "in :: TestSource -> Strip(14) -> t :: Tee -> Unstrip(14) -> a :: TestSink;"
      "t[1] -> EtherRewrite(1:1:1:1:1:1, 2:2:2:2:2:2) -> b :: TestSink;"
      "t[2] -> Unstrip(14) -> c :: TestSink;");
  for (const char* sink : {"a", "b", "c"}) test.sink(sink).keep = true;
  test.send("in", std::vector<Bytes>(3, numbered(60)));
  const Bytes rewritten =
      concat({hex("020202020202 010101010101"), without_first(numbered(60), 26)});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(to_hex(bytes_of(*test.sink("a").kept.at(i))), to_hex(numbered(60)));
    EXPECT_EQ(to_hex(bytes_of(*test.sink("b").kept.at(i))), to_hex(rewritten));
    EXPECT_EQ(to_hex(bytes_of(*test.sink("c").kept.at(i))), to_hex(numbered(60)));
  }
}

// The element behind Strip writes, so its packet is a copy by the time that Unstrip sees it.
TEST(Strip, BytesComeBackAfterACopyWasMade) {
  TestRouter test(
      "in :: TestSource -> Strip(14) -> t :: Tee"
      "-> EtherRewrite(1:1:1:1:1:1, 2:2:2:2:2:2) -> Unstrip(14) -> a :: TestSink;"
      "t[1] -> Unstrip(14) -> b :: TestSink;");
  test.send_packets("in", cut_everywhere(*test.pool, numbered(140)));
  const Bytes written = concat({first_bytes(numbered(140), 14), hex("020202020202 010101010101"),
                                without_first(numbered(140), 26)});
  EXPECT_EQ(bytes_at(test, "a"), std::vector<Bytes>(129, written));
  EXPECT_EQ(bytes_at(test, "b"), std::vector<Bytes>(129, numbered(140)));
}

TEST(Unstrip, MakesRoomWhereThereIsNone) {
  in_all_contexts("Unstrip(100)", [](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    std::vector<Packet*> packets;
    for (const uint32_t size : {0u, 1u, 60u, 1900u, 2000u, 2100u, 5000u})
      packets.push_back(Packet::make(*test.pool, numbered(size), 10));
    Packet* original = Packet::make(*test.pool, numbered(60), 10);
    packets.push_back(original);
    packets.push_back(original->clone());
    test.send_packets("in", packets, batch_size);
    test.run();
    const auto seen = bytes_at(test, "out");
    ASSERT_EQ(seen.size(), 9u);
    std::size_t at = 0;
    for (const uint32_t size : {0u, 1u, 60u, 1900u, 2000u, 2100u, 5000u, 60u, 60u})
      EXPECT_EQ(to_hex(seen[at++]), to_hex(concat({Bytes(100), numbered(size)})));
  });
}

TEST(Unstrip, DropsWhenThereIsNoBuffer) {
  TestRouter test(pushed("e :: Unstrip(100)"), {.packets = 3});
  Packet* original = Packet::make(*test.pool, numbered(60), 10);
  Packet* clone = original->clone();
  Packet* other = Packet::make(*test.pool, numbered(60), 64);
  test.send_packets("in", {original, clone, other});
  EXPECT_EQ(test.dropped("e", "no-buffer"), 1u);
  EXPECT_EQ(test.sink("out").packets.size(), 2u);
}

TEST(Strip, BadConfigurations) {
  EXPECT_EQ(errors_of("Idle -> s :: Strip -> Idle;"),
            "config:1: While configuring 's :: Strip':\n  LENGTH: required argument missing\n");
  EXPECT_EQ(errors_of("Idle -> s :: Strip(-1) -> Idle;"),
            "config:1: While configuring 's :: Strip':\n  LENGTH: out of range, bound 0\n");
  EXPECT_EQ(errors_of("Idle -> s :: Unstrip(x) -> Idle;"),
            "config:1: While configuring 's :: Unstrip':\n  LENGTH: parse error\n");
}

}  // namespace
}  // namespace headroom::test
