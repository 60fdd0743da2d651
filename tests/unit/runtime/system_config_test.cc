#include "headroom/runtime/system_config.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "headroom/runtime/system_schema.hh"

namespace headroom {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Hugepages = SystemConfig::Hugepages;
using Idle = SystemConfig::Idle;

struct Result {
  SystemConfig config;
  Diagnostics diagnostics;

  // "LINE:COLUMN message (hint)"
  std::vector<std::string> messages() const {
    std::vector<std::string> result;
    for (const auto& entry : diagnostics.all()) {
      std::string text = std::to_string(entry.where.line) + ":" +
                         std::to_string(entry.where.column) + " " + entry.message;
      if (!entry.hint.empty()) text += " (" + entry.hint + ")";
      result.push_back(text);
    }
    return result;
  }
};

Result read(std::string text) {
  Result result;
  const auto file = result.diagnostics.sources().add("system.yaml", std::move(text));
  result.config = read_system_config(file, result.diagnostics);
  return result;
}

std::vector<std::string> messages(std::string text) { return read(std::move(text)).messages(); }

// The configuration of `text` after the overrides, which must all be right.
SystemConfig overridden(std::string text, std::vector<std::string_view> assignments) {
  Result result = read(std::move(text));
  for (const auto assignment : assignments)
    apply_override(result.config, assignment, result.diagnostics);
  EXPECT_THAT(result.messages(), IsEmpty());
  return result.config;
}

// What an override that is wrong says; it must change nothing.
std::vector<std::string> override_messages(std::string text, std::string_view assignment) {
  Result result = read(std::move(text));
  const auto ports = result.config.ports.size();
  const auto batch = result.config.workers.io_batch_size;
  apply_override(result.config, assignment, result.diagnostics);
  EXPECT_EQ(result.config.ports.size(), ports);
  EXPECT_EQ(result.config.workers.io_batch_size, batch);
  return result.messages();
}

void expect_defaults(const SystemConfig& config) {
  EXPECT_EQ(config.eal.hugepages, Hugepages::automatic);
  EXPECT_EQ(config.eal.memory_mb, 0u);
  EXPECT_THAT(config.eal.arguments, IsEmpty());
  EXPECT_THAT(config.ports, IsEmpty());
  EXPECT_EQ(config.workers.count, 1u);
  EXPECT_THAT(config.workers.cores, IsEmpty());
  EXPECT_EQ(config.workers.io_batch_size, 64u);
  EXPECT_EQ(config.workers.idle, Idle::adaptive);
  EXPECT_EQ(config.pools.packets, 0u);
  EXPECT_EQ(config.pools.cache, 256u);
  EXPECT_EQ(config.pools.data_room, 2048u);
}

TEST(SystemConfig, NothingGivenIsTheDefault) {
  expect_defaults(default_system_config());
  for (const char* text : {"", "# nothing\n", "---\n", "eal:\nports:\nworkers:\npools:\n", "{}"}) {
    const auto result = read(text);
    EXPECT_THAT(result.messages(), IsEmpty()) << text;
    expect_defaults(result.config);
  }
}

TEST(SystemConfig, ReadsEveryKey) {
  const auto result = read(R"(
eal:
  hugepages: on
  memory_mb: 512
  arguments: [--log-level=8, "--single-file-segments"]
ports:
  in:
    vdev: net_pcap0,rx_pcap=a b.pcap,infinite_rx=1
    rx_queues: 2
    workers: [2, 0]
    rss: [ip, sctp]
    rss_symmetric: false
    offloads: [scatter]
    rx_descriptors: 0
    tx_descriptors: 512
    mtu: 0x2328
    promiscuous: no
    required: false
  eth0.7:
    pci: 3B:00.1
workers:
  cores: [2, 4, 3]
  io_batch_size: 256
  idle: poll
  watchdog_ms: 500
compat:
  nba:
    routes: routes.txt
pools:
  packets: 16384
  cache: 0
  data_room: 4096
)");
  EXPECT_THAT(result.messages(), IsEmpty());
  const auto& config = result.config;
  EXPECT_EQ(config.eal.hugepages, Hugepages::on);
  EXPECT_EQ(config.eal.memory_mb, 512u);
  EXPECT_THAT(config.eal.arguments, ElementsAre("--log-level=8", "--single-file-segments"));
  ASSERT_EQ(config.ports.size(), 2u);
  const auto& in = config.ports[0];
  EXPECT_EQ(in.name, "in");
  EXPECT_EQ(in.vdev, "net_pcap0,rx_pcap=a b.pcap,infinite_rx=1");
  EXPECT_EQ(in.pci, "");
  EXPECT_EQ(in.rx_queues, 2u);
  EXPECT_THAT(in.workers, ElementsAre(2, 0));
  EXPECT_THAT(in.rss, ElementsAre("ip", "sctp"));
  EXPECT_FALSE(in.rss_symmetric);
  EXPECT_THAT(in.offloads, ElementsAre("scatter"));
  EXPECT_EQ(in.rx_descriptors, 0u);
  EXPECT_EQ(in.tx_descriptors, 512u);
  EXPECT_EQ(in.mtu, 9000u);
  EXPECT_FALSE(in.promiscuous);
  EXPECT_FALSE(in.required);
  EXPECT_EQ(in.where.line, 7u);
  EXPECT_EQ(in.where.column, 3u);
  const auto* other = config.find_port("eth0.7");
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->vdev, "");
  EXPECT_EQ(other->pci, "0000:3b:00.1");
  EXPECT_EQ(other->rx_queues, 0u);
  EXPECT_EQ(other->rx_descriptors, 1024u);
  EXPECT_EQ(other->tx_descriptors, 1024u);
  EXPECT_EQ(other->mtu, 0u);
  EXPECT_TRUE(other->promiscuous);
  EXPECT_TRUE(other->required);
  EXPECT_THAT(other->workers, IsEmpty());
  EXPECT_THAT(other->rss, IsEmpty());
  EXPECT_TRUE(other->rss_symmetric);
  EXPECT_THAT(other->offloads, IsEmpty());
  EXPECT_EQ(config.find_port("out"), nullptr);
  EXPECT_THAT(config.workers.cores, ElementsAre(2, 4, 3));
  EXPECT_EQ(config.workers.count, 3u);
  EXPECT_EQ(config.workers.io_batch_size, 256u);
  EXPECT_EQ(config.workers.idle, Idle::poll);
  EXPECT_EQ(config.workers.watchdog_ms, 500u);
  EXPECT_EQ(config.compat.nba_routes, "routes.txt");
  EXPECT_EQ(config.pools.packets, 16384u);
  EXPECT_EQ(config.pools.cache, 0u);
  EXPECT_EQ(config.pools.data_room, 4096u);
}

TEST(SystemConfig, WordsOfLists) {
  EXPECT_THAT(messages("ports: {a: {vdev: net_null0, rss: [ip, tpc]}}"),
              ElementsAre("1:40 'ports.a.rss' should have ip, tcp, udp, sctp, esp, vlan, mpls or "
                          "eth, not 'tpc' (did you mean 'tcp'?)"));
  EXPECT_THAT(messages("ports: {a: {vdev: net_null0, offloads: [skatter]}}"),
              ElementsAre(HasSubstr("should have scatter, multi-segment or none, not 'skatter'")));
  EXPECT_THAT(messages("compat: {nbaa: {routes: x}}"),
              ElementsAre("1:10 unknown key 'nbaa' in 'compat' (did you mean 'nba'?)"));
  EXPECT_THAT(messages("compat: {nba: {rutes: x}}"),
              ElementsAre("1:16 unknown key 'rutes' in 'compat.nba' (did you mean 'routes'?)"));
}

// What is wrong only together is found when all is set, in whatever order.
TEST(SystemConfig, SettingsThatGoTogether) {
  const auto checked = [](std::string text, std::vector<std::string_view> assignments) {
    Result result = read(std::move(text));
    for (const auto assignment : assignments)
      apply_override(result.config, assignment, result.diagnostics);
    const bool good = check_system_config(result.config, result.diagnostics);
    EXPECT_EQ(good, result.diagnostics.errors() == 0);
    return result.messages();
  };
  EXPECT_THAT(checked("", {"workers.shape=pipeline", "workers.count=2"}), IsEmpty());
  EXPECT_THAT(checked("workers: {shape: pipeline, io: 2}", {"workers.count=3"}), IsEmpty());
  EXPECT_THAT(checked("workers: {shape: pipeline, io: 2, count: 2}", {}),
              ElementsAre(HasSubstr("1:11 a pipeline needs more workers than 2")));
  EXPECT_THAT(checked("workers: {count: 2}\nports: {a: {vdev: net_null0, workers: [0, 1]}}", {}),
              IsEmpty());
  EXPECT_THAT(checked("workers: {count: 2}\nports: {a: {vdev: net_null0, workers: [1, 2]}}", {}),
              ElementsAre("2:9 port 'a' is for worker 2, and 'workers.count' is 2 (workers count "
                          "from 0)"));
}

TEST(SystemConfig, PortsKeepTheOrderOfTheFile) {
  const auto config = read("ports: {b: {vdev: net_null1}, a: {vdev: net_null0}}").config;
  ASSERT_EQ(config.ports.size(), 2u);
  EXPECT_EQ(config.ports[0].name, "b");
  EXPECT_EQ(config.ports[1].name, "a");
}

TEST(SystemConfig, UnknownKeys) {
  EXPECT_THAT(messages("worker:\n  count: 1\n"),
              ElementsAre("1:1 unknown key 'worker' (did you mean 'workers'?)"));
  EXPECT_THAT(
      messages("workers:\n  count: 1\n  io_batch_sise: 3\n"),
      ElementsAre("3:3 unknown key 'io_batch_sise' in 'workers' (did you mean 'io_batch_size'?)"));
  EXPECT_THAT(
      messages("pools:\n  colour: red\n"),
      ElementsAre(
          "2:3 unknown key 'colour' in 'pools' (the keys here are packets, cache and data_room)"));
  EXPECT_THAT(messages("ports:\n  in: {vdev: net_null0, mtU: 9}\n"),
              ElementsAre("2:25 unknown key 'mtU' in 'ports.in' (did you mean 'mtu'?)"));
  EXPECT_THAT(messages("ports:\n  in: {vdev: net_null0, size=64}\n"),
              ElementsAre("2:25 unknown key 'size=64' in 'ports.in' "
                          "(a text with commas needs quotes between { and })"));
}

TEST(SystemConfig, WrongTypes) {
  EXPECT_THAT(
      messages("workers:\n  io_batch_size: many\n"),
      ElementsAre("2:18 'workers.io_batch_size' should be an integer from 1 to 256, not 'many'"));
  EXPECT_THAT(
      messages("workers:\n  io_batch_size: [1]\n"),
      ElementsAre("2:18 'workers.io_batch_size' should be an integer from 1 to 256, not a list"));
  EXPECT_THAT(messages("workers:\n  io_batch_size:\n"),
              ElementsAre(HasSubstr("should be an integer from 1 to 256, not nothing")));
  EXPECT_THAT(messages("pools: {cache: 1.5}"),
              ElementsAre("1:16 'pools.cache' should be an integer from 0 to 512, not '1.5'"));
  EXPECT_THAT(messages("pools: {cache: 12k}"), ElementsAre(HasSubstr("not '12k'")));
  EXPECT_THAT(messages("pools: {cache: --1}"), ElementsAre(HasSubstr("not '--1'")));
  EXPECT_THAT(messages("pools: {cache: 0x}"), ElementsAre(HasSubstr("not '0x'")));
  EXPECT_THAT(messages("ports: {a: {vdev: net_null0, required: maybe}}"),
              ElementsAre("1:40 'ports.a.required' should be true or false, not 'maybe'"));
  EXPECT_THAT(messages("ports: {a: {vdev: {net_null0: 1}}}"),
              ElementsAre("1:19 'ports.a.vdev' should be a text, not a map"));
  EXPECT_THAT(messages("eal: {arguments: --no-pci}"),
              ElementsAre("1:18 'eal.arguments' should be a list of texts, such as "
                          "[--log-level=8], not '--no-pci'"));
  EXPECT_THAT(messages("eal: {arguments: [[a]]}"), ElementsAre(HasSubstr("not a list")));
  EXPECT_THAT(messages("workers: {cores: 2}"),
              ElementsAre("1:18 'workers.cores' should be a list of integers from 0 to 1023, such "
                          "as [1, 2], not 2"));
  EXPECT_THAT(messages("workers: {cores: []}"), ElementsAre(HasSubstr("not an empty list")));
  EXPECT_THAT(messages("workers: {cores: [1, x]}"),
              ElementsAre(AllOf(StartsWith("1:22 "), HasSubstr("not 'x'"))));
  EXPECT_THAT(messages("workers: 4"), ElementsAre("1:10 'workers' should be a map, not 4"));
  EXPECT_THAT(messages("workers:\n  count:4"), ElementsAre("2:3 'workers' should be a map, not "
                                                           "'count:4' (a space belongs behind the "
                                                           "colon)"));
  EXPECT_THAT(messages("ports: [in]"), ElementsAre("1:8 'ports' should be a map, not a list"));
  EXPECT_THAT(messages("ports: {in: net_null0}"),
              ElementsAre("1:13 'ports.in' should be a map, not 'net_null0'"));
  EXPECT_THAT(messages("- workers"), ElementsAre("1:1 the file should be a map, not a list"));
  EXPECT_THAT(messages("? [a]\n: 1\n"), ElementsAre(HasSubstr("a key should be a name")));
}

TEST(SystemConfig, OutOfRange) {
  EXPECT_THAT(
      messages("workers: {io_batch_size: 257}"),
      ElementsAre("1:26 'workers.io_batch_size' should be an integer from 1 to 256, not 257"));
  EXPECT_THAT(messages("workers: {io_batch_size: 0}"), ElementsAre(HasSubstr("not 0")));
  EXPECT_THAT(messages("workers: {io_batch_size: -3}"), ElementsAre(HasSubstr("not -3")));
  EXPECT_THAT(messages("pools: {packets: 99999999999999999999}"),
              ElementsAre(HasSubstr("from 0 to 100000000, not 99999999999999999999")));
  EXPECT_THAT(messages("ports: {a: {vdev: net_null0, mtu: 67}}"),
              ElementsAre(HasSubstr("'ports.a.mtu' should be an integer from 68 to 65535")));
  EXPECT_THAT(messages("workers: {cores: [1, 1024]}"),
              ElementsAre(AllOf(StartsWith("1:22 "), HasSubstr("not 1024"))));
  EXPECT_THAT(messages("workers: {cores: [1, 2, 1]}"),
              ElementsAre("1:25 'workers.cores' names 1 twice"));
  EXPECT_THAT(messages("pools:\n  packets: 300\n"),
              ElementsAre("2:3 'pools.packets' should be at least 384 with a cache of 256, not 300 "
                          "(0 derives it from ports and workers)"));
}

TEST(SystemConfig, Choices) {
  EXPECT_EQ(read("workers: {idle: sleep}").config.workers.idle, Idle::sleep);
  EXPECT_EQ(read("eal: {hugepages: off}").config.eal.hugepages, Hugepages::off);
  EXPECT_THAT(messages("workers: {idle: slep}"),
              ElementsAre("1:17 'workers.idle' should be poll, sleep or adaptive, not 'slep' "
                          "(did you mean 'sleep'?)"));
  EXPECT_THAT(messages("eal: {hugepages: 12}"),
              ElementsAre("1:18 'eal.hugepages' should be auto, on or off, not 12"));
}

TEST(SystemConfig, Duplicates) {
  EXPECT_THAT(messages("workers:\n  count: 1\nworkers:\n  count: 2\n"),
              ElementsAre("3:1 key 'workers' is given twice", "1:1 first given here"));
  EXPECT_THAT(messages("workers: {count: 1, count: 2}"),
              ElementsAre("1:21 key 'count' is given twice in 'workers'", "1:11 first given here"));
  const auto result = read("ports:\n  a: {vdev: net_null0}\n  a: {vdev: net_null1}\n");
  EXPECT_THAT(result.messages(),
              ElementsAre("3:3 key 'a' is given twice in 'ports'", "2:3 first given here"));
  ASSERT_EQ(result.config.ports.size(), 1u);
  EXPECT_EQ(result.config.ports[0].vdev, "net_null0");
  EXPECT_THAT(messages("ports:\n  a: {vdev: net_null0}\n  b: {vdev: \"net_null0,size=60\"}\n"),
              ElementsAre("3:3 port 'b' uses the device 'net_null0' that port 'a' uses already "
                          "(number them: net_null0, net_null1)"));
  EXPECT_THAT(
      messages("ports:\n  a: {pci: 0000:3b:00.0}\n  b: {pci: 3B:00.0}\n"),
      ElementsAre("3:3 port 'b' uses the device '0000:3b:00.0' that port 'a' uses already"));
}

TEST(SystemConfig, Devices) {
  EXPECT_THAT(
      messages("ports:\n  a:\n    mtu: 1500\n"),
      ElementsAre("2:3 port 'a' has none of 'vdev', 'members', 'pci', 'interface' and 'traffic' "
                  "(such as vdev: net_pcap0,rx_pcap=in.pcap, pci: 0000:03:00.0 or "
                  "interface: eth0)"));
  EXPECT_THAT(messages("ports:\n  a:\n"), ElementsAre(HasSubstr("has none of")));
  EXPECT_THAT(messages("ports:\n  a:\n    vdev: net_null0\n    pci: 0000:03:00.0\n"),
              ElementsAre("4:5 port 'a' has both 'vdev' and 'pci' (a port is one device)"));
  EXPECT_THAT(messages("ports:\n  a:\n    interface: eth0\n    vdev: net_null0\n"),
              ElementsAre("4:5 port 'a' has both 'vdev' and 'interface' (a port is one device)"));
  EXPECT_THAT(messages("ports: {a: {interface: eth0}, b: {interface: eth0}}"),
              ElementsAre(HasSubstr("uses the device 'eth0' that port 'a' uses already")));
  for (const char* interface : {"a b", "sixteen-letters-", "", "a/b", "a,b"})
    EXPECT_THAT(messages("ports: {a: {interface: '" + std::string(interface) + "'}}"),
                ElementsAre(HasSubstr("should be the name of a network interface")));
  EXPECT_THAT(messages("ports: {a: {interface: eth0, attach: xdp}}"),
              ElementsAre("1:38 'ports.a.attach' should be auto, af_xdp, pcap or af_packet, not "
                          "'xdp'"));
  // A device that is wrong is not missing as well.
  EXPECT_THAT(messages("ports: {a: {vdev: net_pcpa0}}"),
              ElementsAre("1:19 'ports.a.vdev' should begin with a driver's name, such as "
                          "net_pcap0, not 'net_pcpa0' (did you mean 'net_pcap'?)"));
  EXPECT_THAT(messages("ports: {a: {vdev: eth0}}"),
              ElementsAre(HasSubstr("not 'eth0' (drivers are net_af_packet, net_af_xdp, ")));
  EXPECT_THAT(messages("ports: {a: {vdev: 'rx_pcap=x,net_pcap0'}}"),
              ElementsAre(HasSubstr("not 'rx_pcap=x'")));
  EXPECT_THAT(messages("ports: {a: {vdev: ''}}"), ElementsAre(HasSubstr("not ''")));
  // A driver from elsewhere.
  EXPECT_THAT(messages("ports: {a: {vdev: net_homemade0}}"), IsEmpty());
  for (const char* pci : {"3:00.0", "0000:03:00", "0000:03:00:0", "eth0", "0000:0g:00.0"})
    EXPECT_THAT(messages("ports: {a: {pci: '" + std::string(pci) + "'}}"),
                ElementsAre("1:18 'ports.a.pci' should be a PCI address such as 0000:03:00.0, not "
                            "'" +
                            std::string(pci) + "' (`lspci -D` lists the addresses)"));
  EXPECT_THAT(messages("ports: {'a b': {vdev: net_null0}}"),
              ElementsAre(HasSubstr("1:9 'a b' cannot be a port's name")));
}

TEST(SystemConfig, PortsThatGenerateTraffic) {
  const auto result = read(R"(
ports:
  plain: {traffic: {}}
  all:
    traffic: {kind: mixed, size: 1518, imix: true, flows: 10, destinations: [10.0.0.0/8, "2001:db8::/32"],
              to: "02:00:00:00:00:09", rate: 4000000000, seed: 7, fill: true, latency: true}
  file: {traffic: {kind: pcap, file: in.pcap}, mtu: 9000}
  other: {vdev: net_null0}
)");
  EXPECT_THAT(result.messages(), IsEmpty());
  const auto& ports = result.config.ports;
  ASSERT_EQ(ports.size(), 4u);
  using Kind = SystemConfig::Traffic::Kind;
  EXPECT_TRUE(ports[0].traffic.given);
  EXPECT_EQ(ports[0].vdev, "net_null_traffic0,no-rx=1");
  EXPECT_EQ(ports[0].traffic.kind, Kind::ipv4);
  EXPECT_EQ(ports[0].traffic.size, 64u);
  EXPECT_EQ(ports[0].traffic.rate, 0u);
  const auto& all = ports[1].traffic;
  EXPECT_EQ(all.kind, Kind::mixed);
  EXPECT_EQ(all.number, 1u);
  EXPECT_EQ(all.size, 1518u);
  EXPECT_TRUE(all.imix);
  EXPECT_EQ(all.flows, 10u);
  EXPECT_THAT(all.destinations, ElementsAre("10.0.0.0/8", "2001:db8::/32"));
  EXPECT_EQ(all.to, "02:00:00:00:00:09");
  EXPECT_EQ(all.rate, 4'000'000'000u);
  EXPECT_EQ(all.seed, 7u);
  EXPECT_TRUE(all.fill);
  EXPECT_TRUE(all.latency);
  EXPECT_EQ(ports[2].traffic.kind, Kind::pcap);
  EXPECT_EQ(ports[2].traffic.file, "in.pcap");
  EXPECT_EQ(ports[2].mtu, 9000u);
  EXPECT_FALSE(ports[3].traffic.given);
}

TEST(SystemConfig, MistakesInTraffic) {
  const auto of = [](const std::string& traffic) {
    return messages("ports: {a: {traffic: {" + traffic + "}}}");
  };
  EXPECT_THAT(of("sise: 64"),
              ElementsAre("1:23 unknown key 'sise' in 'ports.a.traffic' (did you mean 'size'?)"));
  EXPECT_THAT(of("kind: ipv5"),
              ElementsAre("1:29 'ports.a.traffic.kind' should be ipv4, ipv6, mixed or pcap, not "
                          "'ipv5' (did you mean 'ipv4'?)"));
  EXPECT_THAT(of("size: 63"), ElementsAre("1:29 'ports.a.traffic.size' should be an integer from "
                                          "64 to 65535, not 63"));
  EXPECT_THAT(of("destinations: 10.0.0.0/8"),
              ElementsAre("1:37 'ports.a.traffic.destinations' should be a list of texts, such as "
                          "[10.0.0.0/8], not '10.0.0.0/8'"));
  EXPECT_THAT(of("destinations: [10.0.0.0/33]"),
              ElementsAre(HasSubstr("should be prefixes such as 10.0.0.0/8 or 2001:db8::/32, not "
                                    "'10.0.0.0/33'")));
  EXPECT_THAT(of("to: eth0"), ElementsAre(HasSubstr("should be an Ethernet address such as")));
  EXPECT_THAT(messages("ports: {a: {traffic: 64}}"),
              ElementsAre(HasSubstr("'ports.a.traffic' should be a map, not 64")));
  EXPECT_THAT(messages("ports: {a: {vdev: net_null0, traffic: {}}}"),
              ElementsAre("1:30 port 'a' has both 'vdev' and 'traffic' (a port is one device)"));
}

TEST(SystemOverride, Traffic) {
  auto config = overridden("ports: {a: {vdev: net_null0}, b: {traffic: {size: 128}}}",
                           {"ports.a.traffic.size=256", "ports.b.traffic.destinations=10.0.0.0/8",
                            "ports.c.d.traffic.kind=ipv6"});
  EXPECT_EQ(config.find_port("a")->vdev, "net_null_traffic0,no-rx=1");
  EXPECT_EQ(config.find_port("a")->traffic.size, 256u);
  EXPECT_EQ(config.find_port("b")->traffic.size, 128u);
  EXPECT_THAT(config.find_port("b")->traffic.destinations, ElementsAre("10.0.0.0/8"));
  EXPECT_EQ(config.find_port("c.d")->vdev, "net_null_traffic2,no-rx=1");
  config = overridden("ports: {b: {traffic: {size: 128}}}", {"ports.b.vdev=net_null0"});
  EXPECT_FALSE(config.find_port("b")->traffic.given);
  EXPECT_EQ(config.find_port("b")->vdev, "net_null0");
  EXPECT_THAT(override_messages("ports: {a: {traffic: {}}}", "ports.a.traffic.sise=1"),
              ElementsAre(HasSubstr("did you mean 'ports.a.traffic.size'?")));
}

TEST(SystemConfig, CountAndCoresExcludeEachOther) {
  EXPECT_EQ(read("workers: {count: 2}").config.workers.count, 2u);
  EXPECT_THAT(messages("workers:\n  cores: [1]\n  count: 1\n"),
              ElementsAre("3:3 'workers' has both 'count' and 'cores' "
                          "('cores' alone says how many workers there are)"));
}

TEST(SystemConfig, MalformedYaml) {
  EXPECT_THAT(messages("workers: {count: 1\n"),
              ElementsAre(AllOf(StartsWith("2:1 "), HasSubstr("malformed YAML: "))));
  EXPECT_THAT(messages("workers:\n\tcount: 1\n"), ElementsAre(HasSubstr("malformed YAML: ")));
  EXPECT_THAT(messages("a: *nowhere\n"), ElementsAre(HasSubstr("malformed YAML: ")));
  EXPECT_THAT(messages("eal:\n---\npools:\n"), ElementsAre(HasSubstr("a second YAML document")));
}

TEST(SystemConfig, AllMistakesAtOnceAndTheRestIsRead) {
  const auto result = read(R"(ports:
  in:
    vdev: net_pcap0,rx_pcap=in.pcap
    mtu: huge
workers:
  idel: poll
  io_batch_size: 512
  count: 2
)");
  EXPECT_THAT(
      result.messages(),
      ElementsAre("4:10 'ports.in.mtu' should be an integer from 68 to 65535, not 'huge'",
                  "6:3 unknown key 'idel' in 'workers' (did you mean 'idle'?)",
                  "7:18 'workers.io_batch_size' should be an integer from 1 to 256, not 512"));
  EXPECT_EQ(result.config.workers.count, 2u);
  EXPECT_EQ(result.config.ports.size(), 1u);
  EXPECT_THAT(result.diagnostics.render(Diagnostics::Form::full),
              AllOf(HasSubstr("system.yaml:6:3"), HasSubstr("  idel: poll"), HasSubstr("^")));
}

TEST(SystemConfig, ColumnsCountBytes) {
  EXPECT_THAT(messages("pools: {\"\xc3\xa4\": 1, cache: x}"),
              ElementsAre(StartsWith("1:9 unknown key"), StartsWith("1:25 'pools.cache'")));
}

TEST(SystemOverride, SetsOneKey) {
  EXPECT_EQ(overridden("", {"workers.io_batch_size=32"}).workers.io_batch_size, 32u);
  EXPECT_EQ(overridden("workers: {idle: poll}", {"workers.idle=sleep"}).workers.idle, Idle::sleep);
  EXPECT_THAT(overridden("", {"eal.arguments=--no-pci,-v"}).eal.arguments,
              ElementsAre("--no-pci", "-v"));
  const auto config = overridden("ports: {a.b: {vdev: net_null0}}", {"ports.a.b.mtu=9000"});
  EXPECT_EQ(config.ports[0].mtu, 9000u);
}

TEST(SystemOverride, TheLastOfTwoThatExcludeEachOtherHolds) {
  auto config = overridden("workers: {count: 4}", {"workers.cores=[1,2]"});
  EXPECT_THAT(config.workers.cores, ElementsAre(1, 2));
  EXPECT_EQ(config.workers.count, 2u);
  config = overridden("workers: {cores: [1, 2]}", {"workers.cores=3,4,5", "workers.count=6"});
  EXPECT_THAT(config.workers.cores, IsEmpty());
  EXPECT_EQ(config.workers.count, 6u);
  config = overridden("ports: {a: {vdev: net_null0}}", {"ports.a.pci=03:00.0"});
  EXPECT_EQ(config.ports[0].pci, "0000:03:00.0");
  EXPECT_EQ(config.ports[0].vdev, "");
}

TEST(SystemOverride, ADeviceMakesAPort) {
  const auto config =
      overridden("", {"ports.in.vdev=net_pcap0,rx_pcap=in.pcap", "ports.in.mtu=1400"});
  ASSERT_EQ(config.ports.size(), 1u);
  EXPECT_EQ(config.ports[0].name, "in");
  EXPECT_EQ(config.ports[0].vdev, "net_pcap0,rx_pcap=in.pcap");
  EXPECT_EQ(config.ports[0].mtu, 1400u);
}

TEST(SystemOverride, Mistakes) {
  EXPECT_THAT(override_messages("", "workers.io_batch_size"),
              ElementsAre("1:1 'workers.io_batch_size' should be KEY=VALUE "
                          "(such as workers.io_batch_size=32)"));
  EXPECT_THAT(override_messages("", "=1"), ElementsAre(HasSubstr("should be KEY=VALUE")));
  EXPECT_THAT(override_messages("", "workers.io_batch=1"),
              ElementsAre(HasSubstr("1:1 unknown key 'workers.io_batch'")));
  EXPECT_THAT(override_messages("", "worker.idle=poll"),
              ElementsAre("1:1 unknown key 'worker.idle' (did you mean 'workers.idle'?)"));
  EXPECT_THAT(override_messages("", "ports.vdev=net_null0"),
              ElementsAre(HasSubstr("unknown key 'ports.vdev'")));
  EXPECT_THAT(override_messages("ports: {in: {vdev: net_null0}}", "ports.in.mtuu=1"),
              ElementsAre("1:1 unknown key 'ports.in.mtuu' (did you mean 'ports.in.mtu'?)"));
  EXPECT_THAT(override_messages("ports: {input: {vdev: net_null0}}", "ports.inptu.mtu=1400"),
              ElementsAre("1:7 there is no port 'inptu' (did you mean 'input'?)"));
  EXPECT_THAT(
      override_messages("", "workers.io_batch_size=512"),
      ElementsAre("1:23 'workers.io_batch_size' should be an integer from 1 to 256, not 512"));
  EXPECT_THAT(override_messages("", "workers.cores=1,x"),
              ElementsAre(AllOf(StartsWith("1:17 "), HasSubstr("not 'x'"))));
  EXPECT_THAT(override_messages("", "workers.io_batch_size="),
              ElementsAre(HasSubstr("not nothing")));
  EXPECT_THAT(override_messages("", "workers.cores=[1"),
              ElementsAre(HasSubstr("malformed YAML: ")));
  EXPECT_THAT(override_messages("ports: {a: {vdev: net_null0}}", "ports.b.vdev=net_null0"),
              ElementsAre(HasSubstr("1:1 port 'b' uses the device 'net_null0' that port 'a'")));
  EXPECT_THAT(override_messages("", "ports.b.vdev=nonsense"),
              ElementsAre(HasSubstr("should begin with a driver's name")));
  EXPECT_THAT(override_messages("", "ports.a b.vdev=net_null0"),
              ElementsAre(HasSubstr("'a b' cannot be a port's name")));
  EXPECT_THAT(override_messages("", "pools.packets=10"),
              ElementsAre(HasSubstr("'pools.packets' should be at least 384")));
}

TEST(SystemSchema, TextTellsOfEveryKey) {
  const auto text = system_schema_text();
  for (const auto& entry : system_schema::table()) {
    EXPECT_THAT(text, HasSubstr("\n  " + std::string(entry.key.path) + "\n"));
    EXPECT_FALSE(entry.key.doc.empty()) << entry.key.path;
  }
  EXPECT_THAT(text, HasSubstr("workers:  The cores that packets run on.\n"));
  EXPECT_THAT(text, HasSubstr("  workers.io_batch_size\n"
                              "      an integer from 1 to 256 packets; default 64\n"));
  EXPECT_THAT(text, HasSubstr("poll, sleep or adaptive; default adaptive\n"));
  EXPECT_THAT(
      text, HasSubstr("an integer from 0 to 128; default 0: one for each worker that receives\n"));
  EXPECT_THAT(text, HasSubstr("an integer from 0 to 32768; default 1024; 0 is the driver's"));
}

}  // namespace
}  // namespace headroom
