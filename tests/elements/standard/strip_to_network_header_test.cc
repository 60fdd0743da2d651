#include "drills.hh"

namespace headroom::test {
namespace {

TEST(StripToNetworkHeader, TakesOffWhatLiesBefore) {
  for (const uint32_t offset : {0u, 1u, 14u, 59u, 60u}) {
    SCOPED_TRACE(offset);
    const Drill drill{"e :: StripToNetworkHeader", with_ip_header(offset)};
    drill_pass(drill, numbered(60), without_first(numbered(60), offset));
    drill_copies(drill, numbered(60), without_first(numbered(60), offset));
    drill_lengths(drill, numbered(60));
  }
}

TEST(StripToNetworkHeader, PutsBackWhatWasStrippedTooFar) {
  const Drill drill{"e :: Strip(20) -> StripToNetworkHeader", with_ip_header(14)};
  TestRouter test(pushed(drill.elements));
  test.send_packets("in", in_pieces(drill, *test.pool, numbered(60)));
  for (const Bytes& bytes : bytes_at(test, "out"))
    EXPECT_EQ(bytes, without_first(numbered(60), 14));
  EXPECT_EQ(test.sink("out").packets.at(0).network_offset, 0);
}

TEST(StripToNetworkHeader, DropsPacketsWithoutOne) {
  const Drill drill{"e :: StripToNetworkHeader", [](Packet& packet) {
                      if (packet.length() == 40) packet.set_network_header(14, 20);
                    }};
  drill_drop(drill, numbered(40), numbered(60), "no-network-header");
}

TEST(MarkMACHeader, SetsTheHeader) {
  for (const uint32_t offset : {0u, 4u, 100u}) {
    const Drill drill{"e :: MarkMACHeader(" + std::to_string(offset) + ")"};
    const Bytes packet = numbered(offset + 20);
    drill_read(drill, packet);
    for (const std::size_t length : {0u, offset, offset + 13})
      expect_dropped(drill.elements, packet, first_bytes(packet, length), "too-short");
    TestRouter test(pushed(drill.elements));
    test.sink("out").keep = true;
    test.send_packets("in", in_pieces(drill, *test.pool, packet));
    for (Packet* one : test.sink("out").kept) {
      EXPECT_EQ(one->mac_header_offset(), static_cast<int32_t>(offset));
      EXPECT_GE(one->contiguous(), offset + 14);
    }
  }
  EXPECT_EQ(
      errors_of("Idle -> e :: MarkMACHeader(101) -> Idle;"),
      "config:1: While configuring 'e :: MarkMACHeader':\n  OFFSET: out of range, bound 100\n");
}

}  // namespace
}  // namespace headroom::test
