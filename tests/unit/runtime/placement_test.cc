// Which worker runs which element, and how packets get from one to the other.
#include <map>
#include <set>

#include "machine_fixture.hh"

namespace headroom::test {
namespace {

using ::testing::HasSubstr;

constexpr char kTwoWorkers[] = "workers: {count: 2, pinned: false}";

// Frames of many flows, each flow's numbered in its last two bytes.
std::vector<Bytes> frames_of_flows(unsigned flows, unsigned packets_each) {
  std::vector<Bytes> frames;
  for (unsigned number = 0; number < packets_each; ++number)
    for (unsigned flow = 0; flow < flows; ++flow) {
      Ip4Frame frame;
      frame.source = "10.1.0." + std::to_string(flow);
      frame.source_port = static_cast<uint16_t>(1000 + 7 * flow);
      Bytes bytes = frame.build();
      bytes[bytes.size() - 2] = static_cast<uint8_t>(number >> 8);
      bytes[bytes.size() - 1] = static_cast<uint8_t>(number);
      frames.push_back(std::move(bytes));
    }
  return frames;
}
unsigned flow_of(const Bytes& frame) { return frame[29]; }
unsigned number_of(const Bytes& frame) {
  return frame[frame.size() - 2] * 256U + frame[frame.size() - 1];
}

// Each flow's packets in order, none missing; returns the flows.
std::set<unsigned> expect_whole_flows(const std::vector<TestSink::Seen>& seen, unsigned each) {
  std::map<unsigned, unsigned> next;
  for (const TestSink::Seen& packet : seen)
    EXPECT_EQ(number_of(packet.bytes), next[flow_of(packet.bytes)]++);
  std::set<unsigned> flows;
  for (const auto& [flow, count] : next) {
    EXPECT_EQ(count, each) << flow;
    flows.insert(flow);
  }
  return flows;
}

void run_all(MachineRun& run, int rounds = 200) {
  for (int i = 0; i < rounds; ++i)
    for (uint32_t worker = 0; worker < run.machine.workers().size(); ++worker)
      run.rounds(1, worker);
}
const std::vector<TestSink::Seen>& seen_on(MachineRun& run, uint32_t worker,
                                           std::string_view sink = "out") {
  return run.replicas.on(worker).find_as<TestSink>(sink)->packets;
}

TEST(Placement, APortWithoutRssIsDistributedByFlow) {
  in_child([] {
    TemporaryDirectory directory;
    write_capture(directory / "in.pcap", frames_of_flows(40, 25));
    MachineRun run(
        "ports: {a: {vdev: \"net_pcap0,rx_pcap=" + (directory / "in.pcap") + "\"}}\n" + kTwoWorkers,
        "f :: FromPort(a) -> c :: Counter -> out :: TestSink");
    run_all(run);
    const auto zero = expect_whole_flows(seen_on(run, 0), 25);
    const auto one = expect_whole_flows(seen_on(run, 1), 25);
    EXPECT_EQ(zero.size() + one.size(), 40U);
    EXPECT_GT(zero.size(), 8U);
    EXPECT_GT(one.size(), 8U);
    EXPECT_EQ(run.read("f.count"), "1000");
    EXPECT_EQ(run.read("c.count"), "1000");
  });
}

TEST(Placement, WhatExistsOnceGetsThePacketsOfAll) {
  in_child([] {
    MachineRun run(kTwoWorkers,
                   "in :: TestSource -> c :: Counter -> p :: Pipeliner -> d :: Counter "
                   "-> out :: TestSink");
    for (const uint32_t worker : {0U, 1U}) {
      std::vector<Packet*> packets;
      for (uint8_t i = 0; i < 100; ++i)
        packets.push_back(Packet::make(run.pool(), Bytes{static_cast<uint8_t>(worker), i}));
      run.replicas.on(worker).find_as<TestSource>("in")->emit(packets, 64);
    }
    EXPECT_EQ(seen_on(run, 0).size(), 100U);
    EXPECT_EQ(run.replicas.ledger().total().held, 100U) << "in the ring";
    EXPECT_TRUE(run.replicas.ledger().balanced()) << run.replicas.ledger().complaint();
    run_all(run, 3);
    EXPECT_EQ(seen_on(run, 0).size(), 200U);
    EXPECT_EQ(seen_on(run, 1).size(), 0U);
    EXPECT_EQ(run.read("c.count"), "200");
    EXPECT_EQ(run.read("d.count"), "200");
    EXPECT_EQ(run.replicas.ledger().total().held, 0U);
  });
}

TEST(Placement, StaticThreadSchedGivesHomes) {
  in_child([] {
    MachineRun run(kTwoWorkers,
                   "in :: TestSource -> q :: Queue -> u :: Unqueue -> c :: Counter -> out :: "
                   "TestSink; StaticThreadSched(u 1)");
    run.send("in", std::vector<Bytes>(10, Bytes{1}));  // on worker 0
    run_all(run, 20);
    EXPECT_EQ(seen_on(run, 0).size(), 0U);
    EXPECT_EQ(seen_on(run, 1).size(), 10U);
    // The queue came along, because it is pulled from.
    EXPECT_EQ(run.replicas.placement().homes[run.replicas.first().find("q")->index()], 1U);
    EXPECT_EQ(run.read("q.highwater_length"), "10");
    EXPECT_EQ(run.read("c.count"), "10");
  });
}

TEST(Placement, HomesThatContradictEachOther) {
  in_child([] {
    MachineRun run(kTwoWorkers,
                   "Idle -> q :: Queue -> u :: Unqueue -> Discard;"
                   "StaticThreadSched(q 0, u 1)",
                   MachineRun::Unstarted{});
    EXPECT_FALSE(run.start());
    EXPECT_THAT(run.messages(), HasSubstr("'u :: Unqueue' belongs to worker 1, but 'q :: Queue'"));
  });
}

TEST(Placement, AWorkerThatThereIsNot) {
  in_child([] {
    MachineRun run(kTwoWorkers,
                   "in :: TestSource -> p :: Pipeliner -> out :: TestSink;"
                   "StaticThreadSched(p 5)");
    EXPECT_THAT(run.messages(),
                HasSubstr("'p :: Pipeliner' runs on worker 1: there is no worker 5"));
  });
  // With one worker there is nothing to choose.
  in_child([] {
    MachineRun run("",
                   "in :: TestSource -> p :: Pipeliner -> out :: TestSink;"
                   "StaticThreadSched(p 5)");
    EXPECT_EQ(run.messages(), "");
  });
}

TEST(Placement, StaticThreadSchedChecksItsArguments) {
  EXPECT_THAT(errors_of("StaticThreadSched(a 0); b :: Idle -> Discard"),
              HasSubstr("'a' does not name an element"));
  for (const char* wrong : {"b", "b x", "b -1", "b 0 1", "b 0.5"})
    EXPECT_THAT(errors_of("StaticThreadSched(" + std::string(wrong) + "); b :: Idle -> Discard"),
                HasSubstr("expected 'ELEMENT WORKER'"))
        << wrong;
  EXPECT_EQ(errors_of("StaticThreadSched(c 1); c :: { Idle -> Discard }"), "");
}

TEST(Placement, ARingThatIsFullDropsByName) {
  in_child([] {
    MachineRun run(std::string(kTwoWorkers) + "\npools: {packets: 20000}",
                   "in :: TestSource -> p :: Pipeliner -> out :: TestSink");
    std::vector<Packet*> packets;
    for (int i = 0; i < 2500; ++i) packets.push_back(Packet::make(run.pool(), Bytes{1}));
    run.replicas.on(1).find_as<TestSource>("in")->emit(packets, 64);
    EXPECT_EQ(run.dropped("in", "hand-off-full"), 2500 - (Inlet::kSize - 1));
    EXPECT_TRUE(run.replicas.ledger().balanced()) << run.replicas.ledger().complaint();
    run_all(run, 50);
    EXPECT_EQ(seen_on(run, 0).size(), Inlet::kSize - 1);
  });
}

TEST(Placement, WhatIsInARingAtTheEndComesHome) {
  in_child([] {
    MachineRun run(kTwoWorkers, "in :: TestSource -> p :: Pipeliner -> out :: TestSink");
    std::vector<Packet*> packets;
    for (int i = 0; i < 500; ++i) packets.push_back(Packet::make(run.pool(), Bytes{1}));
    run.replicas.on(1).find_as<TestSource>("in")->emit(packets, 64);
    EXPECT_EQ(run.replicas.ledger().total().held, 500U);
  });
}

TEST(Placement, APipelineHasWorkersForInputAndOutput) {
  in_child([] {
    TemporaryDirectory directory;
    const auto frames = frames_of_flows(30, 20);
    write_capture(directory / "in.pcap", frames);
    MachineRun run("ports:\n  a: {vdev: \"net_pcap0,rx_pcap=" + (directory / "in.pcap") +
                       "\"}\n  b: {vdev: \"net_pcap1,tx_pcap=" + (directory / "out.pcap") +
                       "\"}\nworkers: {count: 3, pinned: false, shape: pipeline, io: 1}",
                   "f :: FromPort(a) -> c :: Counter -> t :: ToPort(b)");
    run_all(run);
    std::vector<uint64_t> counts;
    for (const uint32_t worker : {0U, 1U, 2U}) {
      std::string error;
      counts.push_back(std::stoull(*run.replicas.on(worker).read_handler("c.count", error)));
    }
    EXPECT_EQ(counts[0], 0U);
    EXPECT_GT(counts[1], 100U);
    EXPECT_GT(counts[2], 100U);
    EXPECT_EQ(run.read("c.count"), "600");
    EXPECT_EQ(run.read("t.count"), "600");
    EXPECT_EQ(run.replicas.placement().homes[run.replicas.first().find("t")->index()], 0U);
  });
}

// A port may be at a worker whose number is beyond those of its queues.
TEST(Placement, APortWithFewerQueuesThanWorkersTransmits) {
  in_child([] {
    MachineRun run(
        "ports:\n  a: {vdev: net_null0}\n  b: {vdev: net_null1}\n"
        "  c: {members: [net_null2, net_null3]}\nworkers: {count: 3, pinned: false}",
        "Idle -> ToPort(a); Idle -> ToPort(b); in :: TestSource -> t :: ToPort(c)");
    EXPECT_EQ(run.replicas.placement().homes[run.replicas.first().find("t")->index()], 2U);
    run.send("in", std::vector<Bytes>(100, Bytes(60)));
    run_all(run, 5);
    EXPECT_EQ(run.read("t.count"), "100");
    EXPECT_EQ(run.machine.device("c")->stats().transmitted, 100U);
  });
}

TEST(Placement, CpuSwitchKnowsItsWorker) {
  in_child([] {
    MachineRun run(kTwoWorkers,
                   "in :: TestSource -> s :: CPUSwitch; s [0] -> zero :: TestSink; s [1] -> one :: "
                   "TestSink");
    for (const uint32_t worker : {0U, 1U})
      run.replicas.on(worker).find_as<TestSource>("in")->emit({Packet::make(run.pool(), Bytes{1})},
                                                              1);
    EXPECT_EQ(seen_on(run, 0, "zero").size(), 1U);
    EXPECT_EQ(seen_on(run, 0, "one").size(), 0U);
    EXPECT_EQ(seen_on(run, 1, "zero").size(), 0U);
    EXPECT_EQ(seen_on(run, 1, "one").size(), 1U);
  });
}

// Both workers run for real; limits and totals are those of one router.
TEST(Placement, TotalsStayTotals) {
  in_child([] {
    TemporaryDirectory directory;
    write_capture(directory / "in.pcap", frames_of_flows(60, 10));
    MachineRun run(
        "ports:\n  a: {vdev: \"net_pcap0,rx_pcap=" + (directory / "in.pcap") +
            ",infinite_rx=1\"}\n" + kTwoWorkers,
        "f :: FromPort(a) -> c :: Counter -> q :: Queue(500) -> s :: Shaper(2000)"
        "-> u :: Unqueue -> d :: Counter -> Discard;"
        "x :: Script(wait 0.2s, set before $(d.count), wait 0.5s,"
        "            set passed $(sub $(d.count) $before), set all $(c.count), write d.reset, "
        "            wait 0.1s, set after $(d.count), stop)",
        MachineRun::RealTime{});
    Replicas& replicas = run.replicas;
    run.machine.run();
    const auto number = [&](const char* handler, const char* variable = "") {
      std::string error;
      const auto value = replicas.read_handler(handler, error, variable);
      EXPECT_TRUE(value) << error;
      return std::stoull(value.value_or("0"));
    };
    // 2,000 a second, however many workers there are; the limit may be late, but is never early.
    EXPECT_GT(number("x.get", "passed"), 100U);
    EXPECT_LT(number("x.get", "passed"), 1500U);
    EXPECT_LT(number("x.get", "after"), 400U);
    EXPECT_GT(number("x.get", "all"), 1000U);
    EXPECT_GE(number("f.count"), number("x.get", "all"));
    const Ledger ledger = replicas.ledger();
    uint64_t too_fast = 0;
    for (const LedgerDrop& drop : ledger.drops)
      if (drop.element == "f" && drop.reason == "hand-off-full") too_fast += drop.packets;
    EXPECT_EQ(number("f.count"), number("c.count") + too_fast);
    EXPECT_TRUE(ledger.balanced()) << ledger.complaint();
  });
}

}  // namespace
}  // namespace headroom::test
