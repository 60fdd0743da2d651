#include <random>

#include "../element_test.hh"

namespace headroom::test {
namespace {

std::string lookup(const std::string& routes, int outputs = 3) {
  std::string config = "in :: TestSource -> r :: StaticIPLookup(" + routes + ");";
  for (int i = 0; i < outputs; ++i)
    config += "r[" + std::to_string(i) + "] -> o" + std::to_string(i) + " :: TestSink;";
  return config;
}

Packet* packet_to(TestRouter& test, IPAddress destination, uint32_t number = 0) {
  Bytes bytes(60);
  bytes[0] = static_cast<uint8_t>(number >> 8);
  bytes[1] = static_cast<uint8_t>(number);
  Packet* packet = make_split(*test.pool, bytes, number % 60);
  packet->set_dst_ip_anno(destination);
  return packet;
}
IPAddress address(std::string_view text) { return *IPAddress::parse(text); }

// Where a packet goes: "output annotation", or "-".
std::string route_of(TestRouter& test, std::string_view destination) {
  test.send_packets("in", {packet_to(test, address(destination))});
  std::string result = "-";
  for (const auto& element : test.router->elements()) {
    auto* sink = dynamic_cast<TestSink*>(element.get());
    if (sink == nullptr || sink->packets.empty()) continue;
    const uint8_t* user = sink->packets[0].annotations.user;
    result = sink->name() + " " + IPAddress(user[0], user[1], user[2], user[3]).to_string();
    sink->clear();
  }
  return result;
}

TEST(StaticIPLookup, LongestPrefixWins) {
  TestRouter test(
      lookup("18.26.4.24/32 0, 18.26.4.255/32 0, 18.26.4.0/32 0, 18.26.4/24 1,"
             "18.26/255.255.0.0 2, 18.27.0.9 2, 0/0 18.26.4.1 1"));
  EXPECT_EQ(route_of(test, "18.26.4.24"), "o0 18.26.4.24");
  EXPECT_EQ(route_of(test, "18.26.4.0"), "o0 18.26.4.0");
  EXPECT_EQ(route_of(test, "18.26.4.25"), "o1 18.26.4.25");
  EXPECT_EQ(route_of(test, "18.26.5.25"), "o2 18.26.5.25");
  EXPECT_EQ(route_of(test, "18.27.0.9"), "o2 18.27.0.9");
  EXPECT_EQ(route_of(test, "18.27.0.10"), "o1 18.26.4.1");
  EXPECT_EQ(route_of(test, "255.255.255.255"), "o1 18.26.4.1");
  EXPECT_EQ(test.read("r.table"),
            "0.0.0.0/0\t\t18.26.4.1\t\t1\n"
            "18.26.0.0/16\t\t-\t\t2\n"
            "18.26.4.0/24\t\t-\t\t1\n"
            "18.26.4.0/32\t\t-\t\t0\n"
            "18.26.4.24/32\t\t-\t\t0\n"
            "18.26.4.255/32\t\t-\t\t0\n"
            "18.27.0.9/32\t\t-\t\t2\n");
}

TEST(StaticIPLookup, NoRoute) {
  TestRouter test(lookup("10.0.0.0/8 0", 1));
  EXPECT_EQ(route_of(test, "11.0.0.1"), "-");
  EXPECT_EQ(test.dropped("r", "no-route"), 1u);
  TestRouter none(lookup("", 1));
  EXPECT_EQ(route_of(none, "11.0.0.1"), "-");
  EXPECT_EQ(none.dropped("r", "no-route"), 1u);
}

// Random routes and packets against a search through all routes.
TEST(StaticIPLookup, KeepsOrderAndAgreesWithASearch) {
  std::mt19937 random(3);
  std::string text;
  struct Hop {
    IPAddress gateway;
    uint32_t port;
  };
  std::vector<std::pair<IPPrefix, Hop>> all;
  for (int i = 0; i < 200; ++i) {
    const auto prefix =
        IPPrefix(IPAddress::from_host_order(0x0a000000 | (random() & 0xff03ff)), 8 + random() % 25)
            .canonical();
    if (std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.first == prefix; }))
      continue;
    const Hop hop{random() % 2 == 0 ? IPAddress() : IPAddress::from_host_order(random()),
                  static_cast<uint32_t>(random() % 3)};
    all.emplace_back(prefix, hop);
    text += (text.empty() ? "" : ", ") + prefix.to_string() + " " +
            (hop.gateway.is_zero() ? "-" : hop.gateway.to_string()) + " " +
            std::to_string(hop.port);
  }
  in_all_batch_sizes([&](uint32_t batch_size) {
    TestRouter test(lookup(text));
    std::vector<Packet*> packets;
    std::vector<std::pair<uint32_t, IPAddress>> expected[3];
    uint64_t dropped = 0;
    for (uint32_t i = 0; i < 900; ++i) {
      const auto destination = IPAddress::from_host_order(
          i % 50 == 0 ? random() : 0x0a000000 | (random() & (i < 500 ? 0xff03ff : 0x3ff)));
      packets.push_back(packet_to(test, destination, i));
      const std::pair<IPPrefix, Hop>* best = nullptr;
      for (const auto& one : all)
        if (one.first.contains(destination) &&
            (best == nullptr || one.first.length > best->first.length))
          best = &one;
      if (best == nullptr)
        ++dropped;
      else
        expected[best->second.port].emplace_back(
            i, best->second.gateway.is_zero() ? destination : best->second.gateway);
    }
    test.send_packets("in", packets, batch_size);
    EXPECT_EQ(test.dropped("r", "no-route"), dropped);
    for (int port = 0; port < 3; ++port) {
      std::vector<std::pair<uint32_t, IPAddress>> seen;
      for (const auto& one : test.sink("o" + std::to_string(port)).packets) {
        const uint8_t* user = one.annotations.user;
        seen.emplace_back(one.bytes[0] << 8 | one.bytes[1],
                          IPAddress(user[0], user[1], user[2], user[3]));
      }
      EXPECT_TRUE(seen == expected[port]) << port;
    }
  });
}

TEST(StaticIPLookup, CopiesHaveTheirOwnNextHop) {
  TestRouter test(
      "in :: TestSource -> t :: Tee -> StaticIPLookup(0/0 1.1.1.1 0) -> a :: TestSink;"
      "t[1] -> StaticIPLookup(0/0 2.2.2.2 0) -> b :: TestSink; t[2] -> c :: TestSink;");
  for (const char* sink : {"a", "b", "c"}) test.sink(sink).keep = true;
  test.send_packets("in", {packet_to(test, address("9.9.9.9"))});
  EXPECT_EQ(test.sink("a").kept.at(0)->dst_ip_anno(), address("1.1.1.1"));
  EXPECT_EQ(test.sink("b").kept.at(0)->dst_ip_anno(), address("2.2.2.2"));
  EXPECT_EQ(test.sink("c").kept.at(0)->dst_ip_anno(), address("9.9.9.9"));
}

std::string refused(TestRouter& test, std::string_view handler, std::string_view value) {
  std::string error;
  EXPECT_FALSE(test.router->write_handler(handler, value, error));
  return error;
}

TEST(StaticIPLookup, RoutesChangeWhileItRuns) {
  TestRouter test(lookup("10.0.0.0/8 0"));
  test.write("r.add", "10.1.0.0/16 10.0.0.1 1");
  EXPECT_EQ(route_of(test, "10.1.2.3"), "o1 10.0.0.1");
  EXPECT_EQ(refused(test, "r.add", "10.1.9.9/16 2"),
            "there is already a route '10.1.0.0/16 10.0.0.1 1'");
  EXPECT_EQ(route_of(test, "10.1.2.3"), "o1 10.0.0.1");
  test.write("r.set", "10.1.9.9/16 2");
  EXPECT_EQ(route_of(test, "10.1.2.3"), "o2 10.1.2.3");
  EXPECT_EQ(refused(test, "r.remove", "10.1.0.0/16 1"), "there is no route '10.1.0.0/16 - 1'");
  EXPECT_EQ(refused(test, "r.remove", "10.2.0.0/16"), "there is no route '10.2.0.0/16'");
  test.write("r.remove", "10.1.0.0/16 - 2");
  EXPECT_EQ(route_of(test, "10.1.2.3"), "o0 10.1.2.3");
  test.write("r.remove", "10.0.0.0/8");
  EXPECT_EQ(route_of(test, "10.1.2.3"), "-");
  EXPECT_EQ(test.read("r.table"), "");
  test.write("r.set", "0/0 1");
  EXPECT_EQ(route_of(test, "10.1.2.3"), "o1 10.1.2.3");
  EXPECT_EQ(refused(test, "r.add", "10.0.0.0/8 3"), "output 3 out of range, bound 2");
  EXPECT_EQ(refused(test, "r.set", "10.0.0.0/8"), "should be 'ADDR/MASK [GATEWAY] OUTPUT'");
  EXPECT_EQ(refused(test, "r.remove", "10.0.0.0/33"),
            "should be 'ADDR/MASK' or 'ADDR/MASK [GATEWAY] OUTPUT'");
}

TEST(StaticIPLookup, TellsTheRouteToAnAddress) {
  TestRouter test(lookup("10.0.0.0/8 0, 11.0.0.0/8 1.1.1.1 1"));
  std::string error;
  EXPECT_EQ(test.router->read_handler("r.lookup", error, "10.9.8.7"), "0");
  EXPECT_EQ(test.router->read_handler("r.lookup", error, " 11.0.0.0 "), "1 1.1.1.1");
  EXPECT_EQ(test.router->read_handler("r.lookup", error, "12.0.0.0"), "-1");
  for (const char* wrong : {"", "10.0.0", "10.0.0.0/8", "10.0.0.1 10.0.0.2"}) {
    error.clear();
    EXPECT_EQ(test.router->read_handler("r.lookup", error, wrong), std::nullopt) << wrong;
    EXPECT_NE(error, "") << wrong;
  }
}

TEST(StaticIPLookup, SeveralChangesOrNone) {
  TestRouter test(lookup("10.0.0.0/8 0, 11.0.0.0/8 1.1.1.1 1"));
  const std::string before = test.read("r.table");
  EXPECT_EQ(refused(test, "r.ctrl",
                    "add 12.0.0.0/8 2\nset 10.0.0.0/8 2.2.2.2 2\n\nremove 11.0.0.0/8\n"
                    "set 12.0.0.0/8 1\nremove 13.0.0.0/8\n"),
            "line 6: there is no route '13.0.0.0/8'");
  EXPECT_EQ(test.read("r.table"), before);
  EXPECT_EQ(refused(test, "r.ctrl", "change 1.0.0.0/8 1"),
            "line 1: should begin with 'add', 'set' or 'remove'");
  test.write("r.ctrl", "add 12.0.0.0/8 2\n  set 10.0.0.0/8 2.2.2.2 2 // new\nremove 11.0.0.0/8");
  EXPECT_EQ(test.read("r.table"), "10.0.0.0/8\t\t2.2.2.2\t\t2\n12.0.0.0/8\t\t-\t\t2\n");
}

TEST(StaticIPLookup, ManyChanges) {
  TestRouter test(lookup("0/0 0"));
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2000; ++i)
      test.write("r.add", "10." + std::to_string(i / 256) + "." + std::to_string(i % 256) +
                              ".0/25 9.9." + std::to_string(i / 256) + "." +
                              std::to_string(i % 256) + " " + std::to_string(i % 3));
    EXPECT_EQ(route_of(test, "10.7.207.127"), "o1 9.9.7.207");
    EXPECT_EQ(route_of(test, "10.7.207.128"), "o0 10.7.207.128");
    for (int i = 0; i < 2000; ++i)
      test.write("r.remove",
                 "10." + std::to_string(i / 256) + "." + std::to_string(i % 256) + ".0/25");
    EXPECT_EQ(route_of(test, "10.7.207.127"), "o0 10.7.207.127");
  }
}

TEST(StaticIPLookup, BadConfigurations) {
  const std::string context = "config:1: While configuring 'r :: StaticIPLookup':\n";
  const auto errors = [](const std::string& routes) {
    return errors_of("Idle -> r :: StaticIPLookup(" + routes + ") -> Idle; r[1] -> Idle;");
  };
  const std::string form = "  ROUTE: should be 'ADDR/MASK [GATEWAY] OUTPUT'\n";
  for (const char* bad : {"10.0.0.0/8", "10.0.0.0/8 1.2.3 1", "10.0.0.0/8 -1", "x 1", "10/33 1",
                          "10.0.0.0/8 1.2.3.4 1 1", "10.0.0.0/8 1.2.3.4"})
    EXPECT_EQ(errors(bad), context + form) << bad;
  EXPECT_EQ(errors("0/0 1, x, 10.0.0.0/8 2, 10.0.0.0/8 0"),
            context + form + "  ROUTE: output 2 out of range, bound 1\n");
  EXPECT_EQ(errors("10.0.0.0/8 0, 10.1.2.3/8 1, 11.0.0.0/8 1, 10.0.0.0/8 1"),
            context + "  warning: 2 routes replaced by later ones with the same prefix\n");
  // Mistakes of the connections and of the routes are shown together.
  EXPECT_EQ(errors_of("Idle -> r :: StaticIPLookup(0/0 1);"),
            "config:1: 'r :: StaticIPLookup' output 0 unused\n"
            "config:1: While configuring 'r :: StaticIPLookup':\n"
            "  ROUTE: output 1 out of range, bound 0\n");
}

TEST(StaticIPLookup, MessagesShowTheRoute) {
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("config",
                                                  "Idle -> r :: StaticIPLookup(0/0 0,\n"
                                                  "  10.0.0.0/8 7) -> Idle;\n");
  const auto graph = click::read(file, Registry::instance(), diagnostics);
  EXPECT_EQ(Router::build(graph, nullptr, diagnostics), nullptr);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].where.line, 2u);
  EXPECT_EQ(diagnostics.all()[0].where.column, 3u);
}

}  // namespace
}  // namespace headroom::test
