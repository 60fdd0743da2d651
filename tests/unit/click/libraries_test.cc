// require(library ...), and which packages are built in.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "reader_fixture.hh"

namespace headroom::click {
namespace {

ReadOptions files(std::map<std::string, std::string> texts) {
  ReadOptions options;
  options.library_directories = {"/lib/one", "/lib/two"};
  options.load = [texts = std::move(texts)](const std::string& path) -> std::optional<std::string> {
    const auto found = texts.find(path);
    if (found == texts.end()) return std::nullopt;
    return found->second;
  };
  return options;
}

TEST(Libraries, ArePutInWhereTheyAreRequired) {
  const Reading reading("require(library a.click) A -> Discard",
                        files({{"/lib/two/conf/a.click", "elementclass A Idle; s :: A;"}}));
  EXPECT_EQ(reading.messages(), "");
  EXPECT_EQ(reading.elements(), "s :: Idle; A@2 :: Idle; Discard@3 :: Discard;");
  EXPECT_EQ(reading.flat(),
            "s :: Idle;\nA@2 :: Idle;\nDiscard@3 :: Discard;\n\nA@2 -> Discard@3;\n");
}

TEST(Libraries, AreLookedForInOrder) {
  auto texts = std::map<std::string, std::string>{{"/lib/one/conf/a", "n1 :: Idle"},
                                                  {"/lib/one/a", "n2 :: Idle"},
                                                  {"/lib/two/conf/a", "n3 :: Idle"},
                                                  {"/lib/two/a", "n4 :: Idle"},
                                                  {"a", "n5 :: Idle"}};
  for (const char* path : {"/lib/one/conf/a", "/lib/one/a", "/lib/two/conf/a", "/lib/two/a", "a"}) {
    EXPECT_EQ(Reading("require(library a)", files(texts)).flat(), texts[path] + ";\n");
    texts.erase(path);
  }
  EXPECT_EQ(Reading("require(library a)", files(texts)).messages(),
            "config:1: library 'a' not found in CLICKPATH/conf\n");
  EXPECT_EQ(Reading("require(library /x/a)", files({{"/x/a", "Idle"}})).flat(),
            "Idle@1 :: Idle;\n");
}

TEST(Libraries, AreReadOnceAndMayRequireOthers) {
  const Reading reading("require(library a, library b, library a) require(library b)",
                        files({{"/lib/one/a", "require(library b) require(library a) a :: Idle"},
                               {"/lib/one/b", "require(library a) b :: Idle"}}));
  EXPECT_EQ(reading.messages(), "");
  EXPECT_EQ(reading.elements(), "b :: Idle; a :: Idle;");
  // Beside the file that asks.
  EXPECT_EQ(Reading("require(library /x/a)",
                    files({{"/x/a", "require(library y/b)"}, {"/x/y/b", "b :: Idle"}}))
                .elements(),
            "b :: Idle;");
}

TEST(Libraries, MistakesCarryTheirFileAndLine) {
  const Reading reading("require(library a)\nIdle -> x",
                        files({{"/lib/one/conf/a", "\nIdle -> y :: Discrad"}}));
  EXPECT_EQ(reading.messages(),
            "/lib/one/conf/a:2: unknown element class 'Discrad'\n"
            "config:2: undeclared element 'x'\n");
}

TEST(Libraries, OnlyAtFileScope) {
  EXPECT_EQ(Reading("{ require(library a) }", files({{"/lib/one/a", ""}})).messages(),
            "config:1: 'require library' must be used at file scope\n");
}

TEST(Libraries, ArchivesAreRefused) {
  EXPECT_EQ(Reading("!<arch>\nconfig/").messages(),
            "config:1: configuration archives are not supported\n");
  EXPECT_EQ(Reading("require(library a)", files({{"/lib/one/a", "!<arch>\n"}})).messages(),
            "/lib/one/a:1: configuration archives are not supported\n");
}

TEST(Libraries, NestedTooDeeply) {
  std::map<std::string, std::string> texts;
  for (int i = 0; i < 1000; ++i) {
    texts["/lib/one/" + std::to_string(i)] = "require(library " + std::to_string(i + 1) + ")";
  }
  EXPECT_EQ(Reading("require(library 0)", files(texts)).messages(),
            "/lib/one/49:1: libraries require each other too deeply\n");
}

TEST(Packages, ThatClickHasBuiltIn) {
  const Reading reading("require(tcpip, package click, userlevel) Idle");
  EXPECT_EQ(reading.messages(), "");
  EXPECT_TRUE(reading.classes.required.empty());
  EXPECT_EQ(reading.flat(),
            "require(package tcpip, package click, package userlevel);\n\nIdle@1 :: Idle;\n");
}

TEST(Libraries, PackagesMayBeWrittenInClick) {
  ReadOptions options;
  options.package_text = [](std::string_view name) -> std::optional<std::string> {
    if (name != "other") return std::nullopt;
    return "elementclass Discard { input -> Counter -> Discard }";
  };
  const Reading reading("require(package other, package other) Idle -> Discard", options);
  EXPECT_EQ(reading.messages(), "");
  // What it means is there already, so it is not required again.
  EXPECT_EQ(reading.flat(),
            "Idle@1 :: Idle;\nDiscard@2/Counter@1 :: Counter;\nDiscard@2/Discard@2 :: Discard;\n\n"
            "Idle@1 -> Discard@2/Counter@1\n    -> Discard@2/Discard@2;\n");
  EXPECT_EQ(Reading("Idle -> { require(package other) input -> Discard }", options).messages(),
            "config:1: 'require package' must be used at file scope\n");

  options.packages = {"other"};
  EXPECT_EQ(Reading("Idle -> Discard", options).flat(), reading.flat());
}

}  // namespace
}  // namespace headroom::click
