#include <map>
#include <set>
#include <utility>

#include "../element_test.hh"
#include "headroom/net/checksum.hh"
#include "headroom/net/ether.hh"
#include "headroom/net/udp.hh"

namespace headroom::test {
namespace {

const std::string kAddresses = "1:2:3:4:5:6, 10.0.0.1, 2:2:3:4:5:6, 10.0.0.2";

const UdpHeader& udp_of(const Bytes& frame) {
  return *reinterpret_cast<const UdpHeader*>(frame.data() + 34);
}
std::pair<uint16_t, uint16_t> ports_of(const Bytes& frame) {
  return {udp_of(frame).source_port, udp_of(frame).destination_port};
}

TEST(FastUDPFlows, FramesAreRight) {
  for (const std::string length : {"60", "61", "1514", "5000"}) {
    TestRouter test("s :: FastUDPFlows(0, 200, " + length + ", " + kAddresses +
                    ", 10, 5) -> out :: TestSink;");
    test.run();
    const auto frames = bytes_at(test, "out");
    ASSERT_EQ(frames.size(), 200u);
    uint16_t id = 0;
    for (const Bytes& frame : frames) {
      ASSERT_EQ(frame.size(), std::stoul(length));
      const auto& ether = *reinterpret_cast<const EtherHeader*>(frame.data());
      EXPECT_EQ(ether.source, EtherAddress(1, 2, 3, 4, 5, 6));
      EXPECT_EQ(ether.destination, EtherAddress(2, 2, 3, 4, 5, 6));
      EXPECT_EQ(ether.type, kEtherTypeIp);
      const auto& ip = *reinterpret_cast<const IpHeader*>(frame.data() + 14);
      EXPECT_EQ(ip.source, IPAddress(10, 0, 0, 1));
      EXPECT_EQ(ip.destination, IPAddress(10, 0, 0, 2));
      EXPECT_EQ(ip.total_length, frame.size() - 14);
      EXPECT_EQ(ip.id, ++id);
      EXPECT_TRUE(ip_header_checksum_ok(ip));
      InternetSum sum = ip_pseudo_header(ip.source, ip.destination, kIpProtocolUdp,
                                         static_cast<uint16_t>(frame.size() - 34));
      sum.add(frame.data() + 34, frame.size() - 34);
      EXPECT_TRUE(sum.is_valid());
    }
    EXPECT_EQ(test.read("s.count"), "200");
  }
}

TEST(FastUDPFlows, FlowsEndAndOthersTakeTheirPlace) {
  TestRouter test("FastUDPFlows(0, 1000, 60, " + kAddresses +
                  ", 4, 10, SEQUENTIAL true) -> out :: TestSink;");
  test.run();
  const auto frames = bytes_at(test, "out");
  std::map<std::pair<uint16_t, uint16_t>, int> flows;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    ++flows[ports_of(frames[i])];
    if (i % 40 >= 4) {
      EXPECT_EQ(ports_of(frames[i]), ports_of(frames[i - 4])) << i;
    }
  }
  EXPECT_EQ(flows.size(), 100u);
  for (const auto& [ports, packets] : flows) EXPECT_EQ(packets, 10);

  TestRouter endless("FastUDPFlows(0, 1000, 60, " + kAddresses + ", 4, 0) -> out :: TestSink;");
  endless.run();
  std::set<std::pair<uint16_t, uint16_t>> different;
  for (const Bytes& frame : bytes_at(endless, "out")) different.insert(ports_of(frame));
  EXPECT_EQ(different.size(), 4u);
}

TEST(FastUDPFlows, NoChecksumWhenNotWanted) {
  TestRouter test("FastUDPFlows(0, 5, 60, " + kAddresses + ", 1, 1, false) -> out :: TestSink;");
  test.run();
  for (const Bytes& frame : bytes_at(test, "out")) EXPECT_EQ(udp_of(frame).checksum, 0);
}

TEST(FastUDPFlows, KeepsToItsRate) {
  TestRouter test("s :: FastUDPFlows(1000, 101, 60, " + kAddresses + ", 1, 1) -> out :: TestSink;");
  const int64_t start = test.clock.now();
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 101u);
  EXPECT_NEAR(static_cast<double>(test.clock.now() - start), 100e6, 1e6);
}

TEST(FastUDPFlows, IsPulledAndStarted) {
  TestRouter test("s :: FastUDPFlows(0, 10, 60, " + kAddresses +
                  ", 1, 1, true, false) -> Unqueue -> out :: TestSink;");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 0u);
  test.write("s.active", "true");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 10u);
  test.write("s.reset", "");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 20u);
}

TEST(FastUDPFlows, WrongArguments) {
  const auto errors = [](const std::string& length, const std::string& flows) {
    return errors_of("FastUDPFlows(0, 1, " + length + ", " + kAddresses + ", " + flows +
                     ", 1) -> Discard;");
  };
  EXPECT_THAT(errors("59", "1"), ::testing::HasSubstr("LENGTH: out of range, 60 to 65549"));
  EXPECT_THAT(errors("65550", "1"), ::testing::HasSubstr("LENGTH: out of range"));
  EXPECT_THAT(errors("60", "0"), ::testing::HasSubstr("FLOWS: out of range"));
}

}  // namespace
}  // namespace headroom::test
