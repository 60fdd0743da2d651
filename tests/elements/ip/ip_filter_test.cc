#include "../element_test.hh"

namespace headroom::test {
namespace {

Bytes udp(uint16_t source_port, uint16_t destination_port, const char* source = "10.0.0.1") {
  Ip4Frame frame;
  frame.source = source;
  frame.source_port = source_port;
  frame.destination_port = destination_port;
  return frame.build_ip();
}
Bytes with_protocol(Bytes packet, uint8_t protocol) {
  packet[9] = protocol;
  fix_ip_checksum(packet);
  return packet;
}
Bytes later_fragment() {
  Bytes packet = udp(80, 80);
  packet[7] = 1;
  fix_ip_checksum(packet);
  return packet;
}

TEST(IPClassifier, SendsToTheFirstPatternThatMatches) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(
        "in :: TestSource -> CheckIPHeader -> c :: IPClassifier(udp dst port 53, "
        "src net 10.0.0.0/24 and udp, icmp or tcp);"
        "c[0] -> dns :: TestSink; c[1] -> net :: TestSink; c[2] -> other :: TestSink;");
    std::vector<Bytes> packets;
    for (int i = 0; i < 100; ++i)
      for (const Bytes& packet :
           {udp(1000, 53), udp(1000, 54), with_protocol(udp(1000, 53), 6), udp(1, 2, "10.0.1.1"),
            with_protocol(udp(1, 53), 1), with_protocol(udp(1, 53), 47)})
        packets.push_back(packet);
    test.send("in", packets, batch_size);
    EXPECT_EQ(bytes_at(test, "dns"), std::vector<Bytes>(100, udp(1000, 53)));
    EXPECT_EQ(bytes_at(test, "net"), std::vector<Bytes>(100, udp(1000, 54)));
    EXPECT_EQ(test.sink("other").packets.size(), 200u);
    EXPECT_EQ(test.dropped("c", "no-match"), 200u);
  });
}

TEST(IPClassifier, WhereverThePacketIsCut) {
  const char* config =
      "in :: TestSource -> CheckIPHeader(14) -> c :: IPClassifier(udp[8:4] 0x08090a0b and "
      "dst port 2000, udp dst port 2000, -); c[0] -> a :: TestSink; c[1] -> b :: TestSink;"
      "c[2] -> other :: TestSink;";
  Ip4Frame frame;
  frame.payload = 90;
  Bytes first = frame.build();
  Bytes second = first;
  for (std::size_t i = 0; i < 4; ++i) first[42 + i] = static_cast<uint8_t>(8 + i);
  second[45] = 0;
  TestRouter test(config);
  for (const Bytes& packet : {first, second})
    test.send_packets("in", cut_everywhere(*test.pool, packet));
  // Cut behind CheckIPHeader's back, which makes the first 160 bytes contiguous.
  EXPECT_EQ(test.sink("a").packets.size(), 129u);
  EXPECT_EQ(test.sink("b").packets.size(), 129u);

  TestRouter marked(
      "in :: TestSource -> c :: IPClassifier(udp[8:4] 0x08090a0b and ether host "
      "02:00:00:00:00:02, -); c[0] -> a :: TestSink; c[1] -> other :: TestSink;");
  const Bytes ether{2, 0, 0, 0, 0, 2};
  std::copy(ether.begin(), ether.end(), first.begin());
  std::vector<Packet*> packets = cut_everywhere(*marked.pool, first);
  packets.push_back(make_shredded(*marked.pool, first, 30));
  for (Packet* packet : packets) {
    packet->set_mac_header(0);
    packet->set_network_header(14, 20);
  }
  marked.send_packets("in", packets);
  EXPECT_EQ(marked.sink("a").packets.size(), packets.size());
}

TEST(IPClassifier, EthernetAddresses) {
  TestRouter test(
      "in :: TestSource -> c :: IPClassifier(src ether host 02:00:00:00:00:01, -);"
      "c[0] -> a :: TestSink; c[1] -> other :: TestSink;");
  Bytes frame = Ip4Frame().build();
  const Bytes source{2, 0, 0, 0, 0, 1};
  std::copy(source.begin(), source.end(), frame.begin() + 6);
  std::vector<Packet*> packets;
  for (int i = 0; i < 3; ++i) {
    packets.push_back(Packet::make(*test.pool, frame));
    packets.back()->set_network_header(14, 20);
  }
  packets[0]->set_mac_header(0);
  packets[1]->set_mac_header(0);
  packets[1]->pull(14);
  test.send_packets("in", packets);
  // Stripped off and never marked do not match.
  EXPECT_EQ(test.sink("a").packets.size(), 1u);
  EXPECT_EQ(test.sink("other").packets.size(), 2u);
}

TEST(IPClassifier, FragmentsAndShortPackets) {
  TestRouter test(
      "in :: TestSource -> c :: IPClassifier(port 80, port != 80, not port 80);"
      "c[0] -> a :: TestSink; c[1] -> b :: TestSink; c[2] -> rest :: TestSink;");
  std::vector<Packet*> packets;
  const auto add = [&](const Bytes& bytes) {
    packets.push_back(Packet::make(*test.pool, bytes));
    packets.back()->set_network_header(0, 20);
  };
  add(udp(80, 1));
  add(udp(81, 1));
  add(later_fragment());
  for (std::size_t length = 1; length < 20; ++length) add(first_bytes(udp(80, 1), length));
  test.send_packets("in", packets);
  EXPECT_EQ(bytes_at(test, "a"), std::vector<Bytes>{udp(80, 1)});
  EXPECT_EQ(bytes_at(test, "b"), std::vector<Bytes>{udp(81, 1)});
  EXPECT_EQ(test.sink("rest").packets.size(), 20u);
}

TEST(IPClassifier, DropsPacketsWithoutAHeader) {
  TestRouter test("in :: TestSource -> c :: IPClassifier(-) -> out :: TestSink;");
  test.send("in", {udp(1, 2), {}});
  Packet* beyond = Packet::make(*test.pool, udp(1, 2));
  beyond->set_network_header(0, 20);
  beyond->take(beyond->length());
  test.send_packets("in", {beyond});
  EXPECT_EQ(test.dropped("c", "no-network-header"), 3u);
}

TEST(IPClassifier, Clones) {
  TestRouter test(
      "in :: TestSource -> CheckIPHeader -> c :: IPClassifier(src port 80, -);"
      "c[0] -> a :: TestSink; c[1] -> b :: TestSink;");
  Packet* packet = Packet::make(*test.pool, udp(80, 1));
  Packet* clone = packet->clone();
  test.send_packets("in", {packet, clone});
  EXPECT_EQ(test.sink("a").packets.size(), 2u);
}

TEST(IPFilter, AllowsAndDenies) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(
        "in :: TestSource -> CheckIPHeader -> f :: IPFilter(deny src port 23, 1 dst port 53, "
        "allow src net 10.0.0.0/24, drop port 80);"
        "f[0] -> out :: TestSink; f[1] -> dns :: TestSink;");
    std::vector<Bytes> packets;
    for (int i = 0; i < 60; ++i)
      for (const Bytes& packet :
           {udp(23, 53), udp(9, 53), udp(9, 9), udp(80, 9, "10.1.0.1"), udp(9, 9, "10.1.0.1")})
        packets.push_back(packet);
    test.send("in", packets, batch_size);
    EXPECT_EQ(bytes_at(test, "out"), std::vector<Bytes>(60, udp(9, 9)));
    EXPECT_EQ(bytes_at(test, "dns"), std::vector<Bytes>(60, udp(9, 53)));
    EXPECT_EQ(test.dropped("f", "denied"), 120u);
    EXPECT_EQ(test.dropped("f", "no-match"), 60u);
  });
}

TEST(IPFilter, Program) {
  TestRouter test(
      "in :: TestSource -> f :: IPFilter(allow src port 80, deny \"ttl 1\", 0 -) -> TestSink;");
  EXPECT_EQ(test.read("f.program"),
            "    0 [0] if transp[0:2]=0050 transp-bytes>=2 tcpudp\n"
            "    1 [X] if ip[8:1]=01 ip-bytes>=9\n"
            "    2 [0] if any\n");
}

TEST(IPFilter, ConfigurationErrors) {
  const std::string filter = "in :: TestSource -> f :: IPFilter(";
  const std::string errors =
      errors_of(filter + "allow tpc, alow tcp, 1 udp, deny, allow tcp and) -> TestSink;");
  for (const char* expected :
       {"pattern 0: expected an address, a port, a protocol or a word of the pattern language, not "
        "'tpc'",
        "pattern 1: expected 'ACTION PATTERN' with an ACTION of 'allow', 'deny', 'drop' or the "
        "number of an output, not 'alow'",
        "pattern 2: expected an output below 1, not 1",
        "pattern 3: expected an address, a port, a protocol or another primitive, not the end of "
        "the pattern",
        "pattern 4: expected an address"})
    EXPECT_THAT(errors, testing::HasSubstr(expected));
  EXPECT_THAT(errors_of(filter + "allow tcp, allow udp and tcp, deny -, allow icmp) -> TestSink;"),
              testing::AllOf(testing::HasSubstr("pattern 1 matches no packets"),
                             testing::HasSubstr("pattern 3 matches no packets")));
  EXPECT_THAT(errors_of("TestSource -> IPClassifier(tcp, udp) -> TestSink;"),
              testing::HasSubstr("1 outputs, but 2 patterns: it needs one for each"));
}

}  // namespace
}  // namespace headroom::test
