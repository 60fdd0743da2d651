#include "../datagrams.hh"

namespace headroom::test {
namespace {

Bytes framed(const Bytes& datagram) { return concat({numbered(14), datagram}); }

// A datagram in which one byte behind the front is another, with the IPv4 checksum right again.
Bytes changed(Bytes datagram, std::size_t at, uint8_t value) {
  datagram[at] = value;
  if ((datagram[0] & 15) >= 5) fix_ip_checksum(datagram);
  return datagram;
}

// What both checks find before they look at their own header.
void expect_common_drops(const Drill& drill, const Bytes& good) {
  drill_drop(with_header_when(drill, framed(good)), framed(good), numbered(100),
             "no-network-header");
  for (const uint8_t first : {0x65, 0x44, 0x40})
    drill_drop(drill, framed(good), framed(changed(good, 0, first)), "no-network-header");
  drill_drop(drill, framed(good), framed(changed(good, 9, 50)), "other-protocol");
  drill_drop(drill, framed(good), framed(changed(good, 6, 0x20)), "fragment");
  drill_drop(drill, framed(good), framed(changed(good, 7, 9)), "fragment");
  std::vector<Bytes> cut_off;
  for (std::size_t length = 34; length < framed(good).size(); ++length)
    cut_off.push_back(first_bytes(framed(good), length));
  drill_all_dropped(drill, cut_off, "bad-length");
  drill_drop(drill, framed(good), cut_off.back(), "bad-length");
}

TEST(CheckUDPHeader, PassesGoodPackets) {
  const Drill drill{"e :: CheckUDPHeader", with_ip_header(14)};
  for (const std::size_t payload : {0u, 1u, 64u, 1001u}) {
    const Bytes packet = framed(udp_datagram(payload, {.options = payload % 2 == 0 ? 0u : 12u}));
    drill_pass(drill, packet, packet);
  }
  // Padding behind the datagram.
  const Bytes padded = concat({framed(udp_datagram(2)), Bytes(7, 0xee)});
  drill_pass(drill, padded, padded);
  drill_read(drill, framed(udp_datagram(9)));
}

TEST(CheckUDPHeader, AnyZeroChecksumIsNone) {
  Bytes packet = udp_datagram(9);
  packet[26] = packet[27] = 0;
  drill_read({"e :: CheckUDPHeader", with_ip_header()}, packet);
}

// A sum that comes out as 0 is sent as 0xffff.
TEST(CheckUDPHeader, ChecksumOfAllOnes) {
  Bytes packet = udp_datagram(2);
  const uint16_t sum = static_cast<uint16_t>(packet[26] << 8 | packet[27]);
  // Another payload whose sum is larger by what the checksum is.
  const uint32_t word = (packet[28] << 8 | packet[29]) + uint32_t{sum};
  const auto folded = static_cast<uint16_t>((word & 0xffff) + (word >> 16));
  packet[28] = static_cast<uint8_t>(folded >> 8);
  packet[29] = static_cast<uint8_t>(folded);
  fix_transport_checksum(packet, 6);
  ASSERT_EQ(packet[26], 0xff);
  ASSERT_EQ(packet[27], 0xff);
  drill_read({"e :: CheckUDPHeader", with_ip_header()}, packet);
  Bytes none = packet;
  none[26] = none[27] = 0;
  drill_rewrite({"e :: SetUDPChecksum", with_ip_header()}, none, packet);
}

TEST(CheckUDPHeader, DropsBadPackets) {
  const Drill drill{"e :: CheckUDPHeader", with_ip_header(14)};
  const Bytes good = udp_datagram(30);
  expect_common_drops(drill, good);
  for (const uint8_t length : {0, 7, 39, 255})
    drill_drop(drill, framed(good), framed(changed(good, 25, length)), "bad-length");
  drill_drop(drill, framed(good), framed(changed(good, 3, 27)), "bad-length");
  std::vector<Bytes> wrong;
  for (std::size_t at = 20; at < good.size(); ++at)
    if (at != 24 && at != 25) wrong.push_back(framed(changed(good, at, good[at] ^ 0x40)));
  drill_all_dropped(drill, wrong, "bad-checksum");
  drill_drop(drill, framed(good), wrong.back(), "bad-checksum");
  // The addresses belong to it.
  drill_drop(drill, framed(good), framed(changed(good, 15, 99)), "bad-checksum");
}

TEST(CheckUDPHeader, ADatagramInALongerPacketOfIp) {
  // The UDP length is what counts, and may be less than the IPv4 header says.
  Bytes packet = concat({udp_datagram(9), numbered(3)});
  packet[3] = static_cast<uint8_t>(packet.size());
  fix_ip_checksum(packet);
  drill_read({"e :: CheckUDPHeader", with_ip_header()}, packet);
}

TEST(CheckTCPHeader, PassesGoodPackets) {
  const Drill drill{"e :: CheckTCPHeader", with_ip_header(14)};
  for (const std::size_t payload : {0u, 1u, 64u, 1001u}) {
    const Bytes packet = framed(tcp_datagram(payload, {.options = payload % 2 == 0 ? 0u : 40u}));
    drill_pass(drill, packet, packet);
  }
  drill_read(drill, framed(tcp_datagram(9)));
  // With TCP options, of which the payload's first bytes are made here.
  Bytes options = tcp_datagram(40);
  options[32] = 0xf0;
  fix_transport_checksum(options, 16);
  drill_read({"e :: CheckTCPHeader", with_ip_header()}, options);
}

TEST(CheckTCPHeader, DropsBadPackets) {
  const Drill drill{"e :: CheckTCPHeader", with_ip_header(14)};
  const Bytes good = tcp_datagram(11);
  expect_common_drops(drill, good);
  for (const uint8_t offset : {0x00, 0x40, 0x80, 0xf0})
    drill_drop(drill, framed(good), framed(changed(good, 32, offset)), "bad-length");
  drill_drop(drill, framed(good), framed(changed(good, 3, 39)), "bad-length");
  std::vector<Bytes> wrong;
  for (std::size_t at = 20; at < good.size(); ++at)
    if (at != 32) wrong.push_back(framed(changed(good, at, good[at] ^ 0x40)));
  drill_all_dropped(drill, wrong, "bad-checksum");
  drill_drop(drill, framed(good), wrong.back(), "bad-checksum");
}

TEST(CheckTransport, BadPacketsGoToOutputOne) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(
        "in :: TestSource -> e :: CheckUDPHeader -> a :: TestSink; e[1] -> b :: TestSink;");
    std::vector<Packet*> packets;
    std::vector<Bytes> good;
    std::vector<Bytes> bad;
    for (uint8_t i = 0; i < 200; ++i) {
      Bytes bytes = udp_datagram(i);
      if (i % 3 == 0) bytes[26] ^= 1;
      if (i % 7 == 0) bytes = tcp_datagram(i);
      (i % 3 == 0 || i % 7 == 0 ? bad : good).push_back(bytes);
      packets.push_back(Packet::make(*test.pool, bytes));
      packets.back()->set_network_header(0, 20);
    }
    test.send_packets("in", packets, batch_size);
    EXPECT_EQ(bytes_at(test, "a"), good);
    EXPECT_EQ(bytes_at(test, "b"), bad);
    EXPECT_EQ(test.read("e.drops"), std::to_string(bad.size()));
    EXPECT_EQ(
        test.read("e.drop_details"),
        "0\tno-network-header\n29\tother-protocol\n0\tfragment\n0\tbad-length\n57\tbad-checksum\n");
  });
}

TEST(CheckTransport, VerbosePrintsTheReason) {
  for (const auto& [element, protocol] :
       {std::pair{"CheckUDPHeader", "UDP"}, std::pair{"CheckTCPHeader", "TCP"}}) {
    TestRouter test(pushed("e :: " + std::string(element) + "(VERBOSE true, DETAILS true)"));
    testing::internal::CaptureStderr();
    test.send("in", {numbered(30)});
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "e: bad " + std::string(protocol) + " header: no-network-header\n");
  }
}

}  // namespace
}  // namespace headroom::test
