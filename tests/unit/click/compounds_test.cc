// Compound elements: scopes, formals, overloads, expansion and what is wrong with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <string>

#include "headroom/click/arguments.hh"
#include "reader_fixture.hh"

namespace headroom::click {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string messages(std::string text) { return Reading(std::move(text)).messages(); }
std::string hints(std::string text) { return Reading(std::move(text)).hints(); }
std::string flat(std::string text) {
  const Reading reading(std::move(text));
  EXPECT_EQ(reading.messages(), "");
  return reading.flat();
}

TEST(Compounds, InEveryPlaceWhereAClassMayStand) {
  const char* expected =
      "a :: Idle;\nb :: Idle;\nc/q :: Queue(5);\n\n"
      "a -> c/q\n    -> b;\n";
  EXPECT_EQ(flat("a, b :: Idle; c :: { input -> q :: Queue(5) -> output }; a -> c -> b"), expected);
  EXPECT_EQ(flat("a, b :: Idle; elementclass C { input -> q :: Queue(5) -> output } "
                 "c :: C; a -> c -> b"),
            expected);
  EXPECT_EQ(flat("a, b :: Idle; a -> c :: { -> q :: Queue(5) -> } -> b"), expected);
  EXPECT_EQ(flat("a, b :: Idle; a -> { -> Queue(5) -> } -> b"),
            "a :: Idle;\nb :: Idle;\n@3/Queue@1 :: Queue(5);\n\n"
            "a -> @3/Queue@1\n    -> b;\n");
  EXPECT_EQ(flat("x, y :: { p :: Idle }"), "x/p :: Idle;\ny/p :: Idle;\n");
  EXPECT_EQ(flat("{ }"), "");
}

TEST(Compounds, SynonymsOfPrimitiveAndCompoundClasses) {
  EXPECT_EQ(flat("elementclass Null Idle; Null; n :: Null(5)"), "Null@1 :: Idle;\nn :: Idle(5);\n");
  EXPECT_EQ(flat("elementclass A { Idle } elementclass B A; B"), "B@1/Idle@1 :: Idle;\n");
}

TEST(Compounds, AnonymousNumbersCountWhatIsInTheScope) {
  EXPECT_EQ(flat("require(compact_config)\n"
                 "elementclass Two { $a, $b | input -> Print(first) -> output\n"
                 "  || $a, __REST__ $b | input -> Print(second) -> output }\n"
                 "Idle -> Two(X) -> t :: Two(X, Y) -> Two(X, Y, Z) -> Two(X) -> Discard"),
            "require(compact_config);\n\n"
            "Idle@1 :: Idle;\n"
            "Discard@6 :: Discard;\n"
            "Two@2/Print@1 :: Print(second);\n"
            "t/Print@1 :: Print(first);\n"
            "Two@4/Print@1 :: Print(second);\n"
            "Two@5/Print@1 :: Print(second);\n\n"
            "Idle@1 -> Two@2/Print@1\n"
            "    -> t/Print@1\n"
            "    -> Two@4/Print@1\n"
            "    -> Two@5/Print@1\n"
            "    -> Discard@6;\n");
  EXPECT_EQ(flat("{ Idle; Idle@1 :: Idle; Idle }"),
            "@1/Idle@2 :: Idle;\n@1/Idle@1 :: Idle;\n@1/Idle@3 :: Idle;\n");
}

TEST(Compounds, ElementsComeInstanceByInstanceDepthFirst) {
  EXPECT_EQ(flat("elementclass In { x :: Idle; y :: Idle }\n"
                 "elementclass Out { a :: In; p :: Idle; b :: In; q :: Idle }\n"
                 "one :: Out; top :: Idle; two :: In;"),
            "top :: Idle;\n"
            "one/p :: Idle;\none/q :: Idle;\none/a/x :: Idle;\none/a/y :: Idle;\n"
            "one/b/x :: Idle;\none/b/y :: Idle;\n"
            "two/x :: Idle;\ntwo/y :: Idle;\n");
}

TEST(Compounds, PassThrough) {
  EXPECT_EQ(flat("a, b :: Idle; a -> {->} -> b; a [1] -> { [0] -> [0] } -> [1] b"),
            "a :: Idle;\nb :: Idle;\n\na -> b;\na [1] -> [1] b;\n");
  EXPECT_EQ(flat("a, b, c :: Tee; x :: { input [0] -> [1] output; input [1] -> [0] output }\n"
                 "a => [0, 1] x; x => b, c"),
            "a :: Tee;\nb :: Tee;\nc :: Tee;\n\na [1] -> b;\na -> c;\n");
  EXPECT_EQ(flat("a, b, c, d :: Tee; x :: {->}; a, b -> x; x -> c, d"),
            "a :: Tee;\nb :: Tee;\nc :: Tee;\nd :: Tee;\n\n"
            "a -> c;\nb -> c;\na -> d;\nb -> d;\n");
  EXPECT_EQ(flat("x :: {->}; x -> x"), "");
}

TEST(Compounds, Scopes) {
  EXPECT_EQ(messages("b :: Idle; c :: { b -> Discard }"), "config:1: undeclared element 'b'\n");
  EXPECT_THAT(hints("b :: Idle; c :: { b -> Discard }"),
              StartsWith("elements outside a compound element cannot be used in it"));
  EXPECT_EQ(flat("elementclass A { Idle }\nelementclass B { A }\nB"), "B@1/A@1/Idle@1 :: Idle;\n");
  // The class of the definition, not of the use.
  EXPECT_EQ(flat("elementclass A { x :: Idle }\nelementclass B { A }\n"
                 "elementclass A { y :: Idle }\nB; A"),
            "B@1/A@1/x :: Idle;\nA@2/y :: Idle;\n");
  EXPECT_EQ(messages("c :: { elementclass In { Idle } In }; In -> Discard"),
            "config:1: undeclared element 'In'\n");
  EXPECT_EQ(flat("elementclass Queue { -> Queue(7) -> } a :: Idle -> Queue -> d :: Discard"),
            "a :: Idle;\nd :: Discard;\nQueue@2/Queue@1 :: Queue(7);\n\n"
            "a -> Queue@2/Queue@1\n    -> d;\n");
  EXPECT_EQ(messages("elementclass R { -> R -> }"), "config:1: undeclared element 'R'\n");
  EXPECT_EQ(messages("A :: Idle; c :: { elementclass A { Idle } A :: A }"),
            "config:1: class 'A' used as element name\n");
}

TEST(Compounds, FormalsByPositionAndKeyword) {
  const std::string all = "elementclass F { $a, KEY $k, __REST__ $r | Print($a|$k|$r) }\n";
  EXPECT_EQ(flat(all + "f :: F(1, KEY 2, 3, X 4)"), "f/Print@1 :: Print(1|2|3, X 4);\n");
  EXPECT_EQ(flat(all + "f :: F(KEY 1, x, KEY 2, KEY 3)"), "f/Print@1 :: Print(KEY 1|3|x);\n");
  EXPECT_EQ(flat(all + "f :: F(1, KEY)"), "f/Print@1 :: Print(1||);\n");
  EXPECT_EQ(flat("elementclass F { | Print(x) }\nf :: F"), "f/Print@1 :: Print(x);\n");
  EXPECT_EQ(flat("c :: { $a | Print($a) }(\"a, b\")"), "c/Print@1 :: Print(\"a, b\");\n");
}

TEST(Compounds, NoMatch) {
  EXPECT_EQ(messages("elementclass F { $a | -> Print($a) -> || $a, COUNT $c, __REST__ $r |\n"
                     " -> Print($a) -> }\nIdle -> F(1, 2, 3) -> Discard"),
            "config:3: no match for 'F[3 arguments, 1 input, 1 output]'\n"
            "config:3: candidates are:\n"
            "config:3:   F(<arg>)[1 input, 1 output]\n"
            "config:3:   F(<arg>, COUNT, ...)[1 input, 1 output]\n");
  EXPECT_EQ(messages("elementclass F { Idle }\nF(1)"),
            "config:2: no match for 'F[1 argument, 0 inputs, 0 outputs]'\n"
            "config:2: candidates are:\nconfig:2:   F[0 inputs, 0 outputs]\n");
  EXPECT_EQ(messages("{ $a | Idle }"),
            "config:1: no match for '<anonymous>[0 inputs, 0 outputs]'\n"
            "config:1: candidates are:\nconfig:1:   <anonymous>(<arg>)[0 inputs, 0 outputs]\n");
  EXPECT_EQ(hints("elementclass F { COUNT $c | Idle }\nF(COUTN 1)"), "did you mean 'COUNT'?\n");
  EXPECT_EQ(hints("elementclass F { COUNT $c | Idle }\nF(COUNT 1, 2)"),
            "it takes at most 1 argument\n");
  EXPECT_EQ(hints("elementclass F { $a, $b | Idle || $a, $b, $c | Idle }\nF(1)"),
            "it takes at least 2 arguments\n");
  EXPECT_EQ(hints("elementclass F { Idle }\nF(1)"), "it takes no arguments\n");
  EXPECT_EQ(hints("elementclass F { $a | Idle || $a | -> Discard }\nF(1) -> Discard"),
            "the arguments and the connected ports must be those of one candidate\n");
}

TEST(Compounds, OverloadsGoByArgumentsAndPorts) {
  const std::string text =
      "elementclass F { $a | -> Print(1, $a) -> || $a | -> Print(2, $a) -> Discard\n"
      " || Idle -> Print(3) -> }\n";
  EXPECT_EQ(flat(text + "i :: Idle -> f :: F(x) -> d :: Discard; i -> g :: F(y); h :: F -> d"),
            "i :: Idle;\nd :: Discard;\nf/Print@1 :: Print(1, x);\n"
            "g/Print@1 :: Print(2, y);\ng/Discard@2 :: Discard;\n"
            "h/Idle@1 :: Idle;\nh/Print@2 :: Print(3);\n\n"
            "i -> f/Print@1\n    -> d;\n"
            "i -> g/Print@1\n    -> g/Discard@2;\n"
            "h/Idle@1 -> h/Print@2\n    -> d;\n");
}

TEST(Compounds, ExtendingAClass) {
  EXPECT_EQ(flat("elementclass F { $a | Print(one) }\n"
                 "elementclass F { $a, $b | Print(two) || ... }\nF(1); F(1, 2)"),
            "F@1/Print@1 :: Print(one);\nF@2/Print@1 :: Print(two);\n");
  // A primitive class takes what no alternative does.
  EXPECT_EQ(flat("elementclass Queue { $a, $b | -> Queue($a) -> Queue($b) -> || ... }\n"
                 "i :: Idle -> q :: Queue(1, 2) -> r :: Queue(3) -> d :: Discard"),
            "i :: Idle;\nr :: Queue(3);\nd :: Discard;\nq/Queue@1 :: Queue(1);\n"
            "q/Queue@2 :: Queue(2);\n\n"
            "i -> q/Queue@1\n    -> q/Queue@2\n    -> r\n    -> d;\n");
  EXPECT_EQ(messages("elementclass Foo { Idle || ... }"),
            "config:1: cannot extend unknown element class 'Foo'\n");
  EXPECT_EQ(messages("elementclass Idle { ... }"),
            "config:1: '...' should occur last, after one or more compounds\n");
  EXPECT_EQ(messages("elementclass Idle { Tee || ... || Tee }"),
            "config:1: '...' should occur last, after one or more compounds\n");
}

TEST(Compounds, FormalMistakes) {
  EXPECT_EQ(messages("{ KEY $a, $b | }(KEY 1, 2)"),
            "config:1: compound element parameters out of order\n"
            "config:1: (The correct order is '[positional], [keywords], [__REST__]'.)\n");
  EXPECT_EQ(messages("c :: { A $a, A $b | }(A 1)"),
            "config:1: repeated keyword parameter 'A' in compound element\n");
  EXPECT_EQ(messages("c :: { __REST__ $a, __REST__ $b | }"),
            "config:1: repeated keyword parameter '__REST__' in compound element\n");
  EXPECT_EQ(messages("c :: { $x, $x | }(1, 2)"), "config:1: parameter '$x' multiply defined\n");
  EXPECT_EQ(messages("c :: { $x, 5 | Idle }(1)"), "config:1: expected variable\n");
  EXPECT_EQ(messages("c :: { $x $y | Idle }(1)"), "config:1: expected ',' or '|'\n");
}

TEST(Compounds, PortsMustHaveNoGaps) {
  EXPECT_EQ(messages("c :: { input [2] -> Discard }; Idle -> [2] c"),
            "config:1: '<anonymous>' input 0 missing\nconfig:1: '<anonymous>' input 1 missing\n");
  EXPECT_EQ(messages("elementclass E { input, input [2] -> Discard }"),
            "config:1: 'E' input 1 missing\n");
  EXPECT_EQ(messages("c :: { input [0], input [2] -> Discard }"),
            "config:1: '<anonymous>' input 1 missing\n");
  EXPECT_EQ(messages("c :: { Idle -> output; Idle -> [2] output }"),
            "config:1: '<anonymous>' output 1 missing\n");
  EXPECT_EQ(messages("elementclass E { Idle -> [1] output }"), "config:1: 'E' output 0 missing\n");
  // Of very many, the first ones.
  const Reading reading("elementclass E { input [65535] -> Discard }");
  EXPECT_EQ(reading.diagnostics.errors(), 10U);
  EXPECT_THAT(reading.hints(), HasSubstr("and 65525 more"));
}

TEST(Compounds, PseudoelementsHaveOneDirection) {
  EXPECT_EQ(messages("elementclass E { Idle -> input; Idle -> input }"),
            "config:1: 'E' pseudoelement 'input' may only be used as output\n");
  EXPECT_EQ(messages("elementclass E { output -> Discard }"),
            "config:1: 'E' pseudoelement 'output' may only be used as input\n");
  // Where it is used, once.
  EXPECT_EQ(messages("elementclass E { Idle -> input; output -> Discard }\nIdle -> E;\nIdle -> E;"),
            "config:1: 'E' pseudoelement 'input' may only be used as output\n"
            "config:1: 'E' pseudoelement 'output' may only be used as input\n"
            "config:2: 'E@2/input' used as input\n"
            "config:2: 'E@2/output' used as output\n");
  EXPECT_EQ(messages("Idle -> { input -> input }"),
            "config:1: '<anonymous>' pseudoelement 'input' may only be used as output\n"
            "config:1: '@2/input' used as input\n");
  EXPECT_EQ(messages("elementclass E { input :: Idle }"),
            "config:1: redeclaration of element 'input'\n"
            "config:1: element 'input' previously declared here\n");
}

TEST(Compounds, Hookup) {
  const std::string text =
      "elementclass C { input [0] -> Discard; input [1] -> Discard; Idle -> output;\n"
      "  Idle -> [1] output }\n";
  EXPECT_EQ(messages(text + "c :: C; Idle -> c -> Discard"),
            "config:3: 'c' input 1 unused\nconfig:3: 'c' output 1 unused\n");
  EXPECT_EQ(messages(text + "c :: C; Idle -> [0-2] c; c [0-2] -> Discard"),
            "config:3: 'c' has no input 2\nconfig:3: 'c' has no output 2\n");
  EXPECT_EQ(messages("c :: { input -> output }; Idle -> [0-1] c; c [0-1] -> Discard"),
            "config:1: 'c' has no input 1\nconfig:1: 'c' has no output 1\n");
  EXPECT_EQ(messages(text + "o :: { c :: C }"),
            "config:3: 'o/c' input 0 unused\nconfig:3: 'o/c' input 1 unused\n"
            "config:3: 'o/c' output 0 unused\nconfig:3: 'o/c' output 1 unused\n");
}

TEST(Compounds, NamesThatExpansionTakes) {
  EXPECT_EQ(messages("e/a :: Idle;\ne :: { a :: Tee }"),
            "config:2: redeclaration of element 'e/a'\nconfig:1: 'e/a' previously declared here\n");
  EXPECT_EQ(messages("elementclass e/a Idle;\ne :: { a :: Tee }"),
            "config:2: 'e/a' is an element class\n");
  EXPECT_EQ(messages("x :: Idle; elementclass x Tee;"), "config:1: 'x' is an element class\n");
}

TEST(Compounds, Nesting) {
  std::string open, close;
  for (int i = 0; i < 50; ++i) {
    open += "{ ";
    close += "} ";
  }
  EXPECT_EQ(flat(open + "Idle" + close).substr(0, 12), "@1/@1/@1/@1/");
  EXPECT_EQ(messages(open + "{ Idle }" + close),
            "config:1: maximum compound element nesting depth exceeded\n");
  EXPECT_EQ(messages(open + "elementclass X { { Idle(}) } }" + close),
            "config:1: maximum compound element nesting depth exceeded\n");
  EXPECT_EQ(messages("Idle -> {\n Print"), "config:2: expected '}'\n");
  EXPECT_EQ(hints("Idle -> {\n Print"), "to close the '{' of line 1, column 9\n");
  EXPECT_EQ(messages("elementclass { Idle } Idle"), "config:1: expected element type name\n");
  EXPECT_EQ(messages("elementclass X;"), "config:1: syntax error near ';'\n");
}

TEST(Compounds, MessagesShowWhereItWasExpanded) {
  const Reading reading(
      "elementclass In { $n | Print(MAXLENGTH $n) -> Nothing@5 :: Idle -> output }\n"
      "elementclass Out { $m | In($m) -> output }\n"
      "o :: Out(7);\n");
  EXPECT_EQ(reading.full(),
            "config:3:1: error: 'o' output 0 unused\n"
            "    3 | o :: Out(7);\n      | ^\n"
            "hint: every output of a compound element must be connected\n");

  Reading other(
      "elementclass In { $n | Print(MAXLENGTH $n) }\nelementclass Out { $m | In($m) }\n"
      "o :: Out(abc);\n");
  EXPECT_EQ(other.messages(), "");
  // As elements report: at a place in the expanded configuration string.
  const FlatElement& print = other.graph.elements()[0];
  EXPECT_EQ(print.config, "MAXLENGTH abc");
  other.diagnostics.error(locate(print.config_where, print.config, 10), "parse error");
  EXPECT_EQ(other.full(),
            "config:1:40: error: parse error\n"
            "    1 | elementclass In { $n | Print(MAXLENGTH $n) }\n"
            "      |                                        ^\n"
            "config:2:25: note: expanded from here, as 'o/In@1'\n"
            "    2 | elementclass Out { $m | In($m) }\n"
            "      |                         ^\n"
            "config:3:1: note: expanded from here, as 'o'\n"
            "    3 | o :: Out(abc);\n"
            "      | ^\n");
}

TEST(Compounds, AllMistakesAtOnce) {
  EXPECT_EQ(messages("elementclass F { $a | Idle }\nF; F(1, 2)\nc :: { -> Discard }; F(1);"),
            "config:2: no match for 'F[0 inputs, 0 outputs]'\n"
            "config:2: candidates are:\nconfig:2:   F(<arg>)[0 inputs, 0 outputs]\n"
            "config:2: no match for 'F[2 arguments, 0 inputs, 0 outputs]'\n"
            "config:2: candidates are:\nconfig:2:   F(<arg>)[0 inputs, 0 outputs]\n"
            "config:3: 'c' input 0 unused\n");
}

TEST(Compounds, AHundredThousandElementsThroughNesting) {
  std::string text = "elementclass L0 { $a | -> Print($a) -> Queue -> }\n";
  for (int level = 1; level <= 4; ++level) {
    const std::string below = "L" + std::to_string(level - 1) + "($a)";
    text += "elementclass L" + std::to_string(level) + " { $a | ->";
    for (int i = 0; i < 15; ++i) text += ' ' + below + " ->";
    text += " }\n";
  }
  text += "Idle -> L4(x) -> Discard";
  const auto start = std::chrono::steady_clock::now();
  const Reading reading(std::move(text));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(reading.messages(), "");
  EXPECT_EQ(reading.graph.elements().size(), 101252U);
  EXPECT_EQ(reading.graph.connections().size(), 101251U);
  std::cout << "101,252 elements expanded in " << took.count() << " s\n";
}

TEST(Compounds, ExpansionIsBounded) {
  const auto levels = [](int count, const std::string& innermost) {
    std::string text = "elementclass L0 {" + innermost + "}\n";
    for (int level = 1; level <= count; ++level) {
      const std::string below = "L" + std::to_string(level - 1);
      text += "elementclass L" + std::to_string(level) + " {";
      for (int i = 0; i < 10; ++i) text += ' ' + below;
      text += " }\n";
    }
    return text + "L" + std::to_string(count);
  };
  ReadOptions options;
  options.limits = {.elements = 10'000, .connections = 20'000, .text = 1 << 20};
  const auto bounded = [&options](const std::string& text) {
    return Reading(text, options).messages();
  };
  EXPECT_EQ(bounded(levels(3, "Idle")), "");
  EXPECT_THAT(bounded(levels(4, "Idle")), HasSubstr("the configuration has more than 10000"));
  // Nothing in them, yet instances.
  EXPECT_THAT(bounded(levels(5, "")), HasSubstr("more than 10000 compound elements"));
  EXPECT_THAT(bounded(levels(40, "Idle")), HasSubstr("names and arguments"));
  // Every connection becomes many.
  EXPECT_EQ(bounded("a, b :: Tee; a [0-99] -> {->} -> [0-99] b"), "");
  EXPECT_EQ(bounded("a, b :: Tee; a [0-199] -> {->} -> [0-199] b"),
            "config:1: the configuration has too many connections\n");
}

TEST(Compounds, TheBoundsAreThoseOfTheManual) {
  const ReadLimits limits;
  EXPECT_EQ(limits.elements, 1'000'000U);
  EXPECT_EQ(limits.connections, 2'000'000U);
  EXPECT_EQ(limits.text, 256U << 20);
}

TEST(Compounds, AWidePassageDoesNotSlowDownOthers) {
  // Linear it takes a fraction of a second, and minutes when every connection clears what the wide
  // one needed; the time limit of the program would tell.
  std::string text =
      "elementclass Wide { input -> [0-65534] output }\nIdle -> Wide [0-65534] -> Discard\n";
  for (int i = 0; i < 20000; ++i) text += "Idle -> {->} -> Discard;";
  const Reading reading(std::move(text));
  EXPECT_EQ(reading.messages(), "");
  EXPECT_EQ(reading.graph.connections().size(), 20001U);
}

}  // namespace
}  // namespace headroom::click
