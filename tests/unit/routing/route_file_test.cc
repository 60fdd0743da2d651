#include "headroom/routing/route_file.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>

namespace headroom {
namespace {

std::string text_of(const RouteFile& file) {
  std::string text;
  for (const Ip4Route& route : file.routes)
    text += route.prefix.to_string() + " " + route.hop.gateway.to_string() + " " +
            std::to_string(route.hop.port) + "\n";
  for (const auto& mistake : file.mistakes)
    text += std::to_string(mistake.line) + ":" + std::to_string(mistake.column) + ": " +
            mistake.message + "\n";
  return text;
}

std::string parsed(std::string_view text) {
  return text_of(parse_route_file(text, {.outputs = 3}));
}

TEST(RouteFile, Routes) {
  EXPECT_EQ(parsed("10.0.0.0/8 1.2.3.4 1"), "10.0.0.0/8 1.2.3.4 1\n");
  EXPECT_EQ(parsed("10.0.0.0/8 - 1\n"), "10.0.0.0/8 0.0.0.0 1\n");
  EXPECT_EQ(parsed("10.0.0.0/8 0.0.0.0 1\n"), "10.0.0.0/8 0.0.0.0 1\n");
  EXPECT_EQ(parsed("10.0.0.0/8 1\n"), "10.0.0.0/8 0.0.0.0 1\n");
  EXPECT_EQ(parsed("0/0 1.2.3.4 0\n255.255.255.255 - 2"),
            "0.0.0.0/0 1.2.3.4 0\n255.255.255.255/32 0.0.0.0 2\n");
  EXPECT_EQ(parsed("10.1.2.3/255.255.0.0 - 1\n10.1/16 - 2\n"),
            "10.1.0.0/16 0.0.0.0 1\n10.1.0.0/16 0.0.0.0 2\n")
      << "host bits do not count, and what is twice is told twice";
}

TEST(RouteFile, BlanksCommentsAndLineEnds) {
  EXPECT_EQ(parsed(""), "");
  EXPECT_EQ(parsed("\n\n \t\n# nothing\n   # 10.0.0.0/8 - 1\n#"), "");
  EXPECT_EQ(parsed("\t 10.0.0.0/8\t\t-\t\t1 \t\r\n11.0.0.0/8 - 2# no blank before it\r\n"),
            "10.0.0.0/8 0.0.0.0 1\n11.0.0.0/8 0.0.0.0 2\n");
}

TEST(RouteFile, MistakesHaveAPlace) {
  EXPECT_EQ(parsed("# routes\n  10.0.0.0/33 - 1\n"), "2:3: should be a prefix, as 10.1.0.0/16\n");
  for (const char* wrong : {"x", "10.0.0/32", "10.0.0.0.0/8", "1e1.0.0.0/8", "-", "10.0.0.0/", "/8",
                            "10.0.0.0/-1", "10.0.0.0/255.0.255.0", "010.0.0.0/8", "::/0"})
    EXPECT_EQ(parsed(std::string(wrong) + " - 1"), "1:1: should be a prefix, as 10.1.0.0/16\n")
        << wrong;
  EXPECT_EQ(parsed("10.0.0.0/8"), "1:11: the number of an output is missing\n");
  EXPECT_EQ(parsed("10.0.0.0/8   # 1"), "1:11: the number of an output is missing\n");
  EXPECT_EQ(parsed("10.0.0.0/8 -"), "1:13: the number of an output is missing\n");
  EXPECT_EQ(parsed("10.0.0.0/8 1.2.3.4\n"), "1:19: the number of an output is missing\n");
  for (const char* wrong : {"1.2.3", "1.2.3.256", "1.2.3.4/32", "1", "--", "gateway"})
    EXPECT_EQ(parsed("10.0.0.0/8 " + std::string(wrong) + " 1"),
              "1:12: should be the address of the next hop, or -\n")
        << wrong;
  for (const char* wrong : {"x", "-1", "+1", "1.0", "0x1", "1.2.3.4", "99999999999999999999999"})
    EXPECT_EQ(parsed("10.0.0.0/8 - " + std::string(wrong)),
              "1:14: should be the number of an output\n")
        << wrong;
  EXPECT_EQ(parsed("10.0.0.0/8 - 3"), "1:14: output 3 out of range, bound 2\n");
  EXPECT_EQ(parsed("10.0.0.0/8 4294967297"), "1:12: output 4294967297 out of range, bound 2\n");
  EXPECT_EQ(parsed("10.0.0.0/8 - 1 2 3"), "1:16: nothing may follow the output but a comment\n");
  EXPECT_EQ(parsed("10.0.0.0/8 1 1"), "1:12: should be the address of the next hop, or -\n");
  EXPECT_EQ(parsed(std::string_view("10.0.0.0/8\0 - 1", 15)),
            "1:1: should be a prefix, as 10.1.0.0/16\n");
}

TEST(RouteFile, AllMistakesAreCountedAndTheFirstKept) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "10.0.0.0/8 - 1\n10.0.0.0/8 - 4\n";
  const RouteFile file = parse_route_file(text, {.outputs = 3});
  EXPECT_EQ(file.mistake_count, 1000U);
  ASSERT_EQ(file.mistakes.size(), 10U);
  EXPECT_EQ(file.mistakes[9].line, 20U);
  EXPECT_EQ(file.routes.size(), 1000U);
}

// Whatever the bytes: every line is a route, a mistake or nothing, and places lie in the text.
TEST(RouteFile, AnyBytes) {
  std::mt19937 random(1);
  constexpr std::string_view kPieces[] = {
      "10.0.0.0/8", " ", "-", "1", "\n", "#", "\t", ".", "/", "0", "\r", "255.255.255.255", "\xff"};
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (auto count = random() % 30; count > 0; --count)
      text += random() % 8 == 0 ? std::string(1, static_cast<char>(random()))
                                : std::string(kPieces[random() % std::size(kPieces)]);
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    const RouteFile file = parse_route_file(text, {.outputs = 3});
    ASSERT_LE(file.routes.size() + file.mistake_count, lines);
    ASSERT_EQ(file.mistakes.size(), std::min<std::size_t>(file.mistake_count, 10));
    for (const auto& mistake : file.mistakes) {
      ASSERT_LE(mistake.line, lines);
      ASSERT_LE(mistake.column, text.size() + 1);
    }
  }
}

}  // namespace
}  // namespace headroom
