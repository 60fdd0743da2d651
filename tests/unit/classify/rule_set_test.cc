#include "headroom/classify/rule_set.hh"

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <random>

#include "headroom/classify/pattern.hh"
#include "packets.hh"

namespace headroom::classify::test {
namespace {

using Bytes = std::vector<uint8_t>;
using Random = std::mt19937;

Expression parsed(std::string_view pattern) {
  PatternError error;
  auto expression = parse_pattern(pattern, {}, error);
  EXPECT_TRUE(expression) << pattern << ": " << error.message;
  return expression.value_or(Expression());
}
std::vector<Expression> parsed(const std::vector<std::string>& patterns) {
  std::vector<Expression> made;
  for (const std::string& pattern : patterns) made.push_back(parsed(pattern));
  return made;
}

uint32_t pick(Random& random, uint32_t bound) { return static_cast<uint32_t>(random()) % bound; }
std::string pick(Random& random, const std::vector<std::string>& from) {
  return from[pick(random, static_cast<uint32_t>(from.size()))];
}

// Few values, so that rules overlap and packets hit them.
std::string random_address(Random& random) {
  return "10." + std::to_string(pick(random, 2)) + "." + std::to_string(pick(random, 3)) + "." +
         std::to_string(pick(random, 5));
}
std::string random_primitive(Random& random) {
  const std::string direction = pick(random, {"", "src ", "dst ", "src or dst ", "src and dst "});
  const std::string relation = pick(random, {"", "== ", "!= ", "> ", "< ", ">= ", "<= "});
  const std::string equality = pick(random, {"", "== ", "!= "});
  const std::string port =
      std::to_string(pick(random, 3) == 0 ? random() % 65536 : 78 + pick(random, 6));
  switch (pick(random, 17)) {
    case 0:
    case 1:
      return direction + "host " + equality + random_address(random);
    case 2:
    case 3:
      return direction + "net " + equality + random_address(random) + "/" +
             std::to_string(pick(random, 33));
    case 4:
    case 5:
      return direction + pick(random, {"", "tcp ", "udp "}) + "port " + relation + port;
    case 6:
      return direction + "port & " + std::to_string(pick(random, 8)) + " " + relation +
             std::to_string(pick(random, 8));
    case 7:
      return "proto " + equality + pick(random, {"tcp", "udp", "icmp", "6", "47", "transp"});
    case 8:
      return "tcp opt " + equality + pick(random, {"syn", "fin", "ack", "rst"});
    case 9:
      return "ip " + pick(random, {"vers", "hl", "tos", "dscp", "ttl", "len", "id"}) + " " +
             relation + std::to_string(pick(random, 16));
    case 10:
      return pick(random, {"ip frag", "ip unfrag", "ip ect", "ip ce"});
    case 11:
      return "icmp type " + relation + pick(random, {"echo", "0", "3", "11"});
    case 12:
      return "tcp win " + relation + std::to_string(pick(random, 4));
    case 13:
      return pick(random, {"ip", "tcp", "udp", "transp", "icmp"}) + "[" +
             std::to_string(pick(random, 28)) + ":" + std::to_string(1 + pick(random, 4)) +
             "] & 0x" + pick(random, {"1", "f", "80", "ff"}) + " " + relation +
             std::to_string(pick(random, 4));
    case 14:
      return direction + "ether host " + equality + "02:00:00:00:00:0" +
             std::to_string(pick(random, 3));
    case 15:
      return pick(random, {"tcp", "udp", "icmp"});
    default:
      return pick(random, {"true", "false", "-"});
  }
}
std::string random_pattern(Random& random, int depth) {
  if (depth == 0 || pick(random, 3) == 0) return random_primitive(random);
  const auto part = [&] { return "(" + random_pattern(random, depth - 1) + ")"; };
  switch (pick(random, 6)) {
    case 0:
      return "not " + part();
    case 1:
      return part() + " ? " + part() + " : " + part();
    case 2:
    case 3:
      return part() + " or " + part() + (pick(random, 2) == 0 ? "" : " or " + part());
    default:
      return part() + " and " + part() + (pick(random, 2) == 0 ? "" : " and " + part());
  }
}

// Headers of all sorts, also short, malformed and later fragments.
Bytes random_packet(Random& random) {
  TestPacket made;
  made.source = random_address(random);
  made.destination = random_address(random);
  made.protocol = std::array<uint8_t, 6>{6, 6, 17, 17, 1, 47}[pick(random, 6)];
  made.tos = static_cast<uint8_t>(pick(random, 8));
  made.id = static_cast<uint16_t>(pick(random, 20));
  made.ttl = static_cast<uint8_t>(pick(random, 20));
  if (pick(random, 5) == 0)
    made.fragment = std::array<uint16_t, 4>{0x4000, 0x2000, 0x2001, 7}[pick(random, 4)];
  if (pick(random, 4) == 0) made.option_words = static_cast<uint8_t>(pick(random, 11));
  made.transport.resize(pick(random, 24));
  for (uint8_t& byte : made.transport) byte = static_cast<uint8_t>(pick(random, 4));
  if (made.transport.size() >= 4 && made.protocol != 1)
    made.ports(static_cast<uint16_t>(78 + pick(random, 6)),
               static_cast<uint16_t>(pick(random, 4) == 0 ? random() : 78 + pick(random, 6)));
  Bytes bytes = made.build();
  if (pick(random, 12) == 0) bytes[0] = static_cast<uint8_t>(random());
  if (pick(random, 6) == 0) bytes.resize(pick(random, static_cast<uint32_t>(bytes.size()) + 1));
  return bytes;
}
Bytes random_ether(Random& random) {
  if (pick(random, 4) == 0) return {};
  Bytes bytes(14);
  bytes[0] = bytes[6] = 2;
  bytes[5] = static_cast<uint8_t>(pick(random, 3));
  bytes[11] = static_cast<uint8_t>(pick(random, 3));
  return bytes;
}

// On the heap and no longer than the packet, so that a sanitizer build sees bytes read beside it.
uint32_t find(const RuleSet& rules, const Bytes& packet, const Bytes& ether) {
  const auto bytes = std::make_unique<uint8_t[]>(packet.size());
  std::copy(packet.begin(), packet.end(), bytes.get());
  return rules.find(HeaderView(bytes.get(), static_cast<uint32_t>(packet.size()),
                               ether.empty() ? nullptr : ether.data()));
}
uint32_t plainly_find(const std::vector<Expression>& rules, const Bytes& packet,
                      const Bytes& ether) {
  for (uint32_t i = 0; i < rules.size(); ++i)
    if (plainly(rules[i], packet, ether)) return i;
  return RuleSet::kNone;
}

void expect_agreement(const std::vector<std::string>& patterns, Random& random, int packets,
                      const std::function<Bytes(Random&)>& make = random_packet) {
  const std::vector<Expression> rules = parsed(patterns);
  RuleSet set;
  set.compile(rules);
  for (int i = 0; i < packets; ++i) {
    const Bytes packet = make(random);
    const Bytes ether = random_ether(random);
    const uint32_t expected = plainly_find(rules, packet, ether);
    ASSERT_EQ(find(set, packet, ether), expected)
        << testing::PrintToString(packet) << "\n"
        << (expected == RuleSet::kNone ? "no rule" : patterns[expected]);
    for (const uint32_t unreachable : set.unreachable()) ASSERT_NE(expected, unreachable);
  }
}

TEST(RuleSet, AgreesWithPlainEvaluation) {
  Random random(1);
  for (int round = 0; round < 4000; ++round) {
    std::vector<std::string> patterns;
    for (uint32_t i = pick(random, 12) + 1; i > 0; --i)
      patterns.push_back(random_pattern(random, static_cast<int>(pick(random, 4))));
    expect_agreement(patterns, random, 50);
    if (HasFatalFailure()) return;
  }
}

// Enough rules for steps within steps.
TEST(RuleSet, AgreesWithPlainEvaluationOnManyRules) {
  Random random(2);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::string> patterns;
    for (int i = 0; i < 300; ++i) {
      std::string pattern = random_primitive(random);
      for (uint32_t more = pick(random, 4); more > 0; --more)
        pattern += pick(random, {" and ", " and ", " or "}) + random_primitive(random);
      if (pattern.find("true") == std::string::npos && pattern.find('-') == std::string::npos)
        patterns.push_back("port 80 and len < 70 and (" + pattern + ")");
    }
    expect_agreement(patterns, random, 200);
    if (HasFatalFailure()) return;
  }
}

TEST(RuleSet, ManyRulesThatDifferInARangeOnly) {
  Random random(3);
  std::vector<std::string> patterns;
  for (int i = 0; i < 500; ++i) {
    const uint32_t low = pick(random, 65000);
    patterns.push_back("dst host 10.0.0.1 and dst port >= " + std::to_string(low) +
                       " and <= " + std::to_string(low + pick(random, 200)));
  }
  const auto make = [](Random& from) {
    TestPacket packet;
    packet.destination = "10.0.0.1";
    return packet.ports(5, static_cast<uint16_t>(from())).build();
  };
  expect_agreement(patterns, random, 5000, make);
}

TEST(RuleSet, TenThousandRules) {
  Random random(4);
  const auto address = [&] {
    return std::to_string(1 + pick(random, 220)) + "." + std::to_string(pick(random, 256)) + "." +
           std::to_string(pick(random, 256)) + "." + std::to_string(pick(random, 256));
  };
  std::vector<std::string> patterns;
  std::vector<std::pair<std::string, std::string>> pairs;
  for (int i = 0; i < 10000; ++i) {
    pairs.emplace_back(address(), address());
    const auto& [source, destination] = pairs.back();
    const std::string length = "/" + std::to_string(8 + pick(random, 25));
    const std::string port = std::to_string(pick(random, 3000));
    patterns.push_back(
        pick(random, {"src host " + source + " and dst host " + destination,
                      "src net " + source + length + " and dst net " + destination + "/24",
                      "src net " + source + "/16 and tcp dst port " + port,
                      "dst host " + destination + " and dst port > " + port,
                      "dst net " + destination + length + " and udp src port " + port,
                      "host " + source + " and not icmp"}));
  }
  const std::vector<Expression> rules = parsed(patterns);
  RuleSet set;
  set.compile(rules);
  EXPECT_LT(set.memory(), 20'000'000u);
  for (int i = 0; i < 3000; ++i) {
    const auto& [source, destination] = pairs[pick(random, 10000)];
    TestPacket packet;
    packet.source = source;
    packet.destination = pick(random, 2) == 0 ? destination : pairs[pick(random, 10000)].second;
    packet.protocol = pick(random, 2) == 0 ? 6 : 17;
    packet.ports(static_cast<uint16_t>(pick(random, 3000)),
                 static_cast<uint16_t>(pick(random, 6000)));
    const Bytes bytes = packet.build();
    ASSERT_EQ(find(set, bytes, {}), plainly_find(rules, bytes, {}));
  }
}

// One pattern with very many alternatives, and one whose alternatives would be too many.
TEST(RuleSet, LongPatterns) {
  Random random(5);
  std::string hosts = "src host 10.0.0.0";
  for (int i = 1; i < 3000; ++i)
    hosts += " or 10.0." + std::to_string(i / 256) + "." + std::to_string(i % 256);
  std::string product = "tcp";
  for (int i = 0; i < 30; ++i)
    product += " and (src port > " + std::to_string(i) + " or dst host " + random_address(random) +
               " or ttl " + std::to_string(i) + ")";
  std::string choices = "tcp";
  for (int i = 0; i < 60; ++i) choices = "(" + choices + ") ? udp : ttl " + std::to_string(i);
  expect_agreement({"(" + hosts + ") and (port 80 or 81)", product, choices, hosts}, random, 2000);
}

TEST(RuleSet, TextOfLongPatterns) {
  std::string product = "tcp";
  for (int i = 0; i < 100; ++i)
    product += " and (src port > " + std::to_string(i) + " or not dst host 10.0.0." +
               std::to_string(i) + " or ttl " + std::to_string(i) + ")";
  RuleSet set;
  set.compile(parsed(std::vector<std::string>{product}));
  const std::vector<std::string> names{"[0]"};
  EXPECT_LT(set.text(names).size(), 2'000'000u);
}

TEST(RuleSet, UnreachableRules) {
  RuleSet set;
  set.compile(parsed({"tcp and udp", "tcp", "ttl > 255 or false", "not false", "udp", "-"}));
  EXPECT_THAT(set.unreachable(), testing::ElementsAre(0, 2, 4, 5));
  set.compile({});
  EXPECT_EQ(find(set, TestPacket().build(), {}), RuleSet::kNone);
  EXPECT_EQ(set.text({}), "no rule can match\n");
}

TEST(RuleSet, Text) {
  const std::vector<std::string> names{"[0]", "[1]", "[X]"};
  RuleSet set;
  set.compile(parsed({"src host 10.0.0.1 and tcp dst port 80", "ip ttl < 5 and not icmp", "-"}));
  EXPECT_EQ(set.text(names),
            "    0 [0] if ip[9:1]=06 ip[12:4]=0a000001 transp[2:2]=0050 ip-bytes>=16 "
            "transp-bytes>=4\n"
            "    1 [1] if ip[8:1]=00%f8 ip-bytes>=9 and check 0 and check 1\n"
            "    2 [X] if any\n"
            "check 0\n  test 0 ip[8:1]<=4 ? true : false\n"
            "check 1\n  test 1 ip[9:1]==1 ? false : true\n");
  std::vector<std::string> patterns;
  for (int i = 0; i < 6; ++i) patterns.push_back("dst host 10.0.0." + std::to_string(i));
  patterns.push_back("udp");
  set.compile(parsed(patterns));
  const std::vector<std::string> ports{"[0]", "[1]", "[2]", "[3]", "[4]", "[5]", "[6]"};
  EXPECT_EQ(set.text(ports),
            "step 0\n"
            "  ip[19:1]=00%0f\n    0 [0] if ip[16:4]=0a000000 ip-bytes>=20\n"
            "  ip[19:1]=01%0f\n    1 [1] if ip[16:4]=0a000001 ip-bytes>=20\n"
            "  ip[19:1]=02%0f\n    2 [2] if ip[16:4]=0a000002 ip-bytes>=20\n"
            "  ip[19:1]=03%0f\n    3 [3] if ip[16:4]=0a000003 ip-bytes>=20\n"
            "  ip[19:1]=04%0f\n    4 [4] if ip[16:4]=0a000004 ip-bytes>=20\n"
            "  ip[19:1]=05%0f\n    5 [5] if ip[16:4]=0a000005 ip-bytes>=20\n"
            "  and always\n    6 [6] if ip[9:1]=11 ip-bytes>=10\n");
}

}  // namespace
}  // namespace headroom::classify::test
