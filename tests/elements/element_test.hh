// What tests of single elements share: one element between a source and a sink, in push and in pull
// context, with batches of several sizes, and packets cut at every place.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "test_router.hh"

namespace headroom::test {

// Not inlined: g++ 12 sees overflows where vectors of known size are combined.
#define HEADROOM_NOINLINE [[gnu::noinline]] inline

// The first n bytes.
HEADROOM_NOINLINE Bytes first_bytes(const Bytes& bytes, std::size_t n) {
  return Bytes(bytes.begin(),
               bytes.begin() + static_cast<std::ptrdiff_t>(std::min(n, bytes.size())));
}
HEADROOM_NOINLINE Bytes without_first(const Bytes& bytes, std::size_t n) {
  return Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(std::min(n, bytes.size())), bytes.end());
}
HEADROOM_NOINLINE Bytes concat(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}
// n different bytes from `start` on.
HEADROOM_NOINLINE Bytes numbered(std::size_t n, uint8_t start = 0) {
  Bytes bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<uint8_t>(start + i);
  return bytes;
}

#undef HEADROOM_NOINLINE

inline std::vector<Bytes> bytes_at(TestRouter& test, std::string_view sink) {
  std::vector<Bytes> all;
  for (const auto& seen : test.sink(sink).packets) all.push_back(seen.bytes);
  return all;
}

// The packet whole and in two segments, cut at every place of its first 128 bytes.
inline std::vector<Packet*> cut_everywhere(Pool& pool, const Bytes& bytes) {
  std::vector<Packet*> packets;
  for (std::size_t cut = 0; cut < std::min<std::size_t>(bytes.size(), 129); ++cut) {
    packets.push_back(make_split(pool, bytes, static_cast<uint32_t>(cut)));
    EXPECT_NE(packets.back(), nullptr);
  }
  return packets;
}
// In as many segments as it has bytes, up to `segments`.
inline Packet* make_shredded(Pool& pool, const Bytes& bytes, std::size_t segments) {
  Packet* head = Packet::make(pool, std::span(bytes).first(1));
  for (std::size_t i = 1; i < bytes.size(); ++i) {
    const std::size_t size = i + 1 == segments ? bytes.size() - i : 1;
    Packet* next = Packet::make(pool, std::span(bytes).subspan(i, size));
    EXPECT_EQ(rte_pktmbuf_chain(head->mbuf(), next->mbuf()), 0);
    i += size - 1;
  }
  head->fence();
  return head;
}

// `in -> ELEMENTS -> out`, pushed through, and pulled through between queues.
inline std::string pushed(std::string_view elements) {
  return "in :: TestSource -> " + std::string(elements) + " -> out :: TestSink;";
}
inline std::string pulled(std::string_view elements) {
  return "in :: TestSource -> Queue(2000) -> " + std::string(elements) +
         " -> Unqueue(BURST 64) -> out :: TestSink;";
}

// Calls f(config, batch size) for every combination.
inline void in_all_contexts(std::string_view elements,
                            const std::function<void(const std::string&, uint32_t)>& f) {
  for (const std::string& config : {pushed(elements), pulled(elements)})
    for (const uint32_t batch_size : {1u, 64u, 256u}) {
      SCOPED_TRACE(config + " batches of " + std::to_string(batch_size));
      f(config, batch_size);
    }
}
// The same for elements that only push.
inline void in_all_batch_sizes(const std::function<void(uint32_t)>& f) {
  for (const uint32_t batch_size : {1u, 64u, 256u}) {
    SCOPED_TRACE("batches of " + std::to_string(batch_size));
    f(batch_size);
  }
}

// Packets pass an agnostic element with `expected` as their bytes, whatever the context, the size
// of batches and the place where they are cut.
inline void expect_passes(std::string_view elements, const Bytes& packet, const Bytes& expected) {
  in_all_contexts(elements, [&](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    test.send_packets("in", cut_everywhere(*test.pool, packet), batch_size);
    test.send("in", std::vector<Bytes>(300, packet), batch_size);
    test.run();
    const auto seen = bytes_at(test, "out");
    ASSERT_EQ(seen.size(), 300 + std::min<std::size_t>(packet.size(), 129));
    for (const Bytes& bytes : seen) ASSERT_EQ(to_hex(bytes), to_hex(expected));
  });
}

// The element drops the packet for `reason`, wherever it is cut, and those around it pass in order.
// The element is called `e`, and `good` packets pass it; each is told from the next by its last
// byte.
inline void expect_dropped(std::string_view elements, const Bytes& good, const Bytes& bad,
                           std::string_view reason) {
  in_all_contexts(elements, [&](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    std::vector<Packet*> packets;
    Bytes numbered_good = good;
    std::vector<uint8_t> order;
    auto add_good = [&] {
      order.push_back(static_cast<uint8_t>(order.size()));
      numbered_good.back() = order.back();
      packets.push_back(Packet::make(*test.pool, numbered_good));
    };
    uint64_t dropped = 0;
    for (Packet* packet : bad.empty() ? std::vector{Packet::make(*test.pool, bad)}
                                      : cut_everywhere(*test.pool, bad)) {
      packets.push_back(packet);
      ++dropped;
      add_good();
    }
    test.send_packets("in", packets, batch_size);
    test.run();
    EXPECT_EQ(test.dropped("e", reason), dropped) << test.read("e.drops");
    std::vector<uint8_t> seen;
    for (const Bytes& bytes : bytes_at(test, "out")) seen.push_back(bytes.back());
    EXPECT_EQ(seen, order);
  });
}

// The ones' complement sum of the 16-bit words, byte by byte, as RFC 1071 defines it.
inline uint16_t slow_checksum(const Bytes& bytes) {
  uint32_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    sum += i % 2 == 0 ? static_cast<uint32_t>(bytes[i]) << 8 : bytes[i];
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(~sum);
}
// Writes the checksum of an IPv4 header of which the first byte is at `offset`.
inline void fix_ip_checksum(Bytes& bytes, std::size_t offset = 0) {
  const std::size_t length = (bytes[offset] & 15U) * 4;
  bytes[offset + 10] = bytes[offset + 11] = 0;
  const uint16_t sum = slow_checksum(first_bytes(without_first(bytes, offset), length));
  bytes[offset + 10] = static_cast<uint8_t>(sum >> 8);
  bytes[offset + 11] = static_cast<uint8_t>(sum);
}

}  // namespace headroom::test
