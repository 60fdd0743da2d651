// The checks of connections and their exact messages, on specifications alone.
#include "headroom/graph/hookup.hh"

#include <gmock/gmock.h>

#include "headroom/click/reader.hh"
#include "test_router.hh"

namespace headroom::test {
namespace {

constexpr ElementSpec kSource{.name = "Source", .ports = "0/1", .processing = "h/h"};
constexpr ElementSpec kSink{.name = "Sink", .ports = "1/0", .processing = "h/h"};
constexpr ElementSpec kPullSink{.name = "PullSink", .ports = "1/0", .processing = "l/l"};
constexpr ElementSpec kAnySource{.name = "AnySource", .ports = "0/1"};
constexpr ElementSpec kAnySink{.name = "AnySink", .ports = "1/0"};
constexpr ElementSpec kQueue{.name = "Queue", .ports = "1/1", .processing = "h/l"};
constexpr ElementSpec kUnqueue{.name = "Unqueue", .ports = "1/1", .processing = "l/h"};
constexpr ElementSpec kPass{.name = "Pass"};
constexpr ElementSpec kSwitch{.name = "Switch", .ports = "1/-", .processing = "h/h"};
constexpr ElementSpec kTwoSided{.name = "TwoSided", .ports = "2/2", .flow = "#/#"};
constexpr ElementSpec kLetters{.name = "Letters", .ports = "2/3", .flow = "xy/xyx"};
constexpr ElementSpec kBox{.name = "Box", .ports = "-/-"};
constexpr ElementSpec kIsland{.name = "Island", .ports = "-/-", .flow = "x/y"};
constexpr ElementSpec kError{.name = "Error", .ports = "1/1-2", .processing = "a/ah"};

// A graph of specifications: elements are named a, b, c, ... in their order.
struct Hookup {
  Hookup(std::initializer_list<const ElementSpec*> specs,
         std::initializer_list<std::array<uint32_t, 4>> links) {
    for (const ElementSpec* spec : specs) {
      PortPlan plan;
      plan.spec = spec;
      plan.label =
          std::string(1, static_cast<char>('a' + plans.size())) + " :: " + std::string(spec->name);
      plans.push_back(std::move(plan));
    }
    for (const auto& [from, from_port, to, to_port] : links)
      connections.push_back({from, from_port, to, to_port, {}});
    ok = check_hookup(plans, connections, diagnostics);
    errors = diagnostics.render(Diagnostics::Form::plain);
  }
  // "hl/h": the kinds that the ports of an element came to have.
  std::string kinds(std::size_t element) const {
    std::string text;
    for (const PortKind kind : plans[element].input_kinds)
      text += kind == PortKind::push ? 'h' : 'l';
    text += '/';
    for (const PortKind kind : plans[element].output_kinds)
      text += kind == PortKind::push ? 'h' : 'l';
    return text;
  }
  std::vector<PortPlan> plans;
  std::vector<click::FlatConnection> connections;
  Diagnostics diagnostics;
  bool ok;
  std::string errors;
};

TEST(HookupTest, CountsAreWhatIsUsedWithinTheRange) {
  const Hookup hookup({&kSource, &kSwitch, &kSink, &kBox}, {{0, 0, 1, 0}, {1, 2, 2, 0}});
  EXPECT_TRUE(hookup.ok) << hookup.errors;
  EXPECT_EQ(hookup.plans[1].outputs, 3u);
  EXPECT_EQ(hookup.plans[3].inputs + hookup.plans[3].outputs, 0u);
}

TEST(HookupTest, PortsOutOfRange) {
  EXPECT_EQ(Hookup({&kSource, &kPass, &kSink}, {{0, 0, 1, 0}, {1, 1, 2, 0}}).errors,
            "'b :: Pass' has no output 1\n");
  EXPECT_EQ(Hookup({&kSource, &kSink}, {{0, 0, 1, 3}}).errors, "'b :: Sink' has no input 3\n");
  EXPECT_EQ(Hookup({&kSink, &kSource}, {{0, 0, 1, 0}}).errors,
            "'a :: Sink' has no output 0\n'b :: Source' has no input 0\n");
  // Each port once, and no later stage's complaints about what is wrong anyway.
  EXPECT_EQ(Hookup({&kSource, &kSink, &kPullSink}, {{0, 1, 1, 0}, {0, 1, 2, 0}}).errors,
            "'a :: Source' has no output 1\n");
}

TEST(HookupTest, HintsSayWhichPortsThereAre) {
  const Hookup hookup({&kLetters, &kSink, &kSource}, {{0, 7, 1, 1}, {1, 0, 2, 0}});
  const auto& all = hookup.diagnostics.all();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].hint, "its outputs are 0 to 2");
  EXPECT_EQ(all[1].hint, "its only input is input 0");
  EXPECT_EQ(all[2].hint, "it has no outputs");
}

TEST(HookupTest, PushAndPullDisagree) {
  EXPECT_EQ(Hookup({&kSource, &kQueue, &kSink}, {{0, 0, 1, 0}, {1, 0, 2, 0}}).errors,
            "'b :: Queue' pull output 0 connected to 'c :: Sink' push input 0\n");
  EXPECT_EQ(Hookup({&kSource, &kPullSink}, {{0, 0, 1, 0}}).errors,
            "'a :: Source' push output 0 connected to 'b :: PullSink' pull input 0\n");
}

TEST(HookupTest, AgnosticElementsTakeTheKindOfTheirNeighbours) {
  const Hookup push({&kSource, &kPass, &kPass, &kAnySink},
                    {{0, 0, 1, 0}, {1, 0, 2, 0}, {2, 0, 3, 0}});
  EXPECT_TRUE(push.ok) << push.errors;
  EXPECT_EQ(push.kinds(1) + push.kinds(2) + push.kinds(3), "h/hh/hh/");
  // From behind, too: the sink decides.
  const Hookup pull({&kAnySource, &kPass, &kPass, &kPullSink},
                    {{0, 0, 1, 0}, {1, 0, 2, 0}, {2, 0, 3, 0}});
  EXPECT_TRUE(pull.ok) << pull.errors;
  EXPECT_EQ(pull.kinds(0) + pull.kinds(1) + pull.kinds(2), "/ll/ll/l");
  // Nobody says: push.
  const Hookup open({&kAnySource, &kPass, &kAnySink}, {{0, 0, 1, 0}, {1, 0, 2, 0}});
  EXPECT_TRUE(open.ok) << open.errors;
  EXPECT_EQ(open.kinds(0) + open.kinds(1) + open.kinds(2), "/hh/hh/");
}

TEST(HookupTest, AnAgnosticElementBetweenTwoKindsIsNamed) {
  EXPECT_EQ(Hookup({&kSource, &kPass, &kPullSink}, {{0, 0, 1, 0}, {1, 0, 2, 0}}).errors,
            "agnostic 'b :: Pass' in mixed context: push input 0, pull output 0\n");
  EXPECT_EQ(Hookup({&kSource, &kQueue, &kPass, &kSink}, {{0, 0, 1, 0}, {1, 0, 2, 0}, {2, 0, 3, 0}})
                .errors,
            "agnostic 'c :: Pass' in mixed context: pull input 0, push output 0\n");
  // Of a chain one element, once.
  const Hookup chain({&kSource, &kPass, &kPass, &kPass, &kPullSink},
                     {{0, 0, 1, 0}, {1, 0, 2, 0}, {2, 0, 3, 0}, {3, 0, 4, 0}});
  EXPECT_EQ(chain.errors, "agnostic 'c :: Pass' in mixed context: push input 0, pull output 0\n");
}

TEST(HookupTest, TheFlowCodeSaysWhichPortsBelongTogether) {
  // Port by port: one lane pushes, the other is pulled.
  const Hookup lanes({&kSource, &kTwoSided, &kSink, &kAnySource, &kPullSink},
                     {{0, 0, 1, 0}, {1, 0, 2, 0}, {3, 0, 1, 1}, {1, 1, 4, 0}});
  EXPECT_TRUE(lanes.ok) << lanes.errors;
  EXPECT_EQ(lanes.kinds(1), "hl/hl");
  // By letters: outputs 0 and 2 go with input 0.
  const Hookup letters({&kSource, &kLetters, &kSink, &kAnySource, &kPullSink, &kAnySink},
                       {{0, 0, 1, 0}, {1, 0, 2, 0}, {3, 0, 1, 1}, {1, 1, 4, 0}, {1, 2, 5, 0}});
  EXPECT_TRUE(letters.ok) << letters.errors;
  EXPECT_EQ(letters.kinds(1), "hl/hlh");
  // Not at all: an Idle pushes on one side and is pulled from on the other.
  const Hookup island({&kSource, &kIsland, &kPullSink}, {{0, 0, 1, 0}, {1, 0, 2, 0}});
  EXPECT_TRUE(island.ok) << island.errors;
  // All with all, by default.
  EXPECT_EQ(Hookup({&kSource, &kBox, &kPullSink}, {{0, 0, 1, 0}, {1, 1, 2, 0}}).errors,
            "agnostic 'b :: Box' in mixed context: push input 0, pull output 1\n");
}

TEST(HookupTest, FlowCodesWithSets) {
  static constexpr ElementSpec both{.name = "Both", .ports = "2/2", .flow = "xy/[xy]x"};
  const Hookup set({&kAnySource, &kAnySource, &both, &kPullSink, &kAnySink},
                   {{0, 0, 2, 0}, {1, 0, 2, 1}, {2, 0, 3, 0}, {2, 1, 4, 0}});
  EXPECT_EQ(set.kinds(2), "ll/ll");
  static constexpr ElementSpec others{.name = "Others", .ports = "2/2", .flow = "xy/[^x]x"};
  const Hookup complement({&kSource, &kAnySource, &others, &kPullSink, &kSink},
                          {{0, 0, 2, 0}, {1, 0, 2, 1}, {2, 0, 3, 0}, {2, 1, 4, 0}});
  EXPECT_TRUE(complement.ok) << complement.errors;
  EXPECT_EQ(complement.kinds(2), "hl/lh");
}

TEST(HookupTest, AnErrorOutputOfAPulledElementPushes) {
  const Hookup hookup({&kSource, &kQueue, &kError, &kPullSink, &kSink},
                      {{0, 0, 1, 0}, {1, 0, 2, 0}, {2, 0, 3, 0}, {2, 1, 4, 0}});
  EXPECT_TRUE(hookup.ok) << hookup.errors;
  EXPECT_EQ(hookup.kinds(2), "l/lh");
}

TEST(HookupTest, APortUsedTwice) {
  EXPECT_EQ(Hookup({&kSource, &kSink, &kSink}, {{0, 0, 1, 0}, {0, 0, 2, 0}}).errors,
            "illegal reuse of 'a :: Source' push output 0\n");
  EXPECT_EQ(Hookup({&kAnySource, &kAnySource, &kPullSink}, {{0, 0, 2, 0}, {1, 0, 2, 0}}).errors,
            "illegal reuse of 'c :: PullSink' pull input 0\n");
  // Once for each port, however often.
  EXPECT_EQ(
      Hookup({&kSource, &kSink, &kSink, &kSink}, {{0, 0, 1, 0}, {0, 0, 2, 0}, {0, 0, 3, 0}}).errors,
      "illegal reuse of 'a :: Source' push output 0\n");
  // Fine the other way round.
  EXPECT_TRUE(Hookup({&kSource, &kSource, &kSink}, {{0, 0, 2, 0}, {1, 0, 2, 0}}).ok);
  EXPECT_TRUE(Hookup({&kSource, &kQueue, &kUnqueue, &kUnqueue, &kSink},
                     {{0, 0, 1, 0}, {1, 0, 2, 0}, {1, 0, 3, 0}, {2, 0, 4, 0}, {3, 0, 4, 0}})
                  .ok);
}

TEST(HookupTest, PortsLeftOut) {
  EXPECT_EQ(Hookup({&kPass}, {}).errors,
            "'a :: Pass' input 0 unused\n'a :: Pass' output 0 unused\n");
  EXPECT_EQ(Hookup({&kSource, &kLetters, &kSink}, {{0, 0, 1, 1}, {1, 1, 2, 0}}).errors,
            "'b :: Letters' input 0 unused\n'b :: Letters' output 0 unused\n"
            "'b :: Letters' output 2 unused\n");
  // Reuse and what is left out are one stage.
  EXPECT_EQ(Hookup({&kSource, &kSink, &kSink, &kPass}, {{0, 0, 1, 0}, {0, 0, 2, 0}}).errors,
            "illegal reuse of 'a :: Source' push output 0\n"
            "'d :: Pass' input 0 unused\n'd :: Pass' output 0 unused\n");
}

TEST(HookupTest, OutputsThatFollowInputsMustAllBeUsed) {
  static constexpr ElementSpec same{.name = "Same", .ports = "-/=", .flow = "#/#"};
  const Hookup hookup({&kSource, &same, &kSink}, {{0, 0, 1, 1}, {1, 1, 2, 0}});
  EXPECT_EQ(hookup.errors, "'b :: Same' output 0 unused\n");
  EXPECT_EQ(Hookup({&kSource, &same, &kSink}, {{0, 0, 1, 0}, {1, 1, 2, 0}}).errors,
            "'b :: Same' has no output 1\n");
}

TEST(HookupTest, InTheLanguageWithPlaces) {
  EXPECT_EQ(errors_of("p :: Null; InfiniteSource -> p;\np [1] -> Discard; p -> Discard"),
            "config:2: 'p :: Null' has no output 1\n");
  EXPECT_EQ(errors_of("i :: InfiniteSource; i -> Discard;\n\ni -> Discard"),
            "config:3: illegal reuse of 'i :: InfiniteSource' push output 0\n");
  EXPECT_EQ(errors_of("q :: Queue -> t :: TestSink; InfiniteSource -> q"),
            "'q :: Queue' pull output 0 connected to 't :: TestSink' push input 0\n");
  EXPECT_EQ(errors_of("InfiniteSource -> Discard;\n x :: Counter"),
            "config:2: 'x :: Counter' input 0 unused\nconfig:2: 'x :: Counter' output 0 unused\n");
  // The same connection written twice is one.
  EXPECT_EQ(errors_of("i :: InfiniteSource; d :: Discard; i -> d; i -> d"), "");
}

TEST(HookupTest, ConflictsHaveTheirPlaceInTheFullFormOnly) {
  for (const auto& [config, column] :
       {std::pair("Idle -> Queue -> Tee -> Discard", 15U),
        std::pair("InfiniteSource -> Tee -> c :: Counter -> Unqueue -> Discard", 26U)}) {
    Diagnostics diagnostics;
    const uint32_t file = diagnostics.sources().add("config", config);
    EXPECT_EQ(
        Router::build(click::read(file, Registry::instance(), diagnostics), nullptr, diagnostics),
        nullptr);
    ASSERT_EQ(diagnostics.all().size(), 1u) << config;
    EXPECT_FALSE(diagnostics.all()[0].where.known());
    EXPECT_EQ(diagnostics.all()[0].context_where.column, column);
    EXPECT_EQ(diagnostics.render(Diagnostics::Form::plain).find("config:"), std::string::npos);
    EXPECT_THAT(diagnostics.render(Diagnostics::Form::full),
                testing::StartsWith("config:1:" + std::to_string(column) + ": error: "));
    EXPECT_THAT(diagnostics.all()[0].hint, testing::HasSubstr("ueue"));
  }
}

TEST(HookupTest, APortNumberBeyondReasonIsAMistakeNotAnAllocation) {
  EXPECT_EQ(Hookup({&kSource, &kSwitch, &kSink}, {{0, 0, 1, 0}, {1, 4000000000, 2, 0}}).errors,
            "'b :: Switch' has no output 4000000000\n");
  EXPECT_EQ(Hookup({&kSource, &kSwitch, &kSink}, {{0, 0, 1, 0}, {1, UINT32_MAX, 2, 0}}).errors,
            "'b :: Switch' has no output 4294967295\n");
}

TEST(FindDeferredTest, OneEdgeOfEachCycle) {
  auto deferred = [](const Hookup& hookup, uint32_t depth = 1000) {
    EXPECT_TRUE(hookup.ok) << hookup.errors;
    std::vector<uint32_t> indexes;
    const auto flags = find_deferred(hookup.plans, hookup.connections, depth);
    for (uint32_t i = 0; i < flags.size(); ++i)
      if (flags[i]) indexes.push_back(i);
    return indexes;
  };
  using Indexes = std::vector<uint32_t>;
  // source -> switch -> pass -> switch: the edge that leads back
  EXPECT_EQ(deferred(Hookup({&kPass, &kSwitch, &kSource, &kSink},
                            {{0, 0, 1, 0}, {1, 0, 0, 0}, {2, 0, 1, 0}, {1, 1, 3, 0}})),
            Indexes{0});
  // a self-loop
  EXPECT_EQ(deferred(Hookup({&kSource, &kSwitch}, {{0, 0, 1, 0}, {1, 0, 1, 0}})), Indexes{1});
  // a cycle that nothing pushes into
  EXPECT_EQ(deferred(Hookup({&kPass, &kPass}, {{0, 0, 1, 0}, {1, 0, 0, 0}})).size(), 1u);
  // a diamond is no cycle
  EXPECT_EQ(
      deferred(Hookup({&kSource, &kSwitch, &kPass, &kPass, &kSink},
                      {{0, 0, 1, 0}, {1, 0, 2, 0}, {1, 1, 3, 0}, {2, 0, 4, 0}, {3, 0, 4, 0}})),
      Indexes{});
  // a cycle through a Queue needs no inbox
  EXPECT_EQ(deferred(Hookup({&kQueue, &kUnqueue}, {{0, 0, 1, 0}, {1, 0, 0, 0}})), Indexes{});
  // depth: a chain of three calls ends, and the next one begins
  EXPECT_EQ(deferred(Hookup({&kSource, &kPass, &kPass, &kPass, &kPass, &kSink},
                            {{0, 0, 1, 0}, {1, 0, 2, 0}, {2, 0, 3, 0}, {3, 0, 4, 0}, {4, 0, 5, 0}}),
                     2),
            Indexes{2});
}

}  // namespace
}  // namespace headroom::test
