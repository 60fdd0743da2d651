#include "arp_frames.hh"

namespace headroom::test {
namespace {

TEST(ARPQuerier, HoldsPacketsUntilTheAnswer) {
  QuerierTest q;
  q.send("10.0.0.2", {1, 2});
  q.send("10.0.0.3", {3});
  q.send("10.0.0.2", {4});
  EXPECT_EQ(q.asked(), (Strings{"10.0.0.2", "10.0.0.3"}));
  EXPECT_EQ(q.sent(), Strings{});
  EXPECT_EQ(q.test.read("q.length"), "4");
  q.hear({});
  EXPECT_EQ(q.sent(), (Strings{"020000000002:1", "020000000002:2", "020000000002:4"}));
  q.send("10.0.0.2", {5, 6});
  EXPECT_EQ(q.sent(), (Strings{"020000000002:5", "020000000002:6"}));
  q.hear({.sender_ip = "10.0.0.3", .sender_ether = {2, 0, 0, 0, 0, 3}});
  EXPECT_EQ(q.sent(), Strings{"020000000003:3"});
  EXPECT_EQ(q.asked(), Strings{});
  EXPECT_EQ(q.test.read("q.length"), "0");
  EXPECT_EQ(q.test.read("q.queries"), "2");
  EXPECT_EQ(q.test.read("q.responses"), "2");
  EXPECT_EQ(q.test.read("q.drops"), "0");
}

TEST(ARPQuerier, QueriesLeaveByTheOnlyOutput) {
  TestRouter test(
      "in :: TestSource -> q :: ARPQuerier(10.0.0.1, 2:0:0:0:0:1) -> out :: TestSink;"
      "Idle -> [1] q;");
  test.send_packets("in", {QuerierTest::annotated(Packet::make(*test.pool, Bytes{1}), "10.0.0.9")});
  EXPECT_EQ(bytes_at(test, "out"), std::vector<Bytes>{query_for("10.0.0.9")});
}

TEST(ARPQuerier, AnswersComeOverALoop) {
  TestRouter test(
      "in :: TestSource -> q :: ARPQuerier(10.0.0.1, 2:0:0:0:0:1) -> out :: TestSink;"
      "q[1] -> ARPResponder(10.0.0.0/24 2:0:0:0:0:9) -> [1] q;");
  std::vector<Packet*> packets;
  for (uint8_t i = 0; i < 10; ++i)
    packets.push_back(
        QuerierTest::annotated(Packet::make(*test.pool, Bytes{i}), "10.0.0." + std::to_string(i)));
  test.send_packets("in", packets);
  const auto seen = bytes_at(test, "out");
  ASSERT_EQ(seen.size(), 9u) << "all but 10.0.0.1, which nobody may answer for";
  EXPECT_EQ(to_hex(seen[0]), "020000000009020000000001080000");
  EXPECT_EQ(test.dropped("q", "own-address"), 1u);
}

TEST(ARPQuerier, AsksOnceASecondAndGivesUp) {
  QuerierTest q;
  q.send("10.0.0.2", {1, 2, 3});
  for (int i = 0; i < 9; ++i) {
    q.pass(kSecond / 10);
    q.send("10.0.0.2", {4});
  }
  EXPECT_EQ(q.asked(), Strings{"10.0.0.2"});
  q.pass(kSecond / 5);
  EXPECT_EQ(q.asked(), Strings{"10.0.0.2"});
  q.pass(kSecond);
  EXPECT_EQ(q.asked(), Strings{"10.0.0.2"});
  EXPECT_EQ(q.test.dropped("q", "unresolved"), 0u);
  EXPECT_EQ(q.test.router->find("q")->held(), 12u);
  q.pass(kSecond);
  EXPECT_EQ(q.asked(), Strings{});
  EXPECT_EQ(q.test.dropped("q", "unresolved"), 12u);
  EXPECT_EQ(q.test.read("q.drops"), "12");
  EXPECT_EQ(q.test.read("q.table"), "");
  EXPECT_FALSE(q.test.scheduler->next_timer()) << "nothing is left to look after";
  // A late answer is not taken; the next packet begins anew.
  q.hear({});
  EXPECT_EQ(q.test.dropped("q", "not-asked"), 1u);
  q.send("10.0.0.2", {5});
  EXPECT_EQ(q.asked(), Strings{"10.0.0.2"});
  q.hear({});
  EXPECT_EQ(q.sent(), Strings{"020000000002:5"});
}

TEST(ARPQuerier, UnreachablePacketsLeaveAsTheyCame) {
  QuerierTest q(", TRIES 1", "q[2] -> unreachable :: TestSink;");
  const Bytes packet = Ip4Frame{}.build_ip();
  q.test.send_packets("in", {q.packet_to("10.0.0.2", packet)});
  q.send("10.0.0.2", {9});
  q.pass(kSecond + 1000);
  const auto& seen = q.test.sink("unreachable").packets;
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].bytes, packet);
  EXPECT_EQ(to_hex({seen[0].annotations.user, 4}), "0a000002");
  EXPECT_EQ(seen[1].bytes, Bytes{9});
  EXPECT_EQ(q.test.dropped("q", "unresolved"), 0u);
  EXPECT_EQ(q.test.read("q.drops"), "0");
}

TEST(ARPQuerier, TheOldestOfANeighbourMakesRoom) {
  QuerierTest q(", ENTRY_PACKET_CAPACITY 2");
  q.send("10.0.0.2", {1, 2, 3});
  q.send("10.0.0.3", {4});
  q.send("10.0.0.2", {5});
  EXPECT_EQ(q.test.dropped("q", "neighbour-full"), 2u);
  q.hear({});
  EXPECT_EQ(q.sent(), (Strings{"020000000002:3", "020000000002:5"}));
  q.hear({.sender_ip = "10.0.0.3"});
  EXPECT_EQ(q.sent(), (Strings{"020000000002:4"}));
}

TEST(ARPQuerier, TheOldestOfAllMakesRoom) {
  QuerierTest q(", CAPACITY 3");
  q.send("10.0.0.2", {1});
  q.send("10.0.0.3", {2});
  q.send("10.0.0.2", {3});
  q.send("10.0.0.4", {4});  // for 1
  q.send("10.0.0.4", {5});  // for 2, the only one to 10.0.0.3
  q.send("10.0.0.4", {6});  // for 3, the last to 10.0.0.2
  q.send("10.0.0.4", {7});  // for its own 4
  EXPECT_EQ(q.test.dropped("q", "hold-full"), 4u);
  EXPECT_EQ(q.test.read("q.length"), "3");
  q.hear({});
  q.hear({.sender_ip = "10.0.0.3"});
  EXPECT_EQ(q.sent(), Strings{});
  q.hear({.sender_ip = "10.0.0.4"});
  EXPECT_EQ(q.sent(), (Strings{"020000000002:5", "020000000002:6", "020000000002:7"}));
}

// A host that makes the router send to every address of the network neither makes it forget whom
// it knows nor keeps packets from them.
TEST(ARPQuerier, AScanOfTheNetwork) {
  QuerierTest q(", ENTRY_CAPACITY 8, CAPACITY 50");
  q.send("10.0.0.2", {1});
  q.hear({});
  for (int i = 0; i < 5000; ++i)
    q.send("10.7." + std::to_string(i / 250) + "." + std::to_string(i % 250), {2});
  q.send("10.0.0.2", {3});
  q.send("10.0.0.3", {4});
  q.hear({.sender_ip = "10.0.0.3", .sender_ether = {2, 0, 0, 0, 0, 3}});
  EXPECT_EQ(q.sent(), (Strings{"020000000002:1", "020000000002:3", "020000000003:4"}));
  EXPECT_EQ(q.test.dropped("q", "hold-full"), 4951u);
  q.pass(10 * kSecond);
  EXPECT_EQ(q.test.dropped("q", "hold-full") + q.test.dropped("q", "unresolved"), 5000u);
}

TEST(ARPQuerier, BroadcastAndMulticastNeedNoQuery) {
  QuerierTest q;
  q.send("255.255.255.255", {1});
  q.send("224.0.0.251", {2});
  q.send("239.129.2.3", {3});
  q.send("0.0.0.0", {4});
  EXPECT_EQ(q.sent(), (Strings{"ffffffffffff:1", "01005e0000fb:2", "01005e010203:3"}));
  EXPECT_EQ(q.test.dropped("q", "no-next-hop"), 1u);
  q.send("10.0.0.255", {5});
  EXPECT_EQ(q.asked(), Strings{"10.0.0.255"}) << "it knows no network";
}

TEST(ARPQuerier, DirectedBroadcast) {
  const std::pair<std::string, std::string> cases[] = {
      {"10.0.0.1/24", "10.0.0.255"},
      {"10.0.0.1/255.255.0.0", "10.0.255.255"},
      {"10.0.0.1, BROADCAST 10.9.9.9", "10.9.9.9"},
      {"10.0.0.1/24, BROADCAST 10.9.9.9", "10.9.9.9"},
  };
  for (const auto& [ip, address] : cases) {
    SCOPED_TRACE(ip);
    TestRouter test("in :: TestSource -> q :: ARPQuerier(IP " + ip +
                    ", ETH 2:0:0:0:0:1) -> out :: TestSink; Idle -> [1] q;");
    test.send_packets("in", {QuerierTest::annotated(Packet::make(*test.pool, Bytes{1}), address)});
    ASSERT_EQ(bytes_at(test, "out").size(), 1u);
    EXPECT_EQ(to_hex(bytes_at(test, "out")[0]), "ffffffffffff020000000001080001");
  }
  // The two addresses of a /31 are hosts (RFC 3021).
  TestRouter test(
      "in :: TestSource -> q :: ARPQuerier(10.0.0.0/31, 2:0:0:0:0:1) -> out :: TestSink;"
      "Idle -> [1] q;");
  test.send_packets("in", {QuerierTest::annotated(Packet::make(*test.pool, Bytes{1}), "10.0.0.1")});
  EXPECT_EQ(test.read("q.queries"), "1");
}

TEST(ARPQuerier, ForgetsAfterTheTimeout) {
  QuerierTest q(", TIMEOUT 10, POLL_TIMEOUT 0");
  q.send("10.0.0.2", {1});
  q.hear({});
  EXPECT_EQ(q.asked(), Strings{"10.0.0.2"});
  q.pass(10 * kSecond - 100000);
  q.send("10.0.0.2", {2});
  EXPECT_EQ(q.sent(), (Strings{"020000000002:1", "020000000002:2"}));
  EXPECT_EQ(q.test.read("q.count"), "1");
  q.pass(100000);
  EXPECT_EQ(q.test.read("q.count"), "0");
  q.send("10.0.0.2", {3});
  EXPECT_EQ(q.sent(), Strings{});
  EXPECT_EQ(q.asked(), Strings{"10.0.0.2"});
  q.hear({});
  EXPECT_EQ(q.sent(), Strings{"020000000002:3"});
  q.test.write("q.timeout", "20");
  q.pass(15 * kSecond);
  q.send("10.0.0.2", {4});
  EXPECT_EQ(q.sent(), Strings{"020000000002:4"});
}

TEST(ARPQuerier, PollsBeforeItForgets) {
  QuerierTest q(", TIMEOUT 100, POLL_TIMEOUT 30");
  q.send("10.0.0.2", {0});
  q.hear({});
  q.asked();
  q.sent();
  q.pass(29 * kSecond);
  q.send("10.0.0.2", {1});
  EXPECT_EQ(q.asked(), Strings{});
  q.pass(kSecond);
  q.send("10.0.0.2", {2, 3, 4});
  EXPECT_EQ(q.asked(), Strings{"10.0.0.2"});
  EXPECT_EQ(q.sent().size(), 4u) << "traffic goes on meanwhile";
  q.pass(kSecond / 2);
  q.send("10.0.0.2", {5});
  EXPECT_EQ(q.asked(), Strings{});
  q.pass(kSecond / 2);
  q.send("10.0.0.2", {6});
  EXPECT_EQ(q.asked(), Strings{"10.0.0.2"});
  q.hear({});
  q.pass(29 * kSecond);
  q.send("10.0.0.2", {7});
  EXPECT_EQ(q.asked(), Strings{});
  // In use and answering, it is never forgotten.
  for (int i = 0; i < 40; ++i) {
    q.pass(10 * kSecond);
    q.send("10.0.0.2", {8});
    if (!q.asked().empty()) q.hear({});
  }
  EXPECT_EQ(q.sent().size(), 43u);
  EXPECT_EQ(q.test.read("q.length"), "0");
}

TEST(ARPQuerier, BelievesOnlyAboutThoseItKnowsOrAskedFor) {
  QuerierTest q;
  // Announcements (RFC 5227, 2.3), replies to nobody, requests of strangers.
  const Arp announcement{.operation = kArpRequest, .target_ip = "10.0.0.2", .target_ether = {}};
  q.hear(announcement);
  q.hear({});
  q.hear({.operation = kArpRequest});
  EXPECT_EQ(q.test.dropped("q", "not-asked"), 3u);
  EXPECT_EQ(q.test.read("q.count"), "0");
  // The request of one that is asked for is as good as a reply (RFC 826).
  q.send("10.0.0.2", {1});
  q.hear({.operation = kArpRequest});
  EXPECT_EQ(q.sent(), Strings{"020000000002:1"});
  Arp moved = announcement;
  moved.sender_ether = {2, 0, 0, 0, 0, 7};
  q.hear(moved);
  q.send("10.0.0.2", {2});
  EXPECT_EQ(q.sent(), Strings{"020000000007:2"});
  q.hear({.sender_ether = {2, 0, 0, 0, 0, 8}, .target_ip = "10.0.0.2"});
  q.send("10.0.0.2", {3});
  EXPECT_EQ(q.sent(), Strings{"020000000008:3"});
  EXPECT_EQ(q.test.read("q.changes"), "2");
  q.hear({.sender_ip = "10.0.0.1", .sender_ether = {2, 0, 0, 0, 0, 8}});
  EXPECT_EQ(q.test.dropped("q", "own-address"), 1u);
  q.hear({.operation = kArpRequest, .sender_ip = "0.0.0.0", .target_ip = "10.0.0.2"});
  EXPECT_EQ(q.test.dropped("q", "arp-probe"), 1u);
}

// All faults that a frame of that length can have.
TEST(ARPQuerier, MalformedAnswers) {
  struct Case {
    const char* reason;
    std::size_t offset;
    Bytes bytes;
  };
  const Case cases[] = {{"not-arp", 12, hex("8100")},
                        {"arp-hardware", 14, hex("0006")},
                        {"arp-hardware", 18, hex("08")},
                        {"arp-protocol", 16, hex("86dd")},
                        {"arp-protocol", 19, hex("10")},
                        {"arp-operation", 20, hex("0003")},
                        {"sender-ether", 22, hex("000000000000")},
                        {"sender-ether", 22, hex("01005e000001")},
                        {"sender-ip", 28, hex("ffffffff")},
                        {"sender-ip", 28, hex("e0000001")},
                        {"sender-ip", 28, hex("00000000")}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.reason);
    QuerierTest q;
    q.send("10.0.0.2", {1});
    Bytes frame = Arp{}.build();
    std::copy(one.bytes.begin(), one.bytes.end(),
              frame.begin() + static_cast<std::ptrdiff_t>(one.offset));
    const auto packets = cut_everywhere(*q.test.pool, frame);
    q.test.send_packets("arp", packets);
    EXPECT_EQ(q.test.dropped("q", one.reason), packets.size());
    EXPECT_EQ(q.sent(), Strings{});
    q.hear({});
    EXPECT_EQ(q.sent(), Strings{"020000000002:1"});
  }
}

TEST(ARPQuerier, AnswersOfEveryLength) {
  QuerierTest q;
  q.send("10.0.0.2", {1});
  uint64_t dropped = 0;
  for (std::size_t length = 0; length < 42; ++length) {
    const Bytes part = first_bytes(Arp{}.build(), length);
    const auto packets = part.empty() ? std::vector{Packet::make(*q.test.pool, part)}
                                      : cut_everywhere(*q.test.pool, part);
    dropped += packets.size();
    q.test.send_packets("arp", packets);
  }
  EXPECT_EQ(q.test.dropped("q", "too-short"), dropped);
  EXPECT_EQ(q.sent(), Strings{});
}

TEST(ARPQuerier, AnswersCutEverywhere) {
  in_all_batch_sizes([](uint32_t batch_size) {
    QuerierTest q;
    Bytes padded = Arp{}.build();
    padded.resize(60);
    q.send("10.0.0.2", {1});
    std::vector<Packet*> packets = cut_everywhere(*q.test.pool, padded);
    packets.push_back(make_shredded(*q.test.pool, padded, 60));
    packets.push_back(packets[20]->clone());
    q.test.send_packets("arp", packets, batch_size);
    EXPECT_EQ(q.test.read("q.responses"), "62");
    EXPECT_EQ(q.sent(), Strings{"020000000002:1"});
  });
}

TEST(ARPQuerier, PacketsCutEverywhereHeldAndNot) {
  in_all_batch_sizes([](uint32_t batch_size) {
    QuerierTest q(", ENTRY_PACKET_CAPACITY 1000");
    const Bytes packet = Ip4Frame{}.build_ip();
    const Bytes expected = concat({hex("020000000002 020000000001 0800"), packet});
    for (const bool known : {false, true}) {
      std::vector<Packet*> packets = cut_everywhere(*q.test.pool, packet);
      for (int i = 0; i < 300; ++i) packets.push_back(Packet::make(*q.test.pool, packet));
      for (Packet* one : packets) QuerierTest::annotated(one, "10.0.0.2");
      const std::size_t count = packets.size();
      q.test.send_packets("in", std::move(packets), batch_size);
      EXPECT_EQ(bytes_at(q.test, "out").size(), known ? count : 0);
      if (!known) q.hear({});
      const auto seen = bytes_at(q.test, "out");
      ASSERT_EQ(seen.size(), count);
      for (const Bytes& bytes : seen) ASSERT_EQ(to_hex(bytes), to_hex(expected));
      q.test.sink("out").clear();
    }
  });
}

TEST(ARPQuerier, KnownAndUnknownInOneBatch) {
  in_all_batch_sizes([](uint32_t batch_size) {
    QuerierTest q(", CAPACITY 1000, ENTRY_PACKET_CAPACITY 1000");
    q.send("10.0.0.2", {0});
    q.hear({});
    q.sent();
    q.asked();
    std::vector<Packet*> packets;
    Strings expected;
    for (int i = 0; i < 250; ++i) {
      const auto number = static_cast<uint8_t>(i);
      packets.push_back(q.packet_to("10.0.0." + std::to_string(2 + i % 3), Bytes{number}));
      if (i % 3 == 0) expected.push_back("020000000002:" + std::to_string(i));
    }
    q.test.send_packets("in", packets, batch_size);
    EXPECT_EQ(q.sent(), expected);
    EXPECT_EQ(q.asked(), (Strings{"10.0.0.3", "10.0.0.4"}));
    EXPECT_EQ(q.test.read("q.length"), "166");
  });
}

TEST(ARPQuerier, LeavesOtherCopiesAlone) {
  TestRouter test(
      "in :: TestSource -> t :: Tee -> q :: ARPQuerier(10.0.0.1, 2:0:0:0:0:1) -> out :: TestSink;"
      "t[1] -> copy :: TestSink; arp :: TestSource -> [1] q; q[1] -> Discard;");
  test.sink("copy").keep = true;
  const Bytes packet = Ip4Frame{}.build_ip();
  std::vector<Packet*> packets = cut_everywhere(*test.pool, packet);
  for (Packet* one : packets) QuerierTest::annotated(one, "10.0.0.2");
  test.send_packets("in", packets);
  test.send("arp", {Arp{}.build()});
  ASSERT_EQ(bytes_at(test, "out").size(), packets.size());
  for (const Bytes& bytes : bytes_at(test, "out")) EXPECT_EQ(without_first(bytes, 14), packet);
  for (Packet* one : test.sink("copy").kept) EXPECT_EQ(bytes_of(*one), packet);
}

TEST(ARPQuerier, WithoutPackets) {
  QuerierTest q("", "", {.packets = 3});
  Packet* packet = q.packet_to("10.0.0.2", Bytes{1});
  Packet* clone = packet->clone();
  Packet* other = q.packet_to("10.0.0.2", Bytes{2});
  q.test.send_packets("in", {packet, clone, other});
  EXPECT_EQ(q.test.dropped("q", "no-buffer"), 1u) << "the query";
  EXPECT_EQ(q.test.read("q.queries"), "0");
  q.test.write("q.insert", "10.0.0.2 2:0:0:0:0:2");
  q.test.scheduler->run_round();
  EXPECT_EQ(q.test.dropped("q", "no-buffer"), 2u) << "and a copy of what is shared";
  EXPECT_EQ(q.sent(), (Strings{"020000000002:1", "020000000002:2"}));
}

TEST(ARPQuerier, Handlers) {
  QuerierTest q;
  q.send("10.0.0.3", {1});
  EXPECT_EQ(q.test.read("q.table").substr(0, 29), "10.0.0.3 0 FF-FF-FF-FF-FF-FF ");
  q.test.write("q.insert", "10.0.0.2 2:0:0:0:0:2");
  q.pass(1'500'000'000);
  q.test.write("q.insert", "10.0.0.3 2:0:0:0:0:3");
  q.test.scheduler->run_round();
  EXPECT_EQ(q.sent(), Strings{"020000000003:1"}) << "the operator's word is as good";
  EXPECT_EQ(q.test.read("q.count"), "2");
  const std::string table = q.test.read("q.table");
  EXPECT_EQ(table.substr(0, 34), "10.0.0.2 1 02-00-00-00-00-02 1.500");
  EXPECT_NE(table.find("\n10.0.0.3 1 02-00-00-00-00-03 0.000"), std::string::npos) << table;
  q.test.write("q.delete", "10.0.0.2");
  q.test.write("q.delete", "10.0.0.2");
  EXPECT_EQ(q.test.read("q.count"), "1");
  q.test.write("q.clear", "");
  EXPECT_EQ(q.test.read("q.table"), "");
  std::string error;
  for (const char* wrong :
       {"", "10.0.0.2", "10.0.0.2 1:2:3", "x 1:2:3:4:5:6", "1.2.3.4 1:2:3:4:5:6 7"}) {
    EXPECT_FALSE(q.test.router->write_handler("q.insert", wrong, error));
    EXPECT_EQ(error, "should be 'IP ETH'");
  }
  EXPECT_FALSE(q.test.router->write_handler("q.delete", "10.0.0.0/8", error));
  EXPECT_EQ(error, "should be an IP address");
  EXPECT_FALSE(q.test.router->write_handler("q.tries", "0", error));
  EXPECT_EQ(q.test.read("q.tries"), "3");
  q.test.write("q.eth", "2:0:0:0:0:9");
  q.send("224.0.0.1", {1});
  EXPECT_EQ(to_hex(bytes_at(q.test, "out").at(0)), "01005e000001020000000009080001");
}

TEST(ARPQuerier, PacketsStayInOrderWhenAnotherHearsTheAnswer) {
  QuerierTest q(", TABLE t",
                "t :: ARPTable; in2 :: TestSource -> q2 :: ARPQuerier(10.0.0.1, 2:0:0:0:0:1, TABLE "
                "t) -> out2 :: TestSink; arp2 :: TestSource -> [1] q2; q2[1] -> queries2 :: "
                "TestSink;");
  q.send("10.0.0.2", {1, 2});
  q.hear({}, "arp2");
  EXPECT_EQ(q.sent(), Strings{}) << "it has not been told yet";
  q.send("10.0.0.2", {3});
  EXPECT_EQ(q.sent(), (Strings{"020000000002:1", "020000000002:2", "020000000002:3"}));
  q.test.scheduler->run_round();
  EXPECT_EQ(q.sent(), Strings{});
}

TEST(ARPQuerier, BadConfigurations) {
  const std::string context = "config:1: While configuring 'q :: ARPQuerier':\n";
  const auto errors = [](const std::string& arguments, const std::string& more = "") {
    return errors_of("Idle -> q :: ARPQuerier(" + arguments + ") -> Idle; Idle -> [1] q; " + more);
  };
  const std::string good = "10.0.0.1, 2:0:0:0:0:1";
  EXPECT_EQ(errors(good), "");
  EXPECT_EQ(errors(""), context +
                            "  IP: required argument missing\n"
                            "  ETH: required argument missing\n");
  EXPECT_EQ(errors("10.0.0.1, 1:0:0:0:0:1"),
            context + "  ETH: a group's address cannot be a router's own\n");
  for (const char* limit : {"CAPACITY", "ENTRY_CAPACITY", "ENTRY_PACKET_CAPACITY"})
    EXPECT_EQ(errors(good + ", " + limit + " 0"),
              context + "  " + limit + ": out of range, bound 1\n");
  EXPECT_EQ(errors(good + ", ENTRY_CAPACITY 16777217"),
            context + "  ENTRY_CAPACITY: out of range, bound 16777216\n");
  EXPECT_EQ(errors(good + ", TRIES 0"), context + "  TRIES: out of range, bound 1\n");
  EXPECT_EQ(errors(good + ", TABLE t"), context + "  TABLE: does not name an element\n");
  EXPECT_EQ(errors(good + ", TABLE c", "Idle -> c :: Counter -> Idle"),
            context + "  TABLE: element type mismatch, expected ARPTable\n");
  EXPECT_EQ(errors(good + ", TABLE q"),
            context + "  TABLE: element type mismatch, expected ARPTable\n");
  EXPECT_EQ(errors(good + ", TABLE t, CAPACITY 7, TIMEOUT 3", "t :: ARPTable"),
            context + "  CAPACITY: is that of TABLE\n  TIMEOUT: is that of TABLE\n");
}

}  // namespace
}  // namespace headroom::test
