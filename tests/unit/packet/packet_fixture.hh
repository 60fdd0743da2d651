// What the packet tests share: a pool that must be whole again at the end of each test, patterned
// bytes, packets in chosen segments, and marks (annotations and header offsets) that are checked
// after an operation.
#pragma once

#include <gmock/gmock.h>

#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "headroom/packet/packet.hh"
#include "headroom/packet/packet_batch.hh"
#include "headroom/packet/pool.hh"

namespace headroom::test {

using Bytes = std::vector<uint8_t>;

// Bytes that differ from their neighbours and, by seed, from other patterns.
inline Bytes pattern(std::size_t size, uint32_t seed = 1) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<uint8_t>((i * 131 + (i >> 8) * 17 + seed * 29) & 0xff);
  return bytes;
}

inline Bytes bytes_of(const Packet& packet, uint32_t offset = 0) {
  Bytes bytes(packet.length() - offset);
  EXPECT_TRUE(packet.copy_out(offset, bytes.data(), packet.length() - offset));
  return bytes;
}

// The lengths of a packet's segments.
inline std::vector<uint32_t> segments_of(const Packet& packet) {
  std::vector<uint32_t> sizes;
  for (const rte_mbuf* segment = packet.mbuf(); segment != nullptr; segment = segment->next)
    sizes.push_back(segment->data_len);
  return sizes;
}

// What must hold for every packet at any time.
inline void expect_sound(const Packet& packet) {
  const char* reason = nullptr;
  EXPECT_EQ(rte_mbuf_check(packet.mbuf(), 1, &reason), 0) << reason;
  const auto sizes = segments_of(packet);
  EXPECT_EQ(sizes.size(), packet.mbuf()->nb_segs);
  EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), 0u), packet.length());
}

class PoolTest : public testing::Test {
 protected:
  explicit PoolTest(uint32_t packets = 63) : pool(make_pool(packets)) {}
  ~PoolTest() override { EXPECT_EQ(pool->in_use(), 0u) << "packets did not come home"; }

  static std::unique_ptr<Pool> make_pool(uint32_t packets) {
    static int number = 0;
    std::string error;
    auto made = Pool::create(
        {.name = "unit-" + std::to_string(number++), .packets = packets, .cache = 0}, error);
    EXPECT_NE(made, nullptr) << error;
    return made;
  }

  // A packet in segments of these sizes; the buffers of all but the first begin with their bytes.
  Packet* make_segments(const Bytes& bytes, const std::vector<uint32_t>& sizes,
                        uint32_t headroom = Packet::kDefaultHeadroom) {
    const std::span<const uint8_t> all(bytes);
    Packet* packet = Packet::make(*pool, all.first(sizes.at(0)), headroom);
    uint32_t at = sizes[0];
    for (std::size_t i = 1; i < sizes.size(); ++i) {
      rte_mbuf* segment = rte_pktmbuf_alloc(pool->mempool());
      if (sizes[i] != 0)
        std::memcpy(rte_pktmbuf_append(segment, static_cast<uint16_t>(sizes[i])), &bytes[at],
                    sizes[i]);
      at += sizes[i];
      rte_pktmbuf_chain(packet->mbuf(), segment);
    }
    EXPECT_EQ(at, bytes.size());
    packet->fence();
    return packet;
  }

  // Takes every packet that is left in the pool; give_back() returns them.
  void exhaust() {
    while (rte_mbuf* mbuf = rte_pktmbuf_alloc(pool->mempool())) taken_.push_back(mbuf);
  }
  void give_back() {
    for (rte_mbuf* mbuf : taken_) rte_pktmbuf_free(mbuf);
    taken_.clear();
  }

  std::unique_ptr<Pool> pool;

 private:
  std::vector<rte_mbuf*> taken_;
};

// Annotations and header offsets that a test sets and later expects again.
struct Marks {
  uint32_t mac = 0;
  uint32_t network = 14;
  uint32_t transport = 34;
  uint8_t seed = 7;

  void set(Packet& packet) const {
    packet.clear_annotations();
    for (std::size_t i = 0; i < anno::kUserBytes; ++i)
      packet.set_anno_u8(static_cast<uint32_t>(i), static_cast<uint8_t>(seed + i));
    packet.set_mac_header(mac);
    packet.set_network_header(network, transport - network);
    packet.set_packet_type_anno(PacketType::multicast);
    packet.set_timestamp_anno(123'456'789 + seed);
  }
  void expect_annotations(const Packet& packet) const {
    for (std::size_t i = 0; i < anno::kUserBytes; ++i)
      ASSERT_EQ(packet.anno_u8(static_cast<uint32_t>(i)), static_cast<uint8_t>(seed + i)) << i;
    EXPECT_EQ(packet.packet_type_anno(), PacketType::multicast);
    EXPECT_EQ(packet.timestamp_anno(), 123'456'789 + seed);
  }
  // The annotations, and the headers as far as they lie in the first segment: `moved` bytes further
  // from data() than they were set.
  void expect(const Packet& packet, int32_t moved = 0) const {
    expect_annotations(packet);
    expect_header(packet, packet.has_mac_header(), packet.mac_header_offset(), mac, moved);
    expect_header(packet, packet.has_network_header(), packet.network_header_offset(), network,
                  moved);
    expect_header(packet, packet.has_transport_header(), packet.transport_header_offset(),
                  transport, moved);
  }

 private:
  static void expect_header(const Packet& packet, bool has, int32_t offset, uint32_t at,
                            int32_t moved) {
    const int32_t wanted = static_cast<int32_t>(at) + moved;
    if (wanted < static_cast<int32_t>(packet.contiguous())) {
      ASSERT_TRUE(has) << "header set at " << at;
    }
    if (has) {
      ASSERT_EQ(offset, wanted) << "header set at " << at;
    }
  }
};

}  // namespace headroom::test
