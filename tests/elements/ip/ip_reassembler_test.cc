#include <random>

#include "../element_test.hh"
#include "headroom/net/ip.hh"

namespace headroom::test {
namespace {

constexpr const char* kConfig =
    "in :: TestSource -> CheckIPHeader -> r :: IPReassembler -> out :: TestSink;"
    "r[1] -> late :: TestSink;";

Bytes datagram(uint32_t payload, uint16_t id = 1) {
  Ip4Frame frame;
  frame.payload = payload;
  Bytes packet = frame.build_ip();
  for (std::size_t i = 20; i < packet.size(); ++i) packet[i] = static_cast<uint8_t>(i * 3 + id);
  packet[4] = static_cast<uint8_t>(id >> 8);
  packet[5] = static_cast<uint8_t>(id);
  fix_ip_checksum(packet);
  return packet;
}
// Data [from, to) of a datagram.
Bytes part(const Bytes& packet, std::size_t from, std::size_t to) {
  Bytes made =
      concat({first_bytes(packet, 20), first_bytes(without_first(packet, 20 + from), to - from)});
  auto& ip = *reinterpret_cast<IpHeader*>(made.data());
  ip.total_length = static_cast<uint16_t>(made.size());
  ip.fragment = static_cast<uint16_t>(from / 8 | (20 + to < packet.size() ? kIpMoreFragments : 0));
  fix_ip_checksum(made);
  return made;
}

TEST(IPReassembler, InverseOfIPFragmenter) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(
        "in :: TestSource -> CheckIPHeader -> IPFragmenter(100) -> r :: IPReassembler "
        "-> out :: TestSink;");
    std::vector<Bytes> packets;
    for (uint16_t id = 0; id < 50; ++id) packets.push_back(datagram(20U + id * 60U, id));
    test.send("in", packets, batch_size);
    EXPECT_EQ(bytes_at(test, "out"), packets);
    EXPECT_EQ(test.read("r.waiting"), "0");
    EXPECT_EQ(test.read("r.memory"), "0");
  });
}

TEST(IPReassembler, OutOfOrderAndInterleaved) {
  std::mt19937 random(1);
  std::vector<Bytes> packets;
  std::vector<Bytes> fragments;
  for (uint16_t id = 0; id < 40; ++id) {
    packets.push_back(datagram(500, id));
    for (std::size_t at = 0; at < 508; at += 104)
      fragments.push_back(part(packets.back(), at, std::min<std::size_t>(at + 104, 508)));
  }
  std::shuffle(fragments.begin(), fragments.end(), random);
  TestRouter test(kConfig);
  test.send("in", fragments);
  // Sorted as text: g++ 12 sees overreads where vectors of bytes are ordered.
  const auto sorted = [](const std::vector<Bytes>& all) {
    std::vector<std::string> texts;
    for (const Bytes& one : all) texts.push_back(to_hex(one));
    std::sort(texts.begin(), texts.end());
    return texts;
  };
  EXPECT_EQ(sorted(bytes_at(test, "out")), sorted(packets));
  EXPECT_EQ(test.read("r.reassembled"), "40");
}

TEST(IPReassembler, WhereverFragmentsAreCut) {
  const Bytes packet = datagram(300);
  const Bytes first = part(packet, 0, 160);
  const Bytes last = part(packet, 160, 308);
  TestRouter test(kConfig);
  const auto firsts = cut_everywhere(*test.pool, first);
  const auto lasts = cut_everywhere(*test.pool, last);
  std::vector<Packet*> packets;
  for (std::size_t i = 0; i < 120; ++i) {
    packets.push_back(lasts[i]);
    packets.push_back(firsts[i]);
  }
  for (std::size_t i = 120; i < firsts.size(); ++i) firsts[i]->kill();
  for (std::size_t i = 120; i < lasts.size(); ++i) lasts[i]->kill();
  test.send_packets("in", packets);
  EXPECT_EQ(bytes_at(test, "out"), std::vector<Bytes>(120, packet));
}

TEST(IPReassembler, OverlapsAndDuplicates) {
  const Bytes packet = datagram(300);
  TestRouter test(kConfig);
  test.send("in", {part(packet, 0, 80), part(packet, 0, 80), part(packet, 40, 160),
                   part(packet, 48, 120), part(packet, 120, 308)});
  EXPECT_EQ(bytes_at(test, "out"), std::vector<Bytes>{packet});
  EXPECT_EQ(test.dropped("r", "duplicate"), 2u);
}

TEST(IPReassembler, KeepsWhatIsBeforeTheHeaderAndAnnotationsOfTheFirst) {
  TestRouter test(
      "in :: TestSource -> p :: Classifier(20/0?, 20/2?); p[0] -> Paint(1) -> c :: "
      "CheckIPHeader(14); p[1] -> Paint(2) -> c; c -> IPReassembler -> out :: TestSink;");
  const Bytes packet = datagram(100);
  test.send("in", {concat({numbered(14), part(packet, 40, 108)}),
                   concat({numbered(14, 9), part(packet, 0, 40)})});
  ASSERT_EQ(test.sink("out").packets.size(), 1u);
  const auto& seen = test.sink("out").packets[0];
  EXPECT_EQ(seen.bytes, concat({numbered(14, 9), packet}));
  EXPECT_EQ(seen.annotations.user[anno::kPaint.offset], 2);
  EXPECT_EQ(seen.network_offset, 14);
}

TEST(IPReassembler, OthersPassAndBadOnesAreDropped) {
  const Bytes packet = datagram(100);
  TestRouter test(kConfig);
  Bytes odd = part(packet, 0, 41);
  test.send("in", {packet, odd, packet});
  EXPECT_EQ(bytes_at(test, "out"), (std::vector<Bytes>{packet, packet}));
  EXPECT_EQ(test.dropped("r", "bad-fragment"), 1u);

  TestRouter unmarked("in :: TestSource -> r :: IPReassembler -> out :: TestSink;");
  unmarked.send("in", {packet});
  EXPECT_EQ(unmarked.dropped("r", "bad-header"), 1u);
}

TEST(IPReassembler, GivesUpAfterTheTimeout) {
  const Bytes packet = datagram(300);
  TestRouter test(
      "in :: TestSource -> CheckIPHeader -> r :: IPReassembler(TIMEOUT 5) -> out :: TestSink;"
      "r[1] -> ICMPError(10.9.9.9, timeexceeded, reassembly) -> late :: TestSink;");
  const int64_t start = test.clock.now();
  Packet* first = Packet::make(*test.pool, part(packet, 0, 80));
  Packet* other = Packet::make(*test.pool, part(datagram(300, 2), 80, 160));
  test.router->find_as<TestSource>("in")->emit({first, other});
  EXPECT_EQ(test.read("r.waiting"), "2");
  test.run();
  const int64_t waited = test.clock.now() - start;
  EXPECT_GE(waited, 5'000'000'000);
  EXPECT_LT(waited, 5'100'000'000);
  EXPECT_EQ(test.dropped("r", "timed-out"), 2u);
  EXPECT_EQ(test.read("r.waiting"), "0");
  // Only the datagram of which the beginning came is answered.
  const auto late = bytes_at(test, "late");
  ASSERT_EQ(late.size(), 1u);
  EXPECT_EQ(to_hex(first_bytes(without_first(late[0], 20), 2)), "0b01");
  EXPECT_EQ(late[0].size(), 28u + 100);
  // A fragment that comes later begins anew.
  test.router->find_as<TestSource>("in")->emit({Packet::make(*test.pool, part(packet, 80, 308))});
  EXPECT_TRUE(bytes_at(test, "out").empty());
  EXPECT_EQ(test.read("r.waiting"), "1");
}

TEST(IPReassembler, MemoryLimit) {
  TestRouter test(
      "in :: TestSource -> CheckIPHeader -> r :: IPReassembler(20000) -> out :: TestSink;");
  std::vector<Packet*> packets;
  for (uint16_t id = 0; id < 200; ++id)
    packets.push_back(Packet::make(*test.pool, part(datagram(1000, id), 0, 800)));
  // The last ones are still there.
  packets.push_back(Packet::make(*test.pool, part(datagram(1000, 199), 800, 1008)));
  test.router->find_as<TestSource>("in")->emit(packets, 16);
  EXPECT_LE(std::stoul(test.read("r.memory")), 20000u);
  EXPECT_EQ(bytes_at(test, "out"), std::vector<Bytes>{datagram(1000, 199)});
  EXPECT_GT(test.dropped("r", "memory-limit"), 150u);
}

}  // namespace
}  // namespace headroom::test
