// Arguments that change while the router runs.
#include "graph_elements.hh"

namespace headroom::test {
namespace {

class Tunable final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "Tunable", .ports = "0/0"};
  Arg<std::string> title{*this, "TITLE", "none", {.positional = true}};
  Arg<uint32_t> rate{*this, "RATE", 10, {.positional = true, .live = true}};
  Arg<uint32_t> burst{*this, "BURST", 1, {.positional = true, .live = true}};
  Arg<std::string> text{*this, "TEXT", "", {.live = true}};
  Arg<bool> fixed{*this, "FIXED", false};

  bool reconfigure(std::string& error) override {
    if (*rate == 13) {
      error = "RATE: not 13";
      return false;
    }
    ++times;
    return true;
  }
  int times = 0;
};
HEADROOM_ELEMENT(Tunable);

class ReconfigureTest : public testing::Test {
 protected:
  std::string refused(std::string_view handler, std::string_view value) {
    std::string error;
    EXPECT_FALSE(test.router->write_handler(handler, value, error)) << handler << ' ' << value;
    return error;
  }
  Tunable& element() { return *test.router->find_as<Tunable>("t"); }
  TestRouter test{"t :: Tunable(abc, 5, FIXED true, RATE 6)"};
};

TEST_F(ReconfigureTest, LiveArgumentsHaveHandlers) {
  EXPECT_EQ(test.read("t.rate"), "6");
  EXPECT_EQ(test.read("t.burst"), "1");
  EXPECT_EQ(test.read("t.text"), "");
  EXPECT_EQ(test.read("t.handlers"),
            "rate\trw\nburst\trw\ntext\trw\nconfig\trw\nclass\tr\nname\tr\nports\tr\ndrops\tr\n"
            "handlers\tr\n");
}

TEST_F(ReconfigureTest, OneArgument) {
  test.write("t.rate", "7");
  EXPECT_EQ(test.read("t.rate"), "7");
  EXPECT_EQ(element().times, 1);
  // What was given by position and moved is named now, and reads the same.
  EXPECT_EQ(test.read("t.config"), "TITLE abc, FIXED true, RATE 7");
  test.write("t.burst", "3");
  EXPECT_EQ(test.read("t.config"), "TITLE abc, FIXED true, RATE 7, BURST 3");
  test.write("t.text", "\"a, b\"");
  EXPECT_EQ(test.read("t.text"), "a, b");
  EXPECT_EQ(*element().rate, 7u);
  EXPECT_EQ(*element().burst, 3u);
}

TEST_F(ReconfigureTest, TheWholeConfiguration) {
  test.write("t.config", "abc, 9, 2, FIXED yes");
  EXPECT_EQ(test.read("t.config"), "abc, 9, 2, FIXED yes");
  EXPECT_EQ(test.read("t.rate"), "9");
  EXPECT_EQ(test.read("t.burst"), "2");
  test.write("t.config", "abc, FIXED true");  // the rest is as by default
  EXPECT_EQ(test.read("t.rate"), "10");
  EXPECT_EQ(test.read("t.burst"), "1");
}

TEST_F(ReconfigureTest, AMistakeChangesNothing) {
  EXPECT_EQ(refused("t.rate", "fast"), "RATE: parse error");
  EXPECT_EQ(refused("t.rate", ""), "RATE: parse error");
  EXPECT_EQ(refused("t.rate", "7, 8"), "too many arguments");
  EXPECT_EQ(refused("t.rate", "13"), "RATE: not 13");
  EXPECT_EQ(refused("t.config", "abc, 9"), "FIXED: cannot be changed while the router runs");
  EXPECT_EQ(refused("t.config", "xyz, FIXED true"),
            "TITLE: cannot be changed while the router runs");
  EXPECT_EQ(refused("t.config", "abc, x, y, FIXED true, NOSUCH 1"),
            "RATE: parse error\nBURST: parse error\nNOSUCH: unknown argument");
  EXPECT_EQ(test.read("t.rate"), "6");
  EXPECT_EQ(test.read("t.config"), "abc, 5, FIXED true, RATE 6");
  EXPECT_EQ(element().times, 0);
}

TEST_F(ReconfigureTest, OthersHaveNoSuchHandlers) {
  TestRouter other("c :: Counter; Idle -> c -> Discard");
  std::string error;
  EXPECT_FALSE(other.router->write_handler("c.config", "", error));
  EXPECT_EQ(error, "no 'c.config' write handler");
}

}  // namespace
}  // namespace headroom::test
