#include "headroom/net/ip_text.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "headroom/net/icmp.hh"
#include "headroom/net/icmp_names.hh"
#include "headroom/net/ip.hh"
#include "headroom/net/tcp.hh"

namespace headroom {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes datagram(uint8_t protocol, const Bytes& payload, uint16_t fragment = 0) {
  Bytes bytes(20 + payload.size());
  auto& ip = *reinterpret_cast<IpHeader*>(bytes.data());
  ip.set_header_length(20);
  ip.total_length = static_cast<uint16_t>(20 + payload.size());
  ip.id = 77;
  ip.tos = 8;
  ip.ttl = 64;
  ip.fragment = fragment;
  ip.protocol = protocol;
  ip.source = IPAddress(10, 0, 0, 1);
  ip.destination = IPAddress(10, 0, 0, 2);
  std::copy(payload.begin(), payload.end(), bytes.begin() + 20);
  return bytes;
}

Bytes tcp_segment(uint8_t flags, std::size_t data) {
  Bytes bytes(20 + data);
  auto& tcp = *reinterpret_cast<TcpHeader*>(bytes.data());
  tcp = {};
  tcp.source_port = 1000;
  tcp.destination_port = 80;
  tcp.sequence = 4294967290u;
  tcp.acknowledgement = 555;
  tcp.set_header_length(20);
  tcp.flags = flags;
  tcp.window = 8192;
  return bytes;
}

std::string text(const Bytes& bytes, const IpTextOptions& options = {}) {
  return ip_text(bytes, static_cast<uint32_t>(bytes.size()), options);
}

TEST(IpText, Udp) {
  const Bytes packet = datagram(17, {0x03, 0xe8, 0, 53, 0, 26, 0, 0});
  EXPECT_EQ(text(packet), "10.0.0.1.1000 > 10.0.0.2.53: udp 26");
  EXPECT_EQ(text(packet, {.id = true, .ttl = true, .tos = true, .length = true}),
            "id 77 ttl 64 tos 8 length 28 10.0.0.1.1000 > 10.0.0.2.53: udp 26");
}

TEST(IpText, Tcp) {
  EXPECT_EQ(text(datagram(6, tcp_segment(kTcpSyn, 0))),
            "10.0.0.1.1000 > 10.0.0.2.80: S 4294967290:4294967291(1,40,40) win 8192");
  // The sequence number wraps.
  EXPECT_EQ(text(datagram(6, tcp_segment(kTcpAck | kTcpPsh, 10))),
            "10.0.0.1.1000 > 10.0.0.2.80: P 4294967290:4(10,50,50) ack 555 win 8192");
  EXPECT_EQ(text(datagram(6, tcp_segment(kTcpAck, 0))),
            "10.0.0.1.1000 > 10.0.0.2.80: . 4294967290:4294967290(0,40,40) ack 555 win 8192");
  EXPECT_EQ(text(datagram(6, tcp_segment(kTcpSyn | kTcpFin | kTcpRst | kTcpPsh, 0))),
            "10.0.0.1.1000 > 10.0.0.2.80: SFRP 4294967290:4294967292(2,40,40) win 8192");
  EXPECT_EQ(ip_text(datagram(6, tcp_segment(kTcpAck, 2)), 56),
            "10.0.0.1.1000 > 10.0.0.2.80: . 4294967290:4294967292(2,56,42) ack 555 win 8192");
}

TEST(IpText, Icmp) {
  EXPECT_EQ(text(datagram(1, {8, 0, 0, 0, 1, 2, 0, 9})), "10.0.0.1 > 10.0.0.2: icmp echo (258, 9)");
  EXPECT_EQ(text(datagram(1, {0, 0, 0, 0, 1, 2, 0, 9}), {.swap = true}),
            "10.0.0.1 > 10.0.0.2: icmp echo-reply (513, 2304)");
  EXPECT_EQ(text(datagram(1, {11, 0, 0, 0, 0, 0, 0, 0})),
            "10.0.0.1 > 10.0.0.2: icmp timeexceeded transit");
  EXPECT_EQ(text(datagram(1, {5, 1, 0, 0, 9, 8, 7, 6})),
            "10.0.0.1 > 10.0.0.2: icmp redirect host to 9.8.7.6");
  EXPECT_EQ(text(datagram(1, {200, 0, 0, 0, 0, 0, 0, 0})), "10.0.0.1 > 10.0.0.2: icmp type 200");
}

TEST(IpText, IcmpUnreachable) {
  const auto unreachable = [](uint8_t code, uint16_t mtu = 0) {
    const Bytes about = datagram(17, {0x03, 0xe8, 0, 53, 0, 8, 0, 0});
    Bytes bytes(8 + about.size());
    bytes[0] = 3;
    bytes[1] = code;
    bytes[6] = static_cast<uint8_t>(mtu >> 8);
    bytes[7] = static_cast<uint8_t>(mtu);
    std::copy(about.begin(), about.end(), bytes.begin() + 8);
    return text(datagram(1, bytes));
  };
  EXPECT_EQ(unreachable(0), "10.0.0.1 > 10.0.0.2: icmp 10.0.0.2 unreachable net");
  EXPECT_EQ(unreachable(2), "10.0.0.1 > 10.0.0.2: icmp 10.0.0.2 unreachable protocol 17");
  EXPECT_EQ(unreachable(3), "10.0.0.1 > 10.0.0.2: icmp 10.0.0.2 unreachable port 53");
  EXPECT_EQ(unreachable(4, 1400),
            "10.0.0.1 > 10.0.0.2: icmp 10.0.0.2 unreachable needfrag mtu 1400");
  EXPECT_EQ(unreachable(99), "10.0.0.1 > 10.0.0.2: icmp 10.0.0.2 unreachable code 99");
}

TEST(IpText, Fragments) {
  EXPECT_EQ(text(datagram(17, {0x03, 0xe8, 0, 53, 0, 26, 0, 0}, kIpMoreFragments)),
            "10.0.0.1.1000 > 10.0.0.2.53: udp 26 (frag 77:8@0+)");
  EXPECT_EQ(text(datagram(6, Bytes(16), 3)), "10.0.0.1 > 10.0.0.2: tcp (frag 77:16@24)");
  EXPECT_EQ(text(datagram(50, Bytes(16), 3 | kIpMoreFragments)),
            "10.0.0.1 > 10.0.0.2: protocol 50 (frag 77:16@24+)");
}

TEST(IpText, WhatIsMissingIsTruncated) {
  const Bytes tcp = datagram(6, tcp_segment(kTcpAck, 0));
  for (std::size_t size = 0; size < 20; ++size)
    EXPECT_EQ(ip_text(std::span(tcp).first(size), 40), "truncated-ip");
  for (std::size_t size = 20; size < 24; ++size)
    EXPECT_EQ(ip_text(std::span(tcp).first(size), 40), "10.0.0.1 > 10.0.0.2: truncated-tcp");
  for (std::size_t size = 24; size < 40; ++size)
    EXPECT_EQ(ip_text(std::span(tcp).first(size), 40),
              "10.0.0.1.1000 > 10.0.0.2.80: truncated-tcp");
  // The datagram ends where its header says, whatever follows.
  Bytes padded = datagram(17, {1, 2, 3});
  padded.resize(60);
  EXPECT_EQ(text(padded), "10.0.0.1 > 10.0.0.2: truncated-udp");
  Bytes lying = tcp;
  lying[0] = 0x4f;
  EXPECT_EQ(text(lying), "10.0.0.1 > 10.0.0.2: truncated-ip");
}

// Every header, cut off after every number of bytes, in a buffer that ends there.
TEST(IpText, AnyBytesHaveAText) {
  for (int protocol = 0; protocol < 256; ++protocol)
    for (int type = 0; type < 20; ++type) {
      Bytes payload(44, 0x45);
      payload[0] = static_cast<uint8_t>(type);
      const Bytes whole = datagram(static_cast<uint8_t>(protocol), payload);
      for (std::size_t size = 0; size <= whole.size(); ++size) {
        const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_FALSE(text(cut).empty());
      }
      if (protocol != 1 && type == 3) break;
    }
}

TEST(DumpText, Hex) {
  EXPECT_EQ(dump_text({}, DumpForm::hex), "");
  Bytes bytes(26);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
  EXPECT_EQ(dump_text(bytes, DumpForm::none), "");
  EXPECT_EQ(dump_text(bytes, DumpForm::hex),
            "\n  00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617\n  1819");
}

TEST(DumpText, Ascii) {
  Bytes bytes;
  for (int i = 0; i < 50; ++i) bytes.push_back(static_cast<uint8_t>(i == 1 ? 7 : 'a' + i % 26));
  EXPECT_EQ(dump_text(bytes, DumpForm::ascii),
            "\n  a.cdefgh ijklmnop qrstuvwx yzabcdef ghijklmn opqrstuv\n  wx");
}

TEST(IcmpNames, TypesAndCodes) {
  EXPECT_EQ(icmp_type_name(8), "echo");
  EXPECT_EQ(icmp_type_name(18), "maskreq-reply");
  EXPECT_EQ(icmp_type_name(99), "");
  EXPECT_EQ(icmp_code_name(3, 4), "needfrag");
  EXPECT_EQ(icmp_code_name(5, 1), "host");
  EXPECT_EQ(icmp_code_name(11, 1), "reassembly");
  EXPECT_EQ(icmp_code_name(12, 1), "missingopt");
  EXPECT_EQ(icmp_code_name(8, 0), "");
  EXPECT_EQ(icmp_code_name(3, 99), "");
}

}  // namespace
}  // namespace headroom
