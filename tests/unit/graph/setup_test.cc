// Building, initializing and replacing routers.
#include "graph_elements.hh"
#include "headroom/click/reader.hh"

namespace headroom::test {
namespace {

// Looks at its ports while it is configured, and fails when it is told to.
class Nosy final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "Nosy", .ports = "1/1-2"};
  Arg<std::string> fail{*this, "FAIL", "", {.doc = "", .positional = true}};
  bool configure(SetupContext& context) override {
    for (uint32_t port = 0; port < noutputs(); ++port) seen += output(port).connected();
    if (ninputs() != 0) seen += input(0).connected() + (input_kind(0) == PortKind::pull);
    EXPECT_EQ(noutputs() > 1 ? 2u : 1u, noutputs());
    if (*fail == "configure") return context.error("FAIL: as told");
    return *fail != "silently";
  }
  bool initialize(SetupContext& context) override {
    if (*fail == "initialize") return context.error("FAIL: as told, later");
    return *fail != "quietly";
  }
  void push(uint32_t, PacketBatch& batch) override { output(0).push(batch); }
  uint32_t seen = 0;
};
HEADROOM_ELEMENT(Nosy);

// Writes its name down, phase by phase.
template <Phase kPhase>
class Phased : public Element {
 public:
  bool configure(SetupContext&) override { return log("configure"); }
  bool initialize(SetupContext&) override { return log("initialize"); }
  bool log(const std::string& what) {
    lines().push_back(what + " " + name());
    return true;
  }
  static std::vector<std::string>& lines();
};
std::vector<std::string> phase_lines;
template <Phase kPhase>
std::vector<std::string>& Phased<kPhase>::lines() {
  return phase_lines;
}
class First final : public Phased<Phase::information> {
 public:
  static constexpr ElementSpec spec{.name = "First", .ports = "0/0", .phase = Phase::information};
};
class Middle final : public Phased<Phase::normal> {
 public:
  static constexpr ElementSpec spec{.name = "Middle", .ports = "0/0"};
};
class Last final : public Phased<Phase::last> {
 public:
  static constexpr ElementSpec spec{.name = "Last", .ports = "0/0", .phase = Phase::last};
};
HEADROOM_ELEMENT(First);
HEADROOM_ELEMENT(Middle);
HEADROOM_ELEMENT(Last);

std::unique_ptr<Router> build(std::string_view config, Diagnostics& diagnostics) {
  const uint32_t file = diagnostics.sources().add("config", std::string(config));
  return Router::build(click::read(file, Registry::instance(), diagnostics), nullptr, diagnostics);
}

TEST(SetupTest, ElementsSeeTheirPortsWhileConfigured) {
  TestRouter test("in :: TestSource -> n :: Nosy -> out :: TestSink");
  EXPECT_EQ(test.router->find_as<Nosy>("n")->seen, 2u);
}

TEST(SetupTest, AWrongGraphIsReportedWithTheMistakesOfArguments) {
  // And elements that look at their ports in configure() are not led astray.
  EXPECT_EQ(errors_of("in :: TestSource -> n :: Nosy(configure); n[1] -> Discard"),
            "config:1: 'n :: Nosy' output 0 unused\n"
            "config:1: While configuring 'n :: Nosy':\n  FAIL: as told\n");
  EXPECT_EQ(errors_of("in :: TestSource -> n :: Nosy; n[5] -> Discard; n -> Discard"),
            "config:1: 'n :: Nosy' has no output 5\n");
  EXPECT_EQ(
      errors_of("in :: TestSource -> n :: Nosy -> Queue -> TestSink"),
      "'Queue@3 :: Queue' pull output 0 connected to 'TestSink@4 :: TestSink' push input 0\n");
}

TEST(SetupTest, ElementsThatFailWithoutAWord) {
  EXPECT_EQ(errors_of("TestSource -> n :: Nosy(silently) -> Discard"),
            "config:1: While configuring 'n :: Nosy':\n  could not be configured\n");
}

TEST(SetupTest, InitializeStopsAtTheFirstFailure) {
  for (const std::string how : {"initialize", "quietly"}) {
    Diagnostics diagnostics;
    SimulatedClock clock;
    Scheduler scheduler(clock);
    auto router =
        build("TestSource -> n :: Nosy(" + how + ") -> m :: Nosy(initialize) -> d :: Discard",
              diagnostics);
    ASSERT_NE(router, nullptr);
    EXPECT_FALSE(router->initialize({.scheduler = &scheduler}, nullptr, diagnostics));
    EXPECT_FALSE(router->initialized());
    EXPECT_EQ(diagnostics.errors(), 1u);
    EXPECT_THAT(diagnostics.render(Diagnostics::Form::plain),
                testing::StartsWith("config:1: While initializing 'n :: Nosy':\n  "));
    router.reset();
    EXPECT_FALSE(scheduler.run_round());
  }
}

TEST(SetupTest, Phases) {
  phase_lines.clear();
  TestRouter test("l :: Last; m1 :: Middle; f :: First; m2 :: Middle");
  EXPECT_THAT(phase_lines, testing::ElementsAre("configure f", "configure m1", "configure m2",
                                                "configure l", "initialize f", "initialize m1",
                                                "initialize m2", "initialize l"));
}

TEST(SetupTest, AllMistakesAtOnce) {
  EXPECT_EQ(errors_of("a :: Nosy(configure); b :: Nosy(1, 2);\n"
                      "TestSource -> a -> b -> Queue(1, 2) -> Discard(NOSUCH 1)"),
            "config:1: While configuring 'a :: Nosy':\n  FAIL: as told\n"
            "config:1: While configuring 'b :: Nosy':\n  too many arguments\n"
            "config:2: While configuring 'Queue@4 :: Queue':\n  too many arguments\n"
            "config:2: While configuring 'Discard@5 :: Discard':\n  NOSUCH: unknown argument\n");
}

class TakeStateTest : public testing::Test {
 protected:
  // Another router on the same scheduler and pool, as a hot swap makes it.
  std::unique_ptr<Router> replace(std::string_view config) {
    auto router = build(config, test.diagnostics);
    EXPECT_NE(router, nullptr) << test.diagnostics.render(Diagnostics::Form::plain);
    EXPECT_TRUE(router->initialize({.scheduler = test.scheduler.get(), .pool = test.pool.get()},
                                   nullptr, test.diagnostics));
    router->take_state(*test.router);
    return router;
  }
  void expect_balanced(const Router& router) {
    EXPECT_TRUE(router.ledger().balanced()) << router.ledger().complaint();
  }
  std::string read(Router& router, std::string_view handler) {
    std::string error;
    return router.read_handler(handler, error).value_or(error);
  }
  void fill(int packets) {
    std::vector<Bytes> all;
    for (int i = 0; i < packets; ++i) all.push_back(order(0, static_cast<uint32_t>(i)));
    test.send("in", all);
  }
  TestRouter test{
      "in :: TestSource -> c :: Counter -> q :: Queue(100) -> p :: TestPuller"
      " -> out :: TestSink"};
};

TEST_F(TakeStateTest, QueueAndCounterKeepWhatTheyHave) {
  fill(70);
  EXPECT_EQ(test.router->find_as<TestPuller>("p")->pull_now(10), 10u);
  fill(5);
  auto next = replace(
      "in :: TestSource -> c :: Counter -> q :: Queue(100) -> p :: TestPuller"
      " -> out :: TestSink");
  EXPECT_EQ(read(*next, "q.length"), "65");
  EXPECT_EQ(read(*next, "q.highwater_length"), "70");
  EXPECT_EQ(read(*next, "c.count"), "75");
  EXPECT_EQ(read(*test.router, "q.length"), "0");
  expect_balanced(*next);
  expect_balanced(*test.router);
  test.router = std::move(next);
  EXPECT_EQ(test.router->find_as<TestPuller>("p")->pull_now(100), 65u);
  const auto& seen = test.sink("out").packets;
  for (uint32_t i = 0; i < 65; ++i) EXPECT_EQ(number_of(seen[i].bytes), i < 60 ? i + 10 : i - 60);
}

TEST_F(TakeStateTest, WhatDoesNotFitEndsWithTheOldQueue) {
  fill(70);
  auto next = replace("in :: TestSource -> q :: Queue(20) -> p :: TestPuller -> out :: TestSink");
  EXPECT_EQ(read(*next, "q.length"), "20");
  EXPECT_EQ(read(*test.router, "q.length"), "50");
  expect_balanced(*next);
  expect_balanced(*test.router);
  test.router = std::move(next);
  EXPECT_EQ(test.pool->in_use(), 20u);
  EXPECT_EQ(test.router->find_as<TestPuller>("p")->pull_now(100), 20u);
  EXPECT_EQ(number_of(test.sink("out").packets.at(0).bytes), 0u);
}

TEST_F(TakeStateTest, AnotherNameOrClassTakesNothing) {
  fill(70);
  auto next = replace(
      "in :: TestSource -> q :: Counter -> other :: Queue -> p :: TestPuller"
      " -> out :: TestSink");
  EXPECT_EQ(read(*next, "q.count"), "0");
  EXPECT_EQ(read(*next, "other.length"), "0");
  EXPECT_EQ(read(*test.router, "q.length"), "70");
}

TEST_F(TakeStateTest, APullerOfTheNewQueueIsWoken) {
  fill(70);
  auto next = replace("in :: TestSource -> q :: Queue(100) -> Unqueue -> out :: TestSink");
  test.router = std::move(next);
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 70u);
}

}  // namespace
}  // namespace headroom::test
