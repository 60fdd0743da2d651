#include "../datagrams.hh"

namespace headroom::test {
namespace {

Bytes framed(const Bytes& datagram) { return concat({numbered(14), datagram}); }

// Packets that have no whole IPv4 header where the annotation says.
void expect_no_header(const std::string& elements) {
  const Bytes good = udp_datagram(30, {.options = 8});
  const Drill drill{elements, [size = good.size()](Packet& packet) {
                      if (packet.length() == size || packet.length() < 28)
                        packet.set_network_header(0, 20);
                    }};
  drill_drop(drill, good, numbered(50), "no-network-header");  // no annotation
  for (const std::size_t length : {0u, 1u, 19u, 20u, 27u})
    drill_drop(drill, good, first_bytes(good, length), "no-network-header");
}

TEST(SetIPChecksum, WritesTheChecksum) {
  for (const std::size_t options : {0u, 4u, 40u}) {
    const Bytes right = framed(udp_datagram(9, {.options = options}));
    Bytes wrong = right;
    wrong[24] ^= 0xff;
    wrong[25] ^= 0x0f;
    drill_rewrite({"e :: SetIPChecksum", with_ip_header(14)}, wrong, right);
  }
  expect_no_header("e :: SetIPChecksum");
}

TEST(SetIPChecksum, DropsAHeaderLengthThatCannotBe) {
  Bytes bad = udp_datagram(9);
  bad[0] = 0x44;
  drill_drop({"e :: SetIPChecksum", with_ip_header()}, udp_datagram(9), bad, "no-network-header");
}

TEST(FixIPSrc, SetsTheSourceWhenAsked) {
  const Drill asked{"e :: FixIPSrc(9.8.7.6)", [](Packet& packet) {
                      packet.set_network_header(14, 20);
                      packet.set_anno_u8(anno::kFixIpSrc.offset, 1);
                    }};
  for (const std::size_t options : {0u, 12u}) {
    const Bytes before = framed(icmp_datagram(8, numbered(9), {.options = options}));
    drill_rewrite(
        asked, before,
        framed(icmp_datagram(8, numbered(9), {.source = {9, 8, 7, 6}, .options = options})));
    drill_pass({asked.elements, with_ip_header(14)}, before, before);
  }
  drill_pass(unprepared(asked), numbered(3), numbered(3));
  TestRouter test(pushed(asked.elements));
  test.send_packets("in", in_pieces(asked, *test.pool, framed(udp_datagram(3))));
  for (const auto& seen : test.sink("out").packets)
    EXPECT_EQ(seen.annotations.user[anno::kFixIpSrc.offset], 0);
  const Drill no_header{asked.elements, [](Packet& packet) {
                          packet.set_anno_u8(anno::kFixIpSrc.offset, 1);
                          if (packet.length() == 60) packet.set_network_header(14, 20);
                        }};
  drill_drop(no_header, framed(udp_datagram(18)), numbered(50), "no-network-header");
}

TEST(StripIPHeader, TakesTheHeaderOff) {
  for (const std::size_t options : {0u, 4u, 40u}) {
    const Bytes datagram = udp_datagram(9, {.options = options});
    const Bytes stripped = without_first(datagram, 20 + options);
    const Drill drill{"e :: StripIPHeader", with_ip_header(14)};
    drill_pass(drill, framed(datagram), stripped);
    drill_copies(drill, framed(datagram), stripped);
    drill_lengths(drill, framed(datagram));
    drill_pass({"e :: StripIPHeader -> UnstripIPHeader", with_ip_header(14)}, framed(datagram),
               datagram);
  }
  expect_no_header("e :: StripIPHeader");
}

TEST(UnstripIPHeader, LeavesPacketsThatHaveTheirs) {
  drill_read({"e :: UnstripIPHeader", with_ip_header(0)}, udp_datagram(9));
  drill_read({"e :: UnstripIPHeader", with_ip_header(14)}, framed(udp_datagram(9)));
}

TEST(UnstripIPHeader, CopiesGetTheirsBack) {
  const Bytes datagram = udp_datagram(60);
  TestRouter test(
      "in :: TestSource -> StripIPHeader -> t :: Tee -> UnstripIPHeader -> a :: TestSink;"
      "t[1] -> EtherMirror -> UnstripIPHeader -> b :: TestSink; t[2] -> c :: TestSink;");
  for (const char* sink : {"a", "b", "c"}) test.sink(sink).keep = true;
  test.send_packets("in", in_pieces({"", with_ip_header()}, *test.pool, datagram));
  for (Packet* packet : test.sink("a").kept) EXPECT_EQ(bytes_of(*packet), datagram);
  for (Packet* packet : test.sink("b").kept)
    EXPECT_EQ(first_bytes(bytes_of(*packet), 20), first_bytes(datagram, 20));
  for (Packet* packet : test.sink("c").kept)
    EXPECT_EQ(bytes_of(*packet), without_first(datagram, 20));
}

TEST(UnstripIPHeader, DropsPacketsWithoutOne) {
  const Bytes good = udp_datagram(9);
  drill_drop(with_header_when({"e :: UnstripIPHeader", with_ip_header()}, good), good, numbered(50),
             "no-network-header");
}

TEST(IPEncap, PutsAHeaderInFront) {
  for (const std::size_t length : {0u, 1u, 60u}) {
    SCOPED_TRACE(length);
    const Bytes payload = numbered(length);
    TestRouter test(pushed("IPEncap(4, 10.0.0.1, 10.0.0.2)"));
    test.send_packets("in", in_pieces({}, *test.pool, payload));
    const auto& seen = test.sink("out").packets;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      Bytes expected = ip_datagram(4, payload, {.ttl = 250});
      expected[4] = 0;
      expected[5] = static_cast<uint8_t>(i);  // the identification counts
      fix_ip_checksum(expected);
      EXPECT_EQ(to_hex(seen[i].bytes), to_hex(expected));
      EXPECT_EQ(seen[i].network_offset, 0);
      EXPECT_EQ(to_hex(std::span(seen[i].annotations.user).first(4)), "0a000002");
    }
  }
  drill_lengths({"e :: IPEncap(4, 10.0.0.1, 10.0.0.2)"}, numbered(40));
  drill_no_buffer({"e :: IPEncap(4, 10.0.0.1, 10.0.0.2)"}, numbered(40));
}

// What the header's first ten bytes come to, and the address.
std::string header_of(const std::string& arguments) {
  TestRouter test(pushed("IPEncap(" + arguments + ")"));
  test.send("in", {Bytes{1}});
  const Bytes bytes = bytes_at(test, "out").at(0);
  EXPECT_EQ(slow_checksum(first_bytes(bytes, 20)), 0);
  return to_hex(first_bytes(bytes, 10));
}

TEST(IPEncap, Arguments) {
  const std::string to = ", 1.2.3.4, 5.6.7.8";
  EXPECT_EQ(header_of("ipip" + to), "4500001500000000fa04");
  EXPECT_EQ(header_of("udp" + to + ", TTL 7"), "45000015000000000711");
  EXPECT_EQ(header_of("4" + to + ", TOS 0xff"), "45ff001500000000fa04");
  EXPECT_EQ(header_of("4" + to + ", DSCP 63"), "45fc001500000000fa04");
  EXPECT_EQ(header_of("4" + to + ", DSCP 1, ECT true"), "4505001500000000fa04");
  EXPECT_EQ(header_of("4" + to + ", ECT 2"), "4502001500000000fa04");
  EXPECT_EQ(header_of("4" + to + ", CE true"), "4503001500000000fa04");
  EXPECT_EQ(header_of("4" + to + ", DF true"), "4500001500004000fa04");
}

TEST(IPEncap, Handlers) {
  TestRouter test(pushed("e :: IPEncap(4, 1.2.3.4, 5.6.7.8)"));
  EXPECT_EQ(test.read("e.src") + test.read("e.dst"), "1.2.3.45.6.7.8");
  test.write("e.src", "9.9.9.9");
  test.write("e.dst", "8.8.8.8");
  test.send("in", {Bytes{1}});
  EXPECT_EQ(to_hex(first_bytes(without_first(bytes_at(test, "out").at(0), 12), 8)),
            "0909090908080808");
}

TEST(IPEncap, DropsWhatWouldBeTooLong) {
  TestRouter test(pushed("e :: IPEncap(4, 1.2.3.4, 5.6.7.8)"));
  test.send("in", {Bytes(65515), Bytes(65516)});
  EXPECT_EQ(test.dropped("e", "too-long"), 1u);
  EXPECT_EQ(bytes_at(test, "out").at(0).size(), 65535u);
}

TEST(IPEncap, BadConfigurations) {
  const auto error = [](const std::string& arguments) {
    const std::string text = errors_of("Idle -> e :: IPEncap(" + arguments + ") -> Idle;");
    const std::string context = "config:1: While configuring 'e :: IPEncap':\n  ";
    return text.starts_with(context) ? text.substr(context.size()) : text;
  };
  EXPECT_EQ(error("tcpudp, 1.2.3.4, 5.6.7.8"), "PROTO: out of range, bound 255\n");
  EXPECT_EQ(error("4, 1.2.3.4, 5.6.7.8, DSCP 64"), "DSCP: out of range, bound 63\n");
  EXPECT_EQ(error("4, 1.2.3.4, 5.6.7.8, TOS 1, DSCP 1"),
            "TOS goes with neither DSCP nor ECT nor CE\n");
  EXPECT_EQ(error("4, 1.2.3.4, 5.6.7.8, ECT 2, CE true"), "CE goes not with ECT\n");
  EXPECT_EQ(error("4, 1.2.3.4, 5.6.7.8, ECT 3"), "ECT: should be true, false or 2\n");
}

}  // namespace
}  // namespace headroom::test
