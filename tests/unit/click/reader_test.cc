#include "headroom/click/reader.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <string>

#include "reader_fixture.hh"

namespace headroom::click {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string messages(std::string text) { return Reading(std::move(text)).messages(); }
std::string hints(std::string text) { return Reading(std::move(text)).hints(); }
std::string elements(std::string text) {
  const Reading reading(std::move(text));
  EXPECT_EQ(reading.messages(), "");
  return reading.elements();
}

// --- declarations and references ---

TEST(Reader, Declarations) {
  EXPECT_EQ(elements("a :: Idle; b :: Queue(5, \"x)\")\nc::Print()"),
            "a :: Idle; b :: Queue(5, \"x)\"); c :: Print;");
  EXPECT_EQ(elements("a, b, c :: Queue(5);"), "a :: Queue(5); b :: Queue(5); c :: Queue(5);");
  EXPECT_EQ(elements("a :: Idle, b :: Tee;"), "a :: Idle; b :: Tee;");
  EXPECT_EQ(elements("input :: Idle; x/1y, 1x, @y, x@1 :: Tee;"),
            "input :: Idle; x/1y :: Tee; 1x :: Tee; @y :: Tee; x@1 :: Tee;");
  EXPECT_EQ(elements(""), "");
  EXPECT_EQ(elements(" ; ;; // nothing\n"), "");
}

TEST(Reader, ADeclarationInAChainBelongsToOneName) {
  const Reading reading("a :: Idle; a, b :: Tee -> Discard;");
  EXPECT_EQ(reading.messages(), "");
  EXPECT_EQ(reading.connections(), "a[0]->[0]Discard@3; b[0]->[0]Discard@3;");
  EXPECT_EQ(messages("a, b :: Tee -> Discard;"), "config:1: undeclared element 'a'\n");
}

TEST(Reader, KnowsWhereThingsStand) {
  const Reading reading("\n a :: Queue(\n5) -> Discard");
  const FlatElement& element = reading.graph.elements()[0];
  EXPECT_EQ(element.where, (SourceLocation{1, 2, 2}));
  EXPECT_EQ(element.config_where, (SourceLocation{1, 2, 13}));
  EXPECT_EQ(reading.graph.elements()[1].config_where, SourceLocation{});
  EXPECT_EQ(reading.graph.connections()[0].where, (SourceLocation{1, 3, 4}));
}

TEST(Reader, Chains) {
  const Reading reading("a :: Idle -> Print(x) -> q :: Queue; q -> Discard\na -> Discard");
  EXPECT_EQ(reading.messages(), "");
  EXPECT_EQ(reading.connections(),
            "a[0]->[0]Print@2; Print@2[0]->[0]q; q[0]->[0]Discard@4; a[0]->[0]Discard@5;");
}

TEST(Reader, SemicolonsAreOptional) {
  const Reading reading("a :: Idle b :: Tee a -> b b -> Discard");
  EXPECT_EQ(reading.messages(), "");
  EXPECT_EQ(reading.connections(), "a[0]->[0]b; b[0]->[0]Discard@3;");
}

TEST(Reader, AConfigurationStringMayBeginOnTheNextLine) {
  EXPECT_EQ(elements("Idle -> Print\n(c -> d)"), "Idle@1 :: Idle; Print@2 :: Print(c -> d);");
}

TEST(Reader, AnonymousNames) {
  EXPECT_EQ(elements("Idle; Idle; Idle@1 :: Idle;"),
            "Idle@2 :: Idle; Idle@3 :: Idle; Idle@1 :: Idle;");
  EXPECT_EQ(elements("a :: Idle; Idle -> Discard"),
            "a :: Idle; Idle@2 :: Idle; Discard@3 :: Discard;");
  EXPECT_EQ(elements("Idle; Idle@2 :: Tee; Idle; Idle@4, Idle@5 :: Tee; Tee@6 :: Tee; Tee; Idle;"),
            "Idle@1 :: Idle; Idle@2 :: Tee; Idle@3 :: Idle; Idle@4 :: Tee; Idle@5 :: Tee; "
            "Tee@6 :: Tee; Tee@7 :: Tee; Idle@8 :: Idle;");
}

TEST(Reader, UndeclaredElements) {
  EXPECT_EQ(messages("a -> Discard; Idle -> a; Idle -> b"),
            "config:1: undeclared element 'a'\nconfig:1: undeclared element 'b'\n");
  EXPECT_EQ(hints("queue1 :: Queue; Idle -> quene1;"), "did you mean 'queue1'?\n");
  EXPECT_EQ(hints("Idle -> discard"), "did you mean 'Discard'?\n");
  EXPECT_EQ(hints("Idle -> a;\na :: Discard"),
            "it is declared in line 2, but an element must be declared before it is used\n");
  EXPECT_EQ(Reading("Idle -> a;\na :: Discard").full(),
            "config:1:9: error: undeclared element 'a'\n"
            "    1 | Idle -> a;\n      |         ^\n"
            "hint: it is declared in line 2, but an element must be declared before it is used\n"
            "    2 | a :: Discard\n      | ^\n");
  EXPECT_EQ(hints("Idle -> xyzzy"),
            "neither an element nor a class has that name; elements are declared so: xyzzy :: "
            "CLASS\n");
}

TEST(Reader, UnknownClasses) {
  EXPECT_EQ(messages("x :: Foo; y :: Foo; Foo(5) -> x;\nz :: Bar"),
            "config:1: unknown element class 'Foo'\nconfig:2: unknown element class 'Bar'\n");
  EXPECT_EQ(hints("x :: Discrad"), "did you mean 'Discard'?\n");
  EXPECT_EQ(messages("Foo(5);"), "config:1: unknown element class 'Foo'\n");
  EXPECT_EQ(messages("Foo;"), "config:1: undeclared element 'Foo'\n");
  const Reading reading("a -> \n   x :: Foo");
  EXPECT_EQ(reading.diagnostics.all().back().where, (SourceLocation{1, 2, 9}));
}

TEST(Reader, Redeclarations) {
  EXPECT_EQ(messages("x :: Idle;\nx :: Tee;"),
            "config:2: redeclaration of element 'x'\n"
            "config:1: element 'x' previously declared here\n");
  EXPECT_EQ(messages("x, x :: Idle;"),
            "config:1: redeclaration of element 'x'\n"
            "config:1: element 'x' previously declared here\n");
}

TEST(Reader, ClassesAreNoElementNames) {
  EXPECT_EQ(messages("Idle :: Tee;"), "config:1: class 'Idle' used as element name\n");
  EXPECT_EQ(messages("Idle, b :: Tee;"), "config:1: class 'Idle' used as element name\n");
}

TEST(Reader, NamesWithADigitsOnlyPart) {
  EXPECT_EQ(messages("1 :: Idle"), "config:1: element name '1' has all-digit component\n");
  EXPECT_EQ(messages("a/2 :: Idle; 3/b :: Idle"),
            "config:1: element name 'a/2' has all-digit component\n"
            "config:1: element name '3/b' has all-digit component\n");
}

TEST(Reader, ConfigurationOfAReference) {
  EXPECT_EQ(messages("x :: Idle;\nx(5) -> Discard"),
            "config:2: configuration string ignored on element reference\n");
}

TEST(Reader, MissingClass) {
  EXPECT_EQ(messages("x :: ;"), "config:1: missing element type in declaration\n");
  EXPECT_EQ(messages("x ::"), "config:1: missing element type in declaration\n");
  EXPECT_EQ(messages("x :: -> Discard; x -> Discard"),
            "config:1: missing element type in declaration\n");
  EXPECT_EQ(messages("g :: ( Idle -> Discard ); Idle -> g"),
            "config:1: missing element type in declaration\n");
}

// --- ports ---

TEST(Reader, Ports) {
  const Reading reading("a, b :: Tee; a [1] -> [2] b [3] -> a; a[0x10] -> b");
  EXPECT_EQ(reading.messages(), "");
  EXPECT_EQ(reading.connections(), "a[1]->[2]b; b[3]->[0]a; a[16]->[0]b;");
}

std::string connections(const std::string& text) {
  const Reading reading("a, b, c, d :: Tee; " + text);
  EXPECT_EQ(reading.messages(), "") << text;
  return reading.connections();
}

TEST(Reader, OneToManyAndManyToOne) {
  EXPECT_EQ(connections("a, b -> c"), "a[0]->[0]c; b[0]->[0]c;");
  EXPECT_EQ(connections("a -> b, c"), "a[0]->[0]b; a[0]->[0]c;");
  EXPECT_EQ(connections("a [0, 2] -> [1] c"), "a[0]->[1]c; a[2]->[1]c;");
  EXPECT_EQ(connections("a [0-2] -> c"), "a[0]->[0]c; a[1]->[0]c; a[2]->[0]c;");
  EXPECT_EQ(connections("a [1] -> [0-1, 4] c"), "a[1]->[0]c; a[1]->[1]c; a[1]->[4]c;");
}

TEST(Reader, ManyToMany) {
  EXPECT_EQ(connections("a [0, 1] => [1, 0] b"), "a[0]->[1]b; a[1]->[0]b;");
  EXPECT_EQ(connections("a, b => c, d"), "a[0]->[0]c; b[0]->[0]d;");
  EXPECT_EQ(connections("a [0-1], b => c, [2] d, [3] d"), "a[0]->[0]c; a[1]->[2]d; b[0]->[3]d;");
  EXPECT_EQ(connections("a => b"), "a[0]->[0]b;");
}

TEST(Reader, ExpandablePorts) {
  EXPECT_EQ(connections("a [] => b, c, d"), "a[0]->[0]b; a[1]->[0]c; a[2]->[0]d;");
  EXPECT_EQ(connections("a [3,] => b, c"), "a[3]->[0]b; a[4]->[0]c;");
  EXPECT_EQ(connections("a [1, 5-6,] => [0-3] b"),
            "a[1]->[0]b; a[5]->[1]b; a[6]->[2]b; a[7]->[3]b;");
  EXPECT_EQ(connections("a => b, c"), "a[0]->[0]b; a[1]->[0]c;");
  EXPECT_EQ(connections("a, b => c"), "a[0]->[0]c; b[0]->[1]c;");
  EXPECT_EQ(connections("a, b [] => [0-2] c"), "a[0]->[0]c; b[0]->[1]c; b[1]->[2]c;");
  EXPECT_EQ(connections("a [] -> b"), "a[0]->[0]b;");
  EXPECT_EQ(connections("a [0-2] => [] b"), "a[0]->[0]b; a[1]->[1]b; a[2]->[2]b;");
}

TEST(Reader, RepeatedConnectionsCollapse) {
  EXPECT_EQ(connections("a -> b; a -> b; a [0] -> [0] b"), "a[0]->[0]b;");
}

std::string port_messages(const std::string& text) { return messages("a, b, c :: Tee; " + text); }

TEST(Reader, ConnectionMistakes) {
  EXPECT_EQ(port_messages("a [0, 1] -> [0, 1] b"),
            "config:1: syntax error: many-to-many connections require '=>'\n");
  EXPECT_EQ(port_messages("a [0, 1] => [0-2] b"),
            "config:1: connection mismatch: 2 outputs connected to 3 inputs\n");
  EXPECT_EQ(port_messages("a [0-2,] => [0, 1] b"),
            "config:1: connection mismatch: 3 or more outputs connected to 2 inputs\n");
  EXPECT_EQ(port_messages("a [0, 1] => [0-2,] b"),
            "config:1: connection mismatch: 2 outputs connected to 3 or more inputs\n");
  EXPECT_EQ(port_messages("a [] => [] b"),
            "config:1: at most one expandable port allowed per connection\n");
  EXPECT_EQ(port_messages("a [], b [] => [0-3] c"),
            "config:1: at most one expandable port allowed per connection\n");
  EXPECT_EQ(port_messages("a [0-65535, 0] -> b"),
            "config:1: one arrow cannot make more than 65536 connections\n");
  EXPECT_EQ(port_messages("a [65535,] => b, c"),
            "config:1: port number out of range, bound 65535\n");
}

TEST(Reader, PortsAtTheEndsOfAChain) {
  EXPECT_EQ(port_messages("[1] a -> b"), "config:1: input ports ignored at start of chain\n");
  EXPECT_EQ(port_messages("a -> b [1] c -> a"), "config:1: output ports ignored at end of chain\n");
  EXPECT_EQ(port_messages("a [1]"), "config:1: output ports ignored at end of chain\n");
}

TEST(Reader, PortSyntaxMistakes) {
  EXPECT_EQ(port_messages("a [x] -> b"), "config:1: syntax error: port number should be integer\n");
  EXPECT_EQ(port_messages("a [*] -> b; a -> x"),
            "config:1: syntax error: expected port number\nconfig:1: undeclared element 'x'\n");
  EXPECT_EQ(port_messages("a [0 1] -> b"), "config:1: syntax error: expected ','\n");
  EXPECT_EQ(port_messages("a [0-] -> b"), "config:1: syntax error: expected port number\n");
  EXPECT_EQ(port_messages("a [3-1] -> b"), "config:1: syntax error: port range runs backwards\n");
  EXPECT_EQ(port_messages("a [-1] -> b"), "config:1: syntax error: expected port number\n");
  EXPECT_EQ(port_messages("a [70000] -> b"), "config:1: port number out of range, bound 65535\n");
  EXPECT_EQ(port_messages("a [0 -> b; a -> b"), "config:1: syntax error: expected ','\n");
  EXPECT_EQ(port_messages("a -> [1];"), "config:1: stranded port ignored\n");
  EXPECT_EQ(port_messages("[1];\na -> c"), "config:1: stranded port ignored\n");
}

// --- other mistakes ---

TEST(Reader, SyntaxErrors) {
  EXPECT_EQ(messages("x :: Idle :: Tee"), "config:1: syntax error near '::'\n");
  EXPECT_EQ(messages("Idle -> Discard } ; x"),
            "config:1: syntax error near '}'\nconfig:1: undeclared element 'x'\n");
  EXPECT_EQ(messages("provide(x); Idle -> Discard"), "config:1: syntax error near 'provide'\n");
  EXPECT_EQ(messages("Idle -> ;"), "config:1: syntax error near ';'\n");
  EXPECT_EQ(messages("Idle ->"), "config:1: syntax error near end of file\n");
  EXPECT_EQ(messages("Idle -> -> -> Discard"), "config:1: syntax error near '->'\n");
  EXPECT_EQ(messages("Idle, -> Discard"), "config:1: syntax error near '->'\n");
  EXPECT_EQ(messages("Idle ||"), "config:1: syntax error near '||'\n");
  EXPECT_EQ(messages("Idle -> $x; Idle"), "config:1: syntax error near '$x'\n");
  EXPECT_EQ(messages("\xC3\xA9 :: Idle"), "config:1: syntax error near '\\303'\n");
  EXPECT_EQ(messages(")))) \n x :: Idle\n)"),
            "config:1: syntax error near ')'\nconfig:3: syntax error near ')'\n");
  EXPECT_EQ(messages("a :: Idle;\n  # 1\na -> Discard"),
            "config:2: syntax error near '#'\nconfig:2: undeclared element '1'\n");
}

TEST(Reader, AStatementThatBeginsWithAnArrowIsSkipped) {
  EXPECT_EQ(messages("-> a -> b; Idle -> Discard"), "config:1: syntax error near '->'\n");
  EXPECT_EQ(messages("->"), "config:1: syntax error near '->'\n");
  EXPECT_EQ(messages("-> -> ;"), "config:1: syntax error near '->'\n");
  EXPECT_EQ(messages("-> [1] -> x :: Foo -> [x];  x -> Discard"),
            "config:1: syntax error near '->'\n"
            "config:1: syntax error: port number should be integer\n");
}

TEST(Reader, UnterminatedConfiguration) {
  EXPECT_EQ(messages("a :: Idle(\n\"x)"), "config:2: expected ')'\n");
  EXPECT_EQ(hints("a :: Idle(\n\"x)"), "to close the '(' of line 1, column 10\n");
}

TEST(Reader, GoesOnAfterEveryMistake) {
  EXPECT_EQ(messages("a -> b;\nc :: Foo;\nd :: ;\ne [x] -> c;\nIdle -> Discard"),
            "config:3: missing element type in declaration\n"
            "config:4: syntax error: port number should be integer\n"
            "config:1: undeclared element 'a'\n"
            "config:1: undeclared element 'b'\n"
            "config:2: unknown element class 'Foo'\n"
            "config:4: undeclared element 'e'\n");
}

TEST(Reader, LineDirectivesNameTheFile) {
  EXPECT_EQ(messages("Idle;\n# 30 \"gen.click\"\nx\n"), "gen.click:30: undeclared element 'x'\n");
  const Reading reading("Idle;\n# 30 \"gen.click\"\nx\n");
  EXPECT_THAT(reading.diagnostics.render(Diagnostics::Form::full), HasSubstr("   30 | x\n"));
}

TEST(Reader, FullFormPointsAtTheMistake) {
  const Reading reading("src :: Idle;\nsrc -> x :: Discrad;\n");
  EXPECT_EQ(reading.diagnostics.render(Diagnostics::Form::full),
            "config:2:13: error: unknown element class 'Discrad'\n"
            "    2 | src -> x :: Discrad;\n"
            "      |             ^\n"
            "hint: did you mean 'Discard'?\n");
}

// --- require ---

TEST(Reader, Require) {
  Reading reading("require(package extra, compact_config) x :: Extra;");
  EXPECT_EQ(reading.messages(), "");
  EXPECT_THAT(reading.classes.required, ElementsAre("extra"));
  EXPECT_EQ(messages("require(extra); Extra -> Extra"), "");
  EXPECT_EQ(messages("require()"), "");
  EXPECT_EQ(messages("x :: Extra; require(extra)"), "config:1: unknown element class 'Extra'\n");
}

TEST(Reader, RequireMistakes) {
  EXPECT_EQ(messages("require(foo,\n package bar)"),
            "config:1: requirement 'foo' not available\n"
            "config:2: requirement 'bar' not available\n");
  EXPECT_EQ(messages("require(a b, a b c)"),
            "config:1: syntax error at requirement\nconfig:1: syntax error at requirement\n");
  EXPECT_EQ(messages("require(extra,, extra)"), "config:1: syntax error at requirement\n");
  EXPECT_EQ(messages("require extra;\nIdle"), "config:1: expected '('\n");
  EXPECT_EQ(messages("require extra; x\ndefine $a 1 Idle(a)\nc :: { require x } y"),
            "config:1: expected '('\nconfig:2: expected '('\nconfig:3: expected '('\n"
            "config:1: undeclared element 'x'\nconfig:3: undeclared element 'y'\n");
}

// --- size ---

TEST(Reader, DeepNestingAndLongNonsenseIsHarmless) {
  for (const char* unit : {"(",        "[",      "\"",        "{",    "}",
                           ")",        "]",      "x(",        "x[",   "->",
                           "-> [",     "a ",     "::",        "a::",  "a->",
                           "#\n",      "$",      "'",         "\\",   "/*",
                           "\r",       "\n\"",   "a,",        ",",    "elementclass ",
                           "require(", "x :: {", "[0-65535]", "\xFF", "x :: Foo; ",
                           "\n# 1\n"}) {
    std::string text = "a :: Queue ";
    while (text.size() < (1 << 17)) text += unit;
    const Reading reading(std::move(text));
    reading.messages();
    reading.diagnostics.render(Diagnostics::Form::full);
  }
  EXPECT_EQ(messages("a :: Queue" + std::string(1 << 20, '(')), "config:1: expected ')'\n");
  EXPECT_EQ(messages("a :: Queue " + std::string(1 << 20, '[')),
            "config:1: syntax error: expected port number\n");
  EXPECT_EQ(messages("a :: Queue " + std::string(1 << 20, '"')),
            "config:1: syntax error near '\"'\n");
}

TEST(Reader, AHundredThousandElements) {
  std::string text;
  for (int i = 0; i < 50000; ++i) {
    const std::string number = std::to_string(i);
    text += "queue" + number + " :: Queue(CAPACITY " + number + ");\nIdle -> Print(" + number +
            ", MAXLENGTH 10) -> queue" + number + ";\n";
  }
  text += "Idle";
  for (int i = 0; i < 50000; ++i) text += " -> Tee";
  const auto start = std::chrono::steady_clock::now();
  const Reading reading(std::move(text));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(reading.messages(), "");
  EXPECT_EQ(reading.graph.elements().size(), 200001U);
  EXPECT_EQ(reading.graph.connections().size(), 150000U);
  std::cout << "200,001 elements read in " << took.count() << " s\n";
}

TEST(Reader, ManyTakenAnonymousNames) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += "Idle;";
  for (int i = 0; i < 50000; ++i) text += "Idle@" + std::to_string(i + 1) + " :: Idle;";
  const Reading reading(std::move(text));
  EXPECT_EQ(reading.messages(), "");
  EXPECT_EQ(reading.graph.elements()[0].name, "Idle@50001");
  EXPECT_EQ(reading.graph.elements()[49999].name, "Idle@100000");
}

TEST(FlatGraph, BuiltByHand) {
  FlatGraph graph;
  const uint32_t source = graph.add("source", "InfiniteSource", "LIMIT 5");
  const uint32_t sink = graph.add("", "Discard");
  graph.add("Tee@4", "Tee");
  graph.add("", "Tee");
  graph.connect(source, 0, sink, 1);
  EXPECT_EQ(graph.find("source"), source);
  EXPECT_EQ(graph.find("Discard@2"), sink);
  EXPECT_EQ(graph.find("Tee@5"), 3U);
  EXPECT_EQ(graph.find("nothing"), FlatGraph::kNone);
  EXPECT_EQ(graph.connections()[0].to_port, 1U);
}

}  // namespace
}  // namespace headroom::click
