#include <gtest/gtest.h>

#include <cstring>

#include "headroom/net/arp.hh"
#include "headroom/net/ether.hh"
#include "headroom/net/icmp.hh"
#include "headroom/net/ip.hh"
#include "headroom/net/ip6.hh"
#include "headroom/net/tcp.hh"
#include "headroom/net/udp.hh"

namespace headroom {
namespace {

// A header type over bytes that start at an odd address.
template <class Header, size_t N>
Header view(const unsigned char (&bytes)[N]) {
  static_assert(sizeof(Header) == N);
  unsigned char shifted[N + 1];
  std::memcpy(shifted + 1, bytes, N);
  return *reinterpret_cast<Header*>(shifted + 1);
}

TEST(Headers, Ether) {
  const auto ether = view<VlanEtherHeader>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,  //
                                            0x81, 0, 0xb0, 0x7b, 8, 0});
  EXPECT_EQ(ether.destination, EtherAddress(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(ether.source, EtherAddress(7, 8, 9, 10, 11, 12));
  EXPECT_EQ(ether.tag_type, kEtherTypeVlan);
  EXPECT_EQ(ether.tag.id(), 123);
  EXPECT_EQ(ether.tag.priority(), 5U);
  EXPECT_TRUE(ether.tag.drop_eligible());
  EXPECT_EQ(ether.tag.type, kEtherTypeIp);
}

TEST(Headers, Arp) {
  auto arp = view<ArpHeader>({0, 1, 8, 0, 6, 4, 0,  2, 1, 2, 3, 4, 5, 6, 10, 0, 0, 1,  //
                              6, 5, 4, 3, 2, 1, 10, 0, 0, 2});
  EXPECT_TRUE(arp.is_ether_ip());
  EXPECT_EQ(arp.operation, kArpReply);
  EXPECT_EQ(arp.sender_ether, EtherAddress(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(arp.sender_ip, IPAddress(10, 0, 0, 1));
  EXPECT_EQ(arp.target_ether, EtherAddress(6, 5, 4, 3, 2, 1));
  EXPECT_EQ(arp.target_ip, IPAddress(10, 0, 0, 2));
  arp.protocol_length = 16;
  EXPECT_FALSE(arp.is_ether_ip());
  arp.set_ether_ip();
  EXPECT_TRUE(arp.is_ether_ip());
}

TEST(Headers, Ip) {
  auto ip = view<IpHeader>({0x46, 0xb9, 1, 2, 3,  4, 0x20, 5, 64, 17, 0xab, 0xcd,  //
                            10,   0,    0, 1, 10, 0, 0,    2});
  EXPECT_EQ(ip.version(), 4U);
  EXPECT_EQ(ip.header_length(), 24U);
  EXPECT_EQ(ip.dscp(), 46U);
  EXPECT_EQ(ip.ecn(), 1U);
  EXPECT_EQ(ip.total_length, 0x102);
  EXPECT_EQ(ip.id, 0x304);
  EXPECT_FALSE(ip.dont_fragment());
  EXPECT_TRUE(ip.more_fragments());
  EXPECT_EQ(ip.fragment_offset(), 40U);
  EXPECT_TRUE(ip.is_fragment());
  EXPECT_TRUE(ip.is_later_fragment());
  ip.fragment = kIpDontFragment;
  EXPECT_TRUE(ip.dont_fragment());
  EXPECT_FALSE(ip.is_fragment());
  ip.fragment = kIpMoreFragments;
  EXPECT_TRUE(ip.is_fragment());
  EXPECT_FALSE(ip.is_later_fragment());
  EXPECT_EQ(ip.ttl, 64);
  EXPECT_EQ(ip.protocol, kIpProtocolUdp);
  EXPECT_EQ(ip.checksum, 0xabcd);
  EXPECT_EQ(ip.source, IPAddress(10, 0, 0, 1));
  EXPECT_EQ(ip.destination, IPAddress(10, 0, 0, 2));
  ip.set_header_length(20);
  EXPECT_EQ(ip.version_and_length, 0x45);
}

TEST(Headers, Ip6) {
  unsigned char bytes[40] = {0x61, 0x23, 0x45, 0x67, 0, 99, 6, 64};
  bytes[23] = 1;
  bytes[39] = 2;
  auto ip6 = view<Ip6Header>(bytes);
  EXPECT_EQ(ip6.version(), 6U);
  EXPECT_EQ(ip6.traffic_class(), 0x12U);
  EXPECT_EQ(ip6.flow_label(), 0x34567U);
  EXPECT_EQ(ip6.payload_length, 99);
  EXPECT_EQ(ip6.next_header, kIpProtocolTcp);
  EXPECT_EQ(ip6.hop_limit, 64);
  EXPECT_EQ(ip6.source.to_string(), "::1");
  EXPECT_EQ(ip6.destination.to_string(), "::2");
  ip6.set_version_class_flow(0xab, 0xcdef0);
  EXPECT_EQ(ip6.version_class_flow, 0x6abcdef0U);
  const auto fragment = view<Ip6FragmentHeader>({17, 0, 1, 1, 0, 0, 0, 9});
  EXPECT_EQ(fragment.fragment_offset(), 256U);
  EXPECT_TRUE(fragment.more_fragments());
  EXPECT_EQ(fragment.id, 9U);
}

TEST(Headers, Transport) {
  auto tcp = view<TcpHeader>({0, 80, 1, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0x80, 0x12, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(tcp.source_port, 80);
  EXPECT_EQ(tcp.destination_port, 256);
  EXPECT_EQ(tcp.sequence, 1U);
  EXPECT_EQ(tcp.acknowledgement, 2U);
  EXPECT_EQ(tcp.header_length(), 32U);
  EXPECT_EQ(tcp.flags, kTcpSyn | kTcpAck);
  EXPECT_EQ(tcp.window, 0x304);
  EXPECT_EQ(tcp.checksum, 0x506);
  EXPECT_EQ(tcp.urgent_pointer, 0x708);
  tcp.set_header_length(60);
  EXPECT_EQ(tcp.data_offset, 0xf0);
  const auto udp = view<UdpHeader>({0, 53, 1, 0, 0, 9, 2, 3});
  EXPECT_EQ(udp.source_port, 53);
  EXPECT_EQ(udp.destination_port, 256);
  EXPECT_EQ(udp.length, 9);
  EXPECT_EQ(udp.checksum, 0x203);
}

TEST(Headers, Icmp) {
  auto icmp = view<IcmpHeader>({8, 0, 1, 2, 3, 4, 5, 6});
  EXPECT_EQ(icmp.type, kIcmpEcho);
  EXPECT_EQ(icmp.checksum, 0x102);
  EXPECT_EQ(icmp.id(), 0x304);
  EXPECT_EQ(icmp.sequence(), 0x506);
  icmp.set_gateway(IPAddress(10, 1, 2, 3));
  EXPECT_EQ(icmp.gateway(), IPAddress(10, 1, 2, 3));
  icmp.next_hop_mtu() = 1400;
  EXPECT_EQ(icmp.word[1], 1400);
  icmp.set_pointer(20);
  EXPECT_EQ(icmp.pointer(), 20);
  EXPECT_EQ(icmp.word[0], 20 << 8);
}

}  // namespace
}  // namespace headroom
