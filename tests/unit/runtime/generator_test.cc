// Ports that generate what they receive.
#include "headroom/runtime/generator.hh"

#include <rte_cycles.h>

#include <chrono>
#include <set>
#include <string>
#include <thread>

#include "headroom/net/ether.hh"
#include "headroom/net/ip.hh"
#include "machine_fixture.hh"

namespace headroom::test {
namespace {

using ::testing::HasSubstr;

std::string check(const std::string& traffic, uint32_t data_room = 2048) {
  Diagnostics diagnostics;
  const SystemConfig config = system_config("ports: {a: {traffic: {" + traffic + "}}}");
  const bool ok = Generator::check(config.ports.at(0), data_room, diagnostics);
  EXPECT_EQ(ok, diagnostics.ok());
  return diagnostics.render(Diagnostics::Form::full);
}

TEST(Generator, RefusesWhatCannotBeGenerated) {
  EXPECT_EQ(check("size: 64"), "");
  EXPECT_EQ(check("kind: mixed, size: 66, destinations: [10.0.0.0/8]"), "");
  EXPECT_EQ(check("latency: true"), "");
  EXPECT_THAT(check("kind: ipv6"), AllOf(HasSubstr("frames of 64 bytes have no room"),
                                         HasSubstr("shortest possible are of 66")));
  EXPECT_THAT(check("kind: ipv6, size: 81, latency: true"),
              AllOf(HasSubstr("and the time stamp"), HasSubstr("of 82 bytes")));
  EXPECT_THAT(check("kind: mixed, imix: true"), HasSubstr("frames of 64 bytes have no room"));
  EXPECT_THAT(check("size: 2053"), HasSubstr("do not fit into packets of 2,048"));
  EXPECT_EQ(check("size: 2052"), "");
  EXPECT_THAT(check("imix: true", 1000), HasSubstr("frames of 1,518 bytes do not fit"));
  EXPECT_THAT(check("destinations: ['2001:db8::/32']"), HasSubstr("is for IPv4"));
  EXPECT_THAT(check("kind: ipv6, size: 66, destinations: [10.0.0.0/8]"), HasSubstr("for IPv6"));
  EXPECT_THAT(check("file: in.pcap"), HasSubstr("is for traffic of kind pcap"));
  EXPECT_THAT(check("kind: pcap"), HasSubstr("needs a capture file"));
  EXPECT_THAT(check("kind: pcap, file: /nowhere/in.pcap"), HasSubstr("/nowhere/in.pcap"));
}

TEST(Generator, RefusesCapturesThatItCannotReplay) {
  TemporaryDirectory directory;
  write_capture(directory / "none.pcap", {});
  write_capture(directory / "long.pcap", {Bytes(60, 1), Bytes(1500, 2)});
  const auto of = [&](const char* file, uint32_t data_room, const char* more = "") {
    return check("kind: pcap, file: " + (directory / file) + more, data_room);
  };
  EXPECT_THAT(of("none.pcap", 2048), HasSubstr("it holds no frames"));
  EXPECT_EQ(of("long.pcap", 1500), "");
  EXPECT_THAT(of("long.pcap", 1499), HasSubstr("a frame of 1,500 bytes"));
  EXPECT_THAT(of("long.pcap", 2048, ", latency: true"), HasSubstr("carry no time stamps"));
}

TEST(Generator, PacketsAreFreshAndForThePort) {
  in_child([] {
    MachineRun run("ports:\n  x: {traffic: {}}\n  a: {traffic: {size: 100, flows: 500}}\n",
                   "f :: FromPort(a) -> out :: TestSink");
    run.rounds(20);
    const auto& packets = run.sink("out").packets;
    ASSERT_EQ(packets.size(), 20u * 64);
    std::set<std::string> different;
    for (const auto& seen : packets) {
      ASSERT_EQ(seen.bytes.size(), 96u);
      EXPECT_EQ(EtherAddress::from_bytes(seen.bytes.data()), EtherAddress(2, 0, 0, 0, 0, 2));
      EXPECT_TRUE(
          ip_header_checksum_ok(*reinterpret_cast<const IpHeader*>(seen.bytes.data() + 14)));
      different.emplace(seen.bytes.begin(), seen.bytes.end());
    }
    EXPECT_EQ(different.size(), packets.size());
    EXPECT_EQ(run.read("f.mac"), "02-00-00-00-00-02");
    const DeviceStats stats = run.machine.device("a")->stats();
    EXPECT_EQ(stats.received, packets.size());
    EXPECT_EQ(stats.received_bytes, packets.size() * 96);
    EXPECT_EQ(stats.missed, 0u);
  });
}

TEST(Generator, QueuesHaveFlowsOfTheirOwn) {
  in_child([] {
    MachineRun run(
        "ports: {a: {traffic: {flows: 64, to: '02:00:00:00:00:77'}}}\nworkers: {count: 2, pinned: "
        "false}\n",
        "f :: FromPort(a) -> ToPort(a)");
    const Device& device = *run.machine.device("a");
    ASSERT_EQ(device.rx_queues(), 2u);
    std::set<uint32_t> sources[2];
    for (uint32_t queue = 0; queue < 2; ++queue) {
      for (int burst = 0; burst < 64; ++burst) {
        rte_mbuf* mbufs[64];
        ASSERT_EQ(run.machine.device("a")->receive(queue, mbufs, 64), 64u);
        for (rte_mbuf* mbuf : mbufs) {
          const auto* bytes = rte_pktmbuf_mtod(mbuf, const uint8_t*);
          EXPECT_EQ(EtherAddress::from_bytes(bytes), EtherAddress(2, 0, 0, 0, 0, 0x77));
          EXPECT_EQ(mbuf->port, device.port_id());
          sources[queue].insert(reinterpret_cast<const IpHeader*>(bytes + 14)->source.host_order());
        }
        rte_pktmbuf_free_bulk(mbufs, 64);
      }
      EXPECT_EQ(sources[queue].size(), 32u);
    }
    for (const uint32_t source : sources[0]) EXPECT_FALSE(sources[1].contains(source));
  });
}

TEST(Generator, ReplaysACapture) {
  in_child([] {
    TemporaryDirectory directory;
    std::vector<Bytes> frames;
    for (std::size_t size = 14; size < 1514; size += 100)
      frames.emplace_back(size, static_cast<uint8_t>(size / 7));
    write_capture(directory / "in.pcap", frames);
    MachineRun run("ports: {a: {traffic: {kind: pcap, file: " + (directory / "in.pcap") + "}}}",
                   "FromPort(a) -> out :: TestSink");
    run.rounds(2);
    const auto& packets = run.sink("out").packets;
    ASSERT_EQ(packets.size(), 128u);
    for (std::size_t i = 0; i < packets.size(); ++i)
      EXPECT_EQ(packets[i].bytes, frames[i % frames.size()]);
  });
}

TEST(Generator, KeepsToARateAndCountsWhatIsNotReceivedInTime) {
  in_child([] {
    MachineRun run("ports: {a: {traffic: {rate: 100000, latency: true}, rx_descriptors: 100}}",
                   "f :: FromPort(a) -> out :: ToPort(a)");
    const uint64_t start = rte_rdtsc();
    run.rounds(1);
    // Longer than 100 packets take.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    run.rounds(2);
    const DeviceStats stats = run.machine.device("a")->stats();
    const double seconds =
        static_cast<double>(rte_rdtsc() - start) / static_cast<double>(rte_get_tsc_hz());
    EXPECT_GT(stats.missed, 1000u);
    EXPECT_GE(stats.received, 101u);
    EXPECT_LE(static_cast<double>(stats.received + stats.missed), seconds * 100'000 + 2);

    // Those that had to wait were under way all the time.
    const Generator& generator = *run.machine.device("a")->generator();
    uint64_t count = 0;
    uint64_t long_ones = 0;
    for (std::size_t bin = 0; bin < LatencyHistogram::kBins; ++bin) {
      count += generator.latency_count(bin);
      if (LatencyHistogram::upper(bin) > rte_get_tsc_hz() / 2000)  // half a millisecond
        long_ones += generator.latency_count(bin);
    }
    EXPECT_EQ(count, stats.received);
    EXPECT_GT(long_ones, 40u);
  });
}

TEST(Generator, FillsPacketsWhenAsked) {
  in_child([] {
    MachineRun run("ports: {a: {traffic: {size: 1000, fill: true}}}",
                   "FromPort(a) -> out :: TestSink");
    // Every packet of the pool has other bytes.
    std::vector<Packet*> packets;
    while (Packet* packet = Packet::make(run.pool(), Bytes(1000, 0xee))) packets.push_back(packet);
    for (Packet* packet : packets) packet->kill();
    run.rounds(4);
    for (const auto& seen : run.sink("out").packets)
      for (std::size_t i = 64; i < seen.bytes.size(); ++i) ASSERT_EQ(seen.bytes[i], 0);
  });
}

TEST(Generator, AnEmptyPoolIsCounted) {
  in_child([] {
    MachineRun run("ports: {a: {traffic: {}}}", "FromPort(a) -> Discard");
    std::vector<Packet*> packets;
    while (Packet* packet = Packet::make(run.pool(), 60)) packets.push_back(packet);
    run.rounds(1);
    EXPECT_EQ(run.machine.device("a")->stats().received, 0u);
    EXPECT_EQ(run.machine.device("a")->stats().no_buffer, 64u);
    for (Packet* packet : packets) packet->kill();
    run.rounds(1);
    EXPECT_EQ(run.machine.device("a")->stats().received, 64u);
  });
}

TEST(Workers, CountTheirBusyTime) {
  in_child([] {
    MachineRun run("ports: {a: {traffic: {rate: 1000}}}\nworkers: {pinned: false, idle: sleep}\n",
                   "FromPort(a) -> Discard", MachineRun::RealTime{});
    EXPECT_EQ(run.machine.workers()[0]->busy_cycles(), 0u);
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      run.machine.request_stop();
    });
    const uint64_t start = rte_rdtsc();
    run.machine.run();
    const uint64_t all = rte_rdtsc() - start;
    stopper.join();
    const uint64_t busy = run.machine.workers()[0]->busy_cycles();
    EXPECT_GT(busy, 0u);
    EXPECT_LT(busy, all);
    EXPECT_EQ(run.machine.workers()[0]->busy_cycles(), busy);  // it has stopped
  });
}

}  // namespace
}  // namespace headroom::test
