// Cycles per packet of IPFilter, by the number of rules.
//
//   build/release/bench_ip_filter            # takes about half a minute
//
// Every case is an IPFilter between a source and a sink, called with batches of 64 packets, for
// three kinds of rule sets of 10, 1,000 and 10,000 rules. Packets differ in addresses and ports:
// half of them are made for a rule chosen at random, half match none but the last, which takes all.
// There are 16,384 of them, shuffled, so that neither they nor what the rules need of them is in
// the first-level cache. All cases of a round follow each other, and the minimum over the rounds
// counts. The reference loop adds up the 20 bytes of every packet's IPv4 header.
#include <rte_cycles.h>
#include <rte_eal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "headroom/net/ip.hh"
#include "headroom/net/udp.hh"
#include "test_router.hh"

namespace headroom::test {
namespace {

constexpr uint32_t kBatch = 64;
constexpr uint32_t kPackets = 16384;
constexpr int kRounds = 25;

// Gives the packets of the last batch back to who measures.
class FilterBenchSink final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "FilterBenchSink", .ports = "1-/0", .processing = "h/h"};
  void push(uint32_t, PacketBatch& batch) override { returned.append(batch); }
  uint64_t held() const override { return returned.size(); }
  PacketBatch returned;
};
HEADROOM_ELEMENT(FilterBenchSink);

struct Flow {
  uint32_t source;
  uint32_t destination;
  uint16_t source_port;
  uint16_t destination_port;
  uint8_t protocol;
};

enum class Kind { hosts, networks, firewall };
constexpr std::array<const char*, 3> kKindNames{"hosts", "networks", "firewall"};

std::string dotted(uint32_t address) { return IPAddress::from_host_order(address).to_string(); }

Flow random_flow(std::mt19937& random) {
  return {static_cast<uint32_t>(random()) % 0xdf000000,
          static_cast<uint32_t>(random()) % 0xdf000000,
          static_cast<uint16_t>(1024 + random() % 64000), static_cast<uint16_t>(random() % 10000),
          static_cast<uint8_t>(random() % 2 == 0 ? kIpProtocolTcp : kIpProtocolUdp)};
}

// A rule that the flow matches.
std::string rule_for(const Flow& flow, Kind kind, std::mt19937& random) {
  const std::string source = dotted(flow.source);
  const std::string destination = dotted(flow.destination);
  const std::string protocol = flow.protocol == kIpProtocolTcp ? "tcp" : "udp";
  const std::string port = std::to_string(flow.destination_port);
  const auto length = [&](uint32_t from, uint32_t to) {
    return "/" + std::to_string(from + random() % (to - from + 1));
  };
  const std::string action = random() % 2 == 0 ? "deny " : "allow ";
  if (kind == Kind::hosts) return action + "src host " + source;
  if (kind == Kind::networks)
    return action + "src net " + source + length(12, 32) + " and dst net " + destination +
           length(12, 32);
  switch (random() % 6) {
    case 0:
      return action + "src host " + source + " and dst host " + destination;
    case 1:
      return action + "src net " + source + length(8, 24) + " and " + protocol + " dst port " +
             port;
    case 2:
      return action + "dst host " + destination + " and dst port > " + port.substr(0, 1);
    case 3:
      return action + "dst net " + destination + length(16, 30) + " and " + protocol;
    case 4:
      return action + "src net " + source + length(16, 32) + " and dst net " + destination +
             length(16, 32) + " and dst port " + port;
    default:
      return action + "dst host " + destination + " and not icmp";
  }
}

struct Case {
  Kind kind;
  uint32_t rules;
  double configured = 0;  // seconds
  double best = 1e9;      // cycles per packet
  std::unique_ptr<TestRouter> router;
  std::vector<Flow> flows;
};

class Bench {
 public:
  Bench() : pool_router_("Idle -> FilterBenchSink;", {.packets = 32767}) {
    for (const Kind kind : {Kind::hosts, Kind::networks, Kind::firewall})
      for (const uint32_t rules : {10U, 1000U, 10000U}) cases_.push_back(make(kind, rules));
    for (uint32_t i = 0; i < kPackets; ++i)
      packets_.push_back(Packet::make(*pool_router_.pool, Ip4Frame().build_ip()));
    std::shuffle(packets_.begin(), packets_.end(), random_);
  }
  ~Bench() {
    for (Packet* packet : packets_) packet->kill();
  }

  void run() {
    double reference = 1e9;
    for (int round = 0; round < kRounds; ++round) {
      for (Case& one : cases_) {
        address_packets(one);
        reference =
            std::min(reference, measure([this](PacketBatch& batch) { sum_headers(batch); }));
        Element* filter = one.router->router->find("f");
        auto* sink = one.router->router->find_as<FilterBenchSink>("out");
        one.best = std::min(one.best, measure([&](PacketBatch& batch) {
                              filter->push(0, batch);
                              batch.append(sink->returned);
                            }));
      }
    }
    std::printf("%-10s %7s %14s %20s %14s\n", "", "rules", "cycles/packet", "/ reference loop",
                "start (s)");
    std::printf("%-10s %7s %14.2f %20.2f\n", "reference", "", reference, 1.0);
    for (const Case& one : cases_)
      std::printf("%-10s %7u %14.2f %20.2f %14.2f\n",
                  kKindNames[static_cast<std::size_t>(one.kind)], one.rules, one.best,
                  one.best / reference, one.configured);
  }

 private:
  Case make(Kind kind, uint32_t rules) {
    Case made{.kind = kind, .rules = rules, .router = nullptr, .flows = {}};
    // Denied packets go on too, by an output of their own: they are measured, not freed.
    std::string config = "in :: TestSource -> f :: IPFilter(";
    for (uint32_t i = 1; i < rules; ++i) {
      made.flows.push_back(random_flow(random_));
      std::string rule = rule_for(made.flows.back(), kind, random_);
      if (rule.starts_with("deny ")) rule.replace(0, 4, "1");
      config += rule + ", ";
    }
    config += "allow -); out :: FilterBenchSink; f[0] -> out; f[1] -> out;";
    const auto start = std::chrono::steady_clock::now();
    made.router = std::make_unique<TestRouter>(
        config, TestRouter::Options{.packets = 255, .expect_balanced = false});
    made.configured =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (made.router->router == nullptr) std::exit(1);
    return made;
  }

  void address_packets(const Case& one) {
    std::mt19937 random(7);
    for (uint32_t i = 0; i < kPackets; ++i) {
      const Flow flow = i % 2 == 0 ? one.flows[random() % one.flows.size()] : random_flow(random);
      Packet& packet = *packets_[i];
      packet.set_network_header(0, 20);
      IpHeader& ip = *packet.ip_header();
      ip.protocol = flow.protocol;
      ip.source = IPAddress::from_host_order(flow.source);
      ip.destination = IPAddress::from_host_order(flow.destination);
      auto& ports = *reinterpret_cast<UdpHeader*>(packet.transport_header());
      ports.source_port = flow.source_port;
      ports.destination_port = flow.destination_port;
    }
  }

  template <class Function>
  double measure(Function&& function) {
    uint64_t cycles = 0;
    for (std::size_t at = 0; at < kPackets; at += kBatch) {
      PacketBatch batch;
      for (uint32_t i = 0; i < kBatch; ++i) batch.push_back(*packets_[at + i]);
      const uint64_t start = rte_rdtsc_precise();
      function(batch);
      cycles += rte_rdtsc_precise() - start;
      if (batch.size() != kBatch) {
        std::fprintf(stderr, "packets are lost\n");
        std::exit(1);
      }
      batch.release();
    }
    return static_cast<double>(cycles) / kPackets;
  }

  void sum_headers(PacketBatch& batch) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < batch.size(); ++i) {
      uint32_t words[5];
      std::memcpy(words, batch[i].data(), sizeof words);
      for (const uint32_t word : words) sum += word;
    }
    unused_ = unused_ + sum;
  }

  std::mt19937 random_{1};
  TestRouter pool_router_;
  std::vector<Case> cases_;
  std::vector<Packet*> packets_;
  volatile uint64_t unused_ = 0;
};

}  // namespace
}  // namespace headroom::test

int main() {
  const char* eal[] = {"bench", "--in-memory",    "--no-pci",    "--iova-mode=va", "-l",
                       "0",     "--no-telemetry", "--log-level", "lib.eal:error"};
  if (rte_eal_init(static_cast<int>(std::size(eal)), const_cast<char**>(eal)) < 0) {
    std::fprintf(stderr, "EAL does not start; this benchmark needs some free 2 MB hugepages\n");
    return 1;
  }
  std::printf("batches of 64 of 16,384 packets, minimum of %d rounds, TSC cycles\n",
              headroom::test::kRounds);
  {
    headroom::test::Bench bench;
    bench.run();
  }
  rte_eal_cleanup();
  return 0;
}
