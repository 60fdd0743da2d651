#include "../datagrams.hh"

namespace headroom::test {
namespace {

Bytes framed(const Bytes& datagram) { return concat({numbered(14), datagram}); }

TEST(CheckICMPHeader, PassesGoodPackets) {
  const Drill drill{"e :: CheckICMPHeader", with_ip_header(14)};
  for (const std::size_t payload : {0u, 1u, 2u, 63u, 1001u})
    for (const std::size_t options : {0u, 12u}) {
      const Bytes packet =
          framed(icmp_datagram(kIcmpEcho, numbered(payload), {.options = options}));
      drill_pass(drill, packet, packet);
    }
  drill_read(drill, framed(icmp_datagram(kIcmpEcho, numbered(9))));
  drill_read(drill, framed(icmp_datagram(kIcmpUnreachable, udp_datagram(0))));
  drill_read(drill, framed(icmp_datagram(kIcmpTimestamp, numbered(12))));
}

TEST(CheckICMPHeader, DropsBadPackets) {
  const Drill drill{"e :: CheckICMPHeader", with_ip_header(14)};
  const Bytes good = icmp_datagram(kIcmpEcho, numbered(30));
  drill_drop(with_header_when(drill, framed(good)), framed(good), numbered(100),
             "no-network-header");
  drill_drop(drill, framed(good), framed(udp_datagram(9)), "other-protocol");
  Bytes fragment = good;
  fragment[6] = 0x20;
  drill_drop(drill, framed(good), framed(fragment), "fragment");
  std::vector<Bytes> cut_off;
  for (std::size_t length = 34; length < framed(good).size(); ++length)
    cut_off.push_back(first_bytes(framed(good), length));
  drill_all_dropped(drill, cut_off, "bad-length");
  drill_drop(drill, framed(good), cut_off.back(), "bad-length");
  // Long enough for IPv4 but not for ICMP.
  std::vector<Bytes> tiny;
  for (std::size_t length = 0; length < 8; ++length)
    tiny.push_back(framed(ip_datagram(kIpProtocolIcmp, Bytes(length))));
  drill_all_dropped(drill, tiny, "bad-length");
  std::vector<Bytes> wrong;
  for (std::size_t at = 20; at < good.size(); ++at) {
    wrong.push_back(framed(good));
    wrong.back()[14 + at] ^= 0x80;
  }
  drill_all_dropped(drill, wrong, "bad-checksum");
  drill_drop(drill, framed(good), wrong.back(), "bad-checksum");
}

TEST(CheckICMPHeader, MessagesAreAsLongAsTheirTypeNeeds) {
  const Drill drill{"e :: CheckICMPHeader", with_ip_header()};
  const Bytes good = icmp_datagram(kIcmpEcho, {});
  for (const uint8_t type : {3, 4, 5, 11, 12}) {
    drill_drop(drill, good, icmp_datagram(type, Bytes(19)), "bad-length");
    drill_pass(drill, icmp_datagram(type, Bytes(20)), icmp_datagram(type, Bytes(20)));
  }
  for (const uint8_t type : {13, 14}) {
    drill_drop(drill, good, icmp_datagram(type, Bytes(11)), "bad-length");
    drill_pass(drill, icmp_datagram(type, Bytes(12)), icmp_datagram(type, Bytes(12)));
  }
}

TEST(CheckICMPHeader, VerbosePrintsTheReason) {
  TestRouter test(pushed("e :: CheckICMPHeader(VERBOSE true)"));
  testing::internal::CaptureStderr();
  test.send("in", {numbered(30)});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "e: bad ICMP header: no-network-header\n");
}

TEST(ICMPPingResponder, AnswersEchoRequests) {
  const Drill drill{"e :: ICMPPingResponder", with_ip_header(14)};
  for (const std::size_t payload : {0u, 1u, 56u})
    for (const std::size_t options : {0u, 12u}) {
      const Bytes request = icmp_datagram(kIcmpEcho, numbered(payload), {.options = options});
      const Bytes reply = icmp_datagram(
          kIcmpEchoReply, numbered(payload),
          {.source = {10, 0, 0, 2}, .destination = {10, 0, 0, 1}, .options = options, .ttl = 255});
      drill_rewrite(drill, framed(request), framed(reply));
    }
}

TEST(ICMPPingResponder, SetsAnnotations) {
  TestRouter test(pushed("ICMPPingResponder"));
  Packet* packet = Packet::make(*test.pool, icmp_datagram(kIcmpEcho, numbered(9)));
  packet->set_network_header(0, 20);
  packet->set_paint_anno(5);
  packet->set_dst_ip_anno({7, 7, 7, 7});
  packet->set_timestamp_anno(1);
  test.send_packets("in", {packet});
  const auto& seen = test.sink("out").packets.at(0);
  EXPECT_EQ(to_hex(std::span(seen.annotations.user).first(4)), "0a000001");
  EXPECT_EQ(seen.annotations.user[anno::kPaint.offset], 0);
  EXPECT_EQ(seen.annotations.timestamp, test.clock.now() - 1);
}

// A checksum that was wrong stays wrong, so that the other end sees what arrived here.
TEST(ICMPPingResponder, DoesNotHideAWrongChecksum) {
  Bytes request = icmp_datagram(kIcmpEcho, numbered(9));
  request[30] ^= 0x40;
  TestRouter test(pushed("ICMPPingResponder -> c :: CheckICMPHeader"));
  test.send_packets("in", in_pieces({"", with_ip_header()}, *test.pool, request));
  EXPECT_EQ(test.dropped("c", "bad-checksum"), 38u);
}

TEST(ICMPPingResponder, AllElseIsDroppedOrGoesToOutputOne) {
  const Drill drill{"e :: ICMPPingResponder", with_ip_header()};
  const Bytes good = icmp_datagram(kIcmpEcho, numbered(9));
  const Bytes reply = icmp_datagram(kIcmpEchoReply, numbered(9));
  Bytes code = good;
  code[21] = 1;
  Bytes fragment = good;
  fragment[6] = 0x20;
  const std::vector<Bytes> others = {reply,           code,
                                     fragment,        udp_datagram(9),
                                     tcp_datagram(9), ip_datagram(kIpProtocolIcmp, Bytes(7, 8))};
  for (const Bytes& other : others) drill_drop(drill, good, other, "not-echo-request");
  std::vector<Bytes> cut_off;
  for (std::size_t length = 20; length < good.size(); ++length)
    cut_off.push_back(first_bytes(good, length));
  drill_all_dropped(drill, cut_off, "not-echo-request");
  drill_drop(with_header_when(drill, good), good, numbered(50), "no-network-header");
  for (const IPAddress bad :
       {IPAddress(224, 0, 0, 1), IPAddress(255, 255, 255, 255), IPAddress(0, 0, 0, 0)}) {
    drill_drop(drill, good, icmp_datagram(kIcmpEcho, numbered(9), {.source = bad}), "not-unicast");
    drill_drop(drill, good, icmp_datagram(kIcmpEcho, numbered(9), {.destination = bad}),
               "not-unicast");
  }
  in_all_batch_sizes([&](uint32_t batch_size) {
    TestRouter test(
        "in :: TestSource -> e :: ICMPPingResponder -> a :: TestSink; e[1] -> b :: TestSink;");
    std::vector<Packet*> packets;
    std::vector<Bytes> expected;
    for (int i = 0; i < 50; ++i)
      for (const Bytes& bytes : others) {
        packets.push_back(Packet::make(*test.pool, bytes));
        packets.push_back(Packet::make(*test.pool, good));
        for (std::size_t back : {1u, 2u}) packets[packets.size() - back]->set_network_header(0, 20);
        expected.push_back(bytes);
      }
    test.send_packets("in", packets, batch_size);
    EXPECT_EQ(bytes_at(test, "b"), expected);
    EXPECT_EQ(test.sink("a").packets.size(), expected.size());
  });
}

TEST(ICMPPingEncap, MakesEchoRequests) {
  for (const std::size_t length : {0u, 1u, 56u, 1001u}) {
    SCOPED_TRACE(length);
    TestRouter test(pushed("ICMPPingEncap(10.0.0.1, 10.0.0.2, IDENTIFIER 0x1234)"));
    test.send_packets("in", in_pieces({}, *test.pool, numbered(length)));
    const auto& seen = test.sink("out").packets;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      Bytes expected = icmp_datagram(kIcmpEcho, numbered(length), {.ttl = 255});
      expected[4] = expected[26] = 0;
      expected[5] = expected[27] = static_cast<uint8_t>(i + 1);
      fix_ip_checksum(expected);
      fix_transport_checksum(expected, 2);
      ASSERT_EQ(to_hex(seen[i].bytes), to_hex(expected));
      EXPECT_EQ(to_hex(std::span(seen[i].annotations.user).first(4)), "0a000002");
    }
  }
  const Drill drill{"e :: ICMPPingEncap(10.0.0.1, 10.0.0.2)"};
  drill_lengths(drill, numbered(40));
  drill_no_buffer(drill, numbered(40));
}

TEST(ICMPPingEncap, IsAnswered) {
  for (const std::size_t length : {0u, 1u, 33u, 1901u}) {
    TestRouter test(
        pushed("ICMPPingEncap(1.2.3.4, 5.6.7.8) -> a :: CheckIPHeader -> b :: CheckICMPHeader"
               "-> c :: ICMPPingResponder -> CheckIPHeader -> d :: CheckICMPHeader"
               "-> StripIPHeader -> Strip(8)"));
    test.send_packets("in", in_pieces({}, *test.pool, numbered(length)));
    ASSERT_FALSE(test.sink("out").packets.empty());
    for (const Bytes& bytes : bytes_at(test, "out")) EXPECT_EQ(bytes, numbered(length));
    EXPECT_EQ(test.read("a.drops") + test.read("b.drops") + test.read("d.drops"), "000");
  }
}

TEST(ICMPPingEncap, HandlersAndLimits) {
  TestRouter test(pushed("e :: ICMPPingEncap(1.2.3.4, 5.6.7.8)"));
  test.write("e.src", "9.9.9.9");
  test.write("e.dst", "8.8.8.8");
  EXPECT_EQ(test.read("e.src") + test.read("e.dst"), "9.9.9.98.8.8.8");
  test.send("in", {Bytes{}, Bytes(65507), Bytes(65508)});
  EXPECT_EQ(to_hex(first_bytes(without_first(bytes_at(test, "out").at(0), 12), 8)),
            "0909090908080808");
  EXPECT_EQ(test.dropped("e", "too-long"), 1u);
  EXPECT_EQ(
      errors_of("Idle -> e :: ICMPPingEncap(1.2.3.4) -> Idle;"),
      "config:1: While configuring 'e :: ICMPPingEncap':\n  DST: required argument missing\n");
}

}  // namespace
}  // namespace headroom::test
