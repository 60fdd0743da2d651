#include "../datagrams.hh"

namespace headroom::test {
namespace {

// The annotation at `place` of all packets that pass, in any pieces; "" when they differ.
std::string annotation(const Drill& drill, const Bytes& packet, std::size_t place = 0) {
  std::string text;
  in_contexts(drill, [&](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    test.send_packets("in", in_pieces(drill, *test.pool, packet), batch_size);
    test.run();
    EXPECT_FALSE(test.sink("out").packets.empty());
    for (const auto& seen : test.sink("out").packets) {
      const std::string now = to_hex(std::span(seen.annotations.user).subspan(place, 4));
      EXPECT_TRUE(text.empty() || text == now);
      text = now;
    }
  });
  return text;
}

TEST(GetIPAddress, FromAnOffset) {
  for (const uint32_t offset : {0u, 16u, 36u}) {
    const Drill drill{"e :: GetIPAddress(" + std::to_string(offset) + ")"};
    EXPECT_EQ(annotation(drill, numbered(40)), to_hex(numbered(4, static_cast<uint8_t>(offset))));
    drill_read(drill, numbered(40));
    drill_drop(drill, numbered(40), numbered(offset + 3), "too-short");
  }
  EXPECT_EQ(annotation({"e :: GetIPAddress(16, 24)"}, numbered(40), 24), to_hex(numbered(4, 16)));
}

TEST(GetIPAddress, FromTheHeader) {
  const Bytes packet = concat({numbered(14), udp_datagram(9)});
  const Drill source{"e :: GetIPAddress(IP src)", with_ip_header(14)};
  EXPECT_EQ(annotation(source, packet), "0a000001");
  const Drill destination{"e :: GetIPAddress(IP dst)", with_ip_header(14)};
  EXPECT_EQ(annotation(destination, packet), "0a000002");
  drill_read(destination, packet);
  drill_drop(with_header_when(destination, packet), packet, numbered(50), "no-network-header");
}

TEST(GetIPAddress, BadConfigurations) {
  const std::string context = "config:1: While configuring 'e :: GetIPAddress':\n  ";
  EXPECT_EQ(errors_of("Idle -> e :: GetIPAddress -> Idle;"),
            context + "needs either OFFSET or IP\n");
  EXPECT_EQ(errors_of("Idle -> e :: GetIPAddress(16, IP src) -> Idle;"),
            context + "needs either OFFSET or IP\n");
  EXPECT_EQ(errors_of("Idle -> e :: GetIPAddress(IP 16) -> Idle;"),
            context + "IP: should be src or dst\n");
  EXPECT_EQ(errors_of("Idle -> e :: GetIPAddress(there) -> Idle;"),
            context + "OFFSET: should be an offset in bytes, src or dst\n");
}

TEST(SetIPAddress, SetsTheAnnotation) {
  EXPECT_EQ(annotation({"e :: SetIPAddress(1.2.3.4)"}, numbered(40)), "01020304");
  EXPECT_EQ(annotation({"e :: SetIPAddress(1.2.3.4, 8)"}, numbered(40), 8), "01020304");
  drill_read({"e :: SetIPAddress(1.2.3.4)"}, numbered(40));
  TestRouter test(pushed("e :: SetIPAddress(1.2.3.4)"));
  test.write("e.addr", "5.6.7.8");
  EXPECT_EQ(test.read("e.addr"), "5.6.7.8");
}

TEST(StoreIPAddress, AtAnOffset) {
  for (const std::size_t offset : {0u, 7u, 36u}) {
    Bytes expected = numbered(40);
    const Bytes address = {1, 2, 3, 4};
    std::copy(address.begin(), address.end(),
              expected.begin() + static_cast<std::ptrdiff_t>(offset));
    const Drill fixed{"e :: StoreIPAddress(1.2.3.4, " + std::to_string(offset) + ")"};
    drill_rewrite(fixed, numbered(40), expected);
    drill_drop(fixed, numbered(40), numbered(offset + 3), "too-short");
    const Drill by_annotation{"e :: StoreIPAddress(" + std::to_string(offset) + ")",
                              [](Packet& packet) {
                                packet.set_dst_ip_anno({1, 2, 3, 4});
                              }};
    drill_rewrite(by_annotation, numbered(40), expected);
  }
}

TEST(StoreIPAddress, ZeroIsStoredOnlyWhenGiven) {
  drill_pass({"e :: StoreIPAddress(4)"}, numbered(20), numbered(20));
  drill_pass({"e :: StoreIPAddress(0.0.0.0, 4)"}, numbered(20),
             concat({numbered(4), Bytes(4), numbered(12, 8)}));
}

TEST(StoreIPAddress, UpdatesChecksumsOfTheHeaderAndTheTransport) {
  for (const bool source : {true, false})
    for (const std::size_t options : {0u, 12u})
      for (const std::size_t payload : {9u, 10u})
        for (const bool tcp : {true, false}) {
          const auto make = [&](IPAddress address) {
            Datagram datagram{.options = options};
            (source ? datagram.source : datagram.destination) = address;
            return concat({numbered(14), tcp ? tcp_datagram(payload, datagram)
                                             : udp_datagram(payload, datagram)});
          };
          const IPAddress before = source ? IPAddress(10, 0, 0, 1) : IPAddress(10, 0, 0, 2);
          const Drill drill{
              "e :: StoreIPAddress(99.98.97.96, " + std::string(source ? "src" : "dst") + ")",
              with_ip_header(14)};
          drill_rewrite(drill, make(before), make({99, 98, 97, 96}));
        }
}

TEST(StoreIPAddress, LeavesOtherTransportsAlone) {
  // No UDP checksum, a later fragment, a protocol without one.
  Bytes none = udp_datagram(9);
  none[26] = none[27] = 0;
  Bytes later = udp_datagram(9);
  later[7] = 5;
  Bytes other = udp_datagram(9);
  other[9] = 50;
  for (Bytes packet : {none, later, other}) {
    fix_ip_checksum(packet);
    Bytes expected = packet;
    expected[12] = 9;
    fix_ip_checksum(expected);
    drill_pass({"e :: StoreIPAddress(9.0.0.1, src)", with_ip_header()}, packet, expected);
  }
}

TEST(StoreIPAddress, DropsPacketsWithoutAHeader) {
  const Bytes good = udp_datagram(9);
  const Drill drill =
      with_header_when({"e :: StoreIPAddress(9.0.0.1, src)", with_ip_header()}, good);
  drill_drop(drill, good, numbered(50), "no-network-header");
}

TEST(StoreIPAddress, BadConfigurations) {
  const std::string context = "config:1: While configuring 'e :: StoreIPAddress':\n  ";
  EXPECT_EQ(errors_of("Idle -> e :: StoreIPAddress -> Idle;"),
            context + "should be 'OFFSET' or 'ADDRESS, OFFSET'\n");
  EXPECT_EQ(errors_of("Idle -> e :: StoreIPAddress(1.2.3, 4) -> Idle;"),
            context + "ADDRESS: parse error\n");
  EXPECT_EQ(errors_of("Idle -> e :: StoreIPAddress(1.2.3.4, there) -> Idle;"),
            context + "OFFSET: should be an offset in bytes, src or dst\n");
}

}  // namespace
}  // namespace headroom::test
