#include "../element_test.hh"

namespace headroom::test {
namespace {

const Bytes kDatagram = Ip4Frame{}.build_ip();

// With options of `length` bytes.
Bytes with_options(std::size_t length, uint8_t fill = 1) {
  Bytes bytes = first_bytes(kDatagram, 20);
  bytes.insert(bytes.end(), length, fill);
  bytes.insert(bytes.end(), kDatagram.begin() + 20, kDatagram.end());
  bytes[0] = static_cast<uint8_t>(0x40 | (20 + length) / 4);
  bytes[3] = static_cast<uint8_t>(bytes.size());
  fix_ip_checksum(bytes);
  return bytes;
}

Bytes changed(std::size_t at, uint8_t value, bool fix = true, std::size_t length = SIZE_MAX) {
  Bytes bytes = kDatagram;
  bytes[at] = value;
  if (fix && (bytes[0] & 15) >= 5) fix_ip_checksum(bytes);
  return first_bytes(bytes, length);
}

TEST(CheckIPHeader, MarksGoodPackets) {
  for (const std::size_t offset : {0u, 14u, 100u})
    for (std::size_t options = 0; options <= 40; options += 4) {
      SCOPED_TRACE(std::to_string(offset) + " options " + std::to_string(options));
      const Bytes packet = concat({numbered(offset), with_options(options)});
      in_all_contexts("CheckIPHeader(" + std::to_string(offset) + ")",
                      [&](const std::string& config, uint32_t batch_size) {
                        TestRouter test(config);
                        test.send_packets("in", cut_everywhere(*test.pool, packet), batch_size);
                        test.run();
                        const auto& seen = test.sink("out").packets;
                        ASSERT_EQ(seen.size(), std::min<std::size_t>(packet.size(), 129));
                        for (const auto& one : seen) {
                          ASSERT_EQ(to_hex(one.bytes), to_hex(packet));
                          ASSERT_EQ(one.network_offset, static_cast<int32_t>(offset));
                          ASSERT_EQ(
                              one.annotations.transport_offset - one.annotations.network_offset,
                              static_cast<int32_t>(20 + options));
                          ASSERT_EQ(to_hex(std::span(one.annotations.user).first(4)), "0a000002");
                        }
                      });
    }
}

TEST(CheckIPHeader, TakesOffWhatFollowsTheDatagram) {
  for (const std::size_t padding : {1u, 6u, 100u})
    expect_passes("CheckIPHeader", concat({kDatagram, Bytes(padding, 0xee)}), kDatagram);
  expect_passes("CheckIPHeader(OFFSET 14)", concat({numbered(14), kDatagram, Bytes(6, 0xee)}),
                concat({numbered(14), kDatagram}));
}

TEST(CheckIPHeader, DropsBadPackets) {
  const std::string element = "e :: CheckIPHeader(CHECKSUM false)";
  for (std::size_t length = 0; length < 20; ++length)
    expect_dropped(element, kDatagram, first_bytes(kDatagram, length), "too-short");
  for (std::size_t length = 20; length < 60; ++length)
    expect_dropped(element, kDatagram, first_bytes(with_options(40), length), "too-short");
  for (std::size_t length = 20; length < kDatagram.size(); ++length)
    expect_dropped(element, kDatagram, first_bytes(kDatagram, length), "bad-length");
}

TEST(CheckIPHeader, DropsMalformedHeaders) {
  const std::string element = "e :: CheckIPHeader(0)";
  const Bytes good = Ip4Frame{}.build_ip();
  for (const int version : {0, 3, 5, 6, 15})
    expect_dropped(element, good, changed(0, static_cast<uint8_t>(version << 4 | 5)),
                   "bad-version");
  for (uint8_t words = 0; words < 5; ++words)
    expect_dropped(element, good, changed(0, static_cast<uint8_t>(0x40 | words)),
                   "bad-header-length");
  for (const uint8_t length : {uint8_t{0}, uint8_t{19}, static_cast<uint8_t>(good.size() + 1)})
    expect_dropped(element, good, changed(3, length), "bad-length");
  expect_dropped(element, good, changed(2, 0x80), "bad-length");
  Bytes shorter_than_its_header = with_options(40);
  shorter_than_its_header[3] = 59;
  fix_ip_checksum(shorter_than_its_header);
  expect_dropped(element, good, shorter_than_its_header, "bad-length");
  // Every bit of the header that no other check finds.
  for (std::size_t at = 4; at < 20; ++at)
    for (int bit = 0; bit < 8; bit += 3)
      expect_dropped(element, good,
                     changed(at, static_cast<uint8_t>(kDatagram[at] ^ 1 << bit), false),
                     "bad-checksum");
  Bytes bad_option = with_options(40);
  bad_option[59] ^= 4;
  expect_dropped(element, good, bad_option, "bad-checksum");
}

TEST(CheckIPHeader, ChecksumCanBeLeftUnchecked) {
  const Bytes wrong = changed(10, 0x12, false);
  expect_passes("CheckIPHeader(CHECKSUM false)", wrong, wrong);
}

TEST(CheckIPHeader, BadPacketsGoToOutputOne) {
  in_all_batch_sizes([](uint32_t batch_size) {
    TestRouter test(
        "in :: TestSource -> e :: CheckIPHeader -> out :: TestSink; e[1] -> bad :: TestSink;");
    std::vector<Bytes> good;
    std::vector<Bytes> bad;
    std::vector<Bytes> all;
    for (uint32_t i = 0; i < 300; ++i) {
      Bytes packet = changed(4, static_cast<uint8_t>(i));
      if (i % 3 == 0) packet[10] ^= 1;
      if (i % 7 == 0) packet.resize(i % 20);
      (i % 3 == 0 || i % 7 == 0 ? bad : good).push_back(packet);
      all.push_back(packet);
    }
    test.send("in", all, batch_size);
    EXPECT_EQ(bytes_at(test, "out"), good);
    EXPECT_EQ(bytes_at(test, "bad"), bad);
    EXPECT_EQ(test.dropped("e", "too-short"), 0u);
    EXPECT_EQ(test.read("e.drops"), std::to_string(bad.size()));
    EXPECT_EQ(
        test.read("e.drop_details"),
        "43\ttoo-short\n0\tbad-version\n0\tbad-header-length\n0\tbad-length\n85\tbad-checksum\n"
        "0\tbad-source\n");
    for (const auto& one : test.sink("bad").packets) EXPECT_EQ(one.network_offset, -1);
  });
}

Bytes from_to(const char* source, const char* destination) {
  Ip4Frame frame;
  frame.source = source;
  frame.destination = destination;
  return frame.build_ip();
}

// Which of some addresses are bad sources.
std::string bad_sources(const std::string& arguments, const char* destination = "10.9.9.9") {
  TestRouter test(pushed("e :: CheckIPHeader(" + arguments + ")"));
  std::string bad;
  for (const char* source :
       {"0.0.0.0", "255.255.255.255", "10.0.0.255", "10.0.1.255", "10.0.0.0", "1.2.3.4"}) {
    const uint64_t before = test.dropped("e", "bad-source");
    test.send("in", {from_to(source, destination)});
    if (test.dropped("e", "bad-source") != before)
      bad += (bad.empty() ? "" : " ") + std::string(source);
  }
  return bad;
}

TEST(CheckIPHeader, BadSources) {
  EXPECT_EQ(bad_sources(""), "");
  EXPECT_EQ(bad_sources("BADSRC 10.0.0.255"), "10.0.0.255");
  EXPECT_EQ(bad_sources("BADSRC 10.0.0.255 1.2.3.4"), "10.0.0.255 1.2.3.4");
  EXPECT_EQ(bad_sources("BADSRC \"10.0.0.255 1.2.3.4\""), "10.0.0.255 1.2.3.4");
  EXPECT_EQ(bad_sources("BADSRC 10.0.0.255, GOODDST 10.9.9.9"), "");
  EXPECT_EQ(bad_sources("BADSRC 10.0.0.255, GOODDST 10.9.9.8"), "10.0.0.255");
  EXPECT_EQ(bad_sources("INTERFACES 10.0.0.1/24 10.0.1.1/31"), "10.0.0.255");
  EXPECT_EQ(bad_sources("INTERFACES 10.0.0.1/24 10.0.1.1/24", "10.0.1.1"), "");
  // Click's old form.
  EXPECT_EQ(bad_sources("10.0.0.255 10.0.1.255"), "0.0.0.0 255.255.255.255 10.0.0.255 10.0.1.255");
  EXPECT_EQ(bad_sources(", 0"), "0.0.0.0 255.255.255.255");
}

TEST(CheckIPHeader, OffsetInEveryForm) {
  const Bytes packet = concat({numbered(14), kDatagram});
  for (const char* arguments :
       {"14", "OFFSET 14", "18.26.4.255, 14", "18.26.4.255 2.255.255.255, OFFSET 14", "\"\", 14"})
    expect_passes("CheckIPHeader(" + std::string(arguments) + ")", packet, packet);
}

TEST(CheckIPHeader, VerbosePrintsTheReason) {
  TestRouter test(pushed("e :: CheckIPHeader(VERBOSE true, DETAILS true)"));
  testing::internal::CaptureStderr();
  test.send("in", {kDatagram, changed(10, 0, false), numbered(3)});
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "e: bad IP header: bad-checksum\ne: bad IP header: too-short\n");
}

TEST(CheckIPHeader, CopiesOfCutPackets) {
  TestRouter test(
      "in :: TestSource -> t :: Tee -> CheckIPHeader(14) -> a :: TestSink;"
      "t[1] -> b :: TestSink;");
  test.sink("a").keep = test.sink("b").keep = true;
  const Bytes frame = concat({numbered(14), with_options(40), Bytes(9, 0xee)});
  test.send_packets("in", cut_everywhere(*test.pool, frame));
  for (Packet* packet : test.sink("a").kept) {
    EXPECT_EQ(to_hex(bytes_of(*packet)), to_hex(first_bytes(frame, frame.size() - 9)));
    EXPECT_EQ(packet->network_header_offset(), 14);
    EXPECT_EQ(packet->dst_ip_anno().to_string(), "10.0.0.2");
  }
  for (Packet* packet : test.sink("b").kept) {
    EXPECT_EQ(to_hex(bytes_of(*packet)), to_hex(frame));
    EXPECT_FALSE(packet->has_network_header());
  }
}

TEST(CheckIPHeader, BadConfigurations) {
  const auto error = [](const std::string& arguments) {
    const std::string text = errors_of("Idle -> e :: CheckIPHeader(" + arguments + ") -> Idle;");
    const std::string context = "config:1: While configuring 'e :: CheckIPHeader':\n  ";
    EXPECT_EQ(text.substr(0, context.size()), context);
    return text.substr(std::min(text.size(), context.size()));
  };
  EXPECT_EQ(error("101"), "OFFSET: out of range, bound 100\n");
  EXPECT_EQ(error("14, 14"), "OFFSET: given twice\n");
  EXPECT_EQ(error("1.2.3, 14"), "BADSRC2: '1.2.3' is not an IP address\n");
  EXPECT_EQ(error("BADSRC 1.2.3.4 x"), "BADSRC: 'x' is not an IP address\n");
  EXPECT_EQ(error("INTERFACES 1.2.3.4/33"),
            "INTERFACES: '1.2.3.4/33' is not an IP address with a prefix length\n");
  EXPECT_EQ(error("CHECKSUM maybe"), "CHECKSUM: parse error\n");
}

TEST(MarkIPHeader, SetsTheHeadersAndChecksNothingElse) {
  Bytes packet = concat({numbered(14), with_options(8)});
  packet[24] ^= 0xff;  // the checksum
  in_all_contexts("MarkIPHeader(14)", [&](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    test.send_packets("in", cut_everywhere(*test.pool, packet), batch_size);
    test.run();
    for (const auto& one : test.sink("out").packets) {
      EXPECT_EQ(one.bytes, packet);
      EXPECT_EQ(one.network_offset, 14);
      EXPECT_EQ(one.annotations.transport_offset - one.annotations.network_offset, 28);
    }
  });
  for (std::size_t length = 0; length < 34; ++length)
    expect_dropped("e :: MarkIPHeader(14)", packet, first_bytes(packet, length), "too-short");
  EXPECT_EQ(
      errors_of("Idle -> e :: MarkIPHeader(101) -> Idle;"),
      "config:1: While configuring 'e :: MarkIPHeader':\n  OFFSET: out of range, bound 100\n");
}

}  // namespace
}  // namespace headroom::test
