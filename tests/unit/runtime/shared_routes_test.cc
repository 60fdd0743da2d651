// What replicas of a router on several workers have in common: the routes.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "headroom/routing/ip4_routes.hh"
#include "machine_fixture.hh"

namespace headroom::test {
namespace {

const std::string kConfig =
    "in :: TestSource -> r :: RadixIPLookup(10.0.0.0/8 1.1.1.1 0); r[0] -> zero :: TestSink;"
    "r[1] -> one :: TestSink";

void send(Router& router, Pool& pool, std::string_view address) {
  Packet* packet = Packet::make(pool, Bytes{1});
  packet->set_dst_ip_anno(*IPAddress::parse(address));
  router.find_as<TestSource>("in")->emit({packet});
}
std::size_t count(Router& router, std::string_view sink) {
  return router.find_as<TestSink>(sink)->packets.size();
}

TEST(SharedRoutes, AllWorkersHaveWhatAHandlerWrites) {
  in_child([] {
    MachineRun run("workers: {count: 2, pinned: false}", kConfig);
    EXPECT_EQ(run.read("r.size"), "1") << "not one for each";
    std::string error;
    EXPECT_TRUE(run.replicas.write_handler("r.add", "11.0.0.0/8 1", error))
        << "added twice: " << error;
    EXPECT_EQ(run.read("r.size"), "2");
    for (const uint32_t worker : {0U, 1U}) {
      Router& router = run.replicas.on(worker);
      send(router, run.pool(), "10.0.0.1");
      send(router, run.pool(), "11.0.0.1");
      EXPECT_EQ(count(router, "zero"), 1U);
      EXPECT_EQ(count(router, "one"), 1U);
    }
    // What one worker writes of itself, as a Script there does, is the others' as well.
    EXPECT_TRUE(run.replicas.on(1).write_handler("r.set", "10.0.0.0/8 1", error)) << error;
    send(run.replicas.on(0), run.pool(), "10.0.0.1");
    EXPECT_EQ(count(run.replicas.on(0), "one"), 2U);
    EXPECT_TRUE(run.replicas.write_handler("r.flush", "", error)) << error;
    EXPECT_EQ(run.read("r.table"), "");
    EXPECT_FALSE(run.replicas.write_handler("r.remove", "10.0.0.0/8", error));
  });
}

TEST(SharedRoutes, AWarningIsGivenOnce) {
  in_child([] {
    MachineRun run("workers: {count: 2, pinned: false}",
                   "in :: TestSource -> r :: LinearIPLookup(10.0.0.0/8 0, 10.0.0.0/8 0)"
                   " -> TestSink");
    const std::string messages = run.messages();
    EXPECT_NE(messages.find("1 route replaced"), std::string::npos) << messages;
    EXPECT_EQ(messages.find("1 route replaced"), messages.rfind("1 route replaced")) << messages;
  });
}

// Two routers that run at the same time, as while one takes the place of the other, have nothing in
// common: an output number of one may not exist in the other.
TEST(SharedRoutes, AnotherRouterHasItsOwn) {
  in_child([] {
    MachineRun run("workers: {count: 2, pinned: false}", kConfig);
    Diagnostics diagnostics;
    const uint32_t file = diagnostics.sources().add(
        "config", "in :: TestSource -> r :: RadixIPLookup(10.0.0.0/8 0) -> zero :: TestSink");
    Replicas other;
    ASSERT_TRUE(other.build(click::read(file, Registry::instance(), diagnostics), run.machine,
                            diagnostics) &&
                other.initialize(run.machine, diagnostics))
        << diagnostics.render(Diagnostics::Form::full);
    std::string error;
    EXPECT_TRUE(run.replicas.write_handler("r.set", "10.0.0.0/8 1", error)) << error;
    send(other.on(0), run.pool(), "10.0.0.1");
    EXPECT_EQ(count(other.on(0), "zero"), 1U);
    other.clear();
  });
}

// Tells what an element is given to share.
class Sharer final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "Sharer", .ports = "0/0"};
  bool configure(SetupContext& context) override {
    siblings = context.siblings;
    return true;
  }
  Siblings* siblings = nullptr;
};
HEADROOM_ELEMENT(Sharer);

TEST(SharedRoutes, ReadersAreTheWorkers) {
  in_child([] {
    MachineRun run("workers: {count: 2, pinned: false}", "s :: Sharer; Idle -> Discard");
    Siblings* const siblings = run.replicas.on(0).find_as<Sharer>("s")->siblings;
    ASSERT_NE(siblings, nullptr);
    EXPECT_EQ(run.replicas.on(1).find_as<Sharer>("s")->siblings, siblings);
    GracePeriods& readers = *siblings->readers;
    EXPECT_TRUE(readers.ended(readers.begin())) << "no worker runs yet";
    for (const uint32_t worker : {0U, 1U})
      run.machine.workers()[worker]->scheduler().adopt_thread();
    const uint64_t period = readers.begin();
    run.rounds(1, 0);
    EXPECT_FALSE(readers.ended(period)) << "worker 1 may be in the midst of a batch";
    run.rounds(1, 1);
    EXPECT_TRUE(readers.ended(period));
    for (const uint32_t worker : {0U, 1U})
      run.machine.workers()[worker]->scheduler().release_thread();
  });
}

// Both workers route packets while a third thread changes routes by the handlers of one of them.
// Each packet tells by its output and gateway which route it took.
TEST(SharedRoutes, ChangeUnderTraffic) {
  in_child([] {
    // 10.0.0.1 and 10.0.1.1 have host routes in turn; all else goes by the default route.
    MachineRun run("workers: {count: 2, pinned: false}",
                   "in :: TestSource -> r :: DirectIPLookup(0.0.0.0/0 9.9.9.9 0);"
                   "r[0] -> zero :: TestSink; r[1] -> one :: TestSink",
                   MachineRun::RealTime{});
    Machine& machine = run.machine;
    Replicas& replicas = run.replicas;
    constexpr uint64_t kEnough = 20000;
    std::atomic<uint64_t> routed[2] = {0, 0};
    std::atomic<uint64_t> by_host_route{0};
    std::atomic<uint64_t> by_default_route{0};
    std::atomic<uint64_t> wrong{0};
    std::atomic<bool> stop{false};
    // Work that posts itself again: a batch each round.
    std::function<void(uint32_t)> traffic = [&](uint32_t worker) {
      Router& router = replicas.on(worker);
      Pool& pool = *machine.context_of(worker).pool;
      std::vector<Packet*> packets;
      for (uint8_t i = 0; i < 32; ++i) {
        packets.push_back(Packet::make(pool, Bytes{i}));
        packets.back()->set_dst_ip_anno(IPAddress(10, 0, i / 16, static_cast<uint8_t>(1 + i % 2)));
      }
      router.find_as<TestSource>("in")->emit(packets);
      for (const char* name : {"zero", "one"}) {
        auto& sink = *router.find_as<TestSink>(name);
        for (const auto& seen : sink.packets) {
          const bool host_route = name[0] == 'o';
          const uint8_t* gateway = seen.annotations.user;
          const bool right = host_route ? gateway[0] == 7 && seen.bytes[0] % 2 == 0
                                        : gateway[0] == 9 && gateway[3] == 9;
          wrong += !right;
          if (seen.bytes[0] % 2 == 0) (host_route ? by_host_route : by_default_route) += 1;
        }
        routed[worker] += sink.packets.size();
        sink.clear();
      }
      if (!stop)
        machine.workers()[worker]->scheduler().post([&traffic, worker] { traffic(worker); });
    };
    for (const uint32_t worker : {0U, 1U})
      machine.workers()[worker]->scheduler().post([&traffic, worker] { traffic(worker); });
    uint64_t changes = 0;
    std::string failed;
    std::thread driver([&] {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      while ((std::min(routed[0].load(), routed[1].load()) < kEnough || changes < 2000 ||
              std::min(by_host_route.load(), by_default_route.load()) < 1000) &&
             failed.empty() && std::chrono::steady_clock::now() < end) {
        // Another gateway each time, and a group that comes and goes.
        const std::string gateway =
            "7." + std::to_string(changes / 250 % 250) + "." + std::to_string(changes % 250) + ".1";
        const uint32_t worker = changes % 2;
        const std::string come = changes % 2 == 0 ? "10.0.0.1" : "10.0.1.1";
        const std::string go = changes % 2 == 0 ? "10.0.1.1" : "10.0.0.1";
        const std::string commands =
            "add " + come + " " + gateway + " 1" + (changes == 0 ? "" : "\nremove " + go);
        machine.workers()[worker]->scheduler().call(
            [&] { replicas.on(worker).write_handler("r.ctrl", commands, failed); });
        ++changes;
      }
      stop = true;
      machine.request_stop();
    });
    machine.run();
    driver.join();
    EXPECT_EQ(failed, "");
    EXPECT_EQ(wrong, 0U);
    EXPECT_GE(std::min(routed[0].load(), routed[1].load()), kEnough);
    EXPECT_GE(std::min(by_host_route.load(), by_default_route.load()), 1000U);
    const Ledger ledger = replicas.ledger();
    EXPECT_TRUE(ledger.balanced()) << ledger.complaint();
    for (const LedgerDrop& drop : ledger.drops) EXPECT_EQ(drop.packets, 0U) << drop.reason;
  });
}

}  // namespace
}  // namespace headroom::test
