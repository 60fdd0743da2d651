#include "headroom/base/diagnostics.hh"

#include <gtest/gtest.h>

#include <string>

namespace headroom {
namespace {

using Form = Diagnostics::Form;

TEST(Sources, LinesEndInLfCrOrBoth) {
  Sources sources;
  const uint32_t file = sources.add("f", "one\ntwo\r\nthree\rfour\n\n");
  EXPECT_EQ(sources.line(file, 1), "one");
  EXPECT_EQ(sources.line(file, 2), "two");
  EXPECT_EQ(sources.line(file, 3), "three");
  EXPECT_EQ(sources.line(file, 4), "four");
  EXPECT_EQ(sources.line(file, 5), "");
  EXPECT_EQ(sources.line(file, 99), "");
  EXPECT_EQ(sources.line(file, 0), "");
  EXPECT_EQ(sources.line(7, 1), "");
  EXPECT_EQ(sources.name(0), "");
  EXPECT_EQ(sources.text(file).size(), 21U);
}

TEST(Sources, TextsStayInPlace) {
  Sources sources;
  const uint32_t file = sources.add("f", "short");
  const char* before = sources.text(file).data();
  for (int i = 0; i < 1000; ++i) sources.add_alias("g");
  EXPECT_EQ(sources.text(file).data(), before);
}

TEST(Sources, AliasShowsTheLinesOfItsOriginal) {
  Sources sources;
  const uint32_t file = sources.add("f", "one\ntwo\nthree");
  const uint32_t alias = sources.add_alias("g", file, -10);
  EXPECT_EQ(sources.name(alias), "g");
  EXPECT_EQ(sources.line(alias, 12), "two");
  EXPECT_EQ(sources.line(alias, 2), "");
  EXPECT_EQ(sources.line(sources.add_alias("h"), 1), "");
}

TEST(Diagnostics, CountsErrorsOnly) {
  Diagnostics diagnostics;
  diagnostics.warning({}, "careful");
  diagnostics.note({}, "by the way");
  EXPECT_TRUE(diagnostics.ok());
  diagnostics.error({}, "wrong");
  EXPECT_FALSE(diagnostics.ok());
  EXPECT_EQ(diagnostics.errors(), 1U);
  EXPECT_EQ(diagnostics.all().size(), 3U);
}

TEST(Diagnostics, PlainHasOneLineAMessage) {
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("config", "a -> b;\nc :: d;\n");
  diagnostics.error({file, 1, 1}, "undeclared element 'a'", "did you mean 'c'?");
  diagnostics.warning({file, 2, 6}, "odd");
  diagnostics.error({}, "Router could not be initialized!");
  EXPECT_EQ(diagnostics.render(Form::plain),
            "config:1: undeclared element 'a'\n"
            "config:2: warning: odd\n"
            "Router could not be initialized!\n");
}

TEST(Diagnostics, PlainShowsAContextOnceForARun) {
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("config", "x\ny\nz\n");
  {
    const Diagnostics::Context context(diagnostics,
                                       "While configuring 'a :: Print':", {file, 1, 1});
    diagnostics.error({file, 2, 1}, "LABEL: parse error");
    diagnostics.warning({file, 3, 1}, "FOO: argument deprecated");
    {
      const Diagnostics::Context inner(diagnostics, "While configuring 'b :: Print':");
      diagnostics.error({file, 3, 1}, "too many arguments");
    }
    diagnostics.error({file, 2, 1}, "again");
  }
  diagnostics.error({file, 3, 1}, "outside");
  {
    const Diagnostics::Context context(diagnostics, "While executing 'Script@1 :: Script':");
    diagnostics.error({}, "no 's.nosuch' read handler");
  }
  EXPECT_EQ(diagnostics.render(Form::plain),
            "config:1: While configuring 'a :: Print':\n"
            "  LABEL: parse error\n"
            "  warning: FOO: argument deprecated\n"
            "config:3: While configuring 'b :: Print':\n"
            "  too many arguments\n"
            "config:1: While configuring 'a :: Print':\n"
            "  again\n"
            "config:3: outside\n"
            "While executing 'Script@1 :: Script':\n"
            "  no 's.nosuch' read handler\n");
}

TEST(Diagnostics, PlainPrefixesEveryLineOfAMessage) {
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("config", "x");
  diagnostics.error({file, 1, 1}, "no match\ncandidates are:");
  EXPECT_EQ(diagnostics.render(Form::plain), "config:1: no match\nconfig:1: candidates are:\n");
}

TEST(Diagnostics, FullShowsTheLineTheCaretAndTheHint) {
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("r.click", "a :: Idle;\n\tx :: Discrad;\n");
  diagnostics.error({file, 2, 7}, "unknown element class 'Discrad'", "did you mean 'Discard'?");
  diagnostics.note({file, 1, 1}, "see here");
  diagnostics.warning({}, "nowhere");
  EXPECT_EQ(diagnostics.render(Form::full),
            "r.click:2:7: error: unknown element class 'Discrad'\n"
            "    2 | \tx :: Discrad;\n"
            "      | \t     ^\n"
            "hint: did you mean 'Discard'?\n"
            "r.click:1:1: note: see here\n"
            "    1 | a :: Idle;\n"
            "      | ^\n"
            "warning: nowhere\n");
}

TEST(Diagnostics, FullShowsTheContext) {
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("r.click", "q :: Queue(x);");
  const Diagnostics::Context context(diagnostics, "While configuring 'q :: Queue':", {file, 1, 1});
  diagnostics.error({file, 1, 12}, "CAPACITY: parse error");
  diagnostics.error({}, "more");
  EXPECT_EQ(diagnostics.render(Form::full),
            "While configuring 'q :: Queue':\n"
            "r.click:1:12: error: CAPACITY: parse error\n"
            "    1 | q :: Queue(x);\n"
            "      |            ^\n"
            "r.click:1:1: error: more\n"
            "    1 | q :: Queue(x);\n"
            "      | ^\n");
}

TEST(Diagnostics, FullCountsCharactersNotBytesBeforeTheCaret) {
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("f", "// \xC3\xA9\x01 x");
  diagnostics.error({file, 1, 8}, "here");
  EXPECT_EQ(diagnostics.render(Form::full),
            "f:1:8: error: here\n    1 | // \xC3\xA9? x\n      |       ^\n");
}

TEST(Diagnostics, FullCutsLongLines) {
  Diagnostics diagnostics;
  const uint32_t file =
      diagnostics.sources().add("f", std::string(100000, 'a') + "X" + std::string(100000, 'b'));
  diagnostics.error({file, 1, 100001}, "here");
  diagnostics.error({file, 1, 1}, "start");
  diagnostics.error({file, 1, 200002}, "end");
  const std::string text = diagnostics.render(Form::full);
  EXPECT_LT(text.size(), 2000U);
  const std::size_t line = text.find("...aaa");
  const std::size_t caret = text.find('^');
  const std::size_t caret_line = text.rfind('\n', caret) + 1;
  const std::size_t source_line = text.rfind('\n', line) + 1;
  EXPECT_EQ(text[source_line + (caret - caret_line)], 'X');
}

TEST(Diagnostics, ColourOnRequest) {
  Diagnostics diagnostics;
  diagnostics.error({}, "wrong", "right");
  EXPECT_EQ(diagnostics.render(Form::full, true),
            "\033[1;31merror: \033[0mwrong\n\033[1;32mhint: \033[0mright\n");
  EXPECT_EQ(diagnostics.render(Form::plain, true), "wrong\n");
}

TEST(Diagnostics, Landmark) {
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("<stdin>", "");
  EXPECT_EQ(diagnostics.landmark({file, 3, 1}), "<stdin>:3");
  EXPECT_EQ(diagnostics.landmark({file, 0, 0}), "<stdin>");
  EXPECT_EQ(diagnostics.landmark({}), "");
}

TEST(Sources, PiecesCountForThePlacesTheyCameFrom) {
  Sources sources;
  const uint32_t file = sources.add("f", "Print($x,\n  $y z)");
  // "5,\n  VALUE z": both variables were replaced.
  const uint32_t made = sources.add_pieces({{1, 1, {file, 1, 7}, false},
                                            {1, 2, {file, 1, 9}, true},
                                            {2, 3, {file, 2, 3}, false},
                                            {2, 8, {file, 2, 5}, true}});
  EXPECT_EQ(sources.resolve({made, 1, 1}), (SourceLocation{file, 1, 7}));
  EXPECT_EQ(sources.resolve({made, 1, 2}), (SourceLocation{file, 1, 9}));
  EXPECT_EQ(sources.resolve({made, 2, 2}), (SourceLocation{file, 2, 2}));
  EXPECT_EQ(sources.resolve({made, 2, 6}), (SourceLocation{file, 2, 3}));
  EXPECT_EQ(sources.resolve({made, 2, 9}), (SourceLocation{file, 2, 6}));
  EXPECT_EQ(sources.resolve({file, 2, 9}), (SourceLocation{file, 2, 9}));
  EXPECT_EQ(sources.resolve({made + 1, 2, 9}), (SourceLocation{made + 1, 2, 9}));

  Diagnostics diagnostics;
  const uint32_t text = diagnostics.sources().add("config", "Print($x)");
  const uint32_t pieces = diagnostics.sources().add_pieces({{1, 1, {text, 1, 7}, false}});
  diagnostics.error({pieces, 1, 3}, "wrong");
  EXPECT_EQ(diagnostics.all()[0].where, (SourceLocation{text, 1, 7}));
  EXPECT_EQ(diagnostics.landmark({pieces, 1, 3}), "config:1");
}

TEST(Diagnostics, AHintMayHaveAPlace) {
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("f", "a (b\nc\n");
  const uint32_t pieces = diagnostics.sources().add_pieces({{1, 1, {file, 1, 3}, false}});
  diagnostics.error({file, 2, 1}, "expected ')'", "to close this", {pieces, 1, 1});
  EXPECT_EQ(diagnostics.render(Form::full),
            "f:2:1: error: expected ')'\n"
            "    2 | c\n      | ^\n"
            "hint: to close this\n"
            "    1 | a (b\n      |   ^\n");
  EXPECT_EQ(diagnostics.render(Form::plain), "f:2: expected ')'\n");
}

TEST(Diagnostics, FullShowsWhereADefinitionWasExpanded) {
  Diagnostics diagnostics;
  Sources& sources = diagnostics.sources();
  const uint32_t file = sources.add("f", "A { Print(x) }\nB { a :: A }\nb :: B;\n");
  const uint32_t outer = sources.add_expansion({file, 3, 1}, "b");
  const uint32_t inner = sources.add_expansion({file, 2, 5, outer}, "b/a");
  diagnostics.error({file, 1, 11, inner}, "parse error", "write a number");
  EXPECT_EQ(diagnostics.render(Form::full),
            "f:1:11: error: parse error\n"
            "    1 | A { Print(x) }\n"
            "      |           ^\n"
            "hint: write a number\n"
            "f:2:5: note: expanded from here, as 'b/a'\n"
            "    2 | B { a :: A }\n"
            "      |     ^\n"
            "f:3:1: note: expanded from here, as 'b'\n"
            "    3 | b :: B;\n"
            "      | ^\n");
  EXPECT_EQ(diagnostics.render(Form::plain), "f:1: parse error\n");
  EXPECT_EQ(sources.expansion(0), nullptr);
  EXPECT_EQ(sources.expansion(3), nullptr);
}

}  // namespace
}  // namespace headroom
