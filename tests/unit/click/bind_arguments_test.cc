#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "headroom/click/arg_types.hh"
#include "headroom/click/arguments.hh"

namespace headroom::click {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

template <class T>
Parameter parameter(std::string_view name, T& value) {
  Parameter result;
  result.name = name;
  result.read = [&value](std::string_view text, std::string& error) {
    return ArgType<T>::parse(text, value, error);
  };
  return result;
}
Parameter positional(Parameter parameter) {
  parameter.positional = true;
  return parameter;
}
Parameter mandatory(Parameter parameter) {
  parameter.mandatory = true;
  return parameter;
}

// Like Print: LABEL and MAXLENGTH by position, ACTIVE by keyword only.
struct Print {
  std::string label = "none";
  int32_t max_length = 24;
  bool active = true;
  Diagnostics diagnostics;

  std::string bind(std::string_view config) {
    const Parameter parameters[] = {positional(parameter("LABEL", label)),
                                    positional(parameter("MAXLENGTH", max_length)),
                                    parameter("ACTIVE", active)};
    const bool good = bind_arguments(config, parameters, {}, {}, diagnostics);
    EXPECT_EQ(good, diagnostics.ok());
    return diagnostics.render(Diagnostics::Form::plain);
  }
  std::string hint() const { return diagnostics.all().at(0).hint; }
};

TEST(BindArguments, ByPositionAndByKeyword) {
  Print print;
  EXPECT_EQ(print.bind("x, 5, ACTIVE false"), "");
  EXPECT_EQ(print.label, "x");
  EXPECT_EQ(print.max_length, 5);
  EXPECT_FALSE(print.active);

  Print other;
  EXPECT_EQ(other.bind("ACTIVE\n /* really */ no, MAXLENGTH 7"), "");
  EXPECT_EQ(other.label, "none");
  EXPECT_EQ(other.max_length, 7);
  EXPECT_FALSE(other.active);

  Print none;
  EXPECT_EQ(none.bind(""), "");
  EXPECT_EQ(none.max_length, 24);
}

TEST(BindArguments, TheLastKeywordWins) {
  Print print;
  EXPECT_EQ(print.bind("MAXLENGTH 1, MAXLENGTH x, MAXLENGTH 3"), "");
  EXPECT_EQ(print.max_length, 3);
}

TEST(BindArguments, AKeywordOverridesAPosition) {
  Print print;
  EXPECT_EQ(print.bind("x, 5, MAXLENGTH 6, LABEL y"), "");
  EXPECT_EQ(print.label, "y");
  EXPECT_EQ(print.max_length, 6);
}

TEST(BindArguments, PositionsComeFirst) {
  Print print;
  EXPECT_EQ(print.bind("MAXLENGTH 10, foo"), "too many arguments\n");
  EXPECT_EQ(print.max_length, 10);
  Print tail;
  EXPECT_EQ(tail.bind("FOO 10, foo"), "FOO: unknown argument\ntoo many arguments\n");
  EXPECT_EQ(tail.label, "none");
}

TEST(BindArguments, TooManyOnce) {
  Print print;
  EXPECT_EQ(print.bind("x, 5, 6, 7"), "too many arguments\n");
  Print bare;
  EXPECT_EQ(bare.bind("x, 5, ACTIVE"), "too many arguments\n");
  EXPECT_EQ(bare.hint(), "a keyword needs a value: ACTIVE VALUE");
  Print late;
  EXPECT_EQ(late.bind("x, 5, ACTIVE no, 7"), "too many arguments\n");
  EXPECT_EQ(late.hint(), "arguments without a keyword come before those with one");
}

TEST(BindArguments, UnknownKeywords) {
  Print print;
  EXPECT_EQ(print.bind("x, MAXLENGHT 10, Q:x.y?! 3"),
            "MAXLENGHT: unknown argument\nQ:x.y?!: unknown argument\n");
  EXPECT_EQ(print.hint(), "did you mean 'MAXLENGTH'?");
  Print lower;
  EXPECT_EQ(lower.bind("maxlength 10"), "maxlength: unknown argument\n");
  EXPECT_EQ(lower.hint(), "did you mean 'MAXLENGTH'?");
}

TEST(BindArguments, ParseErrors) {
  Print print;
  EXPECT_EQ(print.bind("a b, 99999999999, ACTIVE maybe"),
            "ACTIVE: parse error\na: unknown argument\ntoo many arguments\n");
  // "a b" looks like a keyword with its value, so that it fills no position.
  Print second;
  EXPECT_EQ(second.bind("\"a\" b, 99999999999, ACTIVE maybe"),
            "LABEL: parse error\n"
            "MAXLENGTH: out of range, bound 2147483647\n"
            "ACTIVE: parse error\n");
}

TEST(BindArguments, NoParameters) {
  Diagnostics diagnostics;
  EXPECT_TRUE(bind_arguments("", {}, {}, {}, diagnostics));
  EXPECT_FALSE(bind_arguments("5, X 3", {}, {}, {}, diagnostics));
  EXPECT_EQ(diagnostics.render(Diagnostics::Form::plain),
            "too many arguments\nX: unknown argument\n");
}

std::string bind_mandatory(std::string_view config, std::string& file, bool& stop) {
  const Parameter parameters[] = {mandatory(positional(parameter("FILENAME", file))),
                                  mandatory(parameter("STOP", stop))};
  Diagnostics diagnostics;
  bind_arguments(config, parameters, {}, {}, diagnostics);
  return diagnostics.render(Diagnostics::Form::plain);
}

TEST(BindArguments, Mandatory) {
  std::string file;
  bool stop = false;
  EXPECT_EQ(bind_mandatory("", file, stop),
            "FILENAME: required argument missing\nSTOP: required argument missing\n");
  EXPECT_EQ(bind_mandatory("a, STOP true", file, stop), "");
  EXPECT_EQ(file, "a");
  EXPECT_TRUE(stop);
  EXPECT_EQ(bind_mandatory("STOP false, FILENAME b", file, stop), "");
  EXPECT_EQ(file, "b");
}

TEST(BindArguments, AMandatoryPositionTakesWhatLooksLikeAKeyword) {
  RawText text;
  int32_t number = 0;
  const Parameter parameters[] = {mandatory(positional(parameter("TEXT", text))),
                                  parameter("NUMBER", number)};
  Diagnostics diagnostics;
  EXPECT_TRUE(bind_arguments("tcp port 80, NUMBER 3", parameters, {}, {}, diagnostics));
  EXPECT_EQ(text.text, "tcp port 80");
  EXPECT_EQ(number, 3);
}

struct Routes {
  std::vector<std::string> routes;
  int32_t number = 0;

  std::string bind(std::string_view config, bool need = false) {
    Parameter rest = positional({});
    rest.name = "ROUTE";
    rest.rest = true;
    rest.mandatory = need;
    rest.read = [this](std::string_view text, std::string& error) {
      routes.emplace_back(text);
      if (text == "bad") error = "pattern 0: expected a digit";
      return text != "bad" && text != "worse";
    };
    const Parameter parameters[] = {std::move(rest), parameter("NUMBER", number)};
    Diagnostics diagnostics;
    bind_arguments(config, parameters, {}, {}, diagnostics);
    return diagnostics.render(Diagnostics::Form::plain);
  }
};

TEST(BindArguments, RestTakesWhatIsLeft) {
  Routes routes;
  EXPECT_EQ(routes.bind("10/8 1.2.3.4 1, NUMBER 7, tcp port 80, -"), "");
  EXPECT_THAT(routes.routes, ElementsAre("10/8 1.2.3.4 1", "tcp port 80", "-"));
  EXPECT_EQ(routes.number, 7);
}

TEST(BindArguments, RestByItsKeyword) {
  Routes routes;
  EXPECT_EQ(routes.bind("a, ROUTE b c"), "");
  EXPECT_THAT(routes.routes, ElementsAre("a", "b c"));
}

TEST(BindArguments, RestMistakes) {
  Routes routes;
  EXPECT_EQ(routes.bind("a, bad, worse"),
            "ROUTE: pattern 0: expected a digit\nROUTE: parse error\n");
  Routes none;
  EXPECT_EQ(none.bind("NUMBER 1"), "");
  EXPECT_THAT(none.routes, IsEmpty());
  EXPECT_EQ(none.bind("NUMBER 1", true), "ROUTE: required argument missing\n");
}

TEST(BindArguments, DeprecatedOnesAreReadWithAWarning) {
  int32_t limit = 0;
  Parameter old = positional(parameter("OLD", limit));
  old.deprecated = true;
  const Parameter parameters[] = {old};
  Diagnostics diagnostics;
  EXPECT_TRUE(bind_arguments("", parameters, {}, {}, diagnostics));
  EXPECT_EQ(diagnostics.render(Diagnostics::Form::plain), "");
  EXPECT_TRUE(bind_arguments("OLD 5", parameters, {}, {}, diagnostics));
  EXPECT_EQ(limit, 5);
  EXPECT_EQ(diagnostics.render(Diagnostics::Form::plain), "warning: OLD: argument deprecated\n");
}

TEST(BindArguments, ParseErrorsSayWhatIsExpected) {
  const auto hint = [](std::string_view type, std::string_view example, std::string_view value) {
    int32_t number = 0;
    Parameter one = positional(parameter("N", number));
    one.type = type;
    one.example = example;
    const Parameter parameters[] = {one};
    Diagnostics diagnostics;
    EXPECT_FALSE(bind_arguments(value, parameters, {}, {}, diagnostics));
    return diagnostics.all().at(0).hint;
  };
  EXPECT_EQ(hint("integer", "10", "x"), "expected an integer, such as 10");
  EXPECT_EQ(hint("real number", "", "x"), "expected a real number");
  EXPECT_EQ(hint("", "", "x"), "");
  // The message says it already.
  EXPECT_EQ(hint("integer", "10", "99999999999"), "");
}

TEST(BindArguments, MessagesSayWhatThereIs) {
  const auto hint = [](std::string_view config) {
    std::string source, label;
    bool active = false;
    const Parameter parameters[] = {mandatory(positional(parameter("SRC", source))),
                                    parameter("ACTIVE", active),
                                    positional(parameter("LABEL", label))};
    Diagnostics diagnostics;
    EXPECT_FALSE(bind_arguments(config, parameters, {}, {}, diagnostics));
    return diagnostics.all().at(0).hint;
  };
  const char* all = "it takes: SRC, [LABEL], [ACTIVE VALUE]";
  EXPECT_EQ(hint(""), all);
  EXPECT_EQ(hint("x, y, z"), all);
  EXPECT_EQ(hint("x, NOTHING 5"), all);
  EXPECT_EQ(hint("x, y, ACTIVE"), "a keyword needs a value: ACTIVE VALUE");
  Diagnostics diagnostics;
  EXPECT_FALSE(bind_arguments("x", {}, {}, {}, diagnostics));
  EXPECT_EQ(diagnostics.all().at(0).hint, "it takes no arguments");
}

TEST(BindArguments, TellsWhereValuesStand) {
  int32_t limit = 0;
  std::string items;
  Parameter one = parameter("LIMIT", limit);
  Parameter rest = parameter("ITEM", items);
  std::vector<uint32_t> limits, places;
  one.offsets = &limits;
  rest.offsets = &places;
  rest.rest = true;
  const Parameter parameters[] = {one, rest};
  Diagnostics diagnostics;
  EXPECT_TRUE(bind_arguments("a, /**/ b,\nLIMIT /**/ 5, ITEM c", parameters, {}, {}, diagnostics));
  EXPECT_THAT(limits, ElementsAre(22U));
  EXPECT_THAT(places, ElementsAre(0U, 8U, 30U));
}

TEST(BindArguments, PointsAtTheArgument) {
  const std::string config = "x, 5,\n  ACTIVE /* a, b */ maybe,\n  FOO 1, BAR 2";
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("config", "Print(" + config + ")");
  bool active = false;
  const Parameter parameters[] = {parameter("ACTIVE", active)};
  const Diagnostics::Context context(diagnostics, "While configuring 'Print@1 :: Print':");
  bind_arguments(config, parameters, {file, 1, 1}, {file, 1, 7}, diagnostics);
  std::vector<SourceLocation> places;
  for (const Diagnostic& diagnostic : diagnostics.all()) places.push_back(diagnostic.where);
  EXPECT_THAT(places, ElementsAre(SourceLocation{file, 2, 21}, SourceLocation{file, 1, 7},
                                  SourceLocation{file, 3, 3}, SourceLocation{file, 3, 10}));
  EXPECT_EQ(diagnostics.render(Diagnostics::Form::plain),
            "config:1: While configuring 'Print@1 :: Print':\n"
            "  ACTIVE: parse error\n"
            "  too many arguments\n"
            "  FOO: unknown argument\n"
            "  BAR: unknown argument\n");
}

TEST(BindArguments, PointsAtTheElementWithoutBetterKnowledge) {
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("config", "Idle(1)");
  bind_arguments("1", {}, {file, 1, 1}, {}, diagnostics);
  EXPECT_EQ(diagnostics.all()[0].where, (SourceLocation{file, 1, 1}));
}

}  // namespace
}  // namespace headroom::click
