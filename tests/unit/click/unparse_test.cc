#include "headroom/click/unparse.hh"

#include <gtest/gtest.h>

#include <string>

#include "reader_fixture.hh"

namespace headroom::click {
namespace {

// The connections only.
std::string chains(const std::string& text) {
  const Reading reading(text);
  EXPECT_EQ(reading.messages(), "");
  const std::string flat = reading.flat();
  const Reading again(flat);
  EXPECT_EQ(again.messages(), "");
  EXPECT_EQ(again.flat(), flat);
  const std::size_t blank = flat.find("\n\n");
  return blank == std::string::npos ? "" : flat.substr(blank + 2);
}

TEST(UnparseFlat, Elements) {
  EXPECT_EQ(Reading("").flat(), "");
  EXPECT_EQ(Reading("a :: Print( x /* y */ , \"b, c\",, d, ); Idle( // nothing\n )").flat(),
            "a :: Print(x, \"b, c\", , d);\nIdle@2 :: Idle;\n");
  EXPECT_EQ(Reading("m :: Print(\"\\\\\");").flat(), "m :: Print(\"\\\\\");\n");
}

TEST(UnparseFlat, ChainsFollowTheFirstPorts) {
  EXPECT_EQ(chains("a, b, c :: Idle; p, q :: Tee; a, a[1] -> b -> p, q;\n"
                   "p -> [0]c, [1]c; q -> [2]c;"),
            "a -> b\n    -> p\n    -> c;\na [1] -> b;\np -> [1] c;\nb -> q\n    -> [2] c;\n");
  EXPECT_EQ(chains("a, b, c :: Idle; a => b, c, [0,1] a;"),
            "a [2] -> a\n    -> b;\na [3] -> [1] a;\na [1] -> c;\n");
}

TEST(UnparseFlat, Rings) {
  EXPECT_EQ(chains("a, b, c :: Tee; a -> b -> c -> a"), "c -> a\n    -> b\n    -> c;\n");
  EXPECT_EQ(chains("a :: Tee; a -> a"), "a -> a;\n");
  EXPECT_EQ(chains("a, b :: Tee; a -> b -> a; b [1] -> [1] a"),
            "b [1] -> [1] a;\nb -> a\n    -> b;\n");
}

TEST(UnparseFlat, CurrentConfigurations) {
  const Reading reading("a :: Queue(5); b :: Idle");
  EXPECT_EQ(unparse_flat(reading.graph,
                         [](uint32_t element) {
                           return element == 0 ? std::string("CAPACITY 10") : std::string();
                         }),
            "a :: Queue(CAPACITY 10);\nb :: Idle;\n");
}

TEST(UnparseFlat, RepeatedConnectionsStandOnce) {
  FlatGraph graph;
  graph.add("a", "Idle");
  graph.connect(0, 0, 0, 1);
  graph.connect(0, 0, 0, 1);
  EXPECT_EQ(unparse_flat(graph), "a :: Idle;\n\na -> [1] a;\n");
}

}  // namespace
}  // namespace headroom::click
