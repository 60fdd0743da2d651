#include "drills.hh"

namespace headroom::test {
namespace {

const Bytes kHost = hex("020000000001 020000000009 0800 11");
const Bytes kOther = hex("020000000002 020000000009 0800 22");
const Bytes kBroadcast = hex("ffffffffffff 020000000009 0800 33");
const Bytes kMulticast = hex("01005e000001 020000000009 0800 44");
const Bytes kOwn = hex("020000000003 020000000001 0800 55");
const Bytes kOwnBroadcast = hex("ffffffffffff 020000000001 0800 66");
const std::vector<Bytes> kAll = {kHost, kOther, kBroadcast, kMulticast, kOwn, kOwnBroadcast};

// The last bytes of what goes to each output.
std::string filtered(const std::string& arguments) {
  std::string text;
  in_all_batch_sizes([&](uint32_t batch_size) {
    TestRouter test("in :: TestSource -> e :: HostEtherFilter(2:0:0:0:0:1" + arguments +
                    ") -> a :: TestSink; e[1] -> b :: TestSink;");
    test.send("in", kAll, batch_size);
    std::string now;
    for (const char* sink : {"a", "b"}) {
      for (const Bytes& bytes : bytes_at(test, sink)) now += to_hex(without_first(bytes, 14)) + " ";
      now += "| ";
    }
    EXPECT_TRUE(text.empty() || text == now);
    text = now;
  });
  return text;
}

TEST(HostEtherFilter, FiltersWhatACardWould) {
  EXPECT_EQ(filtered(""), "11 33 44 66 | 22 55 | ");
  EXPECT_EQ(filtered(", false, false"), "11 22 33 44 55 66 | | ");
  EXPECT_EQ(filtered(", true"), "11 33 44 | 22 55 66 | ");
  EXPECT_EQ(filtered(", DROP_OWN true, DROP_OTHER false"), "11 22 33 44 | 55 66 | ");
}

TEST(HostEtherFilter, SetsThePacketType) {
  TestRouter test(pushed("HostEtherFilter(2:0:0:0:0:1, DROP_OTHER false)"));
  test.send("in", {kHost, kOther, kBroadcast, kMulticast});
  std::vector<PacketType> types;
  for (const auto& seen : test.sink("out").packets) types.push_back(seen.annotations.type);
  EXPECT_EQ(types, (std::vector{PacketType::host, PacketType::other_host, PacketType::broadcast,
                                PacketType::multicast}));
}

TEST(HostEtherFilter, InAnyPieces) {
  for (const std::size_t offset : {0u, 4u, 100u}) {
    const Drill drill{"e :: HostEtherFilter(2:0:0:0:0:1, OFFSET " + std::to_string(offset) + ")"};
    const Bytes good = concat({numbered(offset), kHost});
    drill_read(drill, good);
    drill_drop(drill, good, concat({numbered(offset), kOther}), "to-other-host");
    drill_drop(drill, good, first_bytes(good, offset + 13), "too-short");
  }
  drill_drop({"e :: HostEtherFilter(2:0:0:0:0:1, true)"}, kHost, kOwnBroadcast, "from-own-address");
}

TEST(HostEtherFilter, BadConfigurations) {
  const std::string context = "config:1: While configuring 'e :: HostEtherFilter':\n  ";
  EXPECT_EQ(errors_of("Idle -> e :: HostEtherFilter -> Idle;"),
            context + "ETHER: required argument missing\n");
  EXPECT_EQ(errors_of("Idle -> e :: HostEtherFilter(1:2:3:4:5:6, OFFSET 101) -> Idle;"),
            context + "OFFSET: out of range, bound 100\n");
}

TEST(DropBroadcasts, DropsByThePacketType) {
  in_all_contexts("e :: DropBroadcasts", [](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    std::vector<Packet*> packets;
    std::vector<Bytes> expected;
    for (uint8_t i = 0; i < 210; ++i) {
      packets.push_back(Packet::make(*test.pool, Bytes{i}));
      packets.back()->set_packet_type_anno(static_cast<PacketType>(i % 7));
      if (i % 7 != 1 && i % 7 != 2) expected.push_back({i});
    }
    test.send_packets("in", packets, batch_size);
    test.run();
    EXPECT_EQ(bytes_at(test, "out"), expected);
    EXPECT_EQ(test.dropped("e", "link-broadcast"), 60u);
    EXPECT_EQ(test.read("e.drops"), "60");
  });
}

TEST(DropBroadcasts, OfFrames) {
  const auto frame_to = [](const Bytes& destination) {
    return concat({destination, numbered(54)});
  };
  const Bytes single = frame_to({2, 0, 0, 0, 0, 1});
  expect_passes("DropBroadcasts(ETHER true)", single, single);
  expect_passes("DropBroadcasts(ETHER true)", first_bytes(single, 14), first_bytes(single, 14));
  const std::string element = "e :: DropBroadcasts(ETHER true)";
  expect_dropped(element, single, frame_to({0xff, 0xff, 0xff, 0xff, 0xff, 0xff}), "link-broadcast");
  expect_dropped(element, single, frame_to({1, 0, 0x5e, 0, 0, 1}), "link-broadcast");
  expect_dropped(element, single, first_bytes(single, 13), "too-short");
}

}  // namespace
}  // namespace headroom::test
