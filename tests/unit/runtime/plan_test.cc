// What is decided, and refused, before EAL starts: arguments, memory, cores, devices, pools.
#include <unistd.h>

#include <algorithm>

#include "machine_fixture.hh"

namespace headroom::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr uint64_t kMegabyte = 1 << 20;

struct Planned {
  bool ok = false;
  EalPlan plan;
  std::string error;
  std::string hint;
};
Planned plan(std::string_view system, uint64_t bytes = kMegabyte, uint32_t workers = 1) {
  Planned result;
  result.ok =
      plan_eal(system_config(system), bytes, workers, result.plan, result.error, result.hint);
  return result;
}

TEST(PlanEal, WithoutHugepages) {
  const Planned result = plan("eal: {hugepages: off}", 100 * kMegabyte);
  ASSERT_TRUE(result.ok) << result.error;
  EXPECT_FALSE(result.plan.hugepages);
  EXPECT_EQ(result.plan.memory_mb, 164u);
  EXPECT_THAT(result.plan.arguments,
              AllOf(Contains("--no-huge"), Contains("--no-shconf"), Contains("--no-pci"),
                    Contains("--no-telemetry"), Contains("--iova-mode=va"), Not(Contains("-a")),
                    Not(Contains("--in-memory"))));
  const auto m = std::ranges::find(result.plan.arguments, "-m");
  ASSERT_LT(m + 1 - result.plan.arguments.begin(),
            static_cast<std::ptrdiff_t>(result.plan.arguments.size()));
  EXPECT_EQ(m[1], "164");
}

TEST(PlanEal, TheMemoryAskedForIsTheLeast) {
  EXPECT_EQ(plan("eal: {hugepages: off, memory_mb: 300}").plan.memory_mb, 300u);
  EXPECT_EQ(plan("eal: {hugepages: off, memory_mb: 65}", 2 * kMegabyte).plan.memory_mb, 66u);
  EXPECT_EQ(plan("eal: {hugepages: off}", 1).plan.memory_mb, 65u) << "rounded up";
}

TEST(PlanEal, WithHugepages) {
  if (memory_offer().huge_free < 80 * kMegabyte) GTEST_SKIP() << "there are no free hugepages";
  for (const char* choice : {"on", "auto"}) {
    const Planned result = plan("eal: {hugepages: " + std::string(choice) + "}");
    ASSERT_TRUE(result.ok) << result.error;
    EXPECT_TRUE(result.plan.hugepages);
    EXPECT_THAT(result.plan.arguments, AllOf(Contains("--in-memory"), Not(Contains("--no-huge")),
                                             Not(Contains("-m")), Not(Contains("--no-shconf"))));
  }
}

TEST(PlanEal, HugepagesThatAreMissing) {
  const uint64_t bytes = memory_offer().huge_free + 10 * kMegabyte;
  const Planned result = plan("eal: {hugepages: on}", bytes);
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.error, AllOf(StartsWith("eal.hugepages is on: "), HasSubstr(" MB wanted, "),
                                  HasSubstr(" MB free in 2 MB pages")));
  EXPECT_EQ(result.hint,
            "add 37 pages (as root: echo N > /proc/sys/vm/nr_hugepages), or set eal.hugepages to "
            "auto");
  // Left to itself, it does without.
  if (memory_offer().ordinary_free > bytes + 64 * kMegabyte) {
    const Planned automatic = plan("", bytes);
    EXPECT_TRUE(automatic.ok) << automatic.error;
    EXPECT_FALSE(automatic.plan.hugepages);
  }
}

TEST(PlanEal, TooLittleMemory) {
  const Planned result = plan("eal: {hugepages: off}", uint64_t{1} << 50);
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.error, AllOf(HasSubstr("too little memory: 1,073,741,888 MB wanted, "),
                                  HasSubstr(" MB available")));
  EXPECT_THAT(result.hint, HasSubstr("lower pools.packets"));
}

TEST(PlanEal, OnlyTheNamedPciDevices) {
  const Planned result =
      plan("ports:\n  a: {pci: 0000:03:00.0}\n  b: {vdev: net_null0}\n  c: {pci: 3b:00.1}\n");
  ASSERT_TRUE(result.ok) << result.error;
  const auto& arguments = result.plan.arguments;
  EXPECT_THAT(arguments, Not(Contains("--no-pci")));
  // Without an IOMMU virtual addresses would lead the card to other programs' memory.
  EXPECT_THAT(arguments, Not(Contains(StartsWith("--iova-mode"))));
  std::vector<std::string> allowed;
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i)
    if (arguments[i] == "-a") allowed.push_back(arguments[i + 1]);
  EXPECT_THAT(allowed, ::testing::ElementsAre("0000:03:00.0", "0000:3b:00.1"));
}

TEST(PlanEal, ArgumentsOfTheUserComeLast) {
  const auto arguments = plan("eal: {arguments: [--huge-unlink, -v]}").plan.arguments;
  ASSERT_GE(arguments.size(), 2u);
  EXPECT_EQ(arguments.front(), "headroom");
  EXPECT_EQ(arguments[arguments.size() - 2], "--huge-unlink");
  EXPECT_EQ(arguments.back(), "-v");
}

TEST(PlanEal, Cores) {
  const auto usable = usable_cores();
  ASSERT_FALSE(usable.empty());
  const std::string first = std::to_string(usable.front());
  EXPECT_THAT(plan("").plan.arguments, Contains("--lcores=0@" + first));
  EXPECT_THAT(plan("").plan.cores, ::testing::ElementsAre(usable.front()));
  if (usable.size() < 2) GTEST_SKIP() << "needs two cores";
  const std::string second = std::to_string(usable[1]);
  EXPECT_THAT(plan("workers: {count: 2}", 1, 2).plan.arguments,
              Contains("--lcores=0@" + first + ",1@" + second));
  // Workers count from 0, on the cores in the order that they are given.
  const Planned result = plan("workers: {cores: [" + second + ", " + first + "]}", 1, 2);
  EXPECT_THAT(result.plan.arguments, Contains("--lcores=0@" + second + ",1@" + first));
  EXPECT_THAT(result.plan.cores, ::testing::ElementsAre(usable[1], usable[0]));
  // One worker for a configuration that cannot have more is on the first of them.
  EXPECT_THAT(plan("workers: {cores: [" + second + ", " + first + "]}", 1, 1).plan.arguments,
              Contains("--lcores=0@" + second));
}

TEST(PlanEal, WorkersThatAreNotPinnedShareAllCores) {
  std::string all;
  for (const uint32_t core : usable_cores()) all += (all.empty() ? "" : ",") + std::to_string(core);
  EXPECT_THAT(plan("workers: {count: 100, pinned: false}", 1, 3).plan.arguments,
              Contains("--lcores=0@(" + all + "),1@(" + all + "),2@(" + all + ")"));
}

TEST(PlanEal, CoresThatAreNotThere) {
  const auto usable = usable_cores();
  const auto count = static_cast<uint32_t>(usable.size());
  const Planned many = plan("workers: {count: 128}", 1, 128);
  if (count < 128) {
    EXPECT_FALSE(many.ok);
    EXPECT_EQ(many.error, "workers.count is 128, but this process may use " +
                              std::to_string(count) + (count == 1 ? " core" : " cores"));
    EXPECT_EQ(many.hint,
              "lower workers.count, or allow more cores (taskset, cpuset); with workers.pinned: "
              "false, workers share cores");
  }
  if (usable.back() < 1023) {
    const Planned strange = plan("workers: {cores: [1023]}");
    EXPECT_FALSE(strange.ok);
    EXPECT_EQ(strange.error, "workers.cores names core 1023, which this process may not use");
    EXPECT_EQ(strange.hint, "usable are cores " + std::to_string(usable.front()) + " to " +
                                std::to_string(usable.back()));
  }
}

TEST(MemoryOffer, IsWhatTheKernelTells) {
  const MemoryOffer offer = memory_offer();
  EXPECT_EQ(offer.huge_page_size, 2 * kMegabyte);
  EXPECT_EQ(offer.huge_free % offer.huge_page_size, 0u);
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const auto total = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * page;
  EXPECT_GT(offer.ordinary_free, 0u);
  EXPECT_LE(offer.ordinary_free, total);
  EXPECT_LE(offer.huge_free, total);
}

std::string check(std::string_view port) {
  Diagnostics diagnostics;
  const std::string text = "ports: {a: {" + std::string(port) + "}}";
  const uint32_t file = diagnostics.sources().add("system.yaml", text);
  const SystemConfig config = read_system_config(file, diagnostics);
  EXPECT_EQ(config.ports.size(), 1u);
  const bool ok = Device::check(config.ports.at(0), config.pools.data_room, diagnostics);
  EXPECT_EQ(ok, diagnostics.ok());
  return diagnostics.render(Diagnostics::Form::full);
}

TEST(DeviceCheck, FindsWhatDpdkWouldOnlyNumber) {
  EXPECT_EQ(check("vdev: net_null0"), "");
  EXPECT_EQ(check("vdev: \"net_tap0,iface=headroom9\""), "") << "made by the driver";
  EXPECT_THAT(check("vdev: \"net_pcap0,rx_pcap=/no/such.pcap\""),
              AllOf(StartsWith("system.yaml:1:9: error: port 'a': /no/such.pcap: "),
                    HasSubstr("No such file or directory"),
                    HasSubstr("hint: rx_pcap names a capture file")));
  EXPECT_THAT(check("vdev: \"net_pcap0,rx_pcap=/dev/null\""), HasSubstr("port 'a': truncated"));
  EXPECT_THAT(check("vdev: \"net_pcap0,tx_pcap=/no/such/out.pcap\""),
              HasSubstr("port 'a': /no/such/out.pcap: No such file or directory"));
  for (const char* vdev : {"net_af_packet0,iface=nothing9", "net_af_xdp0,iface=nothing9",
                           "net_pcap0,rx_iface=nothing9", "net_pcap0,tx_iface=nothing9"})
    EXPECT_THAT(check("vdev: \"" + std::string(vdev) + "\""),
                AllOf(HasSubstr("port 'a': there is no interface 'nothing9'"),
                      HasSubstr("hint: `ip link`")));
  EXPECT_THAT(check("pci: ffff:1f:1f.7"),
              AllOf(HasSubstr("port 'a': there is no PCI device ffff:1f:1f.7"),
                    HasSubstr("hint: `lspci -D`")));
  if (geteuid() != 0) {
    EXPECT_THAT(check("vdev: \"net_af_packet0,iface=lo\""), HasSubstr("not permitted"));
  } else {
    EXPECT_EQ(check("vdev: \"net_af_packet0,iface=lo\""), "");
  }
}

// Machine::start refuses before EAL starts, which would print more than this, and only once.
TEST(MachineStart, APoolThatIsTooSmall) {
  MachineRun run(
      "ports:\n  a: {vdev: net_null0, rx_descriptors: 512}\n"
      "pools: {packets: 3000, cache: 64}\n",
      "FromPort(a) -> q :: Queue(500) -> Discard", MachineRun::Unstarted{});
  ASSERT_TRUE(run.built);
  EXPECT_FALSE(run.start());
  EXPECT_EQ(run.messages(),
            "error: pools.packets is 3,000, but this configuration needs 3,156 packets:\n"
            "           512  port 'a': 1 queue x 512 receive descriptors\n"
            "         1,024  port 'a': 1 queue x 1,024 transmit descriptors\n"
            "            96  1 worker x 96 packets in its cache\n"
            "         1,024  1 worker x 1,024 packets in batches\n"
            "           500  'q :: Queue' holds up to 500\n"
            "         3,156  in all\n"
            "hint: raise pools.packets or leave it out, or lower the terms\n");
}

// More than a pool can have; nobody has set pools.packets.
TEST(MachineStart, APoolThatNoMachineHasIsALackOfMemory) {
  MachineRun run("eal: {hugepages: off}",
                 "Idle -> a :: Queue(4294967295) -> Idle; Idle -> b :: Queue(4294967295) -> Idle",
                 MachineRun::Unstarted{});
  EXPECT_FALSE(run.start());
  EXPECT_THAT(run.messages(),
              AllOf(HasSubstr("too little memory"), Not(HasSubstr("pools.packets is")),
                    HasSubstr("'b :: Queue' holds up to 4,294,967,295")));
}

TEST(MachineStart, EachWorkerHasItsShareOfThePool) {
  MachineRun run(
      "ports: {a: {vdev: net_null0}}\npools: {packets: 400}\n"
      "workers: {count: 2, pinned: false}\n",
      "FromPort(a) -> q :: Queue(500) -> Discard", MachineRun::Unstarted{});
  EXPECT_FALSE(run.start());
  EXPECT_THAT(run.messages(),
              AllOf(HasSubstr("2,048  port 'a': 2 queues x 1,024 receive descriptors"),
                    HasSubstr("768  2 workers x 384 packets in its cache"),
                    HasSubstr("8,192  2 workers x 4,096 packets on their way to others"),
                    HasSubstr("1,000  'q :: Queue' holds up to 500")));
}

TEST(MachineStart, ADeviceThatIsNotThere) {
  MachineRun run(
      "ports:\n  a: {vdev: \"net_pcap0,rx_pcap=/no/such.pcap\"}\n  b: {pci: ffff:1f:1f.7}\n"
      "  c: {vdev: \"net_pcap1,rx_pcap=/no/other.pcap\"}\n",
      "FromPort(a) -> ToPort(b)", MachineRun::Unstarted{});
  EXPECT_FALSE(run.start());
  EXPECT_THAT(run.messages(), AllOf(HasSubstr("/no/such.pcap"), HasSubstr("ffff:1f:1f.7"),
                                    Not(HasSubstr("/no/other.pcap"))))
      << "all at once, but not of ports that are not used";
}

}  // namespace
}  // namespace headroom::test
