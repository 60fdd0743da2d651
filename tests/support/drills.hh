// The drills that every element goes through which reads or writes packets' bytes: whole packets,
// packets in two segments cut at every place and packets in shreds, in push and pull context, in
// batches of several sizes; copies that share their bytes; packets of every length; an empty pool.
//
//   const Drill drill{"e :: SetIPChecksum", with_ip_header(14)};
//   drill_rewrite(drill, wrong, right);
//   drill_drop(drill, good, bad, "no-network-header");
//
// The element under test is called `e`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../elements/element_test.hh"

namespace headroom::test {

struct Drill {
  std::string elements;
  // What is done to packets before the element gets them, such as setting annotations.
  std::function<void(Packet&)> prepare = [](Packet&) {};
  bool push_only = false;
};

// Headers as CheckIPHeader sets them, without moving bytes.
inline std::function<void(Packet&)> with_ip_header(uint32_t offset = 0, uint32_t length = 20) {
  return [=](Packet& packet) { packet.set_network_header(offset, length); };
}

inline void in_contexts(const Drill& drill,
                        const std::function<void(const std::string&, uint32_t)>& f) {
  if (!drill.push_only) return in_all_contexts(drill.elements, f);
  in_all_batch_sizes([&](uint32_t batch_size) { f(pushed(drill.elements), batch_size); });
}

// Whole, cut at every place of the first 128 bytes, and in shreds; prepared.
inline std::vector<Packet*> in_pieces(const Drill& drill, Pool& pool, const Bytes& bytes) {
  std::vector<Packet*> packets;
  if (bytes.empty()) {
    packets.push_back(Packet::make(pool, bytes));
  } else {
    packets = cut_everywhere(pool, bytes);
    packets.push_back(make_shredded(pool, bytes, 100));
  }
  for (Packet* packet : packets) drill.prepare(*packet);
  return packets;
}

// Packets pass with `expected` as their bytes.
inline void drill_pass(const Drill& drill, const Bytes& packet, const Bytes& expected) {
  in_contexts(drill, [&](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    std::vector<Packet*> packets = in_pieces(drill, *test.pool, packet);
    for (int i = 0; i < 300; ++i) {
      packets.push_back(Packet::make(*test.pool, packet));
      drill.prepare(*packets.back());
    }
    const std::size_t sent = packets.size();
    test.send_packets("in", packets, batch_size);
    test.run();
    const auto seen = bytes_at(test, "out");
    ASSERT_EQ(seen.size(), sent) << test.read("e.drops");
    for (const Bytes& bytes : seen) ASSERT_EQ(to_hex(bytes), to_hex(expected));
  });
}

// The element changes its copy of packets and no other.
inline void drill_copies(const Drill& drill, const Bytes& packet, const Bytes& expected) {
  TestRouter test("in :: TestSource -> t :: Tee -> " + drill.elements +
                  " -> a :: TestSink; t[1] -> b :: TestSink; t[2] -> Null -> c :: TestSink;");
  for (const char* sink : {"a", "b", "c"}) test.sink(sink).keep = true;
  test.send_packets("in", in_pieces(drill, *test.pool, packet));
  ASSERT_FALSE(test.sink("a").kept.empty());
  for (Packet* one : test.sink("a").kept) ASSERT_EQ(to_hex(bytes_of(*one)), to_hex(expected));
  for (const char* sink : {"b", "c"})
    for (Packet* one : test.sink(sink).kept) ASSERT_EQ(to_hex(bytes_of(*one)), to_hex(packet));
}

// Packets cut off after every number of bytes pass or are dropped, and are accounted for; in
// sanitizer builds no byte behind their end is read.
inline void drill_lengths(const Drill& drill, const Bytes& packet) {
  in_contexts(drill, [&](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    uint64_t sent = 0;
    for (std::size_t length = 0; length <= packet.size(); ++length) {
      auto packets = in_pieces(drill, *test.pool, first_bytes(packet, length));
      sent += packets.size();
      test.send_packets("in", std::move(packets), batch_size);
      test.run();
    }
    uint64_t dropped = 0;
    for (const LedgerDrop& drop : test.router->ledger().drops) dropped += drop.packets;
    EXPECT_EQ(test.sink("out").packets.size() + dropped, sent);
  });
}

// A copy that must be made to write to, and cannot, is a drop.
inline void drill_no_buffer(const Drill& drill, const Bytes& packet) {
  TestRouter test(pushed(drill.elements), {.packets = 3});
  Packet* original = Packet::make(*test.pool, packet);
  Packet* clone = original->clone();
  Packet* other = Packet::make(*test.pool, packet);
  for (Packet* one : {original, clone, other}) drill.prepare(*one);
  test.send_packets("in", {original, clone, other});
  EXPECT_EQ(test.dropped("e", "no-buffer"), 1u);
  EXPECT_EQ(test.sink("out").packets.size(), 2u);
}

// All of it, for an element that writes.
inline void drill_rewrite(const Drill& drill, const Bytes& packet, const Bytes& expected) {
  drill_pass(drill, packet, expected);
  drill_copies(drill, packet, expected);
  drill_lengths(drill, packet);
  drill_no_buffer(drill, packet);
}

// All of it, for an element that only reads.
inline void drill_read(const Drill& drill, const Bytes& packet) {
  drill_pass(drill, packet, packet);
  drill_copies(drill, packet, packet);
  drill_lengths(drill, packet);
}

// The element drops the packet for `reason`, in whatever pieces, and `good` packets around it pass.
inline void drill_drop(const Drill& drill, const Bytes& good, const Bytes& bad,
                       std::string_view reason) {
  in_contexts(drill, [&](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    std::vector<Packet*> packets;
    std::size_t dropped = 0;
    for (Packet* packet : in_pieces(drill, *test.pool, bad)) {
      packets.push_back(packet);
      packets.push_back(Packet::make(*test.pool, good));
      drill.prepare(*packets.back());
      ++dropped;
    }
    test.send_packets("in", packets, batch_size);
    test.run();
    EXPECT_EQ(test.dropped("e", reason), dropped) << test.read("e.drops");
    EXPECT_EQ(test.sink("out").packets.size(), dropped);
  });
}

// The same for many packets, whole, in one router: cheap enough for a packet of each kind.
inline void drill_all_dropped(const Drill& drill, const std::vector<Bytes>& packets,
                              std::string_view reason) {
  TestRouter test(pushed(drill.elements));
  for (const Bytes& bytes : packets) {
    const uint64_t before = test.dropped("e", reason);
    Packet* packet = Packet::make(*test.pool, bytes);
    drill.prepare(*packet);
    test.send_packets("in", {packet});
    EXPECT_EQ(test.dropped("e", reason), before + 1) << to_hex(bytes);
  }
  EXPECT_TRUE(test.sink("out").packets.empty());
}

// A packet without the annotations that `prepare` sets.
inline Drill unprepared(Drill drill) {
  drill.prepare = [](Packet&) {};
  return drill;
}

}  // namespace headroom::test
