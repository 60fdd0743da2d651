// Cycles per IPv4 route lookup, beside DPDK's rte_lpm and rte_fib, over a million routes.
//
//   build/release/bench_routes            # takes about a minute, and 600 MB of hugepages
//
// All of them look up batches of 64 addresses in bulk, in tables that give the same answers, which
// is checked. The addresses lie in routes chosen at random. There are a million of them, with
// caches that hold nothing of the tables at first (cold), or 4,096 or 64 again and again (warm).
// All cases of a round follow each other, and the minimum over the rounds counts.
//
// rte_lpm takes minutes for the routes, so its tables are filled in directly, which lookups cannot
// tell; it has no default route, so none of the tables has one.
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_fib.h>
#include <rte_lpm.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "../support/route_mix.hh"
#include "headroom/routing/ip4_table.hh"

namespace headroom::test {
namespace {

constexpr std::size_t kRoutes = 1'000'000;
constexpr std::size_t kCold = std::size_t{1} << 20;
constexpr std::size_t kBatch = 64;
constexpr int kRounds = 25;
// Next hops of routes; two bytes hold them, as the smaller rte_fib wants.
constexpr uint32_t kHops = 4000;
constexpr uint32_t kNone = 0x7fff;  // what rte_fib answers where there is no route

[[noreturn]] void die(const char* what) {
  std::fprintf(stderr, "%s: %s\n", what, rte_strerror(rte_errno));
  std::exit(1);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// One way to look up a batch: host order addresses `hosts`, the same in network order `addresses`.
struct Case {
  std::string name;
  std::function<void(const IPAddress* addresses, const uint32_t* hosts)> run;
  std::function<uint32_t(std::size_t i)> answer;  // of the last batch
  std::map<std::size_t, double> best = {};        // by the number of addresses
};

class Bench {
 public:
  Bench() : prefixes_(internet_prefixes(kRoutes, 1)) {
    fill_ours();
    fill_lpm();
    const auto ours = [this](std::size_t i) { return hops_[i] == kNoRoute ? kNone : hops_[i]; };
    add(
        "Ip4Table",
        [this](const IPAddress* addresses, const uint32_t*) {
          table_.lookup_bulk(addresses, kBatch, hops_);
        },
        ours);
    add(
        "Ip4Table, one by one",
        [this](const IPAddress* addresses, const uint32_t*) {
          for (std::size_t i = 0; i < kBatch; ++i) hops_[i] = table_.lookup(addresses[i]);
        },
        ours);
    add(
        "rte_lpm",
        [this](const IPAddress*, const uint32_t* hosts) {
          rte_lpm_lookup_bulk(lpm_, hosts, hops_, kBatch);
        },
        [this](std::size_t i) {
          return hops_[i] & RTE_LPM_LOOKUP_SUCCESS ? hops_[i] & kMaxNextHop : kNone;
        });
    add_fib("rte_fib, 4 bytes", RTE_FIB_DIR24_8_4B);
    add_fib("rte_fib, 2 bytes", RTE_FIB_DIR24_8_2B);
  }
  ~Bench() {
    rte_lpm_free(lpm_);
    for (rte_fib* fib : fibs_) rte_fib_free(fib);
  }

  // `long_share` in 8 of the addresses lie in routes longer than /24, which take a second step; of
  // the others as many as there are such routes.
  void run(const char* title, unsigned long_share) {
    const std::size_t counts[] = {kBatch, 4096, kCold};
    draw_addresses(long_share);
    for (Case& one : cases_) {
      check(one);
      one.best.clear();
    }
    for (int round = 0; round < kRounds; ++round)
      for (const std::size_t count : counts)
        for (Case& one : cases_) {
          double& best = one.best.emplace(count, 1e9).first->second;
          best = std::min(best, measure(one, count));
        }
    std::printf("\n%s\n%-28s", title, "");
    for (const char* count : {"64 addresses", "4,096 addresses", "1,048,576 addresses"})
      std::printf(" %20s", count);
    std::printf("\n%-28s", "");
    for (std::size_t i = 0; i < std::size(counts); ++i) std::printf(" %12s %7s", "cycles", "ratio");
    std::printf("\n");
    for (Case& one : cases_) {
      std::printf("%-28s", one.name.c_str());
      for (const std::size_t count : counts)
        std::printf(" %12.2f %7.2f", one.best[count], one.best[count] / cases_[0].best[count]);
      std::printf("\n");
    }
  }

 private:
  void add(std::string name, decltype(Case::run) run, decltype(Case::answer) answer) {
    cases_.push_back({std::move(name), std::move(run), std::move(answer)});
  }

  uint32_t hop_of(std::size_t route) const {
    return static_cast<uint32_t>(route * 2654435761U >> 7) % kHops;
  }

  void fill_ours() {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < kRoutes; ++i) table_.add(prefixes_[i], hop_of(i));
    std::printf("Ip4Table: %zu routes in %.2f s, %zu groups\n", table_.size(), seconds_since(start),
                table_.groups_in_use());
  }

  void fill_lpm() {
    std::vector<bool> longer(std::size_t{1} << 24);
    for (const IPPrefix& prefix : prefixes_)
      if (prefix.length > 24) longer[prefix.address.host_order() >> 8] = true;
    const auto groups = static_cast<uint32_t>(std::count(longer.begin(), longer.end(), true));
    const rte_lpm_config config{.max_rules = 1, .number_tbl8s = groups, .flags = 0};
    lpm_ = rte_lpm_create("bench", SOCKET_ID_ANY, &config);
    if (lpm_ == nullptr) die("rte_lpm_create");
    const auto entry_for = [this](uint32_t address, bool in_group) {
      const uint32_t hop = table_.lookup(IPAddress::from_host_order(address));
      rte_lpm_tbl_entry entry{};
      entry.next_hop = (hop == kNoRoute ? 0 : hop) & kMaxNextHop;
      entry.valid = hop != kNoRoute;
      entry.valid_group = in_group;
      entry.depth = 24;
      return entry;
    };
    uint32_t group = 0;
    for (uint32_t slot = 0; slot < longer.size(); ++slot) {
      rte_lpm_tbl_entry& entry = lpm_->tbl24[slot];
      entry = entry_for(slot << 8, false);
      if (!longer[slot]) continue;
      for (uint32_t i = 0; i < 256; ++i)
        lpm_->tbl8[group * 256 + i] = entry_for(slot << 8 | i, true);
      entry.next_hop = group++ & kMaxNextHop;
      entry.valid = entry.valid_group = 1;
    }
  }

  void add_fib(const std::string& name, rte_fib_dir24_8_nh_sz size) {
    rte_fib_conf config{};
    config.type = RTE_FIB_DIR24_8;
    config.default_nh = kNone;
    config.max_routes = kRoutes + 1;
    config.dir24_8.nh_sz = size;
    config.dir24_8.num_tbl8 = 32767;
    rte_fib* fib = rte_fib_create(name.c_str(), SOCKET_ID_ANY, &config);
    if (fib == nullptr) die("rte_fib_create");
    fibs_.push_back(fib);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < kRoutes; ++i)
      if (rte_fib_add(fib, prefixes_[i].address.host_order(), prefixes_[i].length, hop_of(i)) != 0)
        die("rte_fib_add");
    std::printf("%s: %.2f s\n", name.c_str(), seconds_since(start));
    const auto answer = [this](std::size_t i) { return static_cast<uint32_t>(fib_hops_[i]); };
    const std::pair<const char*, rte_fib_lookup_type> types[] = {
        {", scalar", RTE_FIB_LOOKUP_DIR24_8_SCALAR_MACRO},
        {", AVX-512", RTE_FIB_LOOKUP_DIR24_8_VECTOR_AVX512}};
    for (const auto& [suffix, type] : types) {
      if (rte_fib_select_lookup(fib, type) != 0) {
        std::printf("%s%s: not on this processor\n", name.c_str(), suffix);
        continue;
      }
      add(
          name + suffix,
          [this, fib, type = type](const IPAddress*, const uint32_t* hosts) {
            if (selected_ != std::pair(fib, type)) {
              rte_fib_select_lookup(fib, type);
              selected_ = {fib, type};
            }
            rte_fib_lookup_bulk(fib, const_cast<uint32_t*>(hosts), fib_hops_, kBatch);
          },
          answer);
    }
  }

  void draw_addresses(unsigned long_share) {
    std::mt19937 random(2);
    hosts_.clear();
    addresses_.clear();
    for (std::size_t i = 0; i < kCold; ++i) {
      const bool must_be_long = random() % 8 < long_share;
      std::size_t route = 0;
      do {
        route = random() % prefixes_.size();
      } while (must_be_long && prefixes_[route].length <= 24);
      const IPPrefix& prefix = prefixes_[route];
      const uint32_t host = static_cast<uint32_t>(random()) & ~prefix.mask().host_order();
      hosts_.push_back(prefix.address.host_order() | host);
      addresses_.push_back(IPAddress::from_host_order(hosts_.back()));
    }
  }

  void check(const Case& one) {
    for (std::size_t at = 0; at < kCold; at += kBatch) {
      one.run(&addresses_[at], &hosts_[at]);
      for (std::size_t i = 0; i < kBatch; ++i) {
        const uint32_t expected = table_.lookup(addresses_[at + i]);
        if (one.answer(i) != (expected == kNoRoute ? kNone : expected)) {
          std::fprintf(stderr, "%s has another route to %s\n", one.name.c_str(),
                       addresses_[at + i].to_string().c_str());
          std::exit(1);
        }
      }
    }
  }

  // Each case finds the caches as it would alone: with what it needs of few addresses, because it
  // has gone through them before, or with nothing.
  double measure(const Case& one, std::size_t count) {
    const std::size_t times = std::max<std::size_t>(1, 65536 / count);
    const auto pass = [&] {
      for (std::size_t at = 0; at < count; at += kBatch) one.run(&addresses_[at], &hosts_[at]);
    };
    if (count < kCold) {
      pass();
      pass();
    } else {
      for (uint64_t& word : wipe_) ++word;
    }
    const uint64_t start = rte_rdtsc_precise();
    for (std::size_t time = 0; time < times; ++time) pass();
    const uint64_t cycles = rte_rdtsc_precise() - start;
    return static_cast<double>(cycles) / static_cast<double>(count * times);
  }

  std::vector<IPPrefix> prefixes_;
  Ip4Table table_;
  rte_lpm* lpm_ = nullptr;
  std::vector<rte_fib*> fibs_;
  std::pair<rte_fib*, rte_fib_lookup_type> selected_{nullptr, RTE_FIB_LOOKUP_DEFAULT};
  std::vector<Case> cases_;
  std::vector<IPAddress> addresses_;
  std::vector<uint32_t> hosts_;
  std::vector<uint64_t> wipe_ = std::vector<uint64_t>(std::size_t{32} << 20);  // larger than caches
  alignas(64) uint32_t hops_[kBatch];
  alignas(64) uint64_t fib_hops_[kBatch];
};

}  // namespace
}  // namespace headroom::test

int main() {
  const char* eal[] = {
      "bench", "--in-memory",    "--no-pci",    "--iova-mode=va", "-l",
      "0",     "--no-telemetry", "--log-level", "lib.eal:error",  "--force-max-simd-bitwidth=512"};
  if (rte_eal_init(static_cast<int>(std::size(eal)), const_cast<char**>(eal)) < 0) {
    std::fprintf(stderr, "EAL does not start; this benchmark needs some free 2 MB hugepages\n");
    return 1;
  }
  std::printf("batches of %zu, minimum of %d rounds, TSC cycles per lookup\n",
              headroom::test::kBatch, headroom::test::kRounds);
  {
    headroom::test::Bench bench;
    bench.run("addresses in routes chosen at random", 0);
    bench.run("half of the addresses in routes longer than /24", 4);
  }
  rte_eal_cleanup();
  return 0;
}
