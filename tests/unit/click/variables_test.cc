// Variables: definitions, formals, parameters, and how their values are put in.
#include "headroom/click/variables.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "headroom/click/arguments.hh"
#include "reader_fixture.hh"

namespace headroom::click {
namespace {

using testing::HasSubstr;

class Table : public Variables {
 public:
  std::optional<std::string> find(std::string_view name, int) override {
    const auto found = values_.find(std::string(name));
    if (found == values_.end()) return std::nullopt;
    return found->second;
  }
  bool spend(uint64_t) override { return true; }

 private:
  std::map<std::string, std::string> values_{
      {"x", "5"},         {"empty", ""}, {"list", "a 'b c' d"},
      {"q", "a, \"b$\\"}, {"n", "2"},    {"1", "one"}};
};

std::string expand(std::string_view text) {
  Table table;
  Expanded expanded = expand_variables(text, table);
  return expanded.changed ? expanded.text : std::string(text);
}

TEST(Variables, References) {
  EXPECT_EQ(expand("$x"), "5");
  EXPECT_EQ(expand("a$x-$x.b"), "a5-5.b");
  EXPECT_EQ(expand("${x}y"), "5y");
  EXPECT_EQ(expand("${ x }"), "5");
  EXPECT_EQ(expand("$xy $y ${y}"), "$xy $y ${y}");
  EXPECT_EQ(expand("$empty|"), "|");
  EXPECT_EQ(expand("$"), "$");
  EXPECT_EQ(expand("${"), "${");
  EXPECT_EQ(expand("${}"), "${}");
  EXPECT_EQ(expand("${x!}"), "${x!}");
}

TEST(Variables, WhatScriptsUseStays) {
  EXPECT_EQ(expand("$(add $x 1) $? $# $$ $0 $1 $9"), "$(add 5 1) $? $# $$ $0 $1 $9");
  EXPECT_EQ(expand("$$x $$$x"), "$$x $$5");
}

TEST(Variables, Defaults) {
  EXPECT_EQ(expand("${y-7}"), "7");
  EXPECT_EQ(expand("${x-7}"), "5");
  EXPECT_EQ(expand("${empty-7}"), "");
  EXPECT_EQ(expand("${y-}"), "");
  EXPECT_EQ(expand("${y-<$x>}"), "<5>");
  EXPECT_EQ(expand("${y-${z-$x}}"), "5");
  EXPECT_EQ(expand("${y-{a}}"), "{a}");
}

TEST(Variables, Words) {
  EXPECT_EQ(expand("${list[0]}"), "a");
  EXPECT_EQ(expand("${list[1]}"), "'b c'");
  EXPECT_EQ(expand("${list[$n]}"), "d");
  EXPECT_EQ(expand("${ list [ 2 ] }"), "d");
  EXPECT_EQ(expand("${list[3]}"), "");
  EXPECT_EQ(expand("${list[99999999999999999999]}"), "${list[99999999999999999999]}");
  EXPECT_EQ(expand("${list[x]} ${list[-1]} ${list[1} ${y[0]}"),
            "${list[x]} ${list[-1]} ${list[1} ${y[0]}");
}

TEST(Variables, QuotingContexts) {
  EXPECT_EQ(expand("'$x' $x"), "'$x' 5");
  EXPECT_EQ(expand("\"$x\""), "\"5\"");
  EXPECT_EQ(expand("\"$q\""), "\"a, \\\"b\\$\\\\\"");
  EXPECT_EQ(expand("$q"), "a, \"b$\\");
  EXPECT_EQ(expand("\"\\$x\" \\$x"), "\"\\$x\" \\5");
  EXPECT_EQ(expand("\"'$x'\""), "\"'5'\"");
  EXPECT_EQ(expand("/* $x */ $x // $x\n$x"), "/* $x */ 5 // $x\n5");
  EXPECT_EQ(expand("\"/* $x\""), "\"/* 5\"");
  EXPECT_EQ(expand("\\<$x> $x"), "\\<$x> 5");
}

TEST(Variables, KnowWhereStretchesCameFrom) {
  Table table;
  const Expanded expanded = expand_variables("ab$x-${n}", table);
  ASSERT_EQ(expanded.stretches.size(), 4U);
  EXPECT_EQ(expanded.stretches[0].at, 0U);
  EXPECT_EQ(expanded.stretches[1].at, 2U);
  EXPECT_FALSE(expanded.stretches[1].copied);
  EXPECT_EQ(expanded.stretches[2].from, 4U);
  EXPECT_EQ(expanded.stretches[3].at, 4U);
  EXPECT_EQ(expanded.stretches[3].from, 5U);
}

// --- in configurations ---

std::string messages(std::string text) { return Reading(std::move(text)).messages(); }
std::string elements(std::string text, const ReadOptions& options = {}) {
  const Reading reading(std::move(text), options);
  EXPECT_EQ(reading.messages(), "");
  return reading.elements();
}

TEST(Define, HoldsInItsWholeScopeInAnyOrder) {
  EXPECT_EQ(elements("p :: Print($x $y) define($x 1, $y a  b) define($z)"), "p :: Print(1 a  b);");
  EXPECT_EQ(elements("define($a <$b>, $b 5) p :: Print($a)"), "p :: Print(<5>);");
  EXPECT_EQ(elements("define($q \"a, b\") p :: Print(\"$q\", $q)"),
            "p :: Print(\"\\\"a, b\\\"\", \"a, b\");");
}

TEST(Define, IsLexical) {
  EXPECT_EQ(elements("define($a top, $b outer)\nc :: { define($a inner) Print($a, $b) }\n"
                     "Print($a)"),
            "Print@2 :: Print(top); c/Print@1 :: Print(inner, outer);");
  // Of the definition, not of the use.
  EXPECT_EQ(elements("elementclass A { Print($v) }\nc :: { define($v inner) A }\n"),
            "c/A@1/Print@1 :: Print($v);");
  EXPECT_EQ(elements("elementclass Foo { $a |\n"
                     "  elementclass Bar { $b | Print($a) }\n"
                     "  elementclass Baz { $a | Idle; Bar($a) }\n"
                     "  Baz(wrong) }\nFoo(right)"),
            "Foo@1/Baz@1/Idle@1 :: Idle; Foo@1/Baz@1/Bar@2/Print@1 :: Print(right);");
}

TEST(Define, ArgumentsAreExpandedWhereTheyAreWritten) {
  EXPECT_EQ(
      elements("elementclass A { $x | Print($x) }\nelementclass B { $x, $y | A($y) }\nB(1, 2)"),
      "B@1/A@1/Print@1 :: Print(2);");
  // Once: what is undefined outside is not caught inside.
  EXPECT_EQ(elements("elementclass A { $x, $y | Print($x) }\nA($y, 2)"),
            "A@1/Print@1 :: Print($y);");
  EXPECT_EQ(elements("elementclass P { $a | Print(\"${a[0]}\"); Print(\"${a[3]}\") }\n"
                     "elementclass Q { $a, $n | Print(\"${a[$n]}\") }\n"
                     "elementclass R { $a | Q(${a[1]} ${a[0]}, ${a[2]}) }\nP(A B C); R(G H 1)"),
            "P@1/Print@1 :: Print(\"A\"); P@1/Print@2 :: Print(\"\"); "
            "R@2/Q@1/Print@1 :: Print(\"G\");");
}

TEST(Define, Mistakes) {
  EXPECT_EQ(messages("define($x 1, $x 2)"), "config:1: parameter '$x' multiply defined\n");
  EXPECT_EQ(messages("define($x 1)\ndefine($x 2)"), "config:2: parameter '$x' multiply defined\n");
  EXPECT_EQ(messages("c :: { $x | define($x 1) }(5)"),
            "config:1: parameter '$x' multiply defined\n");
  EXPECT_EQ(messages("define(x 1)"), "config:1: bad 'define' declaration: not a variable\n");
  EXPECT_EQ(messages("define($ 1, $a+b 2)"),
            "config:1: bad 'define' declaration: not a variable\n"
            "config:1: bad 'define' declaration: not a variable\n");
  EXPECT_EQ(messages("define $x 1;"), "config:1: expected '('\n");
}

TEST(Define, EndsAtDepthTen) {
  EXPECT_EQ(elements("define($a $a) p :: Print($a)"), "p :: Print($a);");
  EXPECT_EQ(elements("define($a $b, $b $a) p :: Print($a)"), "p :: Print($b);");
  std::string chain = "define($v0 end";
  for (int i = 1; i <= 11; ++i) {
    chain += ", $v" + std::to_string(i) + " $v" + std::to_string(i - 1);
  }
  chain += ") ";
  EXPECT_EQ(elements(chain + "p :: Print($v9, $v11)"), "p :: Print(end, $v0);");
  EXPECT_EQ(elements(chain + "p :: Print($v11, $v9)"), "p :: Print($v0, end);");
}

TEST(Define, ValuesCannotGrowWithoutEnd) {
  std::string text = "define($v0 " + std::string(100, 'x');
  for (int i = 1; i <= 9; ++i) {
    text += ", $v" + std::to_string(i) + ' ';
    for (int j = 0; j < 100; ++j) text += "$v" + std::to_string(i - 1);
  }
  EXPECT_THAT(messages(text + ") p :: Print($v9)"),
              HasSubstr("the names and arguments of the configuration become too long"));
  // Nothing comes of it, but it takes its time.
  std::string loop = "define($a ";
  for (int j = 0; j < 1000; ++j) loop += "$b";
  loop += ", $b ";
  for (int j = 0; j < 1000; ++j) loop += "$a";
  EXPECT_THAT(messages(loop + ") p :: Print($a)"), HasSubstr("become too long"));
}

TEST(Parameters, OverrideDefinitionsOfTheFile) {
  ReadOptions options;
  options.parameters = {{"x", "9"}, {"y", "8"}};
  EXPECT_EQ(elements("define($x 1, $z $x$y) Print($x, $y, $z)", options),
            "Print@1 :: Print(9, 8, 98);");
  EXPECT_EQ(elements("c :: { $x | Print($x, $y) }(3)", options), "c/Print@1 :: Print(3, 8);");
  options.parameters.emplace_back("x", "7");
  EXPECT_EQ(Reading("Idle", options).messages(), "parameter 'x' multiply defined\n");
}

TEST(Parameters, PlacesSurviveExpansion) {
  Reading reading("define($long 123456789)\np :: Print($long, A $long,\n  MAXLENGTH x)");
  const FlatElement& print = reading.graph.elements()[0];
  EXPECT_EQ(print.config, "123456789, A 123456789,\n  MAXLENGTH x");
  const auto place = [&](std::string_view what) {
    return reading.diagnostics.sources().resolve(
        locate(print.config_where, print.config, print.config.find(what)));
  };
  EXPECT_EQ(place("23456"), (SourceLocation{1, 2, 12}));
  EXPECT_EQ(place("A "), (SourceLocation{1, 2, 19}));
  EXPECT_EQ(place("MAXL"), (SourceLocation{1, 3, 3}));
}

}  // namespace
}  // namespace headroom::click
