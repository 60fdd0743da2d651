#include "headroom/classify/pattern.hh"

#include <gmock/gmock.h>

#include "packets.hh"

namespace headroom::classify::test {
namespace {

using Bytes = std::vector<uint8_t>;

bool matches(std::string_view pattern, const Bytes& packet, const Bytes& ether = {},
             const click::NameScope& names = {}) {
  PatternError error;
  const auto expression = parse_pattern(pattern, names, error);
  EXPECT_TRUE(expression) << pattern << ": " << error.message;
  return expression && plainly(*expression, packet, ether);
}
std::string error_of(std::string_view pattern) {
  PatternError error;
  EXPECT_FALSE(parse_pattern(pattern, {}, error)) << pattern;
  return error.message + (error.hint.empty() ? "" : " | " + error.hint);
}

Bytes tcp(uint16_t source, uint16_t destination, uint8_t flags = 0) {
  TestPacket packet;
  packet.ports(source, destination);
  packet.transport[13] = flags;
  packet.transport[14] = 0x12;
  packet.transport[15] = 0x34;
  return packet.build();
}
Bytes udp(uint16_t source, uint16_t destination) {
  TestPacket packet;
  packet.protocol = 17;
  packet.transport.resize(8);
  return packet.ports(source, destination).build();
}
Bytes icmp(uint8_t type) {
  TestPacket packet;
  packet.protocol = 1;
  packet.transport = {type, 0, 0, 0, 0, 0, 0, 0};
  return packet.build();
}
Bytes between(const char* source, const char* destination) {
  TestPacket packet;
  packet.source = source;
  packet.destination = destination;
  return packet.build();
}

TEST(Pattern, Constants) {
  for (const char* pattern : {"true", "any", "all", "-", "ip", "not false", "(true)", "! false"})
    EXPECT_TRUE(matches(pattern, {})) << pattern;
  for (const char* pattern : {"false", "not any", "!-", "true and false"})
    EXPECT_FALSE(matches(pattern, tcp(1, 2))) << pattern;
}

TEST(Pattern, Protocols) {
  for (const char* pattern : {"tcp", "ip proto tcp", "proto tcp", "proto 6", "proto == 6",
                              "ip proto != udp", "proto udp or tcp", "proto tcpudp", "transp",
                              "proto transp", "proto 0x6", "ip tcp", "proto udp or 6"})
    EXPECT_TRUE(matches(pattern, tcp(1, 2))) << pattern;
  for (const char* pattern : {"udp", "icmp", "proto 17", "proto != tcp", "not tcp", "gre",
                              "proto != transp", "proto > 6", "tcp and udp"})
    EXPECT_FALSE(matches(pattern, tcp(1, 2))) << pattern;
  EXPECT_TRUE(matches("sctp || gre || udp", udp(1, 2)));
}

TEST(Pattern, Addresses) {
  const Bytes packet = between("10.0.0.1", "192.168.7.9");
  for (const char* pattern : {"host 10.0.0.1",
                              "10.0.0.1",
                              "src host 10.0.0.1",
                              "src 10.0.0.1",
                              "192.168.7.9",
                              "dst host 192.168.7.9",
                              "src or dst host 10.0.0.1",
                              "dst or src host 10.0.0.1",
                              "net 10.0.0.0/8",
                              "10.0.0.0/8",
                              "src net 10.0.0.0/8",
                              "src 10/8",
                              "dst net 192.168/16",
                              "dst net 192.168.0.0 mask 255.255.0.0",
                              "dst net 192.168.0.9/255.255.0.255",
                              "net 192.168.0.0/255.255.0.0",
                              "ip host 10.0.0.1",
                              "src and dst net 0.0.0.0/0",
                              "src host != 10.0.0.2",
                              "host != 10.0.0.2",
                              "src and dst host != 10.0.0.1",
                              "dst host 10.0.0.1 or 192.168.7.9",
                              "src host 1.2.3.4 or 10.0.0.0/24",
                              "src (1.2.3.4 or 10.0.0.1)"})
    EXPECT_TRUE(matches(pattern, packet)) << pattern;
  for (const char* pattern :
       {"dst host 10.0.0.1", "src and dst host 10.0.0.1", "10.0.0.2", "src net 192.168/16",
        "host != 10.0.0.1", "src or dst host != 192.168.7.9", "not 10.0.0.1", "src != 10.0.0.1",
        "dst host 1.2.3.4 or 10.0.0.1", "dst (1.2.3.4 or host 10.0.0.1)",
        "dst host 1.2.3.4 or 10.0.0.0/24"})
    EXPECT_FALSE(matches(pattern, packet)) << pattern;
}

TEST(Pattern, Ports) {
  const Bytes packet = tcp(1025, 80);
  for (const char* pattern : {"port 80",
                              "port www",
                              "dst port 80",
                              "tcp port 80",
                              "tcp dst port www",
                              "dst tcp port 80",
                              "src port 1025",
                              "www",
                              "dst www",
                              "tcp www",
                              "port 81 or 80",
                              "dst port 443 or http",
                              "src port > 1024",
                              "src port >= 1025",
                              "src port < 1026",
                              "src port <= 1025",
                              "port != 81",
                              "src port & 1 == 1",
                              "src port & 1",
                              "dst port (79 or 80 or 81)",
                              "tcp dst port (79 or 80)",
                              "src port > 1000 and < 1030",
                              "src and dst port >= 80",
                              "src port 80 or dst port 80",
                              "src port 1 or dst 80",
                              "port 0x50",
                              "port 0120"})
    EXPECT_TRUE(matches(pattern, packet)) << pattern;
  for (const char* pattern :
       {"port 81", "src port 80", "udp port 80", "port != 80", "port != 1025", "src port > 1025",
        "src port < 1025", "dst port > 65535", "dst port < 0", "src port & 1 == 0", "not port 80",
        "src port 1 or 80", "src port 1 or dst 1025", "tcp (src port 80)", "udp (port 80)",
        "src (port 80)", "tcp port 81 or udp port 80", "udp port 81 or 80"})
    EXPECT_FALSE(matches(pattern, packet)) << pattern;
  EXPECT_TRUE(matches("port 53", udp(9, 53)));
  EXPECT_TRUE(matches("dns or tftp", udp(9, 69)));
  EXPECT_FALSE(matches("port 0", icmp(0)));
}

TEST(Pattern, HeaderFields) {
  TestPacket made;
  made.tos = 0xba;
  made.id = 0x1234;
  made.ttl = 3;
  made.option_words = 2;
  const Bytes packet = made.build();
  for (const char* pattern : {"ip vers 4",
                              "ip vers = 4",
                              "vers >= 4",
                              "ip hl 7",
                              "ip hl > 5",
                              "ip tos 0xba",
                              "ip tos & 0xf0 == 0xb0",
                              "ip dscp 46",
                              "dscp > 45",
                              "dscp < 47",
                              "ip ttl 3",
                              "ttl < 4",
                              "ttl 1 or 2 or 3",
                              "ip len 48",
                              "ip len <= 48",
                              "ip id 0x1234",
                              "id != 0",
                              "ip ect",
                              "ip unfrag",
                              "unfrag",
                              "not frag",
                              "ip[1] == 0xba",
                              "ip[4:2] 0x1234",
                              "ip[8:1] 3",
                              "ip[12:4] 0x0a000001",
                              "ip[0] & 0xf0 == 0x40",
                              "ip[20] 20",
                              "ip[8] & 2",
                              "ip[ 4 : 2 ] > 0x1233",
                              "transp[0:4] 0",
                              "tcp[12:1] 0",
                              "ip[4:3] & 0xffff00 = 0x123400"})
    EXPECT_TRUE(matches(pattern, packet)) << pattern;
  for (const char* pattern :
       {"ip vers 6", "vers > 4", "vers < 4", "vers != 4", "ip hl 5", "dscp > 46", "dscp & 1",
        "ttl > 3", "ip len < 48", "ip ce", "ip frag", "ip[1] != 0xba", "udp[0] 0", "ttl & 4"})
    EXPECT_FALSE(matches(pattern, packet)) << pattern;
}

TEST(Pattern, CongestionAndFragments) {
  TestPacket made;
  for (uint8_t bits = 0; bits < 4; ++bits) {
    made.tos = bits;
    EXPECT_EQ(matches("ip ect", made.build()), bits != 0);
    EXPECT_EQ(matches("ip ce", made.build()), bits == 3);
  }
  for (const auto& [fragment, expected] :
       {std::pair(0, false), std::pair(0x4000, false), std::pair(0x8000, false),
        std::pair(0x2000, true), std::pair(1, true), std::pair(0x1fff, true)}) {
    made.fragment = static_cast<uint16_t>(fragment);
    EXPECT_EQ(matches("frag", made.build()), expected) << fragment;
    EXPECT_EQ(matches("unfrag", made.build()), !expected) << fragment;
  }
}

TEST(Pattern, TcpAndIcmp) {
  const Bytes packet = tcp(1, 2, 0x12);
  for (const char* pattern :
       {"tcp opt syn", "syn", "tcp syn", "tcp opt ack and syn", "syn and ack and not fin",
        "tcp opt != rst", "tcp opt fin or syn", "tcp win 0x1234", "tcp win > 100", "win < 5000"})
    EXPECT_TRUE(matches(pattern, packet)) << pattern;
  for (const char* pattern : {"tcp opt fin", "rst", "tcp opt != syn", "tcp win 0", "psh or urg"})
    EXPECT_FALSE(matches(pattern, packet)) << pattern;
  EXPECT_TRUE(matches("icmp type echo", icmp(8)));
  EXPECT_TRUE(matches("icmp echo", icmp(8)));
  EXPECT_TRUE(matches("icmp type 8", icmp(8)));
  EXPECT_TRUE(matches("icmp type redirect or 8", icmp(8)));
  EXPECT_TRUE(matches("icmp type 0 or timeexceeded", icmp(11)));
  EXPECT_TRUE(matches("unreachable", icmp(3)));
  EXPECT_TRUE(matches("icmp type != echo", icmp(0)));
  EXPECT_FALSE(matches("icmp type != echo", tcp(1, 2)));
  EXPECT_FALSE(matches("icmp type echo", icmp(0)));
  EXPECT_TRUE(matches("icmp[0] 3", icmp(3)));
}

TEST(Pattern, Ethernet) {
  const Bytes ether{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 9, 8, 0};
  for (const char* pattern :
       {"ether host 02:00:00:00:00:01", "dst ether host 02-00-00-00-00-01",
        "src ether host 2:0:0:0:0:9", "ether host != 02:00:00:00:00:02", "02:00:00:00:00:09",
        "src ether host 02:00:00:00:00:01 or 02:00:00:00:00:09"})
    EXPECT_TRUE(matches(pattern, tcp(1, 2), ether)) << pattern;
  for (const char* pattern : {"src ether host 02:00:00:00:00:01", "ether host 02:00:00:00:00:02"})
    EXPECT_FALSE(matches(pattern, tcp(1, 2), ether)) << pattern;
  EXPECT_FALSE(matches("ether host != 02:00:00:00:00:02", tcp(1, 2)));
}

TEST(Pattern, Connectives) {
  const Bytes packet = tcp(1, 80);
  for (const char* pattern : {"tcp and port 80",
                              "tcp && port 80",
                              "udp or port 80",
                              "udp || port 80",
                              "not udp",
                              "!udp",
                              "! (udp or icmp)",
                              "udp and icmp or tcp",
                              "tcp or udp and icmp",
                              "tcp ? port 80 : port 53",
                              "udp ? port 53 : port 80",
                              "udp ? icmp : udp ? gre : tcp",
                              "(tcp)",
                              "((tcp) and (not (udp)))",
                              "not not tcp",
                              "tcp dst port 80 src host 10.0.0.1",
                              "tcp (dst port 80)",
                              "dst port 80 not udp",
                              "tcp!udp",
                              "tcp&&port 80"})
    EXPECT_TRUE(matches(pattern, packet)) << pattern;
  for (const char* pattern : {"tcp and udp", "not tcp", "udp or icmp", "not (tcp or udp)",
                              "(tcp or udp) and icmp", "tcp ? udp : true", "not tcp or not tcp"})
    EXPECT_FALSE(matches(pattern, packet)) << pattern;
}

// A test that is not possible fails, and so does one with !=; `not` turns that around.
TEST(Pattern, WhereThePacketEnds) {
  TestPacket made;
  made.fragment = 1;
  made.ports(80, 80);
  const Bytes later = made.build();
  for (const char* pattern : {"port 80", "port != 80", "src port > 0", "syn", "tcp opt != syn",
                              "transp[0] & 0xff", "tcp win >= 0"})
    EXPECT_FALSE(matches(pattern, later)) << pattern;
  for (const char* pattern : {"not port 80", "not (port != 80)", "tcp", "not syn"})
    EXPECT_TRUE(matches(pattern, later)) << pattern;
  Bytes packet = TestPacket().ports(80, 90).build();
  packet.resize(23);
  EXPECT_TRUE(matches("src port 80", packet));
  EXPECT_FALSE(matches("dst port 90", packet));
  EXPECT_FALSE(matches("dst port != 90", packet));
  EXPECT_TRUE(matches("not dst port 90", packet));
  packet.resize(14);
  EXPECT_TRUE(matches("tcp and ttl 64", packet));
  EXPECT_FALSE(matches("src port 80", packet));
  EXPECT_FALSE(matches("src host 10.0.0.1", packet));
  EXPECT_FALSE(matches("src host != 10.0.0.1", packet));
  EXPECT_TRUE(matches("not src host 10.0.0.1", packet));
}

TEST(Pattern, NamesOfTheConfiguration) {
  click::NameTables tables;
  tables.device = [](const std::string& name) -> std::optional<click::NamedAddresses> {
    click::NamedAddresses found;
    if (name == "server") found.ip = IPAddress(10, 0, 0, 2);
    if (name == "lan") found.prefix = IPPrefix(IPAddress(10, 0, 0, 0), 24);
    if (!found.ip && !found.prefix) return std::nullopt;
    return found;
  };
  const click::NameScope names(tables, "x");
  const Bytes packet = tcp(1, 2);
  for (const char* pattern : {"server", "dst host server", "src net lan", "lan", "src lan",
                              "dst server or lan", "lan:bcast or server:ip", "dst net server/24"})
    EXPECT_TRUE(matches(pattern, packet, {}, names)) << pattern;
  EXPECT_FALSE(matches("src host server", packet, {}, names));
}

TEST(Pattern, ErrorsSayWhatWasExpected) {
  EXPECT_EQ(error_of(""),
            "expected an address, a port, a protocol or another primitive, not the "
            "end of the pattern");
  EXPECT_EQ(error_of("tcp and"),
            "expected an address, a port, a protocol or another primitive, not the end of the "
            "pattern");
  EXPECT_EQ(error_of("src hots 10.0.0.1"),
            "expected an address, a network or a port name, not 'hots' | did you mean 'host'?");
  EXPECT_EQ(error_of("tpc"),
            "expected an address, a port, a protocol or a word of the pattern "
            "language, not 'tpc' | did you mean 'tcp'?");
  EXPECT_EQ(error_of("tcp opt sny"), "expected a TCP flag, not 'sny' | did you mean 'syn'?");
  EXPECT_EQ(error_of("icmp type unreachabel"),
            "expected an ICMP type, as a number or a name, not 'unreachabel' | did you mean "
            "'unreachable'?");
  EXPECT_EQ(error_of("proto tpc"),
            "expected a protocol, as a number up to 255 or a name, not "
            "'tpc' | did you mean 'tcp'?");
  EXPECT_EQ(error_of("host 10.0.0"), "expected an IP address, not '10.0.0'");
  EXPECT_EQ(error_of("host 10.0.0.0/24"), "expected an IP address, not '10.0.0.0/24'");
  EXPECT_EQ(error_of("net 10.0.0.0"),
            "expected a network ADDRESS/LENGTH, or 'mask' behind the address, not '10.0.0.0'");
  EXPECT_EQ(error_of("port 65536"),
            "expected a port, as a number up to 65535 or a name, not "
            "'65536'");
  EXPECT_EQ(error_of("ttl 256"), "expected a number up to 255 for ttl, not '256'");
  EXPECT_EQ(error_of("dscp 64"), "expected a number up to 63 for dscp, not '64'");
  EXPECT_EQ(error_of("ttl & 256 == 0"), "expected a number up to 255 for ttl, not '256'");
  EXPECT_EQ(error_of("80"),
            "expected a word before the number '80' that says what it is, such as "
            "'port' or 'proto'");
  EXPECT_EQ(error_of("> 80"), "expected a field before the relation, not '>'");
  EXPECT_EQ(error_of("udp win 3"), "'win' is not a field of 'udp'");
  EXPECT_EQ(error_of("src ttl 3"),
            "'ttl' has no source and destination: expected it without 'src' or 'dst'");
  EXPECT_EQ(error_of("src and"), "expected an address or a port behind 'src' and 'dst', not 'and'");
  EXPECT_EQ(error_of("(tcp"), "expected ')', 'and' or 'or', not the end of the pattern");
  EXPECT_EQ(error_of("tcp)"), "expected 'and', 'or' or the end of the pattern, not ')'");
  EXPECT_EQ(error_of("tcp ? udp"), "expected ':', not the end of the pattern");
  EXPECT_EQ(error_of("port 80 81"), "expected 'and', 'or' or the end of the pattern, not '81'");
  EXPECT_EQ(error_of("ip[3"), "expected ']' behind '[3'");
  EXPECT_EQ(error_of("ip[3:5] 0"),
            "expected '[OFFSET]' or '[OFFSET:SIZE]' with a SIZE of 1 to 4 "
            "bytes, not '[3:5]'");
  EXPECT_EQ(error_of("src[3] 0"), "expected 'ip', 'tcp', 'udp', 'icmp' or 'transp' before '[3]'");
  EXPECT_EQ(error_of("host > 10.0.0.1"),
            "expected '==' or '!=' with an address, no other relation and no mask");
  EXPECT_EQ(error_of("ttl & x"), "expected a number as mask behind '&', not 'x'");
  EXPECT_EQ(error_of("echo"),
            "'echo' is a port and an ICMP type: expected 'port echo' or 'icmp type echo'");
  EXPECT_EQ(error_of("]"), "unexpected character ']'");
  EXPECT_EQ(error_of(std::string(1000, '(')), "nested too deeply, more than 200 levels");
}

}  // namespace
}  // namespace headroom::classify::test
