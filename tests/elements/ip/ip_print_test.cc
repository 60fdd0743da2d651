#include <filesystem>
#include <fstream>

#include "../datagrams.hh"

namespace headroom::test {
namespace {

// What is printed for packets of these bytes, the network header at `offset`, in whatever pieces.
std::string printed(const std::string& arguments, const Bytes& bytes, uint32_t offset = 0) {
  std::string once;
  const Drill drill{"IPPrint(" + arguments + ")", [=](Packet& packet) {
                      packet.set_network_header(offset, 20);
                      packet.set_timestamp_anno(12'345'678'999);
                      packet.set_paint_anno(3);
                      packet.set_anno_u32(anno::kAggregate.offset, 44);
                    }};
  in_contexts(drill, [&](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    auto packets = in_pieces(drill, *test.pool, bytes);
    const std::size_t count = packets.size();
    testing::internal::CaptureStderr();
    test.send_packets("in", std::move(packets), batch_size);
    test.run();
    const std::string all = testing::internal::GetCapturedStderr();
    EXPECT_EQ(test.sink("out").packets.size(), count);
    const std::string one = all.substr(0, all.size() / count);
    std::string expected;
    for (std::size_t i = 0; i < count; ++i) expected += one;
    EXPECT_EQ(all, expected);
    once = one;
  });
  return once;
}

TEST(IPPrint, ALineAPacket) {
  EXPECT_EQ(printed("", udp_datagram(18)), "12.345678: 10.0.0.1.1000 > 10.0.0.2.2000: udp 26\n");
  EXPECT_EQ(printed("hello", concat({numbered(14), udp_datagram(18)}), 14),
            "hello: 12.345678: 10.0.0.1.1000 > 10.0.0.2.2000: udp 26\n");
  EXPECT_EQ(printed("x, TIMESTAMP false", tcp_datagram(5)),
            "x: 10.0.0.1.1000 > 10.0.0.2.80: S 12345:12351(6,45,45) win 8192\n");
  EXPECT_EQ(printed("TIMESTAMP false", icmp_datagram(8, numbered(9))),
            "10.0.0.1 > 10.0.0.2: icmp echo (4660, 9)\n");
  EXPECT_EQ(printed("TIMESTAMP false, SWAP true", icmp_datagram(0, numbered(9))),
            "10.0.0.1 > 10.0.0.2: icmp echo-reply (13330, 2304)\n");
}

TEST(IPPrint, Fields) {
  EXPECT_EQ(printed("TIMESTAMP false, ID true, TTL true, TOS true, LENGTH true, PAINT true",
                    udp_datagram(18)),
            "paint 3: id 77 ttl 64 tos 0 length 46 10.0.0.1.1000 > 10.0.0.2.2000: udp 26\n");
  EXPECT_EQ(printed("TIMESTAMP false, AGGREGATE true", udp_datagram(18)),
            "#44: 10.0.0.1.1000 > 10.0.0.2.2000: udp 26\n");
  EXPECT_EQ(printed("TIMESTAMP false, AGGREGATE true, PAINT true", udp_datagram(18)),
            "#44.3: 10.0.0.1.1000 > 10.0.0.2.2000: udp 26\n");
}

std::string shown(const Bytes& bytes) {
  std::string text;
  for (const uint8_t byte : bytes) text += byte >= 32 && byte < 127 ? static_cast<char>(byte) : '.';
  return text;
}

TEST(IPPrint, ContentsAndPayload) {
  const Bytes packet = icmp_datagram(8, {'h', 'i', 0, '!'});
  const std::string line = "10.0.0.1 > 10.0.0.2: icmp echo (4660, 9)\n";
  EXPECT_EQ(printed("TIMESTAMP false, PAYLOAD ascii", packet),
            line + "  " + shown(first_bytes(without_first(packet, 20), 8)) + " hi.!\n");
  EXPECT_EQ(printed("TIMESTAMP false, PAYLOAD hex, MAXLENGTH 6", packet),
            line + "  " + to_hex(first_bytes(without_first(packet, 20), 4)) + " " +
                to_hex(first_bytes(without_first(packet, 24), 2)) + "\n");
  EXPECT_EQ(printed("TIMESTAMP false, CONTENTS true, NBYTES 4", concat({numbered(14), packet}), 14),
            line + "  " + to_hex(first_bytes(packet, 4)) + "\n");
  EXPECT_EQ(printed("TIMESTAMP false, CONTENTS none", packet), line);
}

TEST(IPPrint, WhatIsNoIpPacket) {
  EXPECT_EQ(printed("TIMESTAMP false", numbered(19)), "truncated-ip\n");
  EXPECT_EQ(printed("TIMESTAMP false", numbered(60), 50), "truncated-ip\n");
  TestRouter test(pushed("IPPrint(x, TIMESTAMP false)"));
  testing::internal::CaptureStderr();
  test.send("in", {numbered(40)});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "x: (not an IP packet)\n");
}

TEST(IPPrint, PassesPacketsOfAnyLength) {
  testing::internal::CaptureStderr();
  for (const Bytes& packet : {tcp_datagram(9, {.options = 12}), icmp_datagram(3, udp_datagram(0)),
                              icmp_datagram(5, numbered(9)), udp_datagram(9)})
    for (const char* contents : {"", "CONTENTS hex", "PAYLOAD ascii"}) {
      const Drill drill{"e :: IPPrint(" + std::string(contents) + ")", with_ip_header()};
      drill_lengths(drill, packet);
      drill_copies(drill, packet, packet);
    }
  testing::internal::GetCapturedStderr();
}

TEST(IPPrint, Active) {
  TestRouter test(pushed("e :: IPPrint(ACTIVE false)"));
  testing::internal::CaptureStderr();
  test.send("in", {numbered(40)});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  test.write("e.active", "true");
  EXPECT_EQ(test.read("e.active"), "true");
}

TEST(IPPrint, ToAFile) {
  const std::string path = testing::TempDir() + "ip_print_test.txt";
  std::ofstream(path) << "what was there before\n";
  {
    TestRouter test(pushed("IPPrint(TIMESTAMP false, OUTFILE " + path + ")"));
    test.send_packets("in", in_pieces({"", with_ip_header()}, *test.pool, udp_datagram(0)));
  }
  std::ifstream file(path);
  std::string line;
  std::size_t lines = 0;
  for (; std::getline(file, line); ++lines) EXPECT_EQ(line, "10.0.0.1.1000 > 10.0.0.2.2000: udp 8");
  EXPECT_EQ(lines, 29u);
  std::filesystem::remove(path);
}

TEST(IPPrint, BadConfigurations) {
  const std::string context = "config:1: While configuring 'e :: IPPrint':\n  ";
  EXPECT_EQ(errors_of("Idle -> e :: IPPrint(CONTENTS hex, PAYLOAD hex) -> Idle;"),
            context + "specify at most one of PAYLOAD and CONTENTS\n");
  EXPECT_EQ(errors_of("Idle -> e :: IPPrint(CONTENTS octal) -> Idle;"),
            context + "CONTENTS: should be NONE, HEX or ASCII\n");
}

}  // namespace
}  // namespace headroom::test
