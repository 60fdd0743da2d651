// The packet is the mbuf, the slice lies where the design says, and making packets.
#include "packet_fixture.hh"

namespace headroom::test {
namespace {

static_assert(sizeof(Annotations) == 64 && alignof(Annotations) == 64);
static_assert(offsetof(Annotations, user) == 0 && anno::kUserBytes == 48);
static_assert(offsetof(Annotations, mac_offset) == 48);
static_assert(offsetof(Annotations, network_offset) == 50);
static_assert(offsetof(Annotations, transport_offset) == 52);
static_assert(offsetof(Annotations, type) == 54 && offsetof(Annotations, traced) == 55);
static_assert(offsetof(Annotations, timestamp) == 56 && sizeof(Annotations::timestamp) == 8);
static_assert(sizeof(Packet) == sizeof(rte_mbuf) && Packet::kSliceOffset == sizeof(rte_mbuf));
static_assert(Packet::kDefaultHeadroom == RTE_PKTMBUF_HEADROOM - 64);
static_assert(!std::is_default_constructible_v<Packet> && !std::is_copy_constructible_v<Packet>);
static_assert(!std::is_copy_constructible_v<PacketBatch> &&
              !std::is_move_constructible_v<PacketBatch>);

constexpr AnnotationPlace kPlaces[] = {
    anno::kDstIp,       anno::kDstIp6,         anno::kIcmpParamProb, anno::kPaint,
    anno::kFixIpSrc,    anno::kVlanTci,        anno::kAggregate,     anno::kExtraPackets,
    anno::kExtraLength, anno::kFirstTimestamp, anno::kPacketNumber,  anno::kIpsecSpi,
    anno::kPerfctr,     anno::kSequenceNumber};
static_assert([] {
  for (const AnnotationPlace& place : kPlaces)
    if (place.offset + place.size > anno::kUserBytes) return false;
  return true;
}());

class LayoutTest : public PoolTest {};

TEST_F(LayoutTest, PacketIsTheMbufAndTheSliceBeginsItsBuffer) {
  Packet* packet = Packet::make(*pool, 60);
  EXPECT_EQ(static_cast<void*>(packet), static_cast<void*>(packet->mbuf()));
  EXPECT_EQ(Packet::from_mbuf(packet->mbuf()), packet);
  EXPECT_EQ(static_cast<void*>(&packet->annotations()), packet->mbuf()->buf_addr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(&packet->annotations()) % 64, 0u);
  packet->kill();
}

TEST_F(LayoutTest, AnnotationsHaveTheirPlaces) {
  Packet* packet = Packet::make(*pool, 60);
  packet->set_dst_ip_anno(*IPAddress::parse("10.1.2.3"));
  packet->set_paint_anno(9);
  EXPECT_EQ(packet->anno_u8(0), 10);
  EXPECT_EQ(packet->anno_u8(3), 3);
  EXPECT_EQ(packet->anno_u8(17), 9);
  EXPECT_EQ(packet->dst_ip_anno(), *IPAddress::parse("10.1.2.3"));
  packet->set_anno_u32(44, 0x01020304);
  EXPECT_EQ(packet->anno_u32(44), 0x01020304u);
  packet->set_anno_u16(21, 0xabcd);  // unaligned places are legal
  EXPECT_EQ(packet->anno_u16(21), 0xabcd);
  packet->kill();
}

TEST_F(LayoutTest, AReusedBufferComesWithClearedAnnotations) {
  for (uint32_t i = 0; i < 2 * pool->capacity(); ++i) {
    Packet* packet = Packet::make(*pool, 60);
    for (uint32_t at = 0; at < anno::kUserBytes; ++at) ASSERT_EQ(packet->anno_u8(at), 0);
    ASSERT_FALSE(packet->has_mac_header() || packet->has_network_header() ||
                 packet->has_transport_header());
    ASSERT_EQ(packet->timestamp_anno(), 0);
    ASSERT_EQ(packet->packet_type_anno(), PacketType::host);
    Marks{}.set(*packet);
    packet->kill();
  }
}

TEST_F(LayoutTest, OneSegmentWithTheHeadroomAskedFor) {
  for (const uint32_t headroom : {0u, 1u, 64u, 128u, 500u, 2112u - 60u})
    for (const uint32_t length : {0u, 1u, 60u}) {
      Packet* packet = Packet::make(*pool, length, headroom);
      EXPECT_EQ(packet->length(), length);
      EXPECT_EQ(packet->contiguous(), length);
      EXPECT_EQ(packet->headroom(), headroom);
      EXPECT_EQ(packet->tailroom(), 2112 - headroom - length);
      EXPECT_FALSE(packet->chained() || packet->shared());
      expect_sound(*packet);
      packet->kill();
    }
}

TEST_F(LayoutTest, AsManySegmentsAsItTakes) {
  struct Case {
    uint32_t length, headroom;
    std::vector<uint32_t> segments;
  };
  for (const Case& one : {Case{2048, 64, {2048}}, Case{2049, 64, {2048, 1}}, Case{2112, 0, {2112}},
                          Case{2113, 0, {2112, 1}}, Case{10, 2112, {0, 10}},
                          Case{9000, 64, {2048, 2176, 2176, 2176, 424}},
                          Case{2048 + 2 * 2176, 64, {2048, 2176, 2176}}}) {
    const Bytes bytes = pattern(one.length);
    Packet* packet = Packet::make(*pool, bytes, one.headroom);
    ASSERT_NE(packet, nullptr);
    EXPECT_EQ(segments_of(*packet), one.segments);
    EXPECT_EQ(bytes_of(*packet), bytes);
    EXPECT_EQ(packet->headroom(), one.headroom);
    expect_sound(*packet);
    packet->kill();
    EXPECT_EQ(pool->in_use(), 0u);
  }
}

TEST_F(LayoutTest, MakingWithoutEnoughPacketsGivesBackWhatItTook) {
  std::vector<Packet*> held;
  while (pool->in_use() < pool->capacity() - 3) held.push_back(Packet::make(*pool, 60));
  EXPECT_EQ(Packet::make(*pool, 9000), nullptr);  // needs five, three are left
  EXPECT_EQ(pool->in_use(), pool->capacity() - 3);
  Packet* fits = Packet::make(*pool, 6000);
  ASSERT_NE(fits, nullptr);
  EXPECT_EQ(Packet::make(*pool, 0), nullptr);
  fits->kill();
  for (Packet* packet : held) packet->kill();
  Packet* packet = Packet::make(*pool, 9000);
  ASSERT_NE(packet, nullptr);
  packet->kill();
}

TEST_F(LayoutTest, HeaderPositionsCountFromData) {
  Packet* packet = Packet::make(*pool, pattern(100));
  packet->set_mac_header(0);
  packet->set_network_header(14, 20);
  EXPECT_EQ(packet->mac_header(), packet->data());
  EXPECT_EQ(packet->network_header(), packet->data() + 14);
  EXPECT_EQ(packet->transport_header(), packet->data() + 34);
  packet->pull(14);
  EXPECT_EQ(packet->mac_header_offset(), -14);
  EXPECT_EQ(packet->network_header(), packet->data());
  EXPECT_EQ(packet->transport_header_offset(), 20);
  packet->set_transport_header(24);
  EXPECT_EQ(packet->transport_header_offset(), 24);
  packet->clear_mac_header();
  EXPECT_FALSE(packet->has_mac_header());
  EXPECT_TRUE(packet->has_network_header());
  packet->kill();
}

}  // namespace
}  // namespace headroom::test
