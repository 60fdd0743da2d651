// Names from information elements, in the arguments of other elements of a built router.
#include "../element_test.hh"
#include "headroom/click/reader.hh"

namespace headroom::test {
namespace {

// The routes of `r`, without tabs.
std::string routes(const std::string& config) {
  TestRouter test(config +
                  " Idle -> r :: StaticIPLookup(net 0, lan 0, lan:ipnet 0, 0/0 gw:ip 0) "
                  "-> Idle");
  std::string text =
      test.router ? test.read("r.table") : test.diagnostics.render(Diagnostics::Form::plain);
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

TEST(AddressInfo, NamesAddressesInRoutes) {
  const std::string expected =
      "0.0.0.0/0  10.9.9.9  0\n10.0.0.0/16  -  0\n10.1.0.0/16  -  0\n10.1.0.7/32  -  0\n";
  const std::string info = "AddressInfo(net 10.0/16, lan 10.1.0.7/16, gw 10.9.9.9 1:2:3:4:5:6);";
  EXPECT_EQ(routes(info), expected);
  // Also behind their use: information elements are configured first.
  TestRouter test("Idle -> r :: StaticIPLookup(net 0) -> Idle; " + info);
  EXPECT_EQ(test.read("r.table"), "10.0.0.0/16\t\t-\t\t0\n");
  // Handlers know them, too.
  test.write("r.add", "lan:ipnet gw 0");
  test.write("r.remove", "net");
  EXPECT_EQ(test.read("r.table"), "10.1.0.0/16\t\t10.9.9.9\t\t0\n");
}

TEST(AddressInfo, NamesEthernetAddresses) {
  TestRouter test(
      "AddressInfo(a 0:1:2:3:4:5, b 10.0.0.1 6:7:8:9:a:b); Idle -> e :: EtherRewrite(a, b:eth) -> "
      "Idle");
  EXPECT_EQ(test.read("e.src"), "00-01-02-03-04-05");
  EXPECT_EQ(test.read("e.dst"), "06-07-08-09-0A-0B");
  test.write("e.src", "b");
  EXPECT_EQ(test.read("e.src"), "06-07-08-09-0A-0B");
}

TEST(AddressInfo, NamesAddressesInLists) {
  TestRouter test(
      "AddressInfo(bad 10.0.0.1, lan 10.2.0.1/16);"
      "in :: TestSource -> c :: CheckIPHeader(BADSRC bad 10.0.0.3, INTERFACES lan) -> out :: "
      "TestSink;");
  Ip4Frame frame;
  std::vector<Bytes> packets;
  for (const char* source : {"10.0.0.1", "10.0.0.2", "10.0.0.3", "10.2.255.255"}) {
    frame.source = source;
    packets.push_back(frame.build_ip());
  }
  test.send("in", packets);
  EXPECT_EQ(test.sink("out").packets.size(), 1u);
}

TEST(AddressInfo, IsScopedByCompoundElement) {
  TestRouter test(
      "AddressInfo(x 1.0.0.0/8, y 3.0.0.0/8);"
      "elementclass Inner { -> r :: StaticIPLookup(x 0, y 0) -> }"
      "Idle -> a :: { AddressInfo(x 2.0.0.0/8); -> i :: Inner -> } -> Idle;"
      "Idle -> b :: Inner -> Idle");
  EXPECT_EQ(test.read("a/i/r.table"), "2.0.0.0/8\t\t-\t\t0\n3.0.0.0/8\t\t-\t\t0\n");
  EXPECT_EQ(test.read("b/r.table"), "1.0.0.0/8\t\t-\t\t0\n3.0.0.0/8\t\t-\t\t0\n");
}

TEST(AddressInfo, Mistakes) {
  EXPECT_EQ(errors_of("AddressInfo(, a 10.0.0.0/33, NAME 1.2.3.4, b 1.2.3.4 nonsense)"),
            "config:1: While configuring 'AddressInfo@1 :: AddressInfo':\n"
            "  expected 'NAME [ADDRS]'\n"
            "  '10.0.0.0/33' is no address\n"
            "  'nonsense' is no address\n");
  EXPECT_EQ(errors_of("Idle -> EtherRewrite(a, 1:1:1:1:1:1) -> Idle; AddressInfo(a 10.0.0.1)"),
            "config:1: While configuring 'EtherRewrite@2 :: EtherRewrite':\n"
            "  SRC: parse error\n");
  EXPECT_EQ(errors_of("AddressInfo -> Discard"),
            "config:1: 'AddressInfo@1 :: AddressInfo' has no output 0\n");
}

// Takes an argument of either kind of port, and an annotation of each size.
class TestNames final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "TestNames", .ports = "0/0"};
  Arg<click::TcpPort> tcp{*this, "TCP", click::TcpPort{}, {.doc = "."}};
  Arg<click::UdpPort> udp{*this, "UDP", click::UdpPort{}, {.doc = "."}};
  Arg<click::Annotation<1>> byte{*this, "BYTE", click::Annotation<1>{}, {.doc = "."}};
  Arg<click::Annotation<4>> word{*this, "WORD", click::Annotation<4>{}, {.doc = "."}};
  ArgList<IPAddress> hosts{*this, "HOSTS", {.doc = "."}};
  ReadHandler values{*this, "values", ".", [this] {
                       std::string text =
                           std::to_string(tcp->number) + " " + std::to_string(udp->number) + " " +
                           std::to_string(byte->offset) + " " + std::to_string(word->offset);
                       for (const IPAddress host : *hosts) text += " " + host.to_string();
                       return text;
                     }};
};
HEADROOM_ELEMENT(TestNames);

TEST(PortInfo, NamesPortsForEachProtocol) {
  TestRouter test(
      "PortInfo(proxy 8080/tcp 8081/udp, both 99, www 8000); t :: TestNames(TCP proxy, UDP proxy);"
      "u :: TestNames(TCP both, UDP both); v :: TestNames(TCP www, UDP domain)");
  EXPECT_EQ(test.read("t.values"), "8080 8081 0 0");
  EXPECT_EQ(test.read("u.values"), "99 99 0 0");
  EXPECT_EQ(test.read("v.values"), "8000 53 0 0");
  EXPECT_EQ(errors_of("PortInfo(a, b x); TestNames(TCP b)"),
            "config:1: While configuring 'PortInfo@1 :: PortInfo':\n"
            "  expected 'NAME PORT[/PROTOCOL]'\n  expected 'NAME PORT[/PROTOCOL]'\n"
            "config:1: While configuring 'TestNames@2 :: TestNames':\n  TCP: parse error\n");
}

TEST(AnnotationInfo, NamesAnnotations) {
  TestRouter test(
      "AnnotationInfo(COLOUR 5 1, ANY 40, PAINT 6 1);"
      "t :: TestNames(BYTE COLOUR, WORD ANY); u :: TestNames(BYTE PAINT, WORD AGGREGATE);"
      "in :: TestSource -> Paint(7, COLOUR) -> out :: TestSink");
  EXPECT_EQ(test.read("t.values"), "0 0 5 40");
  EXPECT_EQ(test.read("u.values"), "0 0 6 20");
  test.send("in", {hex("00")});
  EXPECT_EQ(test.sink("out").packets.at(0).annotations.user[5], 7);
  EXPECT_EQ(errors_of("AnnotationInfo(x 48, y 1 1); TestNames(WORD y)"),
            "config:1: While configuring 'AnnotationInfo@1 :: AnnotationInfo':\n"
            "  expected 'NAME OFFSET [SIZE]', within 48 bytes\n"
            "config:1: While configuring 'TestNames@2 :: TestNames':\n  WORD: parse error\n");
}

TEST(AnnotationInfo, BuiltInNamesAreThoseOfThePacket) {
  const std::pair<const char*, AnnotationPlace> expected[] = {
      {"DST_IP", anno::kDstIp},
      {"DST_IP6", anno::kDstIp6},
      {"ICMP_PARAMPROB", anno::kIcmpParamProb},
      {"PAINT", anno::kPaint},
      {"FIX_IP_SRC", anno::kFixIpSrc},
      {"VLAN_TCI", anno::kVlanTci},
      {"AGGREGATE", anno::kAggregate},
      {"EXTRA_PACKETS", anno::kExtraPackets},
      {"EXTRA_LENGTH", anno::kExtraLength},
      {"FIRST_TIMESTAMP", anno::kFirstTimestamp},
      {"PACKET_NUMBER", anno::kPacketNumber},
      {"IPSEC_SPI", anno::kIpsecSpi},
      {"SEQUENCE_NUMBER", anno::kSequenceNumber},
      {"PERFCTR", anno::kPerfctr}};
  for (const auto& [name, place] : expected) {
    const auto range = click::NameScope().annotation(name);
    ASSERT_TRUE(range) << name;
    EXPECT_EQ(*range, (click::AnnotationRange{place.offset, place.size})) << name;
  }
  EXPECT_EQ(click::kAnnotationBytes, anno::kUserBytes);
}

TEST(NamesInArguments, ListsAndDevices) {
  TestRouter test("AddressInfo(a 10.0.0.1, b a); t :: TestNames(a, 10.0.0.2, b, lo:ip)");
  EXPECT_EQ(test.read("t.values"), "0 0 0 0 10.0.0.1 10.0.0.2 10.0.0.1 127.0.0.1");
}

TEST(ScheduleInfo, GivesTasksTheirShare) {
  TestRouter test(
      "a :: InfiniteSource -> Discard; b :: InfiniteSource -> Discard;"
      "c :: { d :: InfiniteSource -> Discard; e :: InfiniteSource -> Discard;"
      "       ScheduleInfo(d 3, b 7) };"
      "ScheduleInfo(a 0.5, c 2, cc 5, b/x 5)");
  EXPECT_EQ(test.read("a.tickets"), "512");
  EXPECT_EQ(test.read("b.tickets"), "1024");  // another b
  EXPECT_EQ(test.read("c/d.tickets"), "6144");
  EXPECT_EQ(test.read("c/e.tickets"), "2048");
  const std::string text = test.diagnostics.render(Diagnostics::Form::plain);
  for (const char* unknown : {"'b' does", "'cc' does", "'b/x' does"})
    EXPECT_THAT(text, testing::HasSubstr(unknown));
}

TEST(ScheduleInfo, StaysInBounds) {
  TestRouter test(
      "a :: InfiniteSource -> Discard; b :: InfiniteSource -> Discard;"
      "ScheduleInfo(a 0, b 1e9)");
  EXPECT_EQ(test.read("a.tickets"), "1");
  EXPECT_EQ(test.read("b.tickets"), "32768");
}

TEST(ScheduleInfo, WantsElementAndShare) {
  for (const char* wrong : {"a", "a b", "a -1", "a 1 2", "a nan", "a inf"}) {
    EXPECT_THAT(errors_of("a :: Idle -> Discard; ScheduleInfo(" + std::string(wrong) + ")"),
                testing::HasSubstr("expected 'ELEMENT SHARE'"))
        << wrong;
  }
}

TEST(AlignmentInfo, IsAccepted) {
  TestRouter test("AlignmentInfo(a 4 0 8 2, b); Idle -> Discard");
  EXPECT_NE(test.router, nullptr);
}

// Messages about the values of arguments, which the full form points at.
class TestComplains final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "TestComplains", .ports = "0/0"};
  Arg<uint32_t> limit{*this, "LIMIT", 0, {.doc = "."}};
  ArgList<click::RawText> items{*this, "ITEM", {.doc = "."}};
  bool configure(SetupContext& context) override {
    context.error(limit, "about LIMIT", "a hint");
    for (std::size_t i = 0; i < items->size(); ++i) context.warning(items, i, (*items)[i].text);
    return context.error(items, 7, "about nothing that was given");
  }
};
HEADROOM_ELEMENT(TestComplains);

TEST(SetupContext, PointsAtArguments) {
  const auto places = [](const std::string& config) {
    Diagnostics diagnostics;
    const uint32_t file = diagnostics.sources().add("config", config);
    EXPECT_EQ(
        Router::build(click::read(file, Registry::instance(), diagnostics), nullptr, diagnostics),
        nullptr);
    std::string text;
    for (const Diagnostic& one : diagnostics.all())
      text += one.message + " " + std::to_string(one.where.line) + ":" +
              std::to_string(one.where.column) + ", ";
    return text;
  };
  EXPECT_EQ(places("t :: TestComplains(x,\n  /* */ y, LIMIT 5, LIMIT  6)"),
            "about LIMIT 2:28, x 1:20, y 2:9, about nothing that was given 1:1, ");
  EXPECT_EQ(places("t :: TestComplains"), "about LIMIT 1:1, about nothing that was given 1:1, ");
  // Through a variable, at its reference.
  EXPECT_EQ(places("define($l x); t :: TestComplains(  $l)"),
            "about LIMIT 1:15, x 1:36, about nothing that was given 1:15, ");
  EXPECT_EQ(errors_of("t :: TestComplains(x)"),
            "config:1: While configuring 't :: TestComplains':\n"
            "  about LIMIT\n  warning: x\n  about nothing that was given\n");
}

}  // namespace
}  // namespace headroom::test
