#include "arp_frames.hh"

namespace headroom::test {
namespace {

const std::string kElement = "e :: ARPResponder(10.0.0.1 2:0:0:0:0:1)";
const Bytes kRequest =
    Arp{.operation = kArpRequest, .target_ip = "10.0.0.1", .target_ether = {}}.build();
const Bytes kReply = Arp{
    .sender_ip = "10.0.0.1",
    .sender_ether = kOwnEther,
    .target_ip = "10.0.0.2",
    .target_ether = {2, 0, 0, 0, 0,
                     2}}.build();

Bytes request_for(const std::string& address) {
  return Arp{.operation = kArpRequest, .target_ip = address, .target_ether = {}}.build();
}

TEST(ARPResponder, AnswersRequests) {
  expect_passes(kElement, kRequest, kReply);
  Bytes padded = kRequest;
  padded.resize(60, 0xee);
  expect_passes(kElement, padded, kReply);
}

// RFC 5227, 2.1.1: who wants to take the address must hear that it is in use.
TEST(ARPResponder, AnswersProbes) {
  const Bytes probe = Arp{
      .operation = kArpRequest,
      .sender_ip = "0.0.0.0",
      .target_ip = "10.0.0.1",
      .target_ether = {}}.build();
  const Bytes reply = Arp{
      .sender_ip = "10.0.0.1",
      .sender_ether = kOwnEther,
      .target_ip = "0.0.0.0",
      .target_ether = {2, 0, 0, 0, 0,
                       2}}.build();
  expect_passes(kElement, probe, reply);
}

TEST(ARPResponder, TheLongestPrefixCounts) {
  TestRouter test(
      pushed("r :: ARPResponder(10.0.0.0/8 10.0.0.5 2:0:0:0:0:8, 10.1.0.0/255.255.0.0 2:0:0:0:0:16,"
             "10.1.1.1 2:0:0:0:0:32)"));
  const std::pair<std::string, std::string> cases[] = {{"10.1.1.1", "020000000032"},
                                                       {"10.1.1.2", "020000000016"},
                                                       {"10.2.1.1", "020000000008"},
                                                       {"10.0.0.5", "020000000008"}};
  for (const auto& [address, ether] : cases) {
    test.sink("out").clear();
    test.send("in", {request_for(address)});
    ASSERT_EQ(bytes_at(test, "out").size(), 1u) << address;
    EXPECT_EQ(to_hex(bytes_at(test, "out")[0]).substr(12, 12), ether) << address;
    EXPECT_EQ(to_hex(bytes_at(test, "out")[0]).substr(44, 12), ether) << address;
  }
  test.send("in", {request_for("11.0.0.1")});
  EXPECT_EQ(test.dropped("r", "not-ours"), 1u);
}

// Wherever it is cut, and between requests that are answered.
void expect_not_answered(const Bytes& frame, std::string_view reason) {
  in_all_contexts(kElement, [&](const std::string& config, uint32_t batch_size) {
    TestRouter test(config);
    std::vector<Packet*> packets;
    for (Packet* packet : cut_everywhere(*test.pool, frame)) {
      packets.push_back(packet);
      packets.push_back(Packet::make(*test.pool, kRequest));
    }
    const std::size_t each = packets.size() / 2;
    test.send_packets("in", packets, batch_size);
    test.run();
    EXPECT_EQ(test.dropped("e", reason), each) << test.read("e.drops");
    EXPECT_EQ(bytes_at(test, "out"), std::vector<Bytes>(each, kReply));
  });
}

TEST(ARPResponder, DropsWhatItDoesNotAnswer) {
  expect_not_answered(request_for("10.0.0.3"), "not-ours");
  expect_not_answered(kReply, "not-a-request");
  Bytes tagged = kRequest;
  tagged[12] = 0x81;
  expect_not_answered(tagged, "not-arp");
  Bytes group = kRequest;
  group[22] = 3;
  expect_not_answered(group, "sender-ether");
  for (std::size_t length = 0; length < 42; ++length) {
    SCOPED_TRACE(length);
    TestRouter test(pushed(kElement));
    const Bytes part = first_bytes(kRequest, length);
    const auto packets = part.empty() ? std::vector{Packet::make(*test.pool, part)}
                                      : cut_everywhere(*test.pool, part);
    test.send_packets("in", packets);
    EXPECT_EQ(test.dropped("e", "too-short"), packets.size());
  }
}

TEST(ARPResponder, TheRestLeavesUnchangedByOutput1) {
  TestRouter test(pushed(kElement) + "e[1] -> rest :: TestSink;");
  test.send("in", {request_for("10.0.0.3"), kRequest, kReply});
  EXPECT_EQ(bytes_at(test, "out"), std::vector<Bytes>{kReply});
  EXPECT_EQ(bytes_at(test, "rest"), (std::vector{request_for("10.0.0.3"), kReply}));
}

TEST(ARPResponder, LeavesOtherCopiesAlone) {
  TestRouter test("in :: TestSource -> t :: Tee -> " + kElement +
                  " -> out :: TestSink; t[1] -> copy :: TestSink;");
  test.sink("copy").keep = true;
  test.send_packets("in", cut_everywhere(*test.pool, kRequest));
  for (const Bytes& bytes : bytes_at(test, "out")) EXPECT_EQ(to_hex(bytes), to_hex(kReply));
  EXPECT_EQ(bytes_at(test, "out").size(), kRequest.size());
  for (Packet* packet : test.sink("copy").kept) EXPECT_EQ(bytes_of(*packet), kRequest);
}

TEST(ARPResponder, Handlers) {
  TestRouter test(pushed(kElement));
  EXPECT_EQ(test.read("e.table"), "10.0.0.1/32 02-00-00-00-00-01\n");
  test.write("e.add", "10.0.0.0/24 10.0.1.0/24 2:0:0:0:0:2");
  test.write("e.add", "10.0.1.7/24 2:0:0:0:0:3");
  EXPECT_EQ(test.read("e.table"),
            "10.0.0.1/32 02-00-00-00-00-01\n10.0.0.0/24 02-00-00-00-00-02\n"
            "10.0.1.0/24 02-00-00-00-00-03\n");
  std::string error;
  EXPECT_EQ(test.router->read_handler("e.lookup", error, "10.0.0.77"), "02-00-00-00-00-02");
  EXPECT_EQ(test.router->read_handler("e.lookup", error, "10.0.2.1"), std::nullopt);
  EXPECT_EQ(error, "no answer for 10.0.2.1");
  EXPECT_FALSE(test.router->write_handler("e.remove", "10.0.1.0/24 10.0.2.0/24", error));
  EXPECT_EQ(error, "there is no answer for '10.0.2.0/24'");
  test.write("e.remove", "10.0.1.0/24 10.0.0.1");
  EXPECT_EQ(test.read("e.table"), "10.0.0.0/24 02-00-00-00-00-02\n");
  EXPECT_FALSE(test.router->write_handler("e.remove", "2:0:0:0:0:2", error));
  EXPECT_EQ(error, "should be 'IP/MASK [IP/MASK...]'");
  EXPECT_FALSE(test.router->write_handler("e.add", "10.0.1.7/24", error));
  EXPECT_EQ(error, "should be 'IP/MASK [IP/MASK...] ETH'");
}

TEST(ARPResponder, BadConfigurations) {
  for (const char* bad : {"10.0.0.1", "2:0:0:0:0:1", "10.0.0.1 x 2:0:0:0:0:1",
                          "10.0.0.1/33 2:0:0:0:0:1", "2:0:0:0:0:1 10.0.0.1"})
    EXPECT_EQ(errors_of("Idle -> e :: ARPResponder(" + std::string(bad) + ") -> Idle;"),
              "config:1: While configuring 'e :: ARPResponder':\n"
              "  ANSWER: should be 'IP/MASK [IP/MASK...] ETH'\n")
        << bad;
}

}  // namespace
}  // namespace headroom::test
