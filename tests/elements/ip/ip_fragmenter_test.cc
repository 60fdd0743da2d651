#include "../element_test.hh"
#include "headroom/net/ip.hh"

namespace headroom::test {
namespace {

Bytes datagram(uint32_t payload, uint16_t fragment = 0, const Bytes& options = {}) {
  Ip4Frame frame;
  frame.payload = payload;
  Bytes plain = frame.build_ip();
  Bytes packet = concat({first_bytes(plain, 20), options, without_first(plain, 20)});
  for (std::size_t i = 20 + options.size(); i < packet.size(); ++i)
    packet[i] = static_cast<uint8_t>(i * 7);
  auto& ip = *reinterpret_cast<IpHeader*>(packet.data());
  ip.set_header_length(static_cast<unsigned>(20 + options.size()));
  ip.total_length = static_cast<uint16_t>(packet.size());
  ip.fragment = fragment;
  fix_ip_checksum(packet);
  return packet;
}
IpHeader header_of(const Bytes& packet) {
  IpHeader ip;
  std::memcpy(&ip, packet.data(), sizeof ip);
  return ip;
}
// The fragments carry the datagram's data in order, and fit.
void expect_fragments(const std::vector<Bytes>& fragments, const Bytes& packet, uint32_t mtu) {
  const IpHeader whole = header_of(packet);
  Bytes data;
  for (const Bytes& one : fragments) {
    const IpHeader ip = header_of(one);
    ASSERT_LE(one.size(), mtu);
    EXPECT_EQ(ip.total_length, one.size());
    EXPECT_EQ(slow_checksum(first_bytes(one, ip.header_length())), 0);
    EXPECT_EQ(ip.id, whole.id);
    EXPECT_EQ(ip.fragment_offset(), whole.fragment_offset() + data.size());
    const bool last = &one == &fragments.back();
    EXPECT_EQ(ip.more_fragments(), !last || whole.more_fragments());
    const Bytes part = without_first(one, ip.header_length());
    if (!last) {
      EXPECT_EQ(part.size() % 8, 0u);
      EXPECT_GT(part.size() + 8, mtu - ip.header_length());  // as long as can be
    }
    data.insert(data.end(), part.begin(), part.end());
  }
  EXPECT_EQ(data, without_first(packet, whole.header_length()));
}

TEST(IPFragmenter, WhateverLengthAndMtu) {
  for (const uint32_t mtu : {68u, 69u, 100u, 576u, 1500u})
    for (const uint32_t payload : {20u, 100u, 1000u, 1472u, 5000u}) {
      TestRouter test("in :: TestSource -> CheckIPHeader -> f :: IPFragmenter(" +
                      std::to_string(mtu) + ") -> out :: TestSink;");
      const Bytes packet = datagram(payload);
      test.send("in", {packet});
      expect_fragments(bytes_at(test, "out"), packet, mtu);
      if (packet.size() <= mtu) {
        EXPECT_EQ(bytes_at(test, "out"), std::vector<Bytes>{packet});
      }
    }
}

TEST(IPFragmenter, CutPacketsInBatches) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(
        "in :: TestSource -> CheckIPHeader -> f :: IPFragmenter(100) -> out :: TestSink;");
    const Bytes packet = datagram(300);
    const auto packets = cut_everywhere(*test.pool, packet);
    test.send_packets("in", packets, batch_size);
    const auto seen = bytes_at(test, "out");
    ASSERT_EQ(seen.size(), packets.size() * 4);
    for (std::size_t i = 0; i < seen.size(); i += 4)
      expect_fragments({seen[i], seen[i + 1], seen[i + 2], seen[i + 3]}, packet, 100);
    EXPECT_EQ(test.read("f.fragments"), std::to_string(seen.size()));
  });
}

TEST(IPFragmenter, FragmentsOfFragments) {
  for (const uint16_t fragment : {uint16_t{0x2000}, uint16_t{0x2010}, uint16_t{0x0010}}) {
    TestRouter test(
        "in :: TestSource -> CheckIPHeader -> IPFragmenter(200) -> IPFragmenter(96) "
        "-> out :: TestSink;");
    const Bytes packet = datagram(792 - 8, fragment);
    test.send("in", {packet});
    const auto seen = bytes_at(test, "out");
    Bytes data;
    for (const Bytes& one : seen) {
      EXPECT_EQ(header_of(one).fragment_offset(), (fragment & 0x1fffU) * 8 + data.size());
      EXPECT_EQ(header_of(one).more_fragments(), &one != &seen.back() || (fragment & 0x2000) != 0);
      const Bytes part = without_first(one, 20);
      data.insert(data.end(), part.begin(), part.end());
    }
    EXPECT_EQ(data, without_first(packet, 20));
  }
}

TEST(IPFragmenter, OptionsAreCopiedByTheirFlag) {
  const Bytes options{7, 7, 4, 0, 0, 0, 0, 130, 3, 9, 1, 0};
  const Bytes packet = datagram(200, 0, options);
  TestRouter test("in :: TestSource -> CheckIPHeader -> IPFragmenter(120) -> out :: TestSink;");
  test.send("in", {packet});
  const auto seen = bytes_at(test, "out");
  ASSERT_EQ(seen.size(), 3u);
  expect_fragments(seen, packet, 120);
  EXPECT_EQ(first_bytes(without_first(seen[0], 20), 12), options);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(header_of(seen[i]).header_length(), 24u);
    EXPECT_EQ(to_hex(first_bytes(without_first(seen[i], 20), 4)), "82030900");
  }
}

TEST(IPFragmenter, DontFragment) {
  const Bytes small = datagram(10, kIpDontFragment);
  const Bytes large = datagram(200, kIpDontFragment);
  TestRouter test(
      "in :: TestSource -> CheckIPHeader -> f :: IPFragmenter(100) -> out :: TestSink;"
      "f[1] -> large :: TestSink;");
  test.send("in", {small, large, small});
  EXPECT_EQ(bytes_at(test, "out"), (std::vector<Bytes>{small, small}));
  EXPECT_EQ(bytes_at(test, "large"), std::vector<Bytes>{large});
  EXPECT_EQ(test.read("f.drops"), "1");

  TestRouter dropping("in :: TestSource -> CheckIPHeader -> f :: IPFragmenter(100) -> TestSink;");
  dropping.send("in", {small, large});
  EXPECT_EQ(dropping.dropped("f", "dont-fragment"), 1u);

  TestRouter ignoring(
      "in :: TestSource -> CheckIPHeader -> IPFragmenter(100, false) -> out :: TestSink;");
  ignoring.send("in", {large});
  expect_fragments(bytes_at(ignoring, "out"), large, 100);
}

TEST(IPFragmenter, KeepsWhatIsBeforeTheHeaderAndAnnotations) {
  TestRouter test(
      "in :: TestSource -> Paint(7) -> CheckIPHeader(14) -> IPFragmenter(100) -> "
      "out :: TestSink;");
  const Bytes frame = concat({numbered(14, 0x40), datagram(200)});
  test.send("in", {frame});
  for (const auto& one : test.sink("out").packets) {
    EXPECT_EQ(first_bytes(one.bytes, 14), numbered(14, 0x40));
    EXPECT_EQ(one.annotations.user[anno::kPaint.offset], 7);
    EXPECT_EQ(one.annotations.user[0], 10);
    EXPECT_EQ(one.network_offset, 14);
  }
  EXPECT_EQ(test.sink("out").packets.size(), 3u);
}

TEST(IPFragmenter, BadHeaders) {
  TestRouter test("in :: TestSource -> f :: IPFragmenter(68) -> out :: TestSink;");
  std::vector<Packet*> packets;
  const auto add = [&](const Bytes& bytes) {
    packets.push_back(Packet::make(*test.pool, bytes));
    packets.back()->set_network_header(0, 20);
  };
  for (const auto& [at, value] : {std::pair(0, 0x65), std::pair(0, 0x44), std::pair(2, 0x7f)}) {
    Bytes packet = datagram(200);
    packet[static_cast<std::size_t>(at)] = static_cast<uint8_t>(value);
    add(packet);
  }
  add(datagram(200, 0x1fff));                                  // would end beyond 65,535 bytes
  packets.push_back(Packet::make(*test.pool, datagram(200)));  // no header set
  test.send_packets("in", packets);
  EXPECT_EQ(test.dropped("f", "bad-header"), 5u);
  EXPECT_THAT(errors_of("TestSource -> IPFragmenter(67) -> TestSink;"),
              testing::HasSubstr("MTU: expected 68 to 65535 bytes, not 67"));
}

TEST(IPFragmenter, ClonesAndAnEmptyPool) {
  TestRouter test("in :: TestSource -> CheckIPHeader -> f :: IPFragmenter(68) -> out :: TestSink;",
                  {.packets = 63});
  Packet* packet = Packet::make(*test.pool, datagram(100));
  test.send_packets("in", {packet, packet->clone()});
  EXPECT_EQ(test.sink("out").packets.size(), 6u);
  test.sink("out").clear();
  test.sink("out").keep = true;
  std::vector<Bytes> many(20, datagram(1000));
  test.send("in", many);
  EXPECT_GT(test.dropped("f", "no-buffer"), 0u);
  test.sink("out").clear();
}

}  // namespace
}  // namespace headroom::test
