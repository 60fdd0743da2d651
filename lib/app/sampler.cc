#include "sampler.hh"

#include <rte_cycles.h>
#include <sched.h>

#include <chrono>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

// Pairs of the longest time in a bin, in nanoseconds, and the packets that were counted there.
Json latency_of(const Generator& generator) {
  Json bins = Json::array();
  const double cycle = 1e9 / static_cast<double>(rte_get_tsc_hz());
  for (std::size_t bin = 0; bin < LatencyHistogram::kBins; ++bin)
    if (const uint64_t count = generator.latency_count(bin); count != 0)
      bins.push_back({static_cast<double>(LatencyHistogram::upper(bin)) * cycle, count});
  return bins;
}

Json port_of(const Device& device) {
  const DeviceStats stats = device.stats();
  Json port{{"name", device.name()},
            {"received", stats.received},
            {"received_bytes", stats.received_bytes},
            {"transmitted", stats.transmitted},
            {"missed", stats.missed},
            {"no_buffer", stats.no_buffer},
            {"rx_errors", stats.rx_errors},
            {"tx_errors", stats.tx_errors}};
  // net_null does not count the bytes that a generating port transmits.
  if (device.generator() == nullptr) port["transmitted_bytes"] = stats.transmitted_bytes;
  if (device.generator() != nullptr && device.generator()->has_latency())
    port["latency_ns"] = latency_of(*device.generator());
  return port;
}

}  // namespace

void Sampler::start() {
  thread_ = std::thread([this] { run(); });
}

void Sampler::run() {
  // It inherits the first worker's core, and should not be in its way where there are others.
  cpu_set_t all;
  CPU_ZERO(&all);
  for (int core = 0; core < CPU_SETSIZE; ++core) CPU_SET(core, &all);
  sched_setaffinity(0, sizeof all, &all);
  const auto step = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds_));
  auto next = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  do {
    print(nullptr);
    next += step;
  } while (!ended_.wait_until(lock, next, [this] { return end_; }));
}

void Sampler::join() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void Sampler::finish(const Ledger& ledger) {
  join();
  print(&ledger);
}

void Sampler::print(const Ledger* ledger) {
  Json line;
  const uint64_t now = rte_rdtsc();
  line["seconds"] = static_cast<double>(now) / static_cast<double>(rte_get_tsc_hz());
  line["cycles"] = now;
  line["cycles_per_second"] = rte_get_tsc_hz();
  line["workers"] = Json::array();
  for (const auto& worker : machine_.workers())
    line["workers"].push_back(
        {{"thread", worker->thread()},
         {"io", machine_.roles().io == 0 || worker->index() < machine_.roles().io},
         {"busy_cycles", worker->busy_cycles()}});
  line["ports"] = Json::array();
  for (const auto& device : machine_.devices()) line["ports"].push_back(port_of(*device));
  if (ledger != nullptr) {
    line["final"] = true;
    line["balanced"] = ledger->balanced();
    line["drops"] = Json::array();
    for (const LedgerDrop& drop : ledger->drops)
      line["drops"].push_back(
          {{"element", drop.element}, {"reason", drop.reason}, {"packets", drop.packets}});
    line["absorbed"] = Json::array();
    for (const LedgerEntry& entry : ledger->entries)
      if (entry.absorbed != 0)
        line["absorbed"].push_back(
            {{"element", entry.element}, {"class", entry.class_name}, {"packets", entry.absorbed}});
  }
  out_ << line.dump() << "\n" << std::flush;
}

}  // namespace headroom
