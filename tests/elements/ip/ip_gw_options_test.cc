#include "../element_test.hh"
#include "headroom/net/ip.hh"

namespace headroom::test {
namespace {

Bytes datagram(const Bytes& options) {
  const Bytes plain = Ip4Frame().build_ip();
  Bytes packet = concat({first_bytes(plain, 20), options, without_first(plain, 20)});
  auto& ip = *reinterpret_cast<IpHeader*>(packet.data());
  ip.set_header_length(static_cast<unsigned>(20 + options.size()));
  ip.total_length = static_cast<uint16_t>(packet.size());
  fix_ip_checksum(packet);
  return packet;
}

constexpr const char* kElements = "CheckIPHeader -> e :: IPGWOptions(10.9.9.9, 10.8.8.8)";

TEST(IPGWOptions, RecordsTheRoute) {
  expect_passes(kElements, datagram({7, 7, 4, 0, 0, 0, 0, 0}), datagram({7, 7, 8, 10, 9, 9, 9, 0}));
  expect_passes(kElements, datagram({}), datagram({}));
  expect_passes(kElements, datagram({130, 4, 1, 1}), datagram({130, 4, 1, 1}));
}

TEST(IPGWOptions, RecordsTheTime) {
  TestRouter test(pushed(kElements));
  test.send("in", {datagram({68, 12, 5, 3, 10, 8, 8, 8, 0, 0, 0, 0})});
  // The simulated clock begins 1,000,000,000 s after the epoch: 01:46:40.
  EXPECT_EQ(bytes_at(test, "out"),
            std::vector<Bytes>{datagram({68, 12, 13, 3, 10, 8, 8, 8, 0x00, 0x61, 0xa8, 0x00})});
}

TEST(IPGWOptions, OptionsInError) {
  const Bytes bad = datagram({1, 7, 7, 3, 0, 0, 0, 0});
  expect_dropped(kElements, datagram({}), bad, "bad-option");
  TestRouter test("in :: TestSource -> " + std::string(kElements) +
                  " -> out :: TestSink; e[1] -> ICMPError(10.9.9.9, parameterproblem) -> bad :: "
                  "TestSink;");
  test.send("in", {bad, datagram({})});
  const auto answer = bytes_at(test, "bad");
  ASSERT_EQ(answer.size(), 1u);
  EXPECT_EQ(to_hex(first_bytes(without_first(answer[0], 20), 5)).substr(0, 4), "0c00");
  EXPECT_EQ(answer[0][24], 23);  // the pointer
  EXPECT_EQ(test.read("e.drops"), "1");
}

TEST(IPGWOptions, Clones) {
  TestRouter test(pushed(kElements));
  Packet* packet = Packet::make(*test.pool, datagram({7, 11, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  test.send_packets("in", {packet, packet->clone()});
  EXPECT_EQ(bytes_at(test, "out"),
            std::vector<Bytes>(2, datagram({7, 11, 8, 10, 9, 9, 9, 0, 0, 0, 0, 0})));
}

TEST(IPGWOptions, NoHeader) {
  TestRouter test(pushed("e :: IPGWOptions(10.9.9.9)"));
  test.send("in", {datagram({}), {}});
  EXPECT_EQ(test.dropped("e", "no-network-header"), 2u);
  EXPECT_THAT(errors_of("TestSource -> IPGWOptions(10.9.9.9, 10.8.8) -> TestSink;"),
              testing::HasSubstr("OTHERADDRS: expected IP addresses, not '10.8.8'"));
}

}  // namespace
}  // namespace headroom::test
