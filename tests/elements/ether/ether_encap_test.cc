#include "drills.hh"

namespace headroom::test {
namespace {

const Bytes kHeader = hex("030303030303 010203040506 0800");

TEST(EtherEncap, PutsAHeaderInFront) {
  const Drill drill{"e :: EtherEncap(0x0800, 1:2:3:4:5:6, 3:3:3:3:3:3)"};
  for (const std::size_t length : {0u, 1u, 60u}) {
    SCOPED_TRACE(length);
    const Bytes packet = numbered(length);
    drill_pass(drill, packet, concat({kHeader, packet}));
    drill_copies(drill, packet, concat({kHeader, packet}));
  }
  drill_lengths(drill, numbered(40));
  drill_no_buffer(drill, numbered(40));
}

TEST(EtherEncap, WhereThereIsNoHeadroom) {
  TestRouter test(pushed("e :: EtherEncap(0x0800, 1:2:3:4:5:6, 3:3:3:3:3:3)"));
  for (const uint32_t size : {1u, 60u, 2048u, 2100u, 5000u})
    test.send_packets("in", {Packet::make(*test.pool, numbered(size), 5)});
  std::size_t at = 0;
  for (const uint32_t size : {1u, 60u, 2048u, 2100u, 5000u})
    EXPECT_EQ(bytes_at(test, "out").at(at++), concat({kHeader, numbered(size)}));
}

TEST(EtherEncap, MarksTheHeader) {
  TestRouter test(pushed("EtherEncap(0x0800, 1:2:3:4:5:6, 3:3:3:3:3:3)"));
  test.sink("out").keep = true;
  test.send("in", {numbered(20)});
  EXPECT_EQ(test.sink("out").kept.at(0)->mac_header_offset(), 0);
}

TEST(EtherEncap, Handlers) {
  TestRouter test(pushed("e :: EtherEncap(0x0800, 1:2:3:4:5:6, 3:3:3:3:3:3)"));
  EXPECT_EQ(test.read("e.src"), "01-02-03-04-05-06");
  EXPECT_EQ(test.read("e.dst"), "03-03-03-03-03-03");
  EXPECT_EQ(test.read("e.ethertype"), "0x0800");
  test.write("e.src", "2:0:0:0:0:1");
  test.write("e.dst", "2:0:0:0:0:2");
  test.write("e.ethertype", "0x86dd");
  test.send("in", {{}});
  EXPECT_EQ(to_hex(bytes_at(test, "out").at(0)), "02000000000202000000000186dd");
  std::string error;
  EXPECT_FALSE(test.router->write_handler("e.ethertype", "65536", error));
  EXPECT_FALSE(test.router->write_handler("e.src", "2:0", error));
  EXPECT_EQ(test.read("e.ethertype") + test.read("e.src"), "0x86dd02-00-00-00-00-01");
}

TEST(EtherEncap, BadConfigurations) {
  EXPECT_EQ(errors_of("Idle -> e :: EtherEncap(0x10000, 1:2:3:4:5:6) -> Idle;"),
            "config:1: While configuring 'e :: EtherEncap':\n"
            "  ETHERTYPE: out of range, bound 65535\n  DST: required argument missing\n");
}

TEST(EtherMirror, SwapsTheAddresses) {
  const Drill drill{"e :: EtherMirror"};
  const Bytes expected =
      concat({hex("060708090a0b 000102030405"), without_first(numbered(60), 12)});
  drill_rewrite(drill, numbered(60), expected);
  for (std::size_t length = 0; length < 14; ++length)
    drill_drop(drill, numbered(20), numbered(length), "too-short");
}

}  // namespace
}  // namespace headroom::test
