// What replicas of a router on several workers have in common: the neighbours.
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "headroom/net/arp.hh"
#include "machine_fixture.hh"

namespace headroom::test {
namespace {

const std::string kConfig =
    "in :: TestSource -> q :: ARPQuerier(10.0.0.1, 2:0:0:0:0:1, CAPACITY 8000) -> out :: TestSink;"
    "arp :: TestSource -> [1] q; q[1] -> queries :: TestSink;";

void send(Router& router, Pool& pool, IPAddress address, std::initializer_list<uint8_t> numbers) {
  std::vector<Packet*> packets;
  for (const uint8_t number : numbers) {
    packets.push_back(Packet::make(pool, Bytes{number}));
    packets.back()->set_dst_ip_anno(address);
  }
  router.find_as<TestSource>("in")->emit(packets);
}

void answer(Router& router, Pool& pool, IPAddress address) {
  ArpFrame frame;
  make_arp_request(frame, EtherAddress(2, 0, 0, 0, 0, 1), IPAddress(10, 0, 0, 1), address);
  make_arp_reply(frame, EtherAddress(2, 0, 0, 0, 0, 2));
  const auto* bytes = reinterpret_cast<const uint8_t*>(&frame);
  router.find_as<TestSource>("arp")->emit({Packet::make(pool, {bytes, sizeof frame})});
}

std::vector<int> sent_by(Router& router) {
  std::vector<int> numbers;
  for (const auto& seen : router.find_as<TestSink>("out")->packets)
    numbers.push_back(seen.bytes.back());
  return numbers;
}

TEST(SharedNeighbours, AnAnswerReleasesWhatAnotherWorkerHolds) {
  in_child([] {
    MachineRun run("workers: {count: 2, pinned: false}", kConfig);
    Router& zero = run.replicas.on(0);
    Router& one = run.replicas.on(1);
    const IPAddress neighbour(10, 0, 0, 2);
    send(zero, run.pool(), neighbour, {1, 2});
    send(one, run.pool(), neighbour, {3});
    EXPECT_EQ(run.read("q.length"), "3");
    EXPECT_EQ(run.read("q.queries"), "1") << "of both together";
    answer(one, run.pool(), neighbour);
    EXPECT_EQ(sent_by(one), std::vector{3});
    EXPECT_EQ(sent_by(zero), std::vector<int>{}) << "not on the thread of another worker";
    run.rounds(1, 0);
    EXPECT_EQ(sent_by(zero), (std::vector{1, 2}));
    send(zero, run.pool(), neighbour, {4});
    EXPECT_EQ(sent_by(zero), (std::vector{1, 2, 4}));
    EXPECT_EQ(run.read("q.count"), "1");
    EXPECT_EQ(run.read("q.length"), "0");
    // What the operator says reaches both.
    send(zero, run.pool(), IPAddress(10, 0, 0, 3), {5});
    send(one, run.pool(), IPAddress(10, 0, 0, 3), {6});
    std::string error;
    EXPECT_TRUE(run.replicas.write_handler("q.insert", "10.0.0.3 2:0:0:0:0:3", error));
    run.rounds(1, 0);
    run.rounds(1, 1);
    EXPECT_EQ(sent_by(zero), (std::vector{1, 2, 4, 5}));
    EXPECT_EQ(sent_by(one), (std::vector{3, 6}));
  });
}

TEST(SharedNeighbours, EachWorkerWaitsUntilItGivesUpItself) {
  in_child([] {
    MachineRun run("workers: {count: 2, pinned: false}", kConfig);
    const IPAddress neighbour(10, 0, 0, 2);
    send(run.replicas.on(0), run.pool(), neighbour, {1});
    run.clock.jump_to(run.clock.now() + 500'000'000);
    send(run.replicas.on(1), run.pool(), neighbour, {2});
    for (int tenths = 0; tenths < 27; ++tenths) {
      run.clock.jump_to(run.clock.now() + 100'000'000);
      run.rounds(1, 0);
      run.rounds(1, 1);
    }
    EXPECT_EQ(run.dropped("q", "unresolved"), 1u);
    EXPECT_EQ(run.read("q.queries"), "3") << "once a second for both";
    EXPECT_EQ(run.read("q.length"), "1");
    answer(run.replicas.on(0), run.pool(), neighbour);
    run.rounds(1, 1);
    EXPECT_EQ(sent_by(run.replicas.on(1)), std::vector{2});
  });
}

// Both workers run for real: one sends, the other hears the answers.
TEST(SharedNeighbours, WorkersThatRun) {
  in_child([] {
    constexpr uint32_t kNeighbours = 2000;
    MachineRun run("workers: {count: 2, pinned: false}", kConfig, MachineRun::RealTime{});
    Machine& machine = run.machine;
    Replicas& replicas = run.replicas;
    Scheduler& sending = machine.workers()[0]->scheduler();
    Scheduler& hearing = machine.workers()[1]->scheduler();
    Pool& pool = *machine.context_of(0).pool;
    std::atomic<uint32_t> sent{0};
    std::thread driver([&] {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      for (uint32_t i = 0; i < kNeighbours; ++i) {
        const IPAddress neighbour = IPAddress::from_host_order(0x0a010000 + i);
        sending.post([&, neighbour] {
          send(replicas.on(0), pool, neighbour, {1, 2});
          hearing.post([&, neighbour] { answer(replicas.on(1), pool, neighbour); });
          send(replicas.on(0), pool, neighbour, {3});
        });
        if (i % 20 == 0) std::this_thread::yield();
      }
      while (sent < 3 * kNeighbours && std::chrono::steady_clock::now() < end) {
        sending.post([&] { sent = static_cast<uint32_t>(sent_by(replicas.on(0)).size()); });
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      machine.request_stop();
    });
    machine.run();
    driver.join();
    const Ledger ledger = replicas.ledger();
    EXPECT_TRUE(ledger.balanced()) << ledger.complaint();
    uint64_t dropped = 0;
    for (const LedgerDrop& drop : ledger.drops) dropped += drop.packets;
    EXPECT_EQ(dropped, 0u) << ledger.drops[0].reason;
    std::map<IPAddress, int> last;
    EXPECT_EQ(sent_by(replicas.on(0)).size(), 3u * kNeighbours);
    for (const auto& seen : replicas.on(0).find_as<TestSink>("out")->packets) {
      IPAddress address;
      std::memcpy(&address, seen.annotations.user, sizeof address);
      EXPECT_EQ(seen.bytes.back(), ++last[address]);
    }
  });
}

}  // namespace
}  // namespace headroom::test
