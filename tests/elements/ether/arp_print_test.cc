#include "arp_frames.hh"

namespace headroom::test {
namespace {

std::string printed(const std::string& arguments, const Bytes& bytes, int network_offset = -1) {
  TestRouter test(pushed("ARPPrint(" + arguments + ")"));
  Packet* packet = Packet::make(*test.pool, bytes);
  packet->set_timestamp_anno(12'000'034'999);
  if (network_offset >= 0) packet->set_network_header(static_cast<uint32_t>(network_offset), 28);
  testing::internal::CaptureStderr();
  test.send_packets("in", {packet});
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(bytes_at(test, "out"), std::vector<Bytes>{bytes});
  return text;
}

TEST(ARPPrint, RequestsAndReplies) {
  EXPECT_EQ(printed("", query_for("10.0.0.2")), "12.000034: arp who-has 10.0.0.2 tell 10.0.0.1\n");
  EXPECT_EQ(printed("a, TIMESTAMP false", Arp{}.build()),
            "a: arp reply 10.0.0.2 is-at 02-00-00-00-00-02\n");
  EXPECT_EQ(printed("\"a b\", ETHER true", query_for("10.0.0.2")),
            "a b: 12.000034: 02-00-00-00-00-01 > FF-FF-FF-FF-FF-FF: arp who-has 10.0.0.2 tell "
            "10.0.0.1\n");
  EXPECT_EQ(printed("TIMESTAMP false", Arp{.operation = kArpRequest}.build()),
            "arp who-has 10.0.0.1 (02-00-00-00-00-01) tell 10.0.0.2\n");
  EXPECT_EQ(printed("ACTIVE false", Arp{}.build()), "");
}

TEST(ARPPrint, AtTheNetworkHeader) {
  const Bytes bare = without_first(Arp{}.build(), 14);
  EXPECT_EQ(printed("TIMESTAMP false, ETHER true", bare, 0),
            "arp reply 10.0.0.2 is-at 02-00-00-00-00-02\n");
  EXPECT_EQ(printed("TIMESTAMP false, ETHER true", concat({hex("0000"), Arp{}.build()}), 16),
            "02-00-00-00-00-02 > 02-00-00-00-00-01: arp reply 10.0.0.2 is-at 02-00-00-00-00-02\n");
}

TEST(ARPPrint, WhatIsNotArpOfIpOverEthernet) {
  EXPECT_EQ(printed("TIMESTAMP false", Bytes{}), "truncated-arp (0)\n");
  EXPECT_EQ(printed("TIMESTAMP false", first_bytes(Arp{}.build(), 41)), "truncated-arp (27)\n");
  Bytes frame = Arp{.operation = 8}.build();
  EXPECT_EQ(printed("TIMESTAMP false", frame), "arp-#8 for proto #2048 (4) hardware #1 (6)\n");
  frame = Arp{}.build();
  frame[15] = 6;
  EXPECT_EQ(printed("TIMESTAMP false", frame), "arp-#2 for proto #2048 (4) hardware #6 (6)\n");
}

TEST(ARPPrint, PacketsCutEverywhereInBothContexts) {
  in_all_contexts("ARPPrint(x, TIMESTAMP false)", [](const std::string& config, uint32_t batch) {
    TestRouter test(config);
    const Bytes frame = Arp{}.build();
    std::string expected;
    for (std::size_t i = 0; i < frame.size(); ++i)
      expected += "x: arp reply 10.0.0.2 is-at 02-00-00-00-00-02\n";
    testing::internal::CaptureStderr();
    test.send_packets("in", cut_everywhere(*test.pool, frame), batch);
    test.run();
    EXPECT_EQ(testing::internal::GetCapturedStderr(), expected);
    EXPECT_EQ(bytes_at(test, "out").size(), frame.size());
  });
}

}  // namespace
}  // namespace headroom::test
