#include "../datagrams.hh"

namespace headroom::test {
namespace {

const Bytes kEther = numbered(14);

TEST(IPInputCombo, DoesTheFourThings) {
  for (const std::size_t options : {0u, 12u}) {
    const Bytes datagram = udp_datagram(9, {.options = options});
    const Bytes frame = concat({kEther, datagram, Bytes(6, 0xee)});
    const Drill drill{"e :: IPInputCombo(5, 10.255.255.255)"};
    drill_pass(drill, frame, datagram);
    drill_copies(drill, frame, datagram);
    drill_lengths(drill, frame);
    TestRouter test(pushed(drill.elements));
    test.send_packets("in", in_pieces(drill, *test.pool, frame));
    for (const auto& seen : test.sink("out").packets) {
      EXPECT_EQ(seen.network_offset, 0);
      EXPECT_EQ(seen.annotations.transport_offset - seen.annotations.network_offset,
                static_cast<int>(20 + options));
      EXPECT_EQ(seen.annotations.user[anno::kPaint.offset], 5);
      EXPECT_EQ(to_hex(std::span(seen.annotations.user).first(4)), "0a000002");
    }
  }
}

// The same configuration as a chain of elements gives the same.
TEST(IPInputCombo, LikeItsParts) {
  const std::string arguments = "BADSRC 10.0.0.9, GOODDST 10.0.0.3, INTERFACES 10.1.0.1/16";
  TestRouter combo(pushed("e :: IPInputCombo(1, " + arguments + ")"));
  TestRouter parts(
      pushed("Paint(1) -> Strip(14) -> CheckIPHeader(" + arguments + ") -> GetIPAddress(16)"));
  std::vector<Bytes> packets;
  for (std::size_t at = 0; at < 20; ++at)
    for (const int change : {0, 1, 0x80, 0xff})
      for (const bool fix : {false, true}) {
        Bytes datagram = udp_datagram(9);
        datagram[at] = static_cast<uint8_t>(datagram[at] ^ change);
        if (fix && (datagram[0] & 15) >= 5 && (datagram[0] & 15) <= 9) fix_ip_checksum(datagram);
        packets.push_back(concat({kEther, datagram}));
      }
  for (const IPAddress source :
       {IPAddress(10, 0, 0, 9), IPAddress(10, 1, 255, 255), IPAddress(0, 0, 0, 0)})
    for (const IPAddress destination :
         {IPAddress(10, 0, 0, 3), IPAddress(10, 1, 0, 1), IPAddress(1, 1, 1, 1)})
      packets.push_back(
          concat({kEther, udp_datagram(3, {.source = source, .destination = destination})}));
  combo.send("in", packets);
  parts.send("in", packets);
  EXPECT_EQ(bytes_at(combo, "out"), bytes_at(parts, "out"));
  EXPECT_GT(combo.sink("out").packets.size(), 10u);
  EXPECT_EQ(combo.read("e.drops"),
            std::to_string(packets.size() - combo.sink("out").packets.size()));
}

TEST(IPInputCombo, DropsBadPackets) {
  const std::string element = "e :: IPInputCombo(1, 10.0.0.9)";
  const Bytes good = concat({kEther, udp_datagram(9)});
  const auto changed = [&](std::size_t at, uint8_t value, bool fix) {
    Bytes datagram = udp_datagram(9);
    datagram[at] = value;
    if (fix) fix_ip_checksum(datagram);
    return concat({kEther, datagram});
  };
  drill_drop({element}, good, first_bytes(good, 33), "too-short");
  drill_drop({element}, good, changed(0, 0x4f, false), "too-short");
  drill_drop({element}, good, changed(0, 0x65, true), "bad-version");
  drill_drop({element}, good, changed(0, 0x44, false), "bad-header-length");
  drill_drop({element}, good, changed(3, 38, true), "bad-length");
  drill_drop({element}, good, changed(10, 1, false), "bad-checksum");
  drill_drop({element}, good, changed(15, 9, true), "bad-source");
}

TEST(IPInputCombo, Color) {
  TestRouter test(pushed("e :: IPInputCombo(1)"));
  test.write("e.color", "9");
  EXPECT_EQ(test.read("e.color"), "9");
  test.send("in", {concat({kEther, udp_datagram(9)})});
  EXPECT_EQ(test.sink("out").packets.at(0).annotations.user[anno::kPaint.offset], 9);
}

std::string five_sinks(const std::string& element) {
  return "in :: TestSource -> e :: " + element +
         "; e[0] -> out :: TestSink; e[1] -> redirect :: TestSink; e[2] -> options :: TestSink;"
         "e[3] -> expired :: TestSink; e[4] -> long :: TestSink;";
}

Bytes with_option(Bytes option, uint8_t ttl) {
  Bytes bytes = udp_datagram(20, {.options = 8, .ttl = ttl});
  std::copy(option.begin(), option.end(), bytes.begin() + 20);
  fix_ip_checksum(bytes);
  return bytes;
}

TEST(IPOutputCombo, SortsPackets) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(five_sinks("IPOutputCombo(7, 9.9.9.9, 100)"), {.packets = 8191});
    std::vector<Packet*> packets;
    const auto add = [&](const Bytes& bytes, const std::function<void(Packet&)>& change = {}) {
      for (Packet* packet : in_pieces({"", with_ip_header()}, *test.pool, bytes)) {
        if (change) change(*packet);
        packets.push_back(packet);
      }
    };
    add(udp_datagram(20));  // 48 bytes, so 49 times
    add(udp_datagram(20),
        [](Packet& packet) { packet.set_packet_type_anno(PacketType::broadcast); });
    add(udp_datagram(20),
        [](Packet& packet) { packet.set_packet_type_anno(PacketType::multicast); });
    add(udp_datagram(20, {.ttl = 1}));
    add(udp_datagram(20, {.ttl = 0}));
    add(udp_datagram(73));  // one more than the MTU
    add(udp_datagram(72));
    add(with_option({7, 7, 3, 0, 0, 0, 0, 0}, 64));  // a bad pointer
    add(with_option({7, 7, 4, 0, 0, 0, 0, 0}, 64));
    add(udp_datagram(20), [](Packet& packet) { packet.set_paint_anno(7); });
    add(udp_datagram(20), [](Packet& packet) { packet.set_anno_u8(anno::kFixIpSrc.offset, 1); });
    add(udp_datagram(20), [](Packet& packet) { packet.clear_network_header(); });
    test.send_packets("in", packets, batch_size);

    const auto expect_all = [&](const char* sink,
                                std::vector<std::pair<std::size_t, Bytes>> expected) {
      std::vector<Bytes> all;
      for (const auto& [count, bytes] : expected) all.insert(all.end(), count, bytes);
      EXPECT_EQ(bytes_at(test, sink), all) << sink;
    };
    const Bytes passed = udp_datagram(20, {.ttl = 63});
    Bytes fixed = passed;
    fixed[12] = fixed[13] = fixed[14] = fixed[15] = 9;
    fix_ip_checksum(fixed);
    expect_all("out", {{49, passed},
                       {101, udp_datagram(72, {.ttl = 63})},
                       {57, with_option({7, 7, 8, 9, 9, 9, 9, 0}, 63)},
                       {49, passed},
                       {49, fixed}});
    expect_all("redirect", {{49, udp_datagram(20)}});
    expect_all("options", {{57, with_option({7, 7, 3, 0, 0, 0, 0, 0}, 64)}});
    expect_all("expired", {{49, udp_datagram(20, {.ttl = 1})}, {49, udp_datagram(20, {.ttl = 0})}});
    expect_all("long", {{102, udp_datagram(73, {.ttl = 63})}});
    EXPECT_EQ(test.sink("options").packets.at(0).annotations.user[anno::kIcmpParamProb.offset], 22);
    EXPECT_EQ(test.dropped("e", "link-broadcast"), 98u);
    EXPECT_EQ(test.dropped("e", "no-network-header"), 49u);
    EXPECT_EQ(
        test.read("e.expired") + " " + test.read("e.bad_options") + " " + test.read("e.too_long"),
        "98 57 102");
  });
}

// A timestamp before an option that is malformed has been written: the checksum says so.
TEST(IPOutputCombo, TheChecksumIsRightWhateverBecameOfTheOptions) {
  TestRouter test(five_sinks("IPOutputCombo(7, 9.9.9.9, 100)"));
  Bytes bytes = udp_datagram(20, {.options = 16});
  const Bytes options = {68, 8, 5, 0, 0, 0, 0, 0, 7, 7, 3, 0, 0, 0, 0, 0};
  std::copy(options.begin(), options.end(), bytes.begin() + 20);
  fix_ip_checksum(bytes);
  test.send_packets("in", in_pieces({"", with_ip_header()}, *test.pool, bytes));
  ASSERT_FALSE(test.sink("options").packets.empty());
  for (const Bytes& seen : bytes_at(test, "options")) {
    EXPECT_EQ(slow_checksum(first_bytes(seen, 36)), 0);
    EXPECT_NE(seen, bytes);
  }
}

TEST(IPOutputCombo, CopiesAndAnEmptyPool) {
  TestRouter test(
      "in :: TestSource -> t :: Tee -> e :: IPOutputCombo(7, 9.9.9.9, 100) -> a :: TestSink;"
      "e[1] -> Discard; e[2] -> Discard; e[3] -> Discard; e[4] -> Discard;"
      "t[1] -> b :: TestSink;");
  test.sink("a").keep = test.sink("b").keep = true;
  test.send_packets("in", in_pieces({"", with_ip_header()}, *test.pool, udp_datagram(20)));
  for (Packet* packet : test.sink("a").kept)
    EXPECT_EQ(bytes_of(*packet), udp_datagram(20, {.ttl = 63}));
  for (Packet* packet : test.sink("b").kept) EXPECT_EQ(bytes_of(*packet), udp_datagram(20));
  // The copy for output 1 is the last of the pool; there is none for the packet that is written to.
  TestRouter empty(five_sinks("IPOutputCombo(7, 9.9.9.9, 100)"), {.packets = 3});
  std::vector<Packet*> packets;
  for (int i = 0; i < 2; ++i) {
    packets.push_back(Packet::make(*empty.pool, udp_datagram(20)));
    packets.back()->set_network_header(0, 20);
    packets.back()->set_paint_anno(7);
  }
  empty.send_packets("in", packets);
  EXPECT_EQ(empty.dropped("e", "no-buffer"), 2u);
}

}  // namespace
}  // namespace headroom::test
