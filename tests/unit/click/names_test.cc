#include "headroom/click/names.hh"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "headroom/click/named_types.hh"

namespace headroom::click {
namespace {

template <class T>
std::optional<T> parse(std::string_view text, const NameScope& names = {}) {
  T value{};
  std::string error;
  if (!parse_argument(text, value, error, names)) return std::nullopt;
  return value;
}
template <class T>
std::string shown(std::string_view text, const NameScope& names = {}) {
  T value{};
  std::string error;
  if (!parse_argument(text, value, error, names)) return error.empty() ? "parse error" : error;
  return ArgType<T>::unparse(value);
}

TEST(NamedTypes, Bandwidths) {
  EXPECT_EQ(shown<Bandwidth>("1000"), "1000Bps");
  EXPECT_EQ(shown<Bandwidth>("1.5 kBps"), "1500Bps");
  EXPECT_EQ(shown<Bandwidth>("10Mbps"), "1250000Bps");
  EXPECT_EQ(shown<Bandwidth>("100 Gb/s"), "12500000000Bps");
  EXPECT_EQ(shown<Bandwidth>("9600baud"), "1200Bps");
  EXPECT_EQ(shown<Bandwidth>("2MB/s"), "2000000Bps");
  for (const char* text : {"", "x", "1 ", "1 kb", "1 KBps", "1 k", "1mbps", "1 bps x"}) {
    EXPECT_EQ(shown<Bandwidth>(text), "parse error") << text;
  }
  EXPECT_EQ(shown<Bandwidth>("-1"), "out of range, bound 0");
  EXPECT_EQ(shown<Bandwidth>("1e30"), "out of range, bound 18446744073709551615Bps");
}

TEST(NamedTypes, WordsAndKeywords) {
  EXPECT_EQ(shown<Word>("a+b$c"), "\"a+b\\$c\"");
  EXPECT_EQ(shown<Word>("'ab'"), "ab");
  for (const char* text : {"", "a b", "'a b'", "\"a,b\"", "\"a\\\\b\"", "\"\xC3\""}) {
    EXPECT_EQ(shown<Word>(text), "parse error") << text;
  }
  EXPECT_EQ(shown<Keyword>("A_b.c:d?!1"), "A_b.c:d?!1");
  EXPECT_EQ(shown<Keyword>("a-b"), "parse error");
  EXPECT_EQ(shown<Keyword>(""), "parse error");
}

TEST(NamedTypes, PortsAndProtocols) {
  EXPECT_EQ(shown<TcpPort>("80"), "80");
  EXPECT_EQ(shown<TcpPort>("www"), "80");
  EXPECT_EQ(shown<UdpPort>("domain"), "53");
  EXPECT_EQ(shown<UdpPort>("bootps"), "67");
  EXPECT_EQ(shown<TcpPort>("65536"), "out of range, bound 65535");
  EXPECT_EQ(shown<TcpPort>("nosuchservice"), "parse error");
  EXPECT_EQ(shown<TcpPort>(""), "parse error");
  EXPECT_EQ(shown<IPProtocol>("tcp"), "tcp");
  EXPECT_EQ(parse<IPProtocol>("gre")->number, 47);
  EXPECT_EQ(parse<IPProtocol>("132")->number, 132);
  EXPECT_EQ(parse<IPProtocol>("transp")->number, IPProtocol::kTransport);
  EXPECT_EQ(shown<IPProtocol>("256"), "out of range, bound 255");
  EXPECT_EQ(shown<IPProtocol>("TCP"), "parse error");
}

TEST(NamedTypes, AddressesWithAnyMask) {
  EXPECT_EQ(shown<IPMasked>("10.0.0.1/24"), "10.0.0.1/255.255.255.0");
  EXPECT_EQ(shown<IPMasked>("10.1/16"), "10.1.0.0/255.255.0.0");
  EXPECT_EQ(shown<IPMasked>("10.0.0.1/255.0.255.0"), "10.0.0.1/255.0.255.0");
  EXPECT_EQ(shown<IPMasked>("18.26/24"), "parse error");
  EXPECT_EQ(shown<IPMasked>("10.0.0.1/x"), "parse error");
}

TEST(NamedTypes, Annotations) {
  EXPECT_EQ(parse<AnnotationName>("PAINT")->range.offset, 17);
  EXPECT_EQ(parse<AnnotationName>("PAINT")->range.size, 1);
  EXPECT_EQ(parse<AnnotationName>("VLAN_TCI")->range.size, 2);
  EXPECT_EQ(parse<AnnotationName>("5")->range.size, 0);
  EXPECT_EQ(shown<AnnotationName>("48"), "out of range, bound 47");
  EXPECT_EQ(shown<AnnotationName>("NOTHING"), "parse error");
}

TEST(NamedTypes, Handlers) {
  const auto full = parse<HandlerName>("a/b.count x y");
  EXPECT_EQ(full->element, "a/b");
  EXPECT_EQ(full->handler, "count");
  EXPECT_EQ(full->value, "x y");
  EXPECT_FALSE(full->global);
  EXPECT_EQ(parse<HandlerName>("q.c.d")->handler, "c.d");
  EXPECT_TRUE(parse<HandlerName>(".stop")->global);
  EXPECT_EQ(parse<HandlerName>("count")->element, "");
  EXPECT_EQ(shown<HandlerName>(".stop 1"), ".stop 1");
  EXPECT_EQ(shown<HandlerName>("a.b"), "a.b");
  for (const char* text : {"", "a.", ".", "'a.b'", " x"}) {
    EXPECT_EQ(shown<HandlerName>(text), "parse error") << text;
  }
  EXPECT_EQ(shown<ElementName>("a/b"), "a/b");
  EXPECT_EQ(shown<ElementName>("a b"), "parse error");
}

TEST(NamedTypes, ResolutionOrder) {
  EXPECT_EQ(resolution_order("a/b/x", "q"), (std::vector<std::string>{"a/b/q", "a/q", "q"}));
  EXPECT_EQ(resolution_order("x", "q"), (std::vector<std::string>{"q"}));
}

// --- tables ---

class Names : public testing::Test {
 protected:
  void add(const std::string& name, const std::string& element_class, const std::string& config) {
    const uint32_t file = diagnostics_.sources().add("config", config);
    graph_.add(name, element_class, config, {file, 1, 1}, {file, 1, 1});
  }
  NameScope scope(std::string_view element) {
    tables_.device = [](const std::string& device) -> std::optional<NamedAddresses> {
      if (device != "eth0") return std::nullopt;
      NamedAddresses found;
      found.ip = IPAddress(192, 168, 1, 7);
      found.prefix = IPPrefix(*found.ip, 24);
      found.ether = EtherAddress(2, 0, 0, 0, 0, 1);
      found.gateway = IPAddress(192, 168, 1, 254);
      return found;
    };
    tables_.add(graph_, diagnostics_);
    return NameScope(tables_, element);
  }
  std::string messages() const { return diagnostics_.render(Diagnostics::Form::plain); }

  FlatGraph graph_;
  Diagnostics diagnostics_;
  NameTables tables_;
};

TEST_F(Names, EveryKindOfAddress) {
  add("i", "AddressInfo",
      "a 10.0.0.1 0:1:2:3:4:5 2001:db8::1, net 10.2.0.0/16 2001:db8::/32, host 10.3.0.9/24,\n"
      "copy a, only 1:2:3:4:5:6");
  const NameScope names = scope("x");
  EXPECT_EQ(messages(), "");
  EXPECT_EQ(shown<IPAddress>("a", names), "10.0.0.1");
  EXPECT_EQ(shown<EtherAddress>("a", names), "00-01-02-03-04-05");
  EXPECT_EQ(shown<IP6Address>("a", names), "2001:db8::1");
  EXPECT_EQ(shown<IPAddress>("a:ip", names), "10.0.0.1");
  EXPECT_EQ(shown<EtherAddress>("a:eth", names), "00-01-02-03-04-05");
  EXPECT_EQ(shown<IPAddress>("a:eth", names), "parse error");
  EXPECT_EQ(shown<IPPrefix>("net", names), "10.2.0.0/16");
  EXPECT_EQ(shown<IPPrefix>("net:ipnet", names), "10.2.0.0/16");
  EXPECT_EQ(shown<IP6Prefix>("net:ip6net", names), "2001:db8::/32");
  EXPECT_EQ(shown<IPAddress>("net", names), "parse error");
  EXPECT_EQ(shown<IPAddress>("net:bcast", names), "10.2.255.255");
  EXPECT_EQ(shown<IPAddress>("net:gw", names), "10.2.0.1");
  EXPECT_EQ(shown<IPAddress>("host", names), "10.3.0.9");
  EXPECT_EQ(shown<IPPrefix>("host", names), "10.3.0.9/24");
  EXPECT_EQ(shown<IPPrefix>("a/8", names), "10.0.0.1/8");
  EXPECT_EQ(shown<IP6Prefix>("a/64", names), "2001:db8::1/64");
  EXPECT_EQ(shown<IPMasked>("a/255.0.255.0", names), "10.0.0.1/255.0.255.0");
  EXPECT_EQ(shown<IPAddress>("copy", names), "10.0.0.1");
  EXPECT_EQ(shown<IPAddress>("only", names), "parse error");
  EXPECT_EQ(shown<IPAddress>("nothing", names), "parse error");
}

TEST_F(Names, AreScopedByCompoundElement) {
  add("i", "AddressInfo", "x 1.0.0.0, y 1.0.0.1");
  add("a/i", "AddressInfo", "x 2.0.0.0");
  add("a/b/i", "AddressInfo", "x 3.0.0.0");
  scope("");
  EXPECT_EQ(shown<IPAddress>("x", NameScope(tables_, "e")), "1.0.0.0");
  EXPECT_EQ(shown<IPAddress>("x", NameScope(tables_, "a/e")), "2.0.0.0");
  EXPECT_EQ(shown<IPAddress>("x", NameScope(tables_, "a/b/e")), "3.0.0.0");
  EXPECT_EQ(shown<IPAddress>("x", NameScope(tables_, "a/c/e")), "2.0.0.0");
  EXPECT_EQ(shown<IPAddress>("y", NameScope(tables_, "a/b/e")), "1.0.0.1");
}

TEST_F(Names, DevicesOfTheSystem) {
  const NameScope names = scope("x");
  EXPECT_EQ(shown<IPAddress>("eth0", names), "192.168.1.7");
  EXPECT_EQ(shown<EtherAddress>("eth0", names), "02-00-00-00-00-01");
  EXPECT_EQ(shown<IPAddress>("eth0:gw", names), "192.168.1.254");
  EXPECT_EQ(shown<IPPrefix>("eth0:ipnet", names), "192.168.1.7/24");
  EXPECT_EQ(shown<IPAddress>("eth1", names), "parse error");
  EXPECT_EQ(system_device("lo")->ip, IPAddress(127, 0, 0, 1));
  EXPECT_FALSE(system_device("no such device"));
}

TEST_F(Names, PortsAndAnnotations) {
  add("p", "PortInfo", "mine 8080/tcp, both 99, mine 8081/udp");
  add("a", "AnnotationInfo", "COLOUR 5 1");
  const NameScope names = scope("x");
  EXPECT_EQ(messages(), "");
  EXPECT_EQ(shown<TcpPort>("mine", names), "8080");
  EXPECT_EQ(shown<UdpPort>("mine", names), "8081");
  EXPECT_EQ(shown<UdpPort>("both", names), "99");
  EXPECT_EQ(parse<AnnotationName>("COLOUR", names)->range.offset, 5);
}

TEST_F(Names, Mistakes) {
  add("i", "AddressInfo", ", x 1.2.3, y 10.0.0.0/99");
  add("p", "PortInfo", "a, b x/tcp, c 1/icmp");
  add("n", "AnnotationInfo", "a, b 47 2");
  scope("x");
  EXPECT_EQ(messages(),
            "config:1: While configuring 'i :: AddressInfo':\n"
            "  expected 'NAME [ADDRS]'\n"
            "  '1.2.3' is no address\n"
            "  '10.0.0.0/99' is no address\n"
            "config:1: While configuring 'p :: PortInfo':\n"
            "  expected 'NAME PORT[/PROTOCOL]'\n"
            "  expected 'NAME PORT[/PROTOCOL]'\n"
            "  expected 'NAME PORT[/PROTOCOL]'\n"
            "config:1: While configuring 'n :: AnnotationInfo':\n"
            "  expected 'NAME OFFSET [SIZE]', within 48 bytes\n"
            "  expected 'NAME OFFSET [SIZE]', within 48 bytes\n");
}

}  // namespace
}  // namespace headroom::click
