#include "headroom/script/functions.hh"

#include <gmock/gmock.h>
#include <unistd.h>

#include <string>

namespace headroom::script {
namespace {

// The value, or "error: " and the reason.
std::string call(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(' '));
  const std::string_view parameters = text.substr(std::min(name.size() + 1, text.size()));
  for (const Function& function : functions()) {
    if (function.name != name) continue;
    std::string error;
    return function.call(parameters, error).value_or("error: " + error);
  }
  return "no such function";
}

TEST(ScriptFunctions, Arithmetic) {
  EXPECT_EQ(call("add 10 5 2"), "17");
  EXPECT_EQ(call("add 0x10 010 1_000"), "1024");
  EXPECT_EQ(call("add 1 2.5"), "3.5");
  EXPECT_EQ(call("sub 10 5 2"), "3");
  EXPECT_EQ(call("sub 5"), "5");
  EXPECT_EQ(call("mul 3 -4"), "-12");
  EXPECT_EQ(call("div 7 2"), "3.5");
  EXPECT_EQ(call("div 8 2"), "4");
  EXPECT_EQ(call("idiv 7 2"), "3");
  EXPECT_EQ(call("idiv -7 2"), "-3");
  EXPECT_EQ(call("idiv 7.5 2"), "3");
  EXPECT_EQ(call("mod 7 3"), "1");
  EXPECT_EQ(call("mod -7 3"), "2");
  EXPECT_EQ(call("rem -7 3"), "-1");
  EXPECT_EQ(call("rem 7.5 2"), "1.5");
  EXPECT_EQ(call("neg 5"), "-5");
  EXPECT_EQ(call("neg -2.5"), "2.5");
  EXPECT_EQ(call("abs -5"), "5");
  EXPECT_EQ(call("min 3 1 2"), "1");
  EXPECT_EQ(call("max 3 10.5 2"), "10.5");
}

TEST(ScriptFunctions, TheEdgesOfIntegers) {
  EXPECT_EQ(call("add 9223372036854775807 1"), "-9223372036854775808");
  EXPECT_EQ(call("idiv -9223372036854775808 -1"), "-9223372036854775808");
  EXPECT_EQ(call("mod -9223372036854775808 -1"), "0");
  EXPECT_EQ(call("neg -9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(call("mul 4294967296 4294967296"), "0");
}

TEST(ScriptFunctions, WhatMakesNoSense) {
  for (const char* text : {"add",
                           "add x",
                           "add 1 x",
                           "div 1 0",
                           "idiv 1 0",
                           "mod 1 0",
                           "mod 1.5 1",
                           "rem 1 0.0",
                           "div 1",
                           "div 1 2 3",
                           "neg",
                           "neg 1 2",
                           "abs x",
                           "eq 1",
                           "lt 1 2 3",
                           "not",
                           "not maybe",
                           "and true 2",
                           "if true",
                           "if x 1 2",
                           "in",
                           "random x",
                           "random 0",
                           "random 5 1",
                           "random 1 2 3",
                           "htons 65536",
                           "htonl -1",
                           "sprintf",
                           "sprintf %d",
                           "sprintf %d x",
                           "sprintf %d 1 2",
                           "sprintf %",
                           "sprintf %q 1",
                           "sprintf %9999999s x",
                           "sprintf %9999d 1",
                           "cat /nonexistent/file"})
    EXPECT_THAT(call(text), testing::StartsWith("error: ")) << text;
}

TEST(ScriptFunctions, Comparisons) {
  EXPECT_EQ(call("eq 10 0xA"), "true");
  EXPECT_EQ(call("eq 10x 10x"), "true");
  EXPECT_EQ(call("ne 1 1.0"), "false");
  EXPECT_EQ(call("le 9 8"), "false");
  EXPECT_EQ(call("lt 9 10"), "true");
  EXPECT_EQ(call("lt 9x 10x"), "false");  // as text
  EXPECT_EQ(call("gt 2 -2"), "true");
  EXPECT_EQ(call("ge 2 2"), "true");
  EXPECT_EQ(call("eq \"a b\" 'a b'"), "true");
}

TEST(ScriptFunctions, Logic) {
  EXPECT_EQ(call("not true"), "false");
  EXPECT_EQ(call("and true 1 yes"), "true");
  EXPECT_EQ(call("and true no"), "false");
  EXPECT_EQ(call("or false no"), "false");
  EXPECT_EQ(call("or no yes"), "true");
  EXPECT_EQ(call("nand true true"), "false");
  EXPECT_EQ(call("nor false false"), "true");
  EXPECT_EQ(call("if true a b"), "a");
  EXPECT_EQ(call("if false a \"b c\""), "b c");
  EXPECT_EQ(call("if false a"), "");
  EXPECT_EQ(call("in b a b c"), "true");
  EXPECT_EQ(call("in d a b c"), "false");
}

TEST(ScriptFunctions, Text) {
  EXPECT_EQ(call("first a b"), "a");
  EXPECT_EQ(call("first"), "");
  EXPECT_EQ(call("length abcd"), "4");
  EXPECT_EQ(call("unquote \"a\\\\b\""), "a\\b");
  EXPECT_EQ(call("sprintf \"%05x|%-5s|%5.1f|%c|%%|%d\" 127 ab 3.14159 xyz 2.9"),
            "0007f|ab   |  3.1|x|%|2");
  EXPECT_EQ(call("sprintf %n 1"), "error: bad conversion '%n'");
  EXPECT_EQ(call("htons 1"), "256");
  EXPECT_EQ(call("ntohl 1"), "16777216");
}

TEST(ScriptFunctions, Kill) {
  const std::string self = std::to_string(getpid());
  // CONT and WINCH do nothing to a process that runs.
  EXPECT_EQ(call("kill WINCH " + self), "true");
  EXPECT_EQ(call("kill SIGCONT " + self + " " + self), "true");
  EXPECT_EQ(call("kill 28 " + self), "true");
  EXPECT_EQ(call("kill WINCH " + self + " 999999999"), "false");
  EXPECT_EQ(call("kill NONE " + self), "error: unknown signal 'NONE'");
  EXPECT_EQ(call("kill 0 " + self), "error: unknown signal '0'");
  EXPECT_EQ(call("kill 65 " + self), "error: unknown signal '65'");
  EXPECT_EQ(call("kill winch " + self), "error: unknown signal 'winch'");
  EXPECT_EQ(call("kill WINCH"), "error: needs a signal and processes");
  EXPECT_EQ(call("kill WINCH 0"), "error: bad process ID '0'");
  EXPECT_EQ(call("kill WINCH -1"), "error: bad process ID '-1'");
  EXPECT_EQ(call("kill WINCH x"), "error: bad process ID 'x'");
}

TEST(ScriptFunctions, RandomStaysInItsRange) {
  bool low = false;
  bool high = false;
  for (int i = 0; i < 1000; ++i) {
    const int value = std::stoi(call("random 3 5"));
    ASSERT_GE(value, 3);
    ASSERT_LE(value, 5);
    low |= value == 3;
    high |= value == 5;
    ASSERT_LT(std::stoi(call("random 2")), 2);
  }
  EXPECT_TRUE(low && high);
}

}  // namespace
}  // namespace headroom::script
