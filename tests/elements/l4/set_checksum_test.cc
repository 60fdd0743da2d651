#include "../datagrams.hh"

namespace headroom::test {
namespace {

Bytes framed(const Bytes& datagram) { return concat({numbered(14), datagram}); }

Bytes without_checksum(Bytes datagram, std::size_t place) {
  const std::size_t at = (datagram[0] & 15U) * 4 + place;
  datagram[at] = 0x12;
  datagram[at + 1] = 0x34;
  return datagram;
}

TEST(SetUDPChecksum, WritesTheChecksum) {
  const Drill drill{"e :: SetUDPChecksum", with_ip_header(14)};
  for (const std::size_t payload : {0u, 1u, 2u, 63u, 1001u})
    for (const std::size_t options : {0u, 12u}) {
      const Bytes right = udp_datagram(payload, {.options = options});
      drill_pass(drill, framed(without_checksum(right, 6)), framed(right));
    }
  drill_rewrite(drill, framed(without_checksum(udp_datagram(9), 6)), framed(udp_datagram(9)));
  // Padding does not count.
  drill_pass(drill, concat({framed(without_checksum(udp_datagram(9), 6)), Bytes(5, 0xee)}),
             concat({framed(udp_datagram(9)), Bytes(5, 0xee)}));
}

TEST(SetTCPChecksum, WritesTheChecksum) {
  const Drill drill{"e :: SetTCPChecksum", with_ip_header(14)};
  for (const std::size_t payload : {0u, 1u, 2u, 63u, 1001u})
    for (const std::size_t options : {0u, 12u}) {
      const Bytes right = tcp_datagram(payload, {.options = options});
      drill_pass(drill, framed(without_checksum(right, 16)), framed(right));
    }
  drill_rewrite(drill, framed(without_checksum(tcp_datagram(9), 16)), framed(tcp_datagram(9)));
}

void expect_common_drops(const std::string& element, const Bytes& good) {
  const Drill drill{element, with_ip_header(14)};
  drill_drop(with_header_when(drill, framed(good)), framed(good), numbered(100),
             "no-network-header");
  for (const auto& [at, value] : {std::pair{6u, uint8_t{0x20}}, std::pair{7u, uint8_t{9}}}) {
    Bytes fragment = good;
    fragment[at] = value;
    drill_drop(drill, framed(good), framed(fragment), "fragment");
  }
  for (std::size_t length = 34; length < framed(good).size(); length += 2)
    drill_drop(drill, framed(good), first_bytes(framed(good), length), "bad-length");
}

TEST(SetChecksum, DropsWhatIsNotWhole) {
  expect_common_drops("e :: SetUDPChecksum", udp_datagram(9));
  expect_common_drops("e :: SetTCPChecksum", tcp_datagram(9));
  for (const uint8_t length : {0, 7, 18}) {
    Bytes bad = udp_datagram(9);
    bad[25] = length;
    drill_drop({"e :: SetUDPChecksum", with_ip_header()}, udp_datagram(9), bad, "bad-length");
  }
  for (const uint8_t offset : {0x00, 0x40, 0xf0}) {
    Bytes bad = tcp_datagram(9);
    bad[32] = offset;
    drill_drop({"e :: SetTCPChecksum", with_ip_header()}, tcp_datagram(9), bad, "bad-length");
  }
}

TEST(SetTCPChecksum, FixesTheHeaderLengthWhenAsked) {
  for (const auto& [wrong, right] :
       {std::pair{0x00, 0x50}, std::pair{0x40, 0x50}, std::pair{0xf0, 0x70}}) {
    Bytes bad = tcp_datagram(9);
    bad[32] = static_cast<uint8_t>(wrong);
    Bytes good = tcp_datagram(9);
    good[32] = static_cast<uint8_t>(right);
    fix_transport_checksum(good, 16);
    drill_pass({"e :: SetTCPChecksum(FIXOFF true)", with_ip_header()}, bad, good);
  }
}

TEST(UDPIPEncap, PutsBothHeadersInFront) {
  for (const bool checksum : {true, false})
    for (const std::size_t length : {0u, 1u, 60u, 1001u}) {
      SCOPED_TRACE(length);
      const Bytes payload = numbered(length, 200);
      TestRouter test(pushed("UDPIPEncap(10.0.0.1, 1000, 10.0.0.2, 2000, " +
                             std::string(checksum ? "true" : "false") + ")"));
      test.send_packets("in", in_pieces({}, *test.pool, payload));
      const auto& seen = test.sink("out").packets;
      for (std::size_t i = 0; i < seen.size(); ++i) {
        Bytes expected = udp_datagram(length, {.ttl = 250});
        if (!checksum) expected[26] = expected[27] = 0;
        expected[4] = 0;
        expected[5] = static_cast<uint8_t>(i);  // the identification counts
        fix_ip_checksum(expected);
        ASSERT_EQ(to_hex(seen[i].bytes), to_hex(expected));
        EXPECT_EQ(seen[i].network_offset, 0);
        EXPECT_EQ(to_hex(std::span(seen[i].annotations.user).first(4)), "0a000002");
      }
    }
  const Drill drill{"e :: UDPIPEncap(10.0.0.1, 1000, 10.0.0.2, 2000)"};
  drill_lengths(drill, numbered(40));
  drill_no_buffer(drill, numbered(40));
}

TEST(UDPIPEncap, WhatItWritesPassesTheChecks) {
  for (const std::size_t length : {0u, 1u, 33u, 1472u, 1901u}) {
    const Drill drill{
        "e :: UDPIPEncap(1.2.3.4, 53, 5.6.7.8, 53) -> c :: CheckIPHeader -> d :: CheckUDPHeader -> "
        "StripIPHeader -> Strip(8)"};
    TestRouter test(pushed(drill.elements));
    test.send_packets("in", in_pieces(drill, *test.pool, numbered(length)));
    ASSERT_FALSE(test.sink("out").packets.empty());
    for (const Bytes& bytes : bytes_at(test, "out")) EXPECT_EQ(bytes, numbered(length));
    EXPECT_EQ(test.read("c.drops") + test.read("d.drops"), "00");
  }
}

TEST(UDPIPEncap, CopiesAreIndependent) {
  TestRouter test(
      "in :: TestSource -> t :: Tee -> UDPIPEncap(1.2.3.4, 1, 5.6.7.8, 2) -> a :: TestSink;"
      "t[1] -> UDPIPEncap(9.9.9.9, 3, 8.8.8.8, 4) -> b :: TestSink; t[2] -> c :: TestSink;");
  for (const char* sink : {"a", "b", "c"}) test.sink(sink).keep = true;
  test.send_packets("in", in_pieces({}, *test.pool, numbered(50)));
  for (Packet* packet : test.sink("a").kept)
    EXPECT_EQ(to_hex(first_bytes(without_first(bytes_of(*packet), 12), 12)),
              "010203040506070800010002");
  for (Packet* packet : test.sink("b").kept)
    EXPECT_EQ(to_hex(first_bytes(without_first(bytes_of(*packet), 12), 12)),
              "090909090808080800030004");
  for (Packet* packet : test.sink("c").kept) EXPECT_EQ(bytes_of(*packet), numbered(50));
}

TEST(UDPIPEncap, HandlersAndNames) {
  TestRouter test(pushed("e :: UDPIPEncap(1.2.3.4, domain, 5.6.7.8, 2)"));
  EXPECT_EQ(test.read("e.src") + " " + test.read("e.sport") + " " + test.read("e.dst") + " " +
                test.read("e.dport"),
            "1.2.3.4 53 5.6.7.8 2");
  test.write("e.src", "9.9.9.9");
  test.write("e.sport", "4");
  test.write("e.dst", "8.8.8.8");
  test.write("e.dport", "5");
  test.send("in", {{}});
  EXPECT_EQ(to_hex(first_bytes(without_first(bytes_at(test, "out").at(0), 12), 12)),
            "090909090808080800040005");
}

TEST(UDPIPEncap, DropsWhatWouldBeTooLong) {
  TestRouter test(pushed("e :: UDPIPEncap(1.2.3.4, 1, 5.6.7.8, 2)"));
  test.send("in", {Bytes(65507), Bytes(65508)});
  EXPECT_EQ(test.dropped("e", "too-long"), 1u);
  EXPECT_EQ(bytes_at(test, "out").at(0).size(), 65535u);
}

TEST(UDPIPEncap, BadConfigurations) {
  EXPECT_EQ(errors_of("Idle -> e :: UDPIPEncap(1.2.3.4, 65536, 5.6.7.8, 2) -> Idle;").substr(0, 48),
            "config:1: While configuring 'e :: UDPIPEncap':\n ");
  EXPECT_EQ(errors_of("Idle -> e :: UDPIPEncap(1.2.3.4, 1, 5.6.7.8) -> Idle;"),
            "config:1: While configuring 'e :: UDPIPEncap':\n  DPORT: required argument missing\n");
}

}  // namespace
}  // namespace headroom::test
