// Handlers: an element's own, those of every element, and what is said when there is none.
#include "graph_elements.hh"

namespace headroom::test {
namespace {

// Handlers in every order of declaration.
class Knobs final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "Knobs", .ports = "0/0"};
  std::string text = "old";
  ReadHandler read_first{*this, "a", "Read, then write.", [this] { return text; }};
  WriteHandler write_second{*this, "a", "", [this](std::string_view value, std::string& error) {
                              if (value == "bad") {
                                error = "a: not that";
                                return false;
                              }
                              text = value;
                              return true;
                            }};
  WriteHandler write_first{*this, "b", "Write, then read.",
                           [this](std::string_view value, std::string&) {
                             text = value;
                             return true;
                           }};
  ReadHandler read_second{*this, "b", "Write, then read.", [this] { return text; }};
  WriteHandler write_only{*this, "w", "", [](std::string_view, std::string&) { return true; }};
  ReadHandler dotted{*this, "x.y", "", [] { return std::string("dotted"); }};
  ReadHandler own_class{*this, "class", "Instead of the common one.",
                        [] { return std::string("mine"); }};
  Count count{*this, "count", "Counts."};
  QueryHandler twice{
      *this, "twice", "The parameters, twice.",
      [](std::string_view parameters, std::string& error) -> std::optional<std::string> {
        if (parameters == "never") {
          error = "twice: not that";
          return std::nullopt;
        }
        return std::string(parameters) + std::string(parameters);
      }};
};
HEADROOM_ELEMENT(Knobs);

// Asks too early.
class Eager final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "Eager", .ports = "0/0"};
  bool configure(SetupContext& context) override {
    std::string error;
    if (router().read_handler("list", error) || router().write_handler("stop", "", error))
      return true;
    return context.error(error);
  }
};
HEADROOM_ELEMENT(Eager);

TEST(EagerTest, HandlersAreThereWhenAllElementsAreConfigured) {
  EXPECT_THAT(errors_of("Eager"), testing::HasSubstr("  handlers not yet defined\n"));
}

class HandlersTest : public testing::Test {
 protected:
  std::string read_error(std::string_view name, std::string_view parameters = "") {
    std::string error;
    EXPECT_FALSE(test.router->read_handler(name, error, parameters)) << name;
    return error;
  }
  std::string write_error(std::string_view name, std::string_view value = "") {
    std::string error;
    EXPECT_FALSE(test.router->write_handler(name, value, error)) << name;
    return error;
  }
  TestRouter test{
      "k :: Knobs; i :: TestSource -> c :: Counter -> q :: Queue(3) -> n :: Null -> d :: Discard"};
};

TEST_F(HandlersTest, ReadAndWrite) {
  EXPECT_EQ(test.read("k.a"), "old");
  test.write("k.a", "new");
  EXPECT_EQ(test.read("k.b"), "new");
  test.write("k.b", "newer");
  EXPECT_EQ(test.read("k.a"), "newer");
  EXPECT_EQ(write_error("k.a", "bad"), "a: not that");
  EXPECT_EQ(test.read("k.a"), "newer");
  EXPECT_EQ(test.read("k.x.y"), "dotted");
  EXPECT_EQ(test.read("k.class"), "mine");
  EXPECT_EQ(test.read("k.count"), "0");
}

TEST_F(HandlersTest, TheListOfHandlers) {
  EXPECT_EQ(
      test.read("k.handlers"),
      "a\trw\nb\trw\nw\tw\nx.y\tr\nclass\tr\ncount\tr\ntwice\tr+\nname\tr\nconfig\tr\nports\tr\n"
      "drops\tr\nhandlers\tr\n");
}

TEST_F(HandlersTest, WhatEveryElementHas) {
  EXPECT_EQ(test.read("q.class"), "Queue");
  EXPECT_EQ(test.read("q.name"), "q");
  EXPECT_EQ(test.read("q.config"), "3");
  EXPECT_EQ(test.read("c.config"), "");
  EXPECT_EQ(test.read("c.drops"), "0\tno-buffer\n0\tunconnected-output\n");
  EXPECT_EQ(test.read("q.drops"), "0");  // its own
  EXPECT_EQ(test.read("d.scheduled"), "true");
  EXPECT_EQ(test.read("list"), "6\nk\ni\nc\nq\nn\nd\n");
}

TEST_F(HandlersTest, PortsText) {
  test.send("i", {Bytes(60), Bytes(60)});
  test.run();
  EXPECT_EQ(test.read("k.ports"), "0 inputs\n0 outputs\n");
  EXPECT_EQ(test.read("i.ports"), "0 inputs\n1 output\npush\t2\t[0] c\n");
  EXPECT_EQ(test.read("c.ports"), "1 input\npush~\t-\ti [0]\n1 output\npush~\t2\t[0] q\n");
  EXPECT_EQ(test.read("q.ports"), "1 input\npush\t-\tc [0]\n1 output\npull\t-\t[0] n\n");
  EXPECT_EQ(test.read("n.ports"), "1 input\npull~\t2\tq [0]\n1 output\npull~\t-\t[0] d\n");
  EXPECT_EQ(test.read("d.ports"), "1 input\npull~\t2\tn [0]\n0 outputs\n");
  TestRouter merged("a :: TestSource -> d :: Discard; b :: TestSource -> d");
  EXPECT_EQ(merged.read("d.ports"), "1 input\npush~\t-\ta [0], b [0]\n0 outputs\n");
}

TEST_F(HandlersTest, WhatThereIsNot) {
  EXPECT_EQ(read_error("q.nosuch"), "no 'q.nosuch' read handler");
  EXPECT_EQ(read_error("k.w"), "no 'k.w' read handler");
  EXPECT_EQ(read_error("nobody.count"), "no element named 'nobody'");
  EXPECT_EQ(read_error("nosuch"), "no 'nosuch' read handler");
  EXPECT_EQ(read_error("stop"), "no 'stop' read handler");
  EXPECT_EQ(read_error(""), "no '' read handler");
  EXPECT_EQ(read_error(".count"), "no '.count' read handler");  // of the router
  EXPECT_EQ(read_error("q."), "no 'q.' read handler");
  EXPECT_EQ(read_error("q.COUNT"), "no 'q.COUNT' read handler");
  EXPECT_EQ(write_error("q.length", "1"), "no 'q.length' write handler");
  EXPECT_EQ(write_error("q.class", "1"), "no 'q.class' write handler");
  EXPECT_EQ(write_error("q.nosuch"), "no 'q.nosuch' write handler");
  EXPECT_EQ(write_error("nobody.x"), "no element named 'nobody'");
  EXPECT_EQ(write_error("nosuch"), "no 'nosuch' write handler");
  EXPECT_EQ(write_error("list"), "no 'list' write handler");
}

TEST_F(HandlersTest, AReasonThatWasThereBeforeIsReplaced) {
  std::string error = "something older";
  EXPECT_FALSE(test.router->read_handler("q.nosuch", error));
  EXPECT_EQ(error, "no 'q.nosuch' read handler");
}

TEST_F(HandlersTest, StopCounts) {
  test.write("stop", "-2");
  EXPECT_FALSE(test.router->wants_stop());
  test.write("stop", "");
  test.write("stop", "1");
  EXPECT_FALSE(test.router->wants_stop());
  test.write("stop", "");
  EXPECT_TRUE(test.router->wants_stop());
  EXPECT_EQ(write_error("stop", "soon"), "parse error");
}

TEST_F(HandlersTest, Parameters) {
  EXPECT_EQ(read_error("q.length", "5"), "read handler 'q.length' does not take parameters");
  EXPECT_EQ(read_error("list", "5"), "read handler 'list' does not take parameters");
  std::string error;
  EXPECT_EQ(test.router->read_handler("k.twice", error, "ab"), "abab");
  EXPECT_EQ(test.router->read_handler("k.twice", error), "");
  EXPECT_EQ(read_error("k.twice", "never"), "twice: not that");
}

TEST_F(HandlersTest, OfTheRouter) {
  EXPECT_EQ(test.read("handlers"),
            "version\tr\ndriver\tr\nconfig\tr\nflatconfig\tr\nrequirements\tr\nlist\tr\n"
            "stop\tw\nhandlers\tr\n");
  EXPECT_EQ(test.read(".list"), test.read("list"));
  TestRouter other("require(package standard); i :: TestSource -> q :: Queue(3) -> d :: Discard");
  EXPECT_EQ(other.read("requirements"), "package standard\n");
  const std::string flat =
      "require(package standard);\n\ni :: TestSource;\nq :: Queue(3);\nd :: Discard;\n\n"
      "i -> q\n    -> d;\n";
  EXPECT_EQ(other.read("flatconfig"), flat);
  EXPECT_EQ(other.read("config"), flat);  // it was not told the text
  other.write("q.capacity", "10");
  EXPECT_NE(other.read("flatconfig").find("q :: Queue(CAPACITY 10);"), std::string::npos);
}

TEST_F(HandlersTest, OfATask) {
  TestRouter two(
      "InfiniteSource -> a :: Counter -> Discard; s :: InfiniteSource -> b :: Counter -> Discard");
  EXPECT_EQ(two.read("s.home_thread"), "0");
  EXPECT_EQ(two.read("s.tickets"), "1024");
  two.write("s.tickets", "3072");
  two.run(100);
  EXPECT_EQ(two.read("a.count"), "100");
  EXPECT_EQ(two.read("b.count"), "300");
  two.write("s.tickets", "512");
  two.run(100);
  EXPECT_EQ(two.read("a.count"), "200");
  EXPECT_EQ(two.read("b.count"), "350");
  for (const char* wrong : {"0", "32769", "-1", "many", ""}) {
    std::string error;
    EXPECT_FALSE(two.router->write_handler("s.tickets", wrong, error)) << wrong;
    EXPECT_NE(error, "");
  }
  EXPECT_EQ(two.read("s.tickets"), "512");
}

TEST_F(HandlersTest, CountersAndResets) {
  test.send("i", {Bytes(60), Bytes(61), Bytes(62), Bytes(63), Bytes(64)});
  EXPECT_EQ(test.read("c.count"), "5");
  EXPECT_EQ(test.read("c.byte_count"), "310");
  EXPECT_EQ(test.read("q.length"), "3");
  EXPECT_EQ(test.read("q.drops"), "2");
  test.write("c.reset", "");
  EXPECT_EQ(test.read("c.count"), "0");
}

}  // namespace
}  // namespace headroom::test
