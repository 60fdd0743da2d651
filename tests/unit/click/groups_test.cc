// Element groups, and connections that begin or end without an element.
#include <gtest/gtest.h>

#include <string>

#include "reader_fixture.hh"

namespace headroom::click {
namespace {

std::string messages(std::string text) { return Reading(std::move(text)).messages(); }
std::string connections(const std::string& text) {
  const Reading reading("a, b, c, d :: Tee; " + text);
  EXPECT_EQ(reading.messages(), "") << text;
  return reading.connections();
}

TEST(Groups, AreASplice) {
  EXPECT_EQ(connections("a -> ( -> b -> ) -> c"), "b[0]->[0]c; a[0]->[0]b;");
  EXPECT_EQ(connections("a -> ( input -> b -> output ) -> c"), "b[0]->[0]c; a[0]->[0]b;");
  EXPECT_EQ(connections("a -> (->) -> (->) -> b"), "a[0]->[0]b;");
  EXPECT_EQ(connections("a -> ( -> ( -> b -> ) -> ) -> c"), "b[0]->[0]c; a[0]->[0]b;");
  EXPECT_EQ(connections("(a -> b)"), "a[0]->[0]b;");
  // Names are those of the scope around.
  EXPECT_EQ(connections("a -> ( -> x :: Tee ); x -> b"), "a[0]->[0]x; x[0]->[0]b;");
}

TEST(Groups, HaveAllTheirPortsWithoutSaying) {
  EXPECT_EQ(connections("a => ( [0] -> [0]; [1] -> [1] ) => b"), "a[0]->[0]b; a[1]->[1]b;");
  EXPECT_EQ(connections("a [0,1,2] => ( -> c ), ( -> b ), d"),
            "a[0]->[0]c; a[1]->[0]b; a[2]->[0]d;");
  EXPECT_EQ(connections("a => (-> b), (-> c), d"), "a[0]->[0]b; a[1]->[0]c; a[2]->[0]d;");
  EXPECT_EQ(connections("a => ( -> [1] b; [1] -> [2] b; [2] -> c)"),
            "a[0]->[1]b; a[1]->[2]b; a[2]->[0]c;");
  EXPECT_EQ(connections("x :: Idle => [1] a [1], (-> y :: Idle => (->), Print(1) ->) -> d"),
            "y[0]->[0]d; y[1]->[0]Print@13; Print@13[0]->[0]d; x[0]->[1]a; x[1]->[0]y; "
            "a[1]->[0]d;");
}

TEST(Groups, AreThreeElementsInTheNumbering) {
  const Reading reading("Idle -> ( -> Print -> ) -> Discard");
  EXPECT_EQ(reading.messages(), "");
  EXPECT_EQ(reading.elements(), "Idle@1 :: Idle; Print@5 :: Print; Discard@6 :: Discard;");
}

TEST(Groups, InCompoundElements) {
  const Reading reading(
      "f :: { a, b, c :: Idle; a => ( -> b ), c; -> a; c -> }; Idle -> f -> Idle");
  EXPECT_EQ(reading.messages(),
            "config:1: warning: suggest 'input ->' or '[0] ->' to start connection\n");
  EXPECT_EQ(reading.connections(),
            "Idle@2[0]->[0]f/a; f/a[0]->[0]f/b; f/a[1]->[0]f/c; f/c[0]->[0]Idle@3;");
}

TEST(Groups, Hookup) {
  EXPECT_EQ(messages("Idle -> ( Idle -> Discard )"), "config:1: '@2' has no input 0\n");
  EXPECT_EQ(messages("( -> Discard )"), "config:1: '@1' input 0 unused\n");
  EXPECT_EQ(messages("Idle -> ( -> Tee -> [0]; Tee -> [1] output ) [0] -> Discard"),
            "config:1: '@2' output 1 unused\n");
  EXPECT_EQ(messages("Idle -> ( input [1] -> Discard )"),
            "config:1: '<anonymous group>' input 0 missing\n");
  EXPECT_EQ(messages("( Idle -> [1] ) -> Discard"),
            "config:1: '<anonymous group>' output 0 missing\n");
  EXPECT_EQ(messages("Idle => ( input [2], input -> Discard ) "),
            "config:1: '<anonymous group>' input 1 missing\n");
  EXPECT_EQ(messages("( Idle -> [2] output; Idle -> output ) => Discard"),
            "config:1: '<anonymous group>' output 1 missing\n");
  EXPECT_EQ(messages("Idle; Idle; Idle; Idle; Idle; ( -> Discard )"),
            "config:1: '@6' input 0 unused\n");
  EXPECT_EQ(messages("Idle -> ( Idle -> input )"),
            "config:1: '<anonymous group>' pseudoelement 'input' may only be used as output\n");
  EXPECT_EQ(messages("( output -> Discard ) -> Discard"),
            "config:1: '<anonymous group>' pseudoelement 'output' may only be used as input\n");
}

TEST(Groups, Mistakes) {
  EXPECT_EQ(messages("g :: ( -> Print -> )"), "config:1: missing element type in declaration\n");
  EXPECT_EQ(messages("Idle -> ( -> Print"), "config:1: expected ')'\n");
  EXPECT_EQ(messages("{ ( Idle }"), "config:1: expected ')'\n");
  EXPECT_EQ(messages("( { Idle ) "), "config:1: expected '}'\n");
  // What the end of the file found open is not looked into.
  EXPECT_EQ(messages("elementclass L {\nx -> L -> y"), "config:2: expected '}'\n");
  std::string open(50, '('), close(50, ')');
  EXPECT_EQ(messages(open + "Idle" + close), "");
  EXPECT_EQ(messages(open + "(Idle)" + close),
            "config:1: maximum element group nesting depth exceeded\n");
}

TEST(ImplicitPorts, AtTheStartAndTheEnd) {
  EXPECT_EQ(
      connections(
          "x :: { [0] -> Print(1) -> [0]; input [1] -> [1] output } ; a => [0, 1] x [0, 1] => b"),
      "a[0]->[0]x/Print@1; a[1]->[1]b; x/Print@1[0]->[0]b;");
  EXPECT_EQ(connections("x :: { [0], [1] -> Print(1) -> [0], [1] }; a => [0, 1] x [0, 1] => b"),
            "a[0]->[0]x/Print@1; a[1]->[0]x/Print@1; x/Print@1[0]->[0]b; x/Print@1[0]->[1]b;");
  EXPECT_EQ(connections("x :: { [0-1] => [0-1] }; a => [0, 1] x [0, 1] => b"),
            "a[0]->[0]b; a[1]->[1]b;");
}

TEST(ImplicitPorts, Mistakes) {
  EXPECT_EQ(messages("{ Idle -> [0] -> Discard }"),
            "config:1: implicit ports used in the middle of a chain\n");
  EXPECT_EQ(messages("{ Idle -> -> Discard }"),
            "config:1: implicit ports used in the middle of a chain\n");
  EXPECT_EQ(messages("{ [0]; }"), "config:1: stranded port ignored\n");
  EXPECT_EQ(messages("-> Discard"), "config:1: syntax error near '->'\n");
  EXPECT_EQ(messages("c :: { q :: Queue -> Discard; -> q }; Idle -> c"),
            "config:1: warning: suggest 'input ->' or '[0] ->' to start connection\n");
}

TEST(ImplicitPorts, NoSuggestionBehindAnOutput) {
  EXPECT_EQ(messages("c :: { input [1] -> output; -> Discard }; Idle => [0, 1] c; c -> Discard"),
            "");
  EXPECT_EQ(messages("c :: { [1] -> ; -> Discard }; Idle => [0, 1] c; c -> Discard"), "");
}

}  // namespace
}  // namespace headroom::click
