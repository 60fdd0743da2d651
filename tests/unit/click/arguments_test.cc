#include "headroom/click/arguments.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace headroom::click {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> texts(std::string_view config) {
  std::vector<std::string> result;
  for (const Argument& argument : split_arguments(config)) result.push_back(argument.text);
  return result;
}
std::vector<uint32_t> offsets(std::string_view config) {
  std::vector<uint32_t> result;
  for (const Argument& argument : split_arguments(config)) result.push_back(argument.offset);
  return result;
}

TEST(SplitArguments, AtCommas) {
  EXPECT_THAT(texts("a, b c ,d"), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(texts("g(a, b)"), ElementsAre("g(a", "b)"));
  EXPECT_THAT(texts("[a,{b,c}]"), ElementsAre("[a", "{b", "c}]"));
}

TEST(SplitArguments, NotInQuotesCommentsOrBytes) {
  EXPECT_THAT(texts("\"a,\\\",b\", 'c,\\', \\<2C,2C>, d"),
              ElementsAre("\"a,\\\",b\"", "'c,\\'", "\\<2C,2C>", "d"));
  EXPECT_THAT(texts("a /* , */ b // , \" \n c, d"), ElementsAre("a b c", "d"));
  EXPECT_THAT(texts("\"unterminated, a"), ElementsAre("\"unterminated, a"));
}

TEST(SplitArguments, Empty) {
  EXPECT_THAT(texts(""), IsEmpty());
  EXPECT_THAT(texts(" /* nothing */ "), IsEmpty());
  EXPECT_THAT(texts("1, "), ElementsAre("1"));
  EXPECT_THAT(texts("1,,2"), ElementsAre("1", "", "2"));
  EXPECT_THAT(texts(","), ElementsAre(""));
  EXPECT_THAT(texts(",1"), ElementsAre("", "1"));
  EXPECT_THAT(texts("\"\""), ElementsAre("\"\""));
}

TEST(SplitArguments, Offsets) {
  EXPECT_THAT(offsets("a, b"), ElementsAre(0U, 3U));
  EXPECT_THAT(offsets(" a,\n  /* x */ b, ,c"), ElementsAre(1U, 14U, 17U, 18U));
}

TEST(Uncomment, KeepsInnerBlanks) {
  EXPECT_EQ(uncomment("  a  b\t"), "a  b");
  EXPECT_EQ(uncomment(" a /* x */ b"), "a b");
  EXPECT_EQ(uncomment("a/*x*//*y*/  // z\n b/*e*/"), "a b");
  EXPECT_EQ(uncomment("\" /* x */ \" '// y'"), "\" /* x */ \" '// y'");
  EXPECT_EQ(uncomment("// x"), "");
  EXPECT_EQ(uncomment("a / b"), "a / b");
  EXPECT_EQ(uncomment("\\< 00 /* > */ >/**/x"), "\\< 00 /* > */ > x");
}

TEST(SplitWords, AtBlanks) {
  EXPECT_THAT(split_words(" a  b\nc "), ElementsAre("a", "b", "c"));
  EXPECT_THAT(split_words("a\"b c\"' d'e f"), ElementsAre("a\"b c\"' d'e", "f"));
  EXPECT_THAT(split_words("a/* x */b// c"), ElementsAre("a", "b"));
  EXPECT_THAT(split_words("\\<00 01> x"), ElementsAre("\\<00 01>", "x"));
  EXPECT_THAT(split_words(" "), IsEmpty());
}

TEST(Unquote, Pieces) {
  EXPECT_EQ(unquote("a\"b\"'c'"), "abc");
  EXPECT_EQ(unquote("'a\\n\"'"), "a\\n\"");
  EXPECT_EQ(unquote("\"it's\""), "it's");
  EXPECT_EQ(unquote("a\\nb"), "a\\nb");
  EXPECT_EQ(unquote(""), "");
}

TEST(Unquote, Escapes) {
  EXPECT_EQ(unquote(R"("\a\b\f\n\r\t\v")"), "\a\b\f\n\r\t\v");
  EXPECT_EQ(unquote(R"("\0\12\1234\377")"), std::string("\0\n"
                                                        "S4\xFF",
                                                        5));
  EXPECT_EQ(unquote(R"("\x41\x1234g\xg")"), "A4gxg");
  EXPECT_EQ(unquote(R"("\"\\\$\q")"), "\"\\$q");
  EXPECT_EQ(unquote("\"a\\\nb\\\r\nc\\\rd\""), "abcd");
  EXPECT_EQ(unquote("\"a\\"), "a\\");
}

TEST(Unquote, Bytes) {
  EXPECT_EQ(unquote(R"(\<48 65, 6C/* 00 > */6c6F>!)"), "Hello!");
  EXPECT_EQ(unquote(R"("a\<42 4>c")"), "aBc");
  EXPECT_EQ(unquote(R"('\<42>')"), "\\<42>");
  EXPECT_EQ(unquote(R"(\<4142)"), "AB");
}

TEST(Quote, IsTheInverse) {
  EXPECT_EQ(quote("a \"b\" \\ $c\t\r\n"), R"("a \"b\" \\ \$c\t\r\n")");
  EXPECT_EQ(quote("\x01\x7F\xC3"), R"("\001\177\303")");
  EXPECT_EQ(quote(""), "\"\"");
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_EQ(unquote(quote(all)), all);
  EXPECT_EQ(unquote(quote("\\<41>")), "\\<41>");
}

TEST(Locate, CountsLines) {
  const SourceLocation start{1, 5, 20};
  const std::string_view config = "ab\ncd\r\nef\rgh";
  EXPECT_EQ(locate(start, config, 1), (SourceLocation{1, 5, 21}));
  EXPECT_EQ(locate(start, config, 4), (SourceLocation{1, 6, 2}));
  EXPECT_EQ(locate(start, config, 7), (SourceLocation{1, 7, 1}));
  EXPECT_EQ(locate(start, config, 11), (SourceLocation{1, 8, 2}));
  EXPECT_EQ(locate({}, config, 11), SourceLocation{});
}

}  // namespace
}  // namespace headroom::click
