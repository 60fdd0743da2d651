#include "headroom/base/suggest.hh"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace headroom {
namespace {

const std::vector<std::string_view> kNames{"Discard", "Queue", "Counter", "CheckIPHeader", "Tee"};

TEST(Suggest, FindsEveryKindOfEdit) {
  EXPECT_EQ(nearest("Discrad", kNames), "Discard");   // transposed
  EXPECT_EQ(nearest("Discar", kNames), "Discard");    // left out
  EXPECT_EQ(nearest("Disscard", kNames), "Discard");  // put in
  EXPECT_EQ(nearest("Discarf", kNames), "Discard");   // replaced
  EXPECT_EQ(nearest("CheckIpHeadr", kNames), "CheckIPHeader");
}

TEST(Suggest, CaseIsHalfAnEdit) {
  EXPECT_EQ(nearest("queue", kNames), "Queue");
  EXPECT_EQ(nearest("checkipheader", kNames), "CheckIPHeader");
  EXPECT_EQ(nearest("limit", std::vector<std::string_view>{"LIMIT"}), "LIMIT");
  const std::vector<std::string_view> two{"abcX", "abcD"};
  EXPECT_EQ(nearest("abcd", two), "abcD");
}

TEST(Suggest, NothingThatIsFar) {
  EXPECT_EQ(nearest("Foo", kNames), "");
  EXPECT_EQ(nearest("", kNames), "");
  EXPECT_EQ(nearest("a", std::vector<std::string_view>{"b", "c1", ""}), "");
  EXPECT_EQ(nearest("ab", std::vector<std::string_view>{"xb"}), "");
  EXPECT_EQ(nearest("A", std::vector<std::string_view>{"b", "a"}), "a");
  EXPECT_EQ(nearest(std::string(1 << 20, 'a'), std::vector<std::string_view>{"aaa"}), "");
}

TEST(Suggest, FirstOfEquallyNear) {
  EXPECT_EQ(nearest("foo4", std::vector<std::string_view>{"foo1", "foo2"}), "foo1");
  EXPECT_EQ(nearest("foo2", std::vector<std::string_view>{"foo1", "foo2"}), "foo2");
}

TEST(Suggest, DidYouMean) {
  EXPECT_EQ(did_you_mean("Quene", kNames), "did you mean 'Queue'?");
  EXPECT_EQ(did_you_mean("Shaper", kNames), "");
}

}  // namespace
}  // namespace headroom
