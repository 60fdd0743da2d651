#include <fstream>

#include "../../support/drills.hh"
#include "headroom/packet/egress.hh"

namespace headroom::test {
namespace {

class IPlookup : public testing::Test {
 protected:
  // A file of routes by its name.
  std::string routes(const std::string& text) {
    const std::string path = testing::TempDir() + "iplookup_routes";
    std::ofstream(path) << text;
    return path;
  }
};

Bytes frame_to(const std::string& destination) {
  Ip4Frame frame;
  frame.destination = destination;
  return frame.build();
}

constexpr const char* kRoutes =
    "10.1.0.0/16  02:00:00:00:01:01  1\n"
    "10.2.0.0/16  10.9.9.9  0  # an address that nobody resolves\n"
    "10.3.0.0/16  2\n";

TEST_F(IPlookup, ChoosesPorts) {
  TestRouter test("in :: TestSource -> l :: IPlookup(" + routes(kRoutes) +
                  ", PORTS 3) -> out :: TestSink");
  test.sink("out").keep = true;
  test.send("in", {frame_to("10.1.2.3"), frame_to("10.2.0.1"), frame_to("10.3.255.255"),
                   frame_to("10.4.0.0")});
  ASSERT_EQ(test.sink("out").kept.size(), 3U);
  const std::pair<uint32_t, bool> expected[] = {{1, true}, {0, false}, {2, false}};
  for (int i = 0; i < 3; ++i) {
    const auto egress = egress_of(*test.sink("out").kept[static_cast<std::size_t>(i)]);
    ASSERT_TRUE(egress.has_value());
    EXPECT_EQ(egress->port, expected[i].first);
    EXPECT_EQ(egress->addressed, expected[i].second);
  }
  EXPECT_EQ(test.dropped("l", "no-route"), 1U);
  EXPECT_EQ(test.read("l.table"),
            "10.1.0.0/16\t\t02-00-00-00-01-01\t\t1\n"
            "10.2.0.0/16\t\t10.9.9.9\t\t0\n"
            "10.3.0.0/16\t\t-\t\t2\n");
  EXPECT_EQ(test.read("l.size"), "3");
  test.sink("out").clear();

  test.write("l.add", "10.4.0.0/16 2:0:0:0:4:4 2");
  test.write("l.remove", "10.1.0.0/16");
  test.send("in", {frame_to("10.4.0.1"), frame_to("10.1.2.3")});
  ASSERT_EQ(test.sink("out").kept.size(), 1U);
  EXPECT_EQ(egress_of(*test.sink("out").kept[0])->port, 2U);
  EXPECT_EQ(test.dropped("l", "no-route"), 2U);
}

TEST_F(IPlookup, AddressesFrames) {
  const std::string element = "e :: IPlookup(" + routes(kRoutes) + ")";
  Bytes expected = frame_to("10.1.2.3");
  const Bytes address{2, 0, 0, 0, 1, 1};
  std::copy(address.begin(), address.end(), expected.begin());
  const Drill addressed{.elements = element};
  drill_pass(addressed, frame_to("10.1.2.3"), expected);
  drill_copies(addressed, frame_to("10.1.2.3"), expected);
  drill_pass(addressed, frame_to("10.3.0.1"), frame_to("10.3.0.1"));
}

TEST_F(IPlookup, ShortFrames) {
  TestRouter test("in :: TestSource -> l :: IPlookup(" + routes(kRoutes) + ") -> TestSink");
  const Bytes frame = frame_to("10.1.2.3");
  for (std::size_t length = 0; length < 34; ++length)
    test.send("in", {Bytes(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(length))});
  EXPECT_EQ(test.dropped("l", "too-short"), 34U);
}

TEST_F(IPlookup, Mistakes) {
  const auto message = [](const std::string& arguments) {
    return errors_of("Idle -> IPlookup(" + arguments + ") -> Discard");
  };
  EXPECT_THAT(message(""), testing::HasSubstr("FILE: required argument missing"));
  EXPECT_THAT(message("/no/such/file"), testing::HasSubstr("No such file"));
  const std::string path = routes("10.1.0.0/16 2:0:0:0:0 1\n10.2.0.0/16 2\n");
  EXPECT_THAT(message(path + ", PORTS 2"),
              testing::AllOf(testing::HasSubstr(":1: should be the address of the next hop, or -"),
                             testing::HasSubstr(":2: output 2 out of range, bound 1")));
  EXPECT_THAT(message(path + ", PORTS 128"), testing::HasSubstr("PORTS: out of range, 1 to 127"));
}

}  // namespace
}  // namespace headroom::test
