#include "headroom/click/lexer.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace headroom::click {
namespace {

using testing::ElementsAre;

struct Lexed {
  std::vector<std::string> texts;
  std::vector<std::string> places;  // "line:column", with the file's name when it is not "f"
  std::vector<TokenKind> kinds;
  std::string messages;
};

Lexed lex(const std::string& text) {
  Diagnostics diagnostics;
  Lexer lexer(diagnostics.sources().add("f", text), diagnostics);
  Lexed lexed;
  for (;;) {
    const Token token = lexer.next();
    if (token.is(TokenKind::end)) break;
    lexed.texts.emplace_back(token.text);
    lexed.kinds.push_back(token.kind);
    const std::string& name = diagnostics.sources().name(token.where.file);
    lexed.places.push_back((name == "f" ? "" : name + ':') + std::to_string(token.where.line) +
                           ':' + std::to_string(token.where.column));
  }
  lexed.messages = diagnostics.render(Diagnostics::Form::plain);
  return lexed;
}

TEST(Lexer, Identifiers) {
  EXPECT_THAT(lex("a 1x 0x2 @y x@1 a/b/c _").texts,
              ElementsAre("a", "1x", "0x2", "@y", "x@1", "a/b/c", "_"));
  EXPECT_THAT(lex("a/ /b a/;").texts, ElementsAre("a", "/", "/", "b", "a", "/", ";"));
  EXPECT_THAT(lex("a/b//c\nd").texts, ElementsAre("a/b", "d"));
  EXPECT_THAT(lex("a/*c*/b").texts, ElementsAre("a", "b"));
}

TEST(Lexer, KeywordsAndVariables) {
  const Lexed lexed = lex("elementclass require provide define $x $ $a1_b-");
  EXPECT_THAT(lexed.kinds, ElementsAre(TokenKind::elementclass, TokenKind::require,
                                       TokenKind::provide, TokenKind::define, TokenKind::variable,
                                       TokenKind::variable, TokenKind::variable, TokenKind::byte));
  EXPECT_THAT(lexed.texts,
              ElementsAre("elementclass", "require", "provide", "define", "$x", "$", "$a1_b", "-"));
  EXPECT_THAT(lex("defined").kinds, ElementsAre(TokenKind::identifier));
}

TEST(Lexer, Operators) {
  EXPECT_THAT(lex("a->b=>c::d||...;,()[]{}|-=:..\xC3").texts,
              ElementsAre("a", "->", "b", "=>", "c", "::", "d", "||", "...", ";", ",", "(", ")",
                          "[", "]", "{", "}", "|", "-", "=", ":", ".", ".", "\xC3"));
  EXPECT_THAT(lex("->=>").kinds, ElementsAre(TokenKind::arrow, TokenKind::fat_arrow));
}

TEST(Lexer, Comments) {
  EXPECT_THAT(lex("a // b\rc /* d\n * e */ f /* unterminated").texts, ElementsAre("a", "c", "f"));
  EXPECT_THAT(lex("/**/a/*/*/b").texts, ElementsAre("a", "b"));
  EXPECT_EQ(lex("/* unterminated").messages, "");
}

TEST(Lexer, LinesEndInLfCrOrBoth) {
  EXPECT_THAT(lex("a b\nc\rd\r\ne\n\r\n  f").places,
              ElementsAre("1:1", "1:3", "2:1", "3:1", "4:1", "6:3"));
  EXPECT_THAT(lex("/*\r\n*/ a").places, ElementsAre("2:4"));
}

TEST(Lexer, LineDirectives) {
  EXPECT_THAT(lex("# 12 \"g\"\na\nb").places, ElementsAre("g:12:1", "g:13:1"));
  EXPECT_THAT(lex("a\n#line 40 \"g\"\r\nb\n# 7\nc\n#5 \"\"\nd").places,
              ElementsAre("1:1", "g:40:1", "g:7:1", "5:1"));
  EXPECT_THAT(lex("# 3 \"a\\x62\" 1 2\nx").places, ElementsAre("ab:3:1"));
  EXPECT_THAT(lex("a # 3").texts, ElementsAre("a", "#", "3"));
}

TEST(Lexer, BadLineDirectives) {
  for (const char* text : {"#\na", "# include\na", "# 12x\na", "#line\na", "# 12 foo\na",
                           "#define x\na", "# 9999999999\na"}) {
    const Lexed lexed = lex(text);
    EXPECT_EQ(lexed.messages, "f:1: unknown preprocessor directive\n") << text;
    EXPECT_THAT(lexed.places, ElementsAre("2:1")) << text;
  }
}

TEST(Lexer, TwoTokensOfLookahead) {
  Diagnostics diagnostics;
  Lexer lexer(diagnostics.sources().add("f", "a b c"), diagnostics);
  EXPECT_EQ(lexer.peek(1).text, "b");
  EXPECT_EQ(lexer.peek().text, "a");
  EXPECT_EQ(lexer.next().text, "a");
  EXPECT_EQ(lexer.peek(1).text, "c");
  EXPECT_EQ(lexer.next().text, "b");
  EXPECT_EQ(lexer.next().text, "c");
  EXPECT_TRUE(lexer.peek(1).is(TokenKind::end));
  EXPECT_TRUE(lexer.next().is(TokenKind::end));
  EXPECT_TRUE(lexer.next().is(TokenKind::end));
}

// The configuration string of "X(...".
ConfigText config(const std::string& text, std::string* rest = nullptr) {
  Diagnostics diagnostics;
  Lexer lexer(diagnostics.sources().add("f", text), diagnostics);
  lexer.next();
  lexer.next();
  ConfigText config = lexer.config_text();
  if (rest) *rest = lexer.next().text;
  return config;
}

TEST(Lexer, ConfigurationStrings) {
  std::string rest;
  EXPECT_EQ(config("X(a, (b), c) -> d", &rest).text, "a, (b), c");
  EXPECT_EQ(rest, "->");
  EXPECT_EQ(config("X()").text, "");
  EXPECT_EQ(config("X(\"a)\\\")\", ')\\', (\"(\"))").text, "\"a)\\\")\", ')\\', (\"(\")");
  EXPECT_EQ(config("X(a /* ) */ // )\n b)").text, "a /* ) */ // )\n b");
  EXPECT_EQ(config("X(\\<29 /*>*/ ) > b)").text, "\\<29 /*>*/ ) > b");
  EXPECT_EQ(config("X(\"\\<22\">)\"\n)").text, "\"\\<22\">)\"\n");
  EXPECT_EQ(config("X([ { \xC3\xA9 \\) y").text, "[ { \xC3\xA9 \\");
  EXPECT_EQ(config("X(a").text, "a");
  EXPECT_FALSE(config("X(a").closed);
  EXPECT_FALSE(config("X(a \"b)").closed);
  EXPECT_TRUE(config("X(a)").closed);
  EXPECT_EQ(config("X(a)").where.column, 3U);
}

TEST(Lexer, LineDirectivesInConfigurationStrings) {
  EXPECT_EQ(config("X(a,\n# 7 \"g\"\nb, \"\n# c\")").text, "a,\n\nb, \"\n# c\"");
  EXPECT_EQ(config("X(a # 1)").text, "a # 1");
}

}  // namespace
}  // namespace headroom::click
