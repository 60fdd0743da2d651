#include <random>

#include "../element_test.hh"

namespace headroom::test {
namespace {

// The same patterns by the letter of their documentation: clause by clause, nibble by nibble.
bool clause_matches(const std::string& clause, const Bytes& packet) {
  const std::size_t slash = clause.find('/');
  const std::size_t percent = clause.find('%');
  const std::string value = clause.substr(slash + 1, percent - slash - 1);
  const std::string mask =
      percent == std::string::npos ? std::string(value.size(), 'f') : clause.substr(percent + 1);
  const std::size_t offset = std::stoul(clause);
  for (std::size_t i = 0; i < value.size(); ++i) {
    const unsigned bits = static_cast<unsigned>(std::stoul(mask.substr(i, 1), nullptr, 16));
    if (value[i] == '?' || bits == 0) continue;
    if (offset + i / 2 >= packet.size()) return false;
    const unsigned byte = packet[offset + i / 2];
    const unsigned nibble = i % 2 == 0 ? byte >> 4 : byte & 15;
    const unsigned want = static_cast<unsigned>(std::stoul(value.substr(i, 1), nullptr, 16));
    if ((nibble & bits) != (want & bits)) return false;
  }
  return true;
}

bool pattern_matches(const std::string& pattern, const Bytes& packet) {
  if (pattern == "-") return true;
  std::istringstream words(pattern);
  for (std::string word; words >> word;)
    if (word[0] == '!' ? clause_matches(word.substr(1), packet) : !clause_matches(word, packet))
      return false;
  return true;
}

std::size_t expected_output(const std::vector<std::string>& patterns, const Bytes& packet) {
  for (std::size_t i = 0; i < patterns.size(); ++i)
    if (pattern_matches(patterns[i], packet)) return i;
  return patterns.size();
}

std::string classifier(const std::vector<std::string>& patterns) {
  std::string config = "in :: TestSource -> c :: Classifier(";
  for (std::size_t i = 0; i < patterns.size(); ++i) config += (i == 0 ? "" : ", ") + patterns[i];
  config += ");";
  for (std::size_t i = 0; i < patterns.size(); ++i)
    config += "c[" + std::to_string(i) + "] -> o" + std::to_string(i) + " :: TestSink;";
  return config;
}

// Sends the packets, and compares every output's packets and their order with what the patterns
// mean.
void expect_classified(const std::vector<std::string>& patterns, const std::vector<Bytes>& packets,
                       uint32_t batch_size, bool cut) {
  TestRouter test(classifier(patterns));
  std::vector<std::vector<Bytes>> expected(patterns.size() + 1);
  for (const Bytes& packet : packets) {
    auto& output = expected[expected_output(patterns, packet)];
    std::vector<Packet*> sent = cut && packet.size() > 1
                                    ? cut_everywhere(*test.pool, packet)
                                    : std::vector<Packet*>{Packet::make(*test.pool, packet)};
    output.insert(output.end(), sent.size(), packet);
    test.send_packets("in", sent, batch_size);
  }
  for (std::size_t i = 0; i < patterns.size(); ++i)
    EXPECT_EQ(bytes_at(test, "o" + std::to_string(i)), expected[i]) << "pattern " << i << "\n"
                                                                    << test.read("c.program");
  EXPECT_EQ(test.dropped("c", "no-match"), expected.back().size());
}

Bytes frame_of_type(std::string_view type, std::string_view behind = {}) {
  Bytes frame = concat({hex("020000000002 020000000001"), hex(type), hex(behind)});
  frame.resize(60);
  return frame;
}

TEST(Classifier, EtherTypes) {
  const std::vector<std::string> patterns{"12/0806 20/0001", "12/0806 20/0002", "12/0800", "-"};
  std::vector<Bytes> packets;
  for (int i = 0; i < 80; ++i) {
    packets.push_back(frame_of_type("0800", "45"));
    if (i % 3 == 0) packets.push_back(frame_of_type("0806", "0001 0800 06 04 0001"));
    if (i % 5 == 0) packets.push_back(frame_of_type("0806", "0001 0800 06 04 0002"));
    if (i % 7 == 0) packets.push_back(frame_of_type("0806", "0001 0800 06 04 0003"));
    if (i % 7 == 3) packets.push_back(frame_of_type("86dd"));
  }
  in_all_batch_sizes([&](uint32_t size) { expect_classified(patterns, packets, size, false); });
  expect_classified(patterns, {packets.begin(), packets.begin() + 12}, 256, true);
}

TEST(Classifier, PacketsOfEveryLength) {
  const std::vector<std::vector<std::string>> all{{"12/0800"},
                                                  {"12/0800", "-"},
                                                  {"0/00", "1/01", "-"},
                                                  {"3/03", "-"},
                                                  {"3/030405060708090a0b0c0d0e", "-"},
                                                  {"20/14%ff 30/??", "10/0a0b 12/0c", "-"},
                                                  {"!3/03", "!12/ffff", "-"},
                                                  {"!12/0c0d", "0/00 !0/00", "-"},
                                                  {"!3/030405060708090a0b0c0d0e", "-"},
                                                  {"40/28", "-"}};
  std::vector<Bytes> packets;
  for (std::size_t length = 0; length < 48; ++length) {
    packets.push_back(numbered(length));
    packets.push_back(numbered(length));
    if (length != 0) packets.back().back() ^= 0xff;
  }
  for (const auto& patterns : all) {
    SCOPED_TRACE(testing::PrintToString(patterns));
    expect_classified(patterns, packets, 256, false);
    expect_classified(patterns, packets, 256, true);
  }
}

TEST(Classifier, MasksAndWildcards) {
  std::vector<Bytes> packets;
  for (int i = 0; i < 256; ++i)
    packets.push_back({static_cast<uint8_t>(i), static_cast<uint8_t>(i * 7), 3, 4, 5, 6, 7, 8, 9});
  for (const std::vector<std::string>& patterns :
       {std::vector<std::string>{"0/4?", "0/?5", "1/0?%0f", "-"},
        {"0/80%80", "0/40%C0", "!0/00%0f", "-"},
        {"0/AbCd%F0f0", "0/?0??", "-"},
        {"0/0000%0000", "-"},
        {"0/01 0/??", "0/02 0/0?", "0/03 0/04", "0/05 0/05", "!0/06 !0/07", "-"}})
    expect_classified(patterns, packets, 64, false);
}

TEST(Classifier, WordsThatAreNotAskedTwice) {
  const std::vector<std::string> patterns{
      "0/01020304 8/01", "0/01020304 8/02", "0/01020305 8/01", "0/01020304", "8/01", "0/0102"};
  std::vector<Bytes> packets;
  for (const int third : {3, 4, 5, 6})
    for (const int eighth : {0, 1, 2, 3})
      packets.push_back({1, 2, static_cast<uint8_t>(third == 6 ? 9 : 3),
                         static_cast<uint8_t>(third), 0, 0, 0, 0, static_cast<uint8_t>(eighth)});
  expect_classified(patterns, packets, 256, true);
}

// Random patterns over few offsets and values, so that they overlap, repeat and contradict.
TEST(Classifier, RandomPatterns) {
  std::mt19937 random(1);
  auto pick = [&](unsigned n) { return random() % n; };
  for (int round = 0; round < 150; ++round) {
    std::vector<std::string> patterns;
    for (unsigned i = 0; i < 1 + pick(6); ++i) {
      std::string pattern;
      for (unsigned j = 0; j < 1 + pick(3); ++j) {
        std::string value;
        std::string mask;
        for (unsigned k = 0; k < 2 * (1 + pick(pick(5) == 0 ? 12 : 2)); ++k) {
          value += "0012?"[pick(5)];
          mask += "ff310"[pick(5)];
        }
        if (value.size() % 2 != 0) value.pop_back();
        if (value.size() < 2) value = "01";
        mask.resize(value.size(), 'f');
        pattern += std::string(pattern.empty() ? "" : " ") + (pick(4) == 0 ? "!" : "") +
                   std::to_string(pick(pick(3) == 0 ? 20 : 3)) + "/" + value +
                   (pick(2) == 0 ? "%" + mask : "");
      }
      patterns.push_back(pick(8) == 0 ? "-" : pattern);
    }
    std::vector<Bytes> packets;
    for (int i = 0; i < 60; ++i) {
      Bytes packet(pick(26));
      for (uint8_t& byte : packet) byte = static_cast<uint8_t>(pick(3) << 4 | pick(3));
      if (pick(2) == 0)
        for (uint8_t& byte : packet) byte = static_cast<uint8_t>(pick(2));
      packets.push_back(packet);
    }
    SCOPED_TRACE(testing::PrintToString(patterns));
    expect_classified(patterns, packets, 64, false);
    packets.resize(5);
    expect_classified(patterns, packets, 64, true);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Classifier, SharedAndShreddedPackets) {
  TestRouter test(classifier({"12/0800 30/0a000002", "-"}));
  const Bytes frame = Ip4Frame{}.build();
  Packet* shredded = make_shredded(*test.pool, frame, 40);
  Packet* cut = make_split(*test.pool, frame, 13);
  Packet* clone = cut->clone();
  test.send_packets("in", {shredded, cut, clone});
  EXPECT_EQ(bytes_at(test, "o0"), std::vector<Bytes>(3, frame));
}

TEST(Classifier, Program) {
  TestRouter test(classifier({"12/0806 20/0001", "12/0800", "-"}));
  EXPECT_EQ(test.read("c.program"),
            " 0   6/0000000000000806%000000000000ffff  yes->step 1  no->step 2\n"
            " 1  14/0000000000000001%000000000000ffff  yes->[0]  no->[2]\n"
            " 2   6/0000000000000800%000000000000ffff  yes->[1]  no->[2]\n");
  TestRouter all(classifier({"-"}));
  EXPECT_EQ(all.read("c.program"), "all->[0]\n");
}

std::string error_of(const std::string& patterns, int outputs = 1) {
  std::string config = "Idle -> c :: Classifier(" + patterns + ");";
  for (int i = 0; i < outputs; ++i) config += "c[" + std::to_string(i) + "] -> Idle;";
  const std::string text = errors_of(config);
  const std::string context = "config:1: While configuring 'c :: Classifier':\n";
  EXPECT_EQ(text.substr(0, context.size()), context);
  return text.substr(context.size());
}

TEST(Classifier, BadPatterns) {
  EXPECT_EQ(error_of("12/"), "  pattern 0: value has less than 2 hex digits\n");
  EXPECT_EQ(error_of("12/8"), "  pattern 0: value has less than 2 hex digits\n");
  EXPECT_EQ(error_of("12/xx"), "  pattern 0: value has less than 2 hex digits\n");
  EXPECT_EQ(error_of("foo"), "  pattern 0: expected a digit\n");
  EXPECT_EQ(error_of("-, !", 2), "  pattern 1: expected a digit\n");
  EXPECT_EQ(error_of("12/0800 -"), "  pattern 0: expected a digit\n");
  EXPECT_EQ(error_of(", -", 2), "  pattern 0: expected a digit\n");
  EXPECT_EQ(error_of("12"), "  pattern 0: expected '/' behind the offset\n");
  EXPECT_EQ(error_of("65536/00"), "  pattern 0: offset out of range, bound 65535\n");
  EXPECT_EQ(error_of("99999999999999/00"), "  pattern 0: offset out of range, bound 65535\n");
  EXPECT_EQ(error_of("12/080"), "  pattern 0: value has an odd number of hex digits\n");
  EXPECT_EQ(error_of("12/0800%ff"), "  pattern 0: mask has 2 hex digits, value has 4\n");
  EXPECT_EQ(error_of("12/08%f?"), "  pattern 0: mask has 1 hex digits, value has 2\n");
  EXPECT_EQ(error_of("12/08z"), "  pattern 0: expected a blank between clauses, not 'z'\n");
  EXPECT_EQ(error_of("12/0, 13/1", 2),
            "  pattern 0: value has less than 2 hex digits\n"
            "  pattern 1: value has less than 2 hex digits\n");
}

TEST(Classifier, NeedsAPatternForEachOutput) {
  EXPECT_EQ(error_of("12/0800, -"), "  1 outputs, but 2 patterns: it needs one for each\n");
  EXPECT_EQ(error_of("-", 3), "  3 outputs, but 1 patterns: it needs one for each\n");
  EXPECT_EQ(error_of(""), "  1 outputs, but 0 patterns: it needs one for each\n");
  EXPECT_EQ(error_of("12/0806 12/0800, -", 2),
            "  warning: pattern 0: matches no packets: it contradicts itself\n");
  EXPECT_EQ(errors_of("Idle -> c :: Classifier(-);"),
            "config:1: 'c :: Classifier' output 0 unused\n");
}

}  // namespace
}  // namespace headroom::test
