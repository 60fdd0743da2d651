// Cycles per packet of single elements, beside a reference loop in the same program.
//
//   build/release/bench_elements            # all cases; takes a few seconds
//
// A case is one element between a source and a sink, called with batches of 64 packets. Batches are
// taken in turn from a set that is larger than the first-level cache (4,096 packets) or that fits
// it (64); what the element changed is undone between the timed calls. All cases of a round follow
// each other, rounds repeat, and the minimum over the rounds counts: so the ratios hold whatever
// speed the machine is in.
//
// `empty loop` reads every packet's length. `reference loop` adds up the 20 bytes of every packet's
// IPv4 header, the least that anything which looks at the header must do.
#include <rte_cycles.h>
#include <rte_eal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "headroom/net/checksum.hh"
#include "headroom/net/ip.hh"
#include "test_router.hh"

namespace headroom::test {
namespace {

constexpr uint32_t kBatch = 64;
constexpr int kRounds = 40;

// Gives the packets of the last batch back to who measures.
class BenchSink final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "BenchSink", .ports = "1-/0", .processing = "h/h"};
  void push(uint32_t, PacketBatch& batch) override { returned.append(batch); }
  uint64_t held() const override { return returned.size(); }
  PacketBatch returned;
};
HEADROOM_ELEMENT(BenchSink);

uint64_t sum_lengths(PacketBatch& batch) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < batch.size(); ++i) sum += batch[i].length();
  return sum;
}

uint64_t sum_headers(PacketBatch& batch) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < batch.size(); ++i) {
    uint32_t words[5];
    std::memcpy(words, batch[i].data(), sizeof words);
    for (const uint32_t word : words) sum += word;
  }
  return sum;
}

struct Case {
  std::string name;
  std::string element;  // in the configuration; empty for the loops
  std::function<uint64_t(PacketBatch&)> loop;
  bool whole_frame = false;  // packets begin with the Ethernet header
  double best = 1e9;         // cycles per packet
};

std::string routes() {
  std::string text = "StaticIPLookup(";
  for (int i = 0; i < 16; ++i)
    text += (i == 0 ? "" : ", ") + std::string("10.") + std::to_string(i) + ".0.0/16 0";
  return text + ")";
}

class Bench {
 public:
  explicit Bench(uint32_t packets) : router_(config(), {.packets = 8191}) {
    std::mt19937 random(1);
    for (uint32_t i = 0; i < packets; ++i) {
      Ip4Frame frame;
      frame.destination = "10." + std::to_string(random() % 16) + "." +
                          std::to_string(random() % 256) + "." + std::to_string(random() % 256);
      frame.source_port = static_cast<uint16_t>(random());
      packets_.push_back(Packet::make(*router_.pool, frame.build()));
    }
    // The order in memory is not the order in which packets arrive, once a pool has been in use.
    std::shuffle(packets_.begin(), packets_.end(), random);
  }
  ~Bench() {
    for (Packet* packet : packets_) packet->kill();
    router_.router.reset();
  }

  std::vector<Case> run() {
    std::vector<Case> all = cases();
    for (int round = 0; round < kRounds; ++round)
      for (Case& one : all) one.best = std::min(one.best, measure(one));
    return all;
  }

 private:
  static std::vector<Case> cases() {
    return {{.name = "empty loop", .element = {}, .loop = sum_lengths},
            {.name = "reference loop", .element = {}, .loop = sum_headers},
            {.name = "hop (Null)", .element = "Null", .loop = {}},
            {.name = "Classifier",
             .element = "Classifier(12/0800, -)",
             .loop = {},
             .whole_frame = true},
            {.name = "Strip", .element = "Strip(14)", .loop = {}, .whole_frame = true},
            {.name = "CheckIPHeader", .element = "CheckIPHeader", .loop = {}},
            {.name = "StaticIPLookup", .element = routes(), .loop = {}},
            {.name = "DecIPTTL", .element = "DecIPTTL", .loop = {}},
            {.name = "EtherRewrite",
             .element = "EtherRewrite(02:00:00:00:00:01, 02:00:00:00:00:02)",
             .loop = {},
             .whole_frame = true}};
  }

  static std::string config() {
    std::string text = "out :: BenchSink;\n";
    int port = 0;
    for (std::size_t i = 0; i < cases().size(); ++i) {
      const Case one = cases()[i];
      if (one.element.empty()) continue;
      const std::string name = "e" + std::to_string(i);
      text += name + " :: " + one.element + "; Idle -> " + name + "; " + name + " -> [" +
              std::to_string(port++) + "] out;\n";
      if (one.name == "Classifier") text += name + " [1] -> Idle;\n";
    }
    return text;
  }

  // As the element before this one leaves packets.
  static void restore(Packet& packet, bool whole_frame) {
    if (packet.network_header_offset() > 0 && packet.has_network_header())
      packet.pull(static_cast<uint32_t>(packet.network_header_offset()));
    const uint32_t length = packet.length();
    constexpr uint32_t kFrame = 60;
    if (whole_frame && length < kFrame) packet.push(kFrame - length);
    if (!whole_frame && length == kFrame) packet.pull(14);
    const uint32_t offset = whole_frame ? 14 : 0;
    packet.set_network_header(offset, 20);
    auto& ip = *packet.ip_header();
    packet.set_dst_ip_anno(ip.destination);
    ip.ttl = 64;
    set_ip_header_checksum(ip);
  }

  double measure(const Case& one) {
    Element* element = nullptr;
    if (!one.element.empty()) {
      const std::vector<Case> all = cases();
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].name == one.name) element = router_.router->find("e" + std::to_string(i));
    }
    auto& sink = *router_.router->find_as<BenchSink>("out");
    uint64_t cycles = 0;
    for (Packet* packet : packets_) restore(*packet, one.whole_frame);
    for (std::size_t at = 0; at + kBatch <= packets_.size(); at += kBatch) {
      PacketBatch batch;
      for (uint32_t i = 0; i < kBatch; ++i) batch.push_back(*packets_[at + i]);
      const uint64_t start = rte_rdtsc_precise();
      if (element == nullptr)
        unused_ = unused_ + one.loop(batch);
      else
        element->push(0, batch);
      cycles += rte_rdtsc_precise() - start;
      if (sink.returned.size() + batch.size() != kBatch) {
        std::fprintf(stderr, "%s lost packets\n", one.name.c_str());
        std::exit(1);
      }
      batch.release();
      sink.returned.release();
    }
    return static_cast<double>(cycles) / static_cast<double>(packets_.size());
  }

  TestRouter router_;
  std::vector<Packet*> packets_;
  volatile uint64_t unused_ = 0;
};

void print(const char* title, const std::vector<Case>& cases) {
  std::printf("\n%s\n%-16s %14s %18s %20s\n", title, "", "cycles/packet", "above empty loop",
              "/ reference loop");
  for (const Case& one : cases)
    std::printf("%-16s %14.2f %18.2f %20.2f\n", one.name.c_str(), one.best,
                one.best - cases[0].best, one.best / cases[1].best);
}

}  // namespace
}  // namespace headroom::test

int main() {
  const char* eal[] = {"bench", "--in-memory",    "--no-pci",    "--iova-mode=va", "-l",
                       "0",     "--no-telemetry", "--log-level", "lib.eal:error"};
  if (rte_eal_init(static_cast<int>(std::size(eal)), const_cast<char**>(eal)) < 0) {
    std::fprintf(stderr, "EAL does not start; this benchmark needs some free 2 MB hugepages\n");
    return 1;
  }
  std::printf("batches of 64, minimum of %d rounds, TSC cycles\n", headroom::test::kRounds);
  {
    headroom::test::Bench bench(4096);
    print("4,096 packets: headers come from the second-level cache", bench.run());
  }
  {
    headroom::test::Bench bench(64);
    print("64 packets: everything is in the first-level cache", bench.run());
  }
  rte_eal_cleanup();
  return 0;
}
