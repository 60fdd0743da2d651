#include "headroom/packet/transport.hh"

#include "headroom/net/tcp.hh"
#include "headroom/net/udp.hh"
#include "headroom/packet/encapsulate.hh"
#include "headroom/packet/restore.hh"
#include "headroom/packet/transport_checksum.hh"
#include "packet_fixture.hh"

namespace headroom::test {
namespace {

// Word by word, as RFC 1071 defines it.
uint16_t slow_sum(const Bytes& bytes) {
  uint32_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    sum += i % 2 == 0 ? static_cast<uint32_t>(bytes[i]) << 8 : bytes[i];
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(sum);
}

Bytes from_to(const Bytes& bytes, std::size_t first, std::size_t last) {
  return Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(first),
               bytes.begin() + static_cast<std::ptrdiff_t>(last));
}

// `front` bytes, an IPv4 header with `options` bytes of options, and a payload.
Bytes datagram(uint8_t protocol, std::size_t front, std::size_t options, const Bytes& payload) {
  Bytes bytes = pattern(front + 20 + options);
  auto& ip = *reinterpret_cast<IpHeader*>(bytes.data() + front);
  ip = ip_header_pattern(protocol, IPAddress(10, 0, 0, 1), IPAddress(192, 168, 255, 254));
  ip.set_header_length(static_cast<unsigned>(20 + options));
  ip.total_length = static_cast<uint16_t>(20 + options + payload.size());
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

class TransportTest : public PoolTest {
 protected:
  // The bytes in segments of these sizes; the rest in the last.
  Packet* make(const Bytes& bytes, std::vector<std::size_t> sizes) {
    Packet* head = nullptr;
    std::size_t at = 0;
    sizes.push_back(bytes.size());
    for (const std::size_t size : sizes) {
      const std::size_t end = std::min(bytes.size(), at + size);
      if (head != nullptr && at == end) break;
      Packet* part = Packet::make(*pool, from_to(bytes, at, end));
      if (head == nullptr)
        head = part;
      else
        EXPECT_EQ(rte_pktmbuf_chain(head->mbuf(), part->mbuf()), 0);
      at = end;
    }
    head->fence();
    return head;
  }
};

TEST_F(TransportTest, SumsAnyRangeOverAnySegments) {
  const Bytes bytes = pattern(70);
  for (const std::vector<std::size_t>& sizes :
       std::vector<std::vector<std::size_t>>{{}, {1}, {33}, {7, 1, 1, 20}, {69}}) {
    Packet* packet = make(bytes, sizes);
    for (uint32_t offset = 0; offset <= 70; ++offset)
      for (uint32_t length = 0; offset + length <= 70; ++length) {
        const auto sum = sum_of(*packet, offset, length);
        const uint16_t expected = slow_sum(from_to(bytes, offset, offset + length));
        ASSERT_EQ(static_cast<uint16_t>(~sum.checksum().value()), expected)
            << offset << " " << length;
      }
    packet->kill();
  }
}

TEST_F(TransportTest, FindsTheHeader) {
  for (const std::size_t front : {0u, 14u, 97u})
    for (const std::size_t options : {0u, 4u, 40u}) {
      const Bytes bytes = datagram(17, front, options, pattern(13));
      for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        Packet* packet = make(bytes, cut == 0 ? std::vector<std::size_t>{} : std::vector{cut});
        EXPECT_FALSE(find_transport(*packet));  // no annotation
        packet->set_network_header(static_cast<uint32_t>(front), 20);
        const auto transport = find_transport(*packet);
        ASSERT_TRUE(transport);
        EXPECT_EQ(transport->ip_offset, front);
        EXPECT_EQ(transport->offset, front + 20 + options);
        EXPECT_EQ(transport->length, 13u);
        EXPECT_TRUE(transport->complete);
        EXPECT_EQ(transport->ip.source.to_string(), "10.0.0.1");
        packet->kill();
      }
    }
}

TEST_F(TransportTest, WhatIsMalformedIsNotFound) {
  const auto found = [&](const Bytes& bytes, uint32_t offset = 0) {
    Packet* packet = make(bytes, {3});
    packet->set_network_header(offset, 20);
    const auto transport = find_transport(*packet);
    packet->kill();
    return transport;
  };
  const Bytes good = datagram(17, 0, 8, pattern(20));
  for (std::size_t length = 0; length < 28; ++length) EXPECT_FALSE(found(from_to(good, 0, length)));
  for (std::size_t length = 28; length < good.size(); ++length) {
    const auto transport = found(from_to(good, 0, length));
    ASSERT_TRUE(transport);
    EXPECT_FALSE(transport->complete);
    EXPECT_EQ(transport->length, length - 28);
  }
  // Padding behind the datagram is none of it.
  Bytes padded = good;
  padded.resize(100);
  EXPECT_EQ(found(padded)->length, 20u);
  for (const uint8_t first : {0x07, 0x37, 0x57, 0x67, 0xf7, 0x44, 0x40}) {
    Bytes bad = good;
    bad[0] = first;
    EXPECT_FALSE(found(bad)) << int{first};
  }
  Bytes bad = good;
  bad[2] = 0;
  bad[3] = 27;
  EXPECT_FALSE(found(bad));
  for (const uint32_t offset : {29u, 48u, 49u, 1000u}) EXPECT_FALSE(found(good, offset));
}

TEST_F(TransportTest, ANetworkHeaderThatWasStrippedIsNotFound) {
  Packet* packet = make(datagram(17, 0, 0, pattern(40)), {});
  packet->set_network_header(0, 20);
  packet->pull(1);
  EXPECT_FALSE(ip_header_offset(*packet));
  EXPECT_EQ(writable_ip_header(*packet), nullptr);
  EXPECT_TRUE(restore_front(*packet, 1));
  EXPECT_EQ(ip_header_offset(*packet), 0u);
  EXPECT_EQ(bytes_of(*packet).front(), 0x45);
  EXPECT_FALSE(restore_front(*packet, packet->headroom() + 1));
  packet->kill();
}

TEST_F(TransportTest, SumCoversThePseudoHeader) {
  for (const std::size_t size : {8u, 9u, 63u}) {
    Bytes payload = pattern(size);
    payload[6] = payload[7] = 0;
    Bytes whole = {10, 0, 0, 1, 192, 168, 255, 254, 0, 17, 0, static_cast<uint8_t>(size)};
    whole.insert(whole.end(), payload.begin(), payload.end());
    const auto expected = static_cast<uint16_t>(~slow_sum(whole));
    const Bytes bytes = datagram(17, 14, 4, payload);
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
      Packet* packet = make(bytes, {cut, 1});
      packet->set_network_header(14, 20);
      const auto transport = find_transport(*packet);
      EXPECT_EQ(transport_sum(*packet, *transport, transport->length).checksum(), expected);
      packet->kill();
    }
  }
}

TEST_F(TransportTest, WritableHeaderIsInOnePiece) {
  const Bytes bytes = datagram(17, 5, 12, pattern(10));
  for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
    Packet* packet = make(bytes, {cut});
    packet->set_network_header(5, 32);
    IpHeader* ip = writable_ip_header(*packet, 8);
    ASSERT_NE(ip, nullptr);
    EXPECT_GE(packet->contiguous(), 5u + 32 + 8);
    EXPECT_EQ(reinterpret_cast<uint8_t*>(ip), packet->data() + 5);
    EXPECT_EQ(bytes_of(*packet), bytes);
    EXPECT_EQ(writable_ip_header(*packet, 11), nullptr);
    packet->kill();
  }
}

TEST_F(TransportTest, UpdatesTheChecksumForAnotherAddress) {
  for (const uint8_t protocol : {kIpProtocolTcp, kIpProtocolUdp}) {
    const uint32_t place = *checksum_place(protocol);
    for (const std::size_t size : {20u, 21u}) {
      Bytes payload = pattern(size);
      payload[place] = payload[place + 1] = 0;
      Bytes bytes = datagram(protocol, 0, 0, payload);
      Packet* first = make(bytes, {});
      first->set_network_header(0, 20);
      const be16 sum = transport_sum(*first, *find_transport(*first), static_cast<uint32_t>(size))
                           .udp_checksum();
      first->kill();
      store_big<uint16_t>(&bytes[20 + place], sum);
      for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
        Packet* packet = make(bytes, {cut});
        packet->set_network_header(0, 20);
        const IPAddress after(1, 2, 3, 4);
        update_transport_checksum(*packet, IPAddress(10, 0, 0, 1), after);
        writable_ip_header(*packet)->source = after;
        const auto transport = find_transport(*packet);
        EXPECT_TRUE(transport_sum(*packet, *transport, transport->length).is_valid());
        packet->kill();
      }
    }
  }
}

TEST_F(TransportTest, LeavesAlonePacketsWithoutSuchAChecksum) {
  Bytes zero = datagram(17, 0, 0, Bytes(8));
  Bytes later = datagram(6, 0, 0, pattern(40));
  later[7] = 1;  // the fragment offset
  const Bytes icmp = datagram(1, 0, 0, pattern(40));
  const Bytes too_short = datagram(6, 0, 0, pattern(17));
  for (const Bytes& bytes : {zero, later, icmp, too_short}) {
    Packet* packet = make(bytes, {});
    packet->set_network_header(0, 20);
    update_transport_checksum(*packet, IPAddress(10, 0, 0, 1), IPAddress(1, 2, 3, 4));
    EXPECT_EQ(bytes_of(*packet), bytes);
    packet->kill();
  }
}

TEST_F(TransportTest, PushesAnIpHeader) {
  Packet* packet = make(pattern(9), {4});
  ASSERT_TRUE(push_ip_header(
      *packet, ip_header_pattern(4, IPAddress(1, 2, 3, 4), IPAddress(5, 6, 7, 8), 9), 0xabcd));
  const Bytes bytes = bytes_of(*packet);
  EXPECT_EQ(slow_sum(from_to(bytes, 0, 20)), 0xffff);
  const Bytes expected = {0x45, 0, 0, 29, 0xab, 0xcd, 0, 0, 9, 4};
  EXPECT_EQ(from_to(bytes, 0, 10), expected);
  EXPECT_EQ(from_to(bytes, 12, 20), (Bytes{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(from_to(bytes, 20, 29), pattern(9));
  EXPECT_EQ(packet->network_header_offset(), 0);
  EXPECT_EQ(packet->transport_header_offset(), 20);
  EXPECT_EQ(packet->dst_ip_anno().to_string(), "5.6.7.8");
  packet->kill();
}

}  // namespace
}  // namespace headroom::test
