// Graphs of a hundred thousand elements, built from C++ without the language: in seconds, without
// running out of stack.
#include <chrono>

#include "graph_elements.hh"

namespace headroom::test {
namespace {

constexpr uint32_t kMany = 100'000;

// A router of a graph made by hand, with what it runs on.
class HandMade : public testing::Test {
 protected:
  ~HandMade() override {
    if (router) {
      EXPECT_TRUE(router->ledger().balanced()) << router->ledger().complaint();
    }
    router.reset();
    EXPECT_EQ(pool->in_use(), 0u);
  }
  uint32_t add(std::string class_name, std::string name = {}, std::string config = {}) {
    return graph.add(std::move(name), std::move(class_name), std::move(config));
  }
  // A chain of `count` elements behind `from`; returns the last.
  uint32_t chain(uint32_t from, uint32_t count, const std::string& class_name) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t next = add(class_name);
      graph.connect(from, 0, next, 0);
      from = next;
    }
    return from;
  }
  void build() {
    router = Router::build(graph, nullptr, diagnostics);
    ASSERT_NE(router, nullptr) << diagnostics.render(Diagnostics::Form::plain);
    ASSERT_TRUE(
        router->initialize({.scheduler = &scheduler, .pool = pool.get()}, nullptr, diagnostics));
  }

  static std::unique_ptr<Pool> make_pool() {
    static int number = 0;
    std::string error;
    return Pool::create({.name = "big-" + std::to_string(number++), .packets = 2047, .cache = 0},
                        error);
  }
  click::FlatGraph graph;
  Diagnostics diagnostics;
  SimulatedClock clock;
  std::unique_ptr<Pool> pool = make_pool();
  Scheduler scheduler{clock};
  std::unique_ptr<Router> router;
};

class BigGraphTest : public HandMade {
 protected:
  // Whatever is quadratic in a hundred thousand takes minutes.
  ~BigGraphTest() override {
    router.reset();
    const auto took = std::chrono::steady_clock::now() - start_;
    EXPECT_LT(took, std::chrono::seconds(30));
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

TEST_F(HandMade, AGraphWithoutTheLanguage) {
  const uint32_t source = add("InfiniteSource", "source", "LIMIT 5, LENGTH 60");
  const uint32_t counter = add("Counter", "count");
  const uint32_t sink = add("Discard");
  graph.connect(source, 0, counter, 0);
  graph.connect(counter, 0, sink, 0);
  build();
  scheduler.run_until_idle();
  std::string error;
  EXPECT_EQ(router->read_handler("count.count", error), "5");
  EXPECT_EQ(router->read_handler("count.byte_count", error), "300");
  EXPECT_EQ(router->read_handler("Discard@3.count", error), "5");
  EXPECT_EQ(router->find("nobody"), nullptr);
  EXPECT_EQ(router->find("source")->label(), "source :: InfiniteSource");
}

TEST_F(HandMade, AnEmptyGraph) {
  build();
  scheduler.run_until_idle();
  std::string error;
  EXPECT_EQ(router->read_handler("list", error), "0\n");
}

TEST_F(HandMade, MistakesHaveNoPlaceButAreReported) {
  graph.connect(add("Discrad"), 0, add("Discard"), 0);
  EXPECT_EQ(Router::build(graph, nullptr, diagnostics), nullptr);
  EXPECT_EQ(diagnostics.render(Diagnostics::Form::plain), "unknown element class 'Discrad'\n");
  EXPECT_THAT(diagnostics.all().at(0).hint, testing::HasSubstr("Discard"));
}

TEST_F(BigGraphTest, AChainThatIsPushedThrough) {
  for (const std::string shape : {"Null", "Counter"}) {
    const uint32_t source = add("InfiniteSource", "source" + shape, "LIMIT 100, BURST 10");
    graph.connect(chain(source, kMany / 2, shape), 0, add("Discard", "sink" + shape), 0);
  }
  build();
  EXPECT_GT(router->deferred_connections(), 2 * kMany / 2 / 300);
  scheduler.run_until_idle();
  std::string error;
  EXPECT_EQ(router->read_handler("sinkNull.count", error), "100");
  EXPECT_EQ(router->read_handler("sinkCounter.count", error), "100");
  EXPECT_EQ(router->find("Counter@100000")->label(), "Counter@100000 :: Counter");
}

TEST_F(BigGraphTest, SplitsAllTheWayDown) {
  // The deepest frames there are: each element goes through dispatch() with a part of its own.
  const uint32_t source = add("TestSource", "in");
  uint32_t from = source;
  const uint32_t rest = add("OrderSink", "rest");
  for (uint32_t i = 0; i < 2000; ++i) {
    const uint32_t next = add(i % 2 ? "TestSwitch" : "TestBatchSwitch");
    graph.connect(from, 0, next, 0);
    graph.connect(next, 1, rest, 0);
    from = next;
  }
  graph.connect(from, 0, add("OrderSink", "end"), 0);
  OrderSink::clear();
  build();
  std::vector<Packet*> packets;
  for (uint32_t i = 0; i < 100; ++i)
    packets.push_back(Packet::make(*pool, order(i % 3 == 0 ? kDropBad : i % 3 == 1 ? 0 : 1, i)));
  router->find_as<TestSource>("in")->emit(packets, 64);
  while (scheduler.run_inbox()) {
  }
  EXPECT_EQ(OrderSink::numbers("end").size(), 33u);
  EXPECT_EQ(OrderSink::numbers("rest").size(), 33u);
}

TEST_F(BigGraphTest, NotifiersAreFoundThroughALongChain) {
  const uint32_t source = add("InfiniteSource", "source", "LIMIT 100");
  const uint32_t queue = add("Queue", "q", "10");
  graph.connect(chain(source, kMany / 2, "Null"), 0, queue, 0);
  graph.connect(queue, 0, add("Discard", "sink"), 0);
  build();
  scheduler.run_until_idle();
  std::string error;
  EXPECT_EQ(router->read_handler("sink.count", error), "100");
}

TEST_F(BigGraphTest, ManySourcesIntoOneQueueAndManyTasks) {
  const uint32_t queue = add("Queue", "q", "1000");
  for (uint32_t i = 0; i < 10'000; ++i)
    graph.connect(add("InfiniteSource", {}, "LIMIT 1"), 0, queue, 0);
  graph.connect(queue, 0, add("Discard", "sink"), 0);
  build();
  scheduler.run_until_idle();
  std::string error;
  const uint64_t got = std::stoull(*router->read_handler("sink.count", error));
  const uint64_t dropped = std::stoull(*router->read_handler("q.drops", error));
  EXPECT_EQ(got + dropped, 10'000u);
}

TEST_F(BigGraphTest, APortsHandlerOfEveryElement) {
  const uint32_t source = add("InfiniteSource", "source", "LIMIT 1");
  graph.connect(chain(source, 20'000, "Null"), 0, add("Discard"), 0);
  build();
  scheduler.run_until_idle();
  std::string error;
  for (const auto& element : router->elements())
    ASSERT_TRUE(router->read_handler(element->name() + ".ports", error)) << error;
}

// A pull cannot be deferred; this is how deep it is known to go.
TEST_F(BigGraphTest, AChainThatIsPulledThrough) {
  const uint32_t depth = HEADROOM_POISON ? 5'000 : 50'000;
  const uint32_t source = add("InfiniteSource", "source", "LIMIT 100");
  const uint32_t queue = add("Queue");
  graph.connect(source, 0, queue, 0);
  graph.connect(chain(queue, depth, "Null"), 0, add("Discard", "sink"), 0);
  build();
  scheduler.run_until_idle();
  std::string error;
  EXPECT_EQ(router->read_handler("sink.count", error), "100");
}

}  // namespace
}  // namespace headroom::test
