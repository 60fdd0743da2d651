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
  EXPECT_EQ(parse<Annotation<1>>("PAINT")->offset, 17);
  EXPECT_EQ(parse<Annotation<2>>("VLAN_TCI")->offset, 20);
  EXPECT_EQ(parse<Annotation<4>>("VLAN_TCI"), std::nullopt);
  EXPECT_EQ(shown<Annotation<1>>("VLAN_TCI"), "parse error");
  EXPECT_EQ(parse<Annotation<4>>("5")->offset, 5);
  EXPECT_EQ(shown<Annotation<1>>("17"), "PAINT");
  EXPECT_EQ(shown<Annotation<2>>("17"), "17");
  EXPECT_EQ(shown<Annotation<1>>("47"), "47");
  EXPECT_EQ(shown<Annotation<1>>("48"), "out of range, bound 47");
  EXPECT_EQ(shown<Annotation<4>>("45"), "out of range, bound 44");
  EXPECT_EQ(shown<Annotation<1>>("NOTHING"), "parse error");
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
  Names() {
    tables_.device = [](const std::string& device) -> std::optional<NamedAddresses> {
      if (device != "eth0") return std::nullopt;
      NamedAddresses found;
      found.ip = IPAddress(192, 168, 1, 7);
      found.prefix = IPPrefix(*found.ip, 24);
      found.ether = EtherAddress(2, 0, 0, 0, 0, 1);
      found.gateway = IPAddress(192, 168, 1, 254);
      return found;
    };
  }

  using Add = bool (NameTables::*)(std::string_view, std::string_view, std::string&);
  // The message, or nothing when all is well.
  std::string add(Add member, std::string_view element, std::string_view text) {
    std::string error;
    const bool good = (tables_.*member)(element, text, error);
    EXPECT_EQ(good, error.empty());
    return error;
  }
  std::string addresses(std::string_view element, std::string_view text) {
    return add(&NameTables::add_addresses, element, text);
  }
  std::string ports(std::string_view text) { return add(&NameTables::add_ports, "p", text); }
  std::string annotation(std::string_view text) {
    return add(&NameTables::add_annotation, "n", text);
  }

  NameTables tables_;
};

TEST_F(Names, EveryKindOfAddress) {
  for (const char* text :
       {"a 10.0.0.1 0:1:2:3:4:5 2001:db8::1", "net 10.2.0.0/16 2001:db8::/32",
        "host 10.3.0.9/24 2001:db8::9/64", "copy a", "only 1:2:3:4:5:6", "unsaid"}) {
    EXPECT_EQ(addresses("i", text), "") << text;
  }
  const NameScope names(tables_, "x");
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
  EXPECT_EQ(shown<IP6Address>("host", names), "2001:db8::9");
  EXPECT_EQ(shown<IP6Address>("host:ip6", names), "2001:db8::9");
  EXPECT_EQ(shown<IPAddress>("host:nonsense", names), "parse error");
  EXPECT_EQ(shown<IP6Address>("::ffff:host", names), "::ffff:10.3.0.9");
  EXPECT_EQ(shown<IP6Address>("::ffff:only", names), "parse error");
  EXPECT_EQ(shown<IP6Address>("1:2:host:host", names), "parse error");
  // A bare address is a prefix of all its bits.
  EXPECT_EQ(shown<IPPrefix>("a", names), "10.0.0.1/32");
  EXPECT_EQ(shown<IP6Prefix>("a", names), "2001:db8::1/128");
  EXPECT_EQ(shown<IPPrefix>("only", names), "parse error");
  EXPECT_EQ(shown<IPPrefix>("host", names), "10.3.0.9/24");
  EXPECT_EQ(shown<IPPrefix>("a/8", names), "10.0.0.1/8");
  EXPECT_EQ(shown<IP6Prefix>("a/64", names), "2001:db8::1/64");
  EXPECT_EQ(shown<IPMasked>("a/255.0.255.0", names), "10.0.0.1/255.0.255.0");
  EXPECT_EQ(shown<IPAddress>("copy", names), "10.0.0.1");
  EXPECT_EQ(shown<IPAddress>("only", names), "parse error");
  EXPECT_EQ(shown<IPAddress>("nothing", names), "parse error");
}

TEST_F(Names, AreScopedByCompoundElement) {
  addresses("i", "x 1.0.0.0");
  addresses("i", "y 1.0.0.1");
  addresses("a/i", "x 2.0.0.0");
  addresses("a/b/i", "x 3.0.0.0");
  // One defined by another is the one seen from there.
  EXPECT_EQ(addresses("a/i", "z x"), "");
  EXPECT_EQ(shown<IPAddress>("z", NameScope(tables_, "a/e")), "2.0.0.0");
  EXPECT_EQ(shown<IPAddress>("z", NameScope(tables_, "e")), "parse error");
  EXPECT_EQ(shown<IPAddress>("x", NameScope(tables_, "e")), "1.0.0.0");
  EXPECT_EQ(shown<IPAddress>("x", NameScope(tables_, "a/e")), "2.0.0.0");
  EXPECT_EQ(shown<IPAddress>("x", NameScope(tables_, "a/b/e")), "3.0.0.0");
  EXPECT_EQ(shown<IPAddress>("x", NameScope(tables_, "a/c/e")), "2.0.0.0");
  EXPECT_EQ(shown<IPAddress>("y", NameScope(tables_, "a/b/e")), "1.0.0.1");
}

TEST_F(Names, DevicesOfTheSystem) {
  const NameScope names(tables_, "x");
  EXPECT_EQ(shown<IPAddress>("eth0", names), "192.168.1.7");
  EXPECT_EQ(shown<EtherAddress>("eth0", names), "02-00-00-00-00-01");
  EXPECT_EQ(shown<IPAddress>("eth0:gw", names), "192.168.1.254");
  EXPECT_EQ(shown<IPPrefix>("eth0:ipnet", names), "192.168.1.7/24");
  EXPECT_EQ(shown<IPAddress>("eth1", names), "parse error");
  EXPECT_EQ(system_device("lo")->ip, IPAddress(127, 0, 0, 1));
  EXPECT_FALSE(system_device("no such device"));
}

TEST_F(Names, PortsAndAnnotations) {
  EXPECT_EQ(ports("mine 8080/tcp"), "");
  EXPECT_EQ(ports("both 99"), "");
  EXPECT_EQ(ports("mine 8081/udp"), "");
  EXPECT_EQ(annotation("COLOUR 5 1"), "");
  EXPECT_EQ(annotation("ANYTHING 46"), "");
  const NameScope names(tables_, "x");
  EXPECT_EQ(shown<TcpPort>("mine", names), "8080");
  EXPECT_EQ(shown<UdpPort>("mine", names), "8081");
  EXPECT_EQ(shown<UdpPort>("both", names), "99");
  EXPECT_EQ(shown<Annotation<1>>("COLOUR", names), "5");
  EXPECT_EQ(shown<Annotation<2>>("COLOUR", names), "parse error");
  EXPECT_EQ(shown<Annotation<2>>("ANYTHING", names), "46");
  EXPECT_EQ(shown<Annotation<4>>("ANYTHING", names), "parse error");
}

TEST_F(Names, Mistakes) {
  EXPECT_EQ(addresses("i", ""), "expected 'NAME [ADDRS]'");
  EXPECT_EQ(addresses("i", "x 1.2.3"), "'1.2.3' is no address");
  EXPECT_EQ(addresses("i", "y 10.0.0.0/99"), "'10.0.0.0/99' is no address");
  for (const char* text : {"", "a", "b x/tcp", "c 1/icmp", "c 1/", "c 65536"}) {
    EXPECT_EQ(ports(text), "expected 'NAME PORT[/PROTOCOL]'") << text;
  }
  for (const char* text : {"", "a", "b 47 2", "b 48", "b 1 1 1", "b x"}) {
    EXPECT_EQ(annotation(text), "expected 'NAME OFFSET [SIZE]', within 48 bytes") << text;
  }
}

}  // namespace
}  // namespace headroom::click
