#include "../element_test.hh"

namespace headroom::test {
namespace {

Bytes datagram(uint8_t ttl, const char* destination = "10.0.0.2") {
  Ip4Frame frame;
  frame.ttl = ttl;
  frame.destination = destination;
  return frame.build_ip();
}
// The header checksum computed anew.
Bytes decremented(Bytes bytes, std::size_t offset = 0) {
  --bytes[offset + 8];
  fix_ip_checksum(bytes, offset);
  return bytes;
}

TEST(DecIPTTL, DecrementsAndKeepsTheChecksumRight) {
  for (const uint8_t ttl : {2, 3, 64, 128, 255}) {
    const Bytes packet = datagram(ttl);
    expect_passes("CheckIPHeader -> DecIPTTL", packet, decremented(packet));
    const Bytes frame = concat({numbered(14), packet});
    expect_passes("CheckIPHeader(14) -> DecIPTTL", frame, decremented(frame, 14));
  }
}

// Every checksum and its neighbours in the arithmetic of ones' complement.
TEST(DecIPTTL, EveryChecksum) {
  TestRouter test(pushed("CheckIPHeader -> DecIPTTL"));
  for (uint32_t first = 0; first < 65536; first += 256) {
    std::vector<Bytes> packets;
    std::vector<Bytes> expected;
    for (uint32_t id = first; id < first + 256; ++id) {
      Bytes packet = datagram(static_cast<uint8_t>(2 + id % 254));
      packet[4] = static_cast<uint8_t>(id >> 8);
      packet[5] = static_cast<uint8_t>(id);
      fix_ip_checksum(packet);
      packets.push_back(packet);
      expected.push_back(decremented(packet));
    }
    test.send("in", packets);
    ASSERT_EQ(bytes_at(test, "out"), expected);
    test.sink("out").clear();
  }
}

TEST(DecIPTTL, ExpiredPacketsAreDropped) {
  for (const uint8_t ttl : {0, 1})
    expect_dropped("CheckIPHeader -> e :: DecIPTTL", datagram(9), datagram(ttl), "ttl-expired");
}

TEST(DecIPTTL, ExpiredPacketsGoUnchangedToOutputOne) {
  for (const std::string& config :
       {pushed("CheckIPHeader -> e :: DecIPTTL") + "e[1] -> expired :: TestSink;",
        pulled("CheckIPHeader -> e :: DecIPTTL") + "e[1] -> expired :: TestSink;"})
    in_all_batch_sizes([&](uint32_t batch_size) {
      TestRouter test(config);
      std::vector<Bytes> packets;
      std::vector<Bytes> expired;
      std::vector<Bytes> rest;
      for (uint32_t i = 0; i < 400; ++i) {
        Bytes packet = datagram(static_cast<uint8_t>(i % 5));
        packet.back() = static_cast<uint8_t>(i);
        packets.push_back(packet);
        if (i % 5 < 2)
          expired.push_back(packet);
        else
          rest.push_back(decremented(packet));
      }
      test.send("in", packets, batch_size);
      test.run();
      EXPECT_EQ(bytes_at(test, "out"), rest);
      EXPECT_EQ(bytes_at(test, "expired"), expired);
      EXPECT_EQ(test.read("e.drops"), "160");
      EXPECT_EQ(test.dropped("e", "ttl-expired"), 0u);
    });
}

TEST(DecIPTTL, DropsPacketsWithoutAHeader) {
  // Stripped, cut off, or never marked.
  for (const char* elements : {"e :: DecIPTTL", "CheckIPHeader -> Strip(1) -> e :: DecIPTTL"}) {
    TestRouter test(pushed(elements));
    test.send_packets("in", cut_everywhere(*test.pool, datagram(9)));
    EXPECT_EQ(test.dropped("e", "no-network-header"), datagram(9).size());
  }
  TestRouter test(pushed("e :: DecIPTTL"));
  std::vector<Packet*> packets;
  for (uint32_t length = 0; length < 20; ++length) {
    Packet* packet = Packet::make(*test.pool, datagram(9));
    packet->set_network_header(0, 20);
    packet->take(packet->length() - length);
    packets.push_back(packet);
  }
  test.send_packets("in", packets);
  EXPECT_EQ(test.dropped("e", "no-network-header"), 20u);
}

TEST(DecIPTTL, Multicast) {
  const Bytes group = datagram(9, "224.0.0.5");
  expect_passes("CheckIPHeader -> DecIPTTL", group, decremented(group));
  expect_passes("CheckIPHeader -> DecIPTTL(MULTICAST false)", group, group);
  expect_passes("CheckIPHeader -> DecIPTTL(MULTICAST false)", datagram(1, "239.1.1.1"),
                datagram(1, "239.1.1.1"));
  const Bytes other = datagram(9);
  expect_passes("CheckIPHeader -> DecIPTTL(MULTICAST false)", other, decremented(other));
}

TEST(DecIPTTL, Active) {
  TestRouter test(pushed("CheckIPHeader -> e :: DecIPTTL(ACTIVE false)"));
  test.send("in", {datagram(9), datagram(1)});
  EXPECT_EQ(bytes_at(test, "out"), (std::vector<Bytes>{datagram(9), datagram(1)}));
  EXPECT_EQ(test.read("e.active"), "false");
  test.write("e.active", "true");
  test.send("in", {datagram(9)});
  EXPECT_EQ(bytes_at(test, "out").back(), decremented(datagram(9)));
}

TEST(DecIPTTL, LeavesOtherCopiesAlone) {
  TestRouter test(
      "in :: TestSource -> CheckIPHeader -> t :: Tee -> DecIPTTL -> a :: TestSink;"
      "t[1] -> DecIPTTL -> DecIPTTL -> b :: TestSink; t[2] -> c :: TestSink;");
  for (const char* sink : {"a", "b", "c"}) test.sink(sink).keep = true;
  const Bytes packet = datagram(9);
  std::vector<Packet*> packets = cut_everywhere(*test.pool, packet);
  for (Packet* one : packets) one->set_paint_anno(5);
  test.send_packets("in", packets);
  const std::pair<const char*, Bytes> expected[] = {
      {"a", decremented(packet)}, {"b", decremented(decremented(packet))}, {"c", packet}};
  for (const auto& [sink, bytes] : expected) {
    ASSERT_EQ(test.sink(sink).kept.size(), packets.size());
    for (Packet* one : test.sink(sink).kept) {
      EXPECT_EQ(to_hex(bytes_of(*one)), to_hex(bytes));
      EXPECT_EQ(one->network_header_offset(), 0);
      EXPECT_EQ(one->transport_header_offset(), 20);
      EXPECT_EQ(one->paint_anno(), 5);
      EXPECT_EQ(one->dst_ip_anno().to_string(), "10.0.0.2");
    }
  }
}

TEST(DecIPTTL, BadConfigurations) {
  EXPECT_EQ(errors_of("Idle -> e :: DecIPTTL(MULTICAST 2) -> Idle;"),
            "config:1: While configuring 'e :: DecIPTTL':\n  MULTICAST: parse error\n");
  EXPECT_EQ(errors_of("Idle -> e :: DecIPTTL(true) -> Idle;"),
            "config:1: While configuring 'e :: DecIPTTL':\n  too many arguments\n");
}

TEST(DecIPTTL, AtAnOffset) {
  const Bytes packet = datagram(64);
  const Bytes frame = concat({numbered(14), packet});
  // Also without, or against, a network header.
  expect_passes("DecIPTTL(OFFSET 14)", frame, decremented(frame, 14));
  expect_passes("MarkIPHeader(0) -> DecIPTTL(OFFSET 14)", frame, decremented(frame, 14));
  expect_passes("DecIPTTL(OFFSET 0)", packet, decremented(packet));
  expect_dropped("e :: DecIPTTL(OFFSET 14)", frame, first_bytes(frame, 33), "no-network-header");
  EXPECT_THAT(errors_of("Idle -> DecIPTTL(OFFSET 101) -> Discard"),
              testing::HasSubstr("OFFSET: out of range, bound 100"));
}

}  // namespace
}  // namespace headroom::test
