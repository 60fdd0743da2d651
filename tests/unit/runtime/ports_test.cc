// FromPort and ToPort on a started machine, over DPDK's virtual devices.
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "machine_fixture.hh"

namespace headroom::test {
namespace {

using ::testing::HasSubstr;

// n different bytes from `start` on.
Bytes numbered(std::size_t n, std::size_t start = 0) {
  Bytes bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<uint8_t>(start + i * 7 + i / 256);
  return bytes;
}

std::vector<Bytes> numbered_packets(std::size_t count, std::size_t size = 60) {
  std::vector<Bytes> packets;
  for (std::size_t i = 0; i < count; ++i) {
    packets.push_back(numbered(size, i));
    std::memcpy(packets.back().data(), &i, sizeof i);
  }
  return packets;
}

std::vector<Bytes> bytes_at(MachineRun& run, std::string_view sink) {
  std::vector<Bytes> all;
  for (const auto& seen : run.sink(sink).packets) all.push_back(seen.bytes);
  return all;
}

// Leaves every packet of the pool with garbage where annotations lie.
void soil(Pool& pool) {
  std::vector<Packet*> packets;
  while (Packet* packet = Packet::make(pool, 60)) packets.push_back(packet);
  EXPECT_GT(packets.size(), 1000u);
  for (Packet* packet : packets) {
    std::memset(&packet->annotations(), 0xee, sizeof(Annotations));
    packet->kill();
  }
}

bool is_clear(const Annotations& annotations) {
  const Annotations none{};
  return std::memcmp(&annotations, &none, sizeof none) == 0;
}

TEST(Ports, EveryPacketOfACaptureArrivesByteForByte) {
  in_child([] {
    TemporaryDirectory directory;
    std::vector<Bytes> packets;
    for (const std::size_t size : {14u, 59u, 60u, 61u, 1514u, 1519u, 2048u, 2049u, 9000u})
      for (std::size_t i = 0; i < 40; ++i) packets.push_back(numbered(size, i));
    write_capture(directory / "in.pcap", packets);
    {
      MachineRun run("ports: {a: {vdev: \"net_pcap0,rx_pcap=" + (directory / "in.pcap") +
                         ",tx_pcap=" + (directory / "out.pcap") + "\"}}",
                     "f :: FromPort(a) -> t :: ToPort(a)");
      run.rounds(20);
      EXPECT_EQ(run.read("f.count"), std::to_string(packets.size()));
      EXPECT_EQ(run.read("t.count"), std::to_string(packets.size()));
      const DeviceStats stats = run.machine.device("a")->stats();
      EXPECT_EQ(stats.received, packets.size());
      EXPECT_EQ(stats.transmitted, packets.size());
      EXPECT_EQ(run.machine.device("a")->driver(), "net_pcap");
    }
    EXPECT_EQ(bytes_in(read_capture(directory / "out.pcap")), packets);
  });
}

TEST(Ports, ReceivedPacketsHaveNoAnnotations) {
  in_child([] {
    TemporaryDirectory directory;
    write_capture(directory / "in.pcap", numbered_packets(100));
    MachineRun run("ports:\n  a: {vdev: net_null0}\n  b: {vdev: \"net_pcap0,rx_pcap=" +
                       (directory / "in.pcap") + ",infinite_rx=1\"}\n  c: {vdev: net_ring0}\n",
                   "FromPort(a) -> null :: TestSink; FromPort(b) -> pcap :: TestSink;"
                   "in :: TestSource -> ToPort(c); FromPort(c) -> ring :: TestSink");
    soil(run.pool());
    Packet* soiled = Packet::make(run.pool(), numbered(60));
    std::memset(&soiled->annotations(), 0xee, sizeof(Annotations));
    run.send("in", {soiled});
    run.rounds(3);
    for (const char* sink : {"null", "pcap", "ring"}) {
      SCOPED_TRACE(sink);
      const auto& packets = run.sink(sink).packets;
      EXPECT_EQ(packets.size(), std::string(sink) == "ring" ? 1u : 3 * 64u);
      for (const auto& packet : packets) ASSERT_TRUE(is_clear(packet.annotations));
    }
  });
}

TEST(Ports, BatchesAreAsLargeAsToldAndReplayedCapturesRepeat) {
  in_child([] {
    TemporaryDirectory directory;
    const auto packets = numbered_packets(100);
    write_capture(directory / "in.pcap", packets);
    MachineRun run("ports:\n  a: {vdev: net_null0}\n  b: {vdev: \"net_pcap0,rx_pcap=" +
                       (directory / "in.pcap") +
                       ",infinite_rx=1\"}\nworkers: {io_batch_size: 50}\n",
                   "FromPort(a, BURST 256) -> null :: TestSink; FromPort(b) -> pcap :: TestSink");
    run.rounds(4);
    EXPECT_THAT(run.sink("null").batches, ::testing::Each(256));
    EXPECT_THAT(run.sink("pcap").batches, ::testing::ElementsAre(50, 50, 50, 50));
    std::vector<Bytes> twice = packets;
    twice.insert(twice.end(), packets.begin(), packets.end());
    EXPECT_EQ(bytes_at(run, "pcap"), twice);
  });
}

// A ring of 1,023 slots that nobody empties.
TEST(Ports, AFullTransmitQueueIsADrop) {
  in_child([] {
    MachineRun run("ports: {r: {vdev: net_ring0}}",
                   "in :: TestSource -> t :: ToPort(r); FromPort(r) -> out :: TestSink");
    const auto packets = numbered_packets(1100);
    run.send("in", packets);
    EXPECT_EQ(run.read("t.count"), "1023");
    EXPECT_EQ(run.dropped("t", "tx-queue-full"), 1100u - 1023);
    // The first ones are there, in order.
    run.rounds(20);
    EXPECT_EQ(bytes_at(run, "out"), std::vector<Bytes>(packets.begin(), packets.begin() + 1023));
    // And there is room again.
    run.send("in", packets);
    EXPECT_EQ(run.read("t.count"), "2046");
    run.rounds(20);
  });
}

TEST(Ports, PacketsLeftInARingComeHomeWhenTheMachineStops) {
  in_child([] {
    MachineRun run("ports: {r: {vdev: net_ring0}}", "in :: TestSource -> t :: ToPort(r)");
    std::vector<Packet*> packets;
    for (int i = 0; i < 500; ++i) {
      packets.push_back(Packet::make(run.pool(), numbered(60)));
      if (i % 3 == 0) packets.push_back(packets.back()->clone());
    }
    packets.push_back(make_split(run.pool(), numbered(100), 30));
    run.send("in", packets);
    EXPECT_EQ(run.machine.device("r")->driver(), "net_ring");
  });
}

TEST(Ports, ChainedPacketsAreTransmitted) {
  in_child([] {
    TemporaryDirectory directory;
    std::vector<Bytes> expected;
    {
      MachineRun run("ports:\n  a: {vdev: \"net_pcap0,tx_pcap=" + (directory / "out.pcap") +
                         "\"}\n  r: {vdev: net_ring0}\n",
                     "in :: TestSource -> t :: Tee -> ToPort(a); t [1] -> ToPort(r);"
                     "FromPort(r) -> out :: TestSink");
      std::vector<Packet*> packets;
      for (uint32_t cut = 1; cut < 128; ++cut) {
        expected.push_back(numbered(200, cut));
        packets.push_back(make_split(run.pool(), expected.back(), cut));
      }
      expected.push_back(numbered(9000));
      packets.push_back(Packet::make(run.pool(), expected.back()));
      run.send("in", packets);
      run.rounds(3);
      EXPECT_EQ(bytes_at(run, "out"), expected);
    }
    EXPECT_EQ(bytes_in(read_capture(directory / "out.pcap")), expected);
  });
}

// The clones wait in a ring while the originals, whose bytes they share, are rewritten.
TEST(Ports, ClonesAreTransmittedAsTheyWereWhileTheOriginalIsRewritten) {
  in_child([] {
    TemporaryDirectory directory;
    const auto packets = numbered_packets(200);
    {
      MachineRun run("ports:\n  r: {vdev: net_ring0}\n  a: {vdev: \"net_pcap0,tx_pcap=" +
                         (directory / "out.pcap") + "\"}\n",
                     "in :: TestSource -> t :: Tee -> ToPort(r);"
                     "t [1] -> EtherRewrite(2:0:0:0:0:1, 2:0:0:0:0:2) -> Paint(3) -> ToPort(a);"
                     "FromPort(r) -> ring :: TestSink");
      run.send("in", packets);
      run.rounds(4);
      EXPECT_EQ(bytes_at(run, "ring"), packets);
      for (const auto& packet : run.sink("ring").packets) ASSERT_TRUE(is_clear(packet.annotations));
    }
    auto rewritten = packets;
    const Bytes header = hex("020000000002 020000000001");
    for (Bytes& bytes : rewritten) std::copy(header.begin(), header.end(), bytes.begin());
    EXPECT_EQ(bytes_in(read_capture(directory / "out.pcap")), rewritten);
  });
}

TEST(Ports, PullsFromAQueue) {
  in_child([] {
    TemporaryDirectory directory;
    const auto packets = numbered_packets(300);
    {
      MachineRun run("ports: {a: {vdev: \"net_pcap0,tx_pcap=" + (directory / "out.pcap") + "\"}}",
                     "in :: TestSource -> q :: Queue -> t :: ToPort(a, BURST 7)");
      run.rounds(3);
      EXPECT_EQ(run.read("t.scheduled"), "false") << "it sleeps while the queue is empty";
      run.send("in", packets);
      run.rounds(1);
      EXPECT_EQ(run.read("t.count"), "7");
      run.rounds(50);
      EXPECT_EQ(run.read("t.count"), "300");
    }
    EXPECT_EQ(bytes_in(read_capture(directory / "out.pcap")), packets);
  });
}

TEST(Ports, RunsOnTwoWorkersUntilStopped) {
  in_child([] {
    MachineRun run(
        "ports:\n  a: {vdev: net_null0}\n  b: {vdev: net_null1}\nworkers: {count: 2, pinned: "
        "false}\n",
        "f :: FromPort(a) -> c :: Counter -> t :: ToPort(b)");
    ASSERT_EQ(run.machine.workers().size(), 2u);
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      run.machine.request_stop();
    });
    run.machine.run();
    stopper.join();
    EXPECT_GT(std::stoull(run.read("c.count")), 0u);
    EXPECT_EQ(run.read("f.count"), run.read("c.count"));
    EXPECT_EQ(run.read("t.count"), run.read("c.count"));
    EXPECT_EQ(run.machine.device("b")->stats().transmitted, std::stoull(run.read("t.count")));
  });
}

TEST(Ports, AWrongNameIsSuggestedAndTwoReceiversAreRefused) {
  constexpr std::string_view kSystem =
      "ports:\n  north: {vdev: net_null0}\n  south: {vdev: net_null1}\n";
  auto errors = [&](std::string_view config, std::string_view system) {
    MachineRun run(system, config, MachineRun::Unstarted{});
    EXPECT_FALSE(run.built);
    return run.messages();
  };
  EXPECT_THAT(errors("FromPort(nroth) -> Discard", kSystem),
              AllOf(HasSubstr("PORT: no port 'nroth'"), HasSubstr("did you mean 'north'?")));
  EXPECT_THAT(errors("Idle -> ToPort(eth0)", kSystem),
              AllOf(HasSubstr("PORT: no port 'eth0'"), HasSubstr("ports are north south")));
  EXPECT_THAT(errors("Idle -> ToPort(eth0)", ""), HasSubstr("--system"));
  EXPECT_THAT(errors("a :: FromPort(north) -> Discard; b :: FromPort(north) -> Discard", kSystem),
              HasSubstr("'a :: FromPort' receives from port 'north' already"));
  EXPECT_THAT(errors("FromPort(north, BURST 257) -> Discard", kSystem), HasSubstr("bound 256"));
  EXPECT_THAT(errors("Idle -> ToPort(north, BURST 257)", kSystem), HasSubstr("bound 256"));
  MachineRun run(kSystem,
                 "FromPort(north) -> ToPort(south); Idle -> ToPort(south);"
                 "FromPort(south) -> ToPort(north)",
                 MachineRun::Unstarted{});
  EXPECT_TRUE(run.built) << run.messages();
}

TEST(Ports, WhatADriverRefusesIsToldAtThePort) {
  struct Case {
    std::string vdev;
    std::string said;
    std::string more;
  };
  for (const Case& one :
       {Case{"net_null0,no-such-key=1", "port 'a': the driver refuses", "DPDK says"},
        Case{"net_pcap0,tx_pcap=/no/such/out.pcap", "/no/such", "No such file"}})
    in_child([&one] {
      MachineRun run("ports: {a: {vdev: \"" + one.vdev + "\"}}", "Idle -> ToPort(a)",
                     MachineRun::Unstarted{});
      ASSERT_TRUE(run.built) << run.messages();
      ASSERT_FALSE(run.start());
      EXPECT_THAT(run.messages(),
                  AllOf(HasSubstr("system.yaml:1:9"), HasSubstr(one.said), HasSubstr(one.more)));
      run.replicas.clear();
      EXPECT_EQ(run.machine.stop(), 0u);
    });
}

// FastClick's spelling: ports by number, and arguments that belong elsewhere here.
TEST(Ports, DpdkDevices) {
  in_child([] {
    TemporaryDirectory directory;
    const auto packets = numbered_packets(100);
    write_capture(directory / "in.pcap", packets);
    MachineRun run("ports:\n  in: {vdev: \"net_pcap0,rx_pcap=" + (directory / "in.pcap") +
                       "\"}\n  out: {vdev: \"net_pcap1,tx_pcap=" + (directory / "out.pcap") + "\"}",
                   "f :: FromDPDKDevice(0, 0, 1, PROMISC true, NDESC 512, MAXTHREADS 1, BURST 32)"
                   "-> t :: ToDPDKDevice(out, IQUEUE 1024, BLOCKING true, TIMEOUT -1)");
    run.rounds(20);
    EXPECT_EQ(run.read("f.count"), "100");
    EXPECT_EQ(run.read("t.count"), "100");
  });
}

TEST(Ports, DpdkDeviceMistakes) {
  const auto messages = [](std::string_view config) {
    return MachineRun("ports: {a: {vdev: net_null0}}", config, MachineRun::Unstarted{}).messages();
  };
  EXPECT_THAT(messages("FromDPDKDevice(1) -> Discard"), HasSubstr("no port '1'"));
  EXPECT_THAT(messages("FromDPDKDevice(0, PROMSC true) -> Discard"),
              HasSubstr("did you mean 'PROMISC'?"));
  EXPECT_THAT(messages("FromDPDKDevice(0) -> Discard; FromPort(a) -> Discard"),
              HasSubstr("receives from port"));
}

TEST(Ports, APortThatNeedNotBeThereStaysDown) {
  in_child([] {
    MachineRun run(
        "ports: {a: {vdev: \"net_pcap0,rx_pcap=/no/such/file\", required: false},"
        " b: {pci: 0000:ff:1f.7, required: false}, c: {interface: nosuch0, required: false}}",
        "FromPort(a) -> out :: TestSink; in :: TestSource -> t :: ToPort(b);"
        "FromPort(c) -> ToPort(a)");
    for (const char* text : {"port 'a' stays down: port 'a': /no/such/file: No such file",
                             "port 'b' stays down: port 'b': there is no PCI device",
                             "port 'c' stays down: there is no interface 'nosuch0'"})
      EXPECT_THAT(run.messages(), HasSubstr(text));
    run.rounds(10);
    run.send("in", numbered_packets(5));
    EXPECT_TRUE(run.sink("out").packets.empty());
    EXPECT_EQ(run.dropped("t", "port-down"), 5u);
    EXPECT_EQ(run.read("t.carrier"), "0");
  });
}

// Driver net_null offers as many queues as one likes.
TEST(Ports, QueuesOfListedWorkers) {
  in_child([] {
    MachineRun run(
        "ports: {a: {vdev: net_null0, rx_queues: 5, workers: [2, 0]}, b: {vdev: net_null1}}\n"
        "workers: {count: 3, pinned: false}",
        "a :: FromPort(a) -> x :: TestSink; b :: FromPort(b) -> y :: TestSink");
    using Queues = std::vector<uint32_t>;
    EXPECT_EQ(run.machine.queues_of("a", 2), (Queues{0, 2, 4}));
    EXPECT_EQ(run.machine.queues_of("a", 0), (Queues{1, 3}));
    EXPECT_EQ(run.machine.queues_of("a", 1), (Queues{}));
    for (uint32_t worker = 0; worker < 3; ++worker)
      EXPECT_EQ(run.machine.queues_of("b", worker), (Queues{worker}));
    for (uint32_t worker = 0; worker < 3; ++worker) run.rounds(1, worker);
    const auto seen = [&](uint32_t worker, const char* sink) {
      return run.replicas.on(worker).find_as<TestSink>(sink)->packets.size();
    };
    EXPECT_EQ(seen(0, "x"), 128u);
    EXPECT_EQ(seen(1, "x"), 0u);
    EXPECT_EQ(seen(2, "x"), 192u);
    for (uint32_t worker = 0; worker < 3; ++worker) EXPECT_EQ(seen(worker, "y"), 64u);
  });
}

TEST(Ports, WhatAPortCannotDoIsSaidOnce) {
  in_child([] {
    MachineRun run(
        "ports: {a: {vdev: net_null0, rss: [ip, vlan], rx_queues: 2},"
        " b: {vdev: \"net_pcap0,iface=lo\", rx_queues: 2, offloads: [scatter]},"
        " c: {vdev: net_null1, rss: [tcp]}}\nworkers: {count: 2, pinned: false}",
        "FromPort(a) -> x :: TestSink; FromPort(b) -> x; FromPort(c) -> x");
    const std::string messages = run.messages();
    EXPECT_THAT(messages, HasSubstr("port 'a': the device cannot tell flows apart by vlan"));
    EXPECT_THAT(messages, HasSubstr("port 'b': the device spreads flows over no more than one "
                                    "queue, not 2"));
    EXPECT_THAT(messages,
                HasSubstr("port 'b': the device cannot receive frames in several pieces"));
    EXPECT_THAT(messages, ::testing::Not(HasSubstr("port 'c'")));
  });
}

// Its address is not known before it is open.
TEST(Ports, APortsNameStandsForItsAddress) {
  in_child([] {
    MachineRun run(
        "ports: {a: {vdev: net_null0}, b: {vdev: net_null1}}\n"
        "workers: {count: 2, pinned: false}",
        "FromPort(a) -> ea :: EtherEncap(0x0800, a:eth, b:eth) -> ToPort(b);");
    const auto address = [&](const char* port) {
      return run.machine.device(port)->address().to_string();
    };
    EXPECT_NE(address("a"), "00-00-00-00-00-00");
    EXPECT_NE(address("a"), address("b"));
    EXPECT_EQ(run.read("ea.src"), address("a"));
    EXPECT_EQ(run.read("ea.dst"), address("b"));
    // Of the other worker's replica as well.
    std::string error;
    EXPECT_EQ(run.replicas.on(1).read_handler("ea.src", error), address("a"));
  });
}

}  // namespace
}  // namespace headroom::test
