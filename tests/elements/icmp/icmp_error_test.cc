#include "../element_test.hh"

namespace headroom::test {
namespace {

constexpr const char* kConfig =
    "in :: TestSource -> CheckIPHeader -> e :: ICMPError(10.9.9.9, timeexceeded, transit, "
    "BADADDRS 10.0.0.255 10.7.0.0) -> out :: TestSink;";

Bytes datagram(const char* source = "10.0.0.1", const char* destination = "10.0.0.2",
               uint32_t payload = 18) {
  Ip4Frame frame;
  frame.source = source;
  frame.destination = destination;
  frame.payload = payload;
  return frame.build_ip();
}
Bytes with(Bytes packet, std::size_t at, uint8_t value) {
  packet[at] = value;
  fix_ip_checksum(packet);
  return packet;
}

TEST(ICMPError, AnswersToTheSource) {
  for (const uint32_t batch_size : {1u, 64u, 256u}) {
    TestRouter test(kConfig);
    test.send_packets("in", cut_everywhere(*test.pool, datagram()), batch_size);
    const auto& seen = test.sink("out").packets;
    ASSERT_EQ(seen.size(), datagram().size());
    std::vector<bool> ids(65536);
    for (const auto& one : seen) {
      const Bytes& bytes = one.bytes;
      ASSERT_EQ(bytes.size(), 28 + datagram().size());
      EXPECT_EQ(slow_checksum(first_bytes(bytes, 20)), 0);
      EXPECT_EQ(slow_checksum(without_first(bytes, 20)), 0);
      EXPECT_EQ(to_hex(first_bytes(without_first(bytes, 12), 8)), "0a0909090a000001");
      EXPECT_EQ(to_hex(first_bytes(without_first(bytes, 20), 2)), "0b00");
      EXPECT_EQ(to_hex(without_first(bytes, 28)), to_hex(datagram()));
      EXPECT_EQ(one.annotations.user[0], 10);
      EXPECT_EQ(one.annotations.user[3], 1);
      EXPECT_EQ(one.annotations.user[anno::kFixIpSrc.offset], 1);
      EXPECT_EQ(one.network_offset, 0);
      EXPECT_FALSE(ids[bytes[4] * 256U + bytes[5]]);
      ids[bytes[4] * 256U + bytes[5]] = true;
    }
  }
}

TEST(ICMPError, WhatMustNotBeAnswered) {
  Bytes icmp_error = with(datagram(), 9, 1);
  icmp_error[20] = 3;
  Bytes echo = icmp_error;
  echo[20] = 8;
  TestRouter test(kConfig);
  test.send("in", {icmp_error, with(datagram(), 7, 1), datagram("10.0.0.1", "224.0.0.1"),
                   datagram("10.0.0.1", "255.255.255.255"), datagram("10.0.0.1", "10.0.0.255"),
                   datagram("127.0.0.1"), datagram("0.0.0.0"), datagram("10.7.0.0"),
                   datagram("240.0.0.1")});
  EXPECT_TRUE(test.sink("out").packets.empty());
  EXPECT_EQ(test.dropped("e", "icmp-error"), 1u);
  EXPECT_EQ(test.dropped("e", "later-fragment"), 1u);
  EXPECT_EQ(test.dropped("e", "broadcast-or-multicast"), 3u);
  EXPECT_EQ(test.dropped("e", "bad-source"), 4u);
  test.send("in", {echo, with(datagram(), 6, 0x20)});  // a query, and a first fragment
  EXPECT_EQ(test.sink("out").packets.size(), 2u);
}

TEST(ICMPError, LinkBroadcastsAndPacketsWithoutAHeader) {
  TestRouter test(
      "in :: TestSource -> e :: ICMPError(10.9.9.9, unreachable, host) -> out :: TestSink;");
  std::vector<Packet*> packets;
  for (const PacketType type : {PacketType::host, PacketType::broadcast, PacketType::multicast}) {
    packets.push_back(Packet::make(*test.pool, datagram()));
    packets.back()->set_network_header(0, 20);
    packets.back()->set_packet_type_anno(type);
  }
  for (uint32_t length = 0; length < 20; ++length) {
    packets.push_back(Packet::make(*test.pool, datagram()));
    packets.back()->set_network_header(0, 20);
    packets.back()->take(packets.back()->length() - length);
  }
  packets.push_back(Packet::make(*test.pool, datagram()));
  test.send_packets("in", packets);
  EXPECT_EQ(test.sink("out").packets.size(), 1u);
  EXPECT_EQ(test.dropped("e", "link-broadcast"), 2u);
  EXPECT_EQ(test.dropped("e", "bad-header"), 21u);
}

TEST(ICMPError, LengthsAndTypes) {
  const Bytes large = datagram("10.0.0.1", "10.0.0.2", 1400);
  const auto answer = [&](const std::string& arguments) {
    TestRouter test("in :: TestSource -> CheckIPHeader -> ICMPError(10.9.9.9, " + arguments +
                    ") -> out :: TestSink;");
    test.send("in", {large});
    return bytes_at(test, "out").at(0);
  };
  EXPECT_EQ(answer("unreachable").size(), 576u);
  const Bytes needfrag = answer("unreachable, needfrag, MTU 1500, PMTU 1300");
  EXPECT_EQ(needfrag.size(), 28 + large.size());
  EXPECT_EQ(to_hex(first_bytes(without_first(needfrag, 20), 2)), "0304");
  EXPECT_EQ(to_hex(first_bytes(without_first(needfrag, 24), 4)), "00000514");
  EXPECT_EQ(to_hex(first_bytes(without_first(answer("redirect, host"), 24), 4)), "0a000002");
  EXPECT_EQ(to_hex(first_bytes(without_first(answer("12, 0"), 20), 2)), "0c00");
}

TEST(ICMPError, Clones) {
  TestRouter test(kConfig);
  Packet* packet = Packet::make(*test.pool, datagram());
  test.send_packets("in", {packet, packet->clone()});
  EXPECT_EQ(test.sink("out").packets.size(), 2u);
}

TEST(ICMPError, ConfigurationErrors) {
  const auto errors = [](const std::string& arguments) {
    return errors_of("TestSource -> ICMPError(" + arguments + ") -> TestSink;");
  };
  EXPECT_THAT(errors("1.2.3.4, unreachabel"),
              testing::HasSubstr("TYPE: expected the type of an ICMP error, not 'unreachabel'"));
  EXPECT_THAT(errors("1.2.3.4, echo"), testing::HasSubstr("TYPE: expected the type"));
  EXPECT_THAT(
      errors("1.2.3.4, unreachable, transit"),
      testing::HasSubstr("CODE: expected a number up to 255 or a code of 'unreachable', not "
                         "'transit'"));
  EXPECT_THAT(errors("1.2.3.4, 3, MTU 80"), testing::HasSubstr("MTU: expected 96 to 65535 bytes"));
  EXPECT_THAT(errors("1.2.3.4, 3, BADADDRS 1.2.3.4 x"),
              testing::HasSubstr("BADADDRS: expected IP addresses, not 'x'"));
  EXPECT_EQ(errors("1.2.3.4, 3, 1, 1.2.3.4 5.6.7.8"), "");
}

}  // namespace
}  // namespace headroom::test
