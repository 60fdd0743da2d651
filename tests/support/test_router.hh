// A router for tests of elements: a configuration in the Click language, a pool, a simulated clock,
// and two elements that tests feed and look into.
//
//   TestRouter test("in :: TestSource -> Strip(14) -> out :: TestSink");
//   test.send("in", {bytes("ffff...")});
//   EXPECT_EQ(test.sink("out").packets.at(0).bytes, ...);
//
// When it ends, the ledger must be balanced and every packet back in the pool; both are test
// failures otherwise.
#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/base/clock.hh"
#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

namespace headroom::test {

using Bytes = std::vector<uint8_t>;

// "00 01 ff" or "0001ff" -> bytes; other characters than hex digits are skipped.
Bytes hex(std::string_view text);
std::string to_hex(std::span<const uint8_t> bytes);
// All bytes of a packet, across segments.
Bytes bytes_of(const Packet& packet);

// A packet of these bytes in two segments, the first of `first` bytes; one segment when first is 0
// or all.
Packet* make_split(Pool& pool, std::span<const uint8_t> bytes, uint32_t first);

// An Ethernet + IPv4 + UDP frame with correct checksums.
struct Ip4Frame {
  std::string source = "10.0.0.1";
  std::string destination = "10.0.0.2";
  uint8_t ttl = 64;
  uint16_t source_port = 1000;
  uint16_t destination_port = 2000;
  uint32_t payload = 18;
  Bytes build() const;     // the whole frame
  Bytes build_ip() const;  // from the IPv4 header on
};

// Emits what a test gives it. Ports 0/1.
class TestSource final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "TestSource", .ports = "0/1", .processing = "h/h"};
  void emit(std::vector<Packet*> packets, uint32_t batch_size = PacketBatch::kCapacity);
  using Element::pool;
};

// Keeps what it gets: the bytes, or with keep = true the packets themselves until clear(). Ports
// 1/0.
class TestSink final : public Element {
 public:
  struct Seen {
    Bytes bytes;
    Annotations annotations;
    uint32_t segments = 1;
    int32_t network_offset = 0;
  };
  static constexpr ElementSpec spec{.name = "TestSink", .ports = "1/0", .processing = "h/h"};
  ~TestSink() override { clear(); }
  void push(uint32_t port, PacketBatch& batch) override;
  uint64_t held() const override { return kept.size(); }
  void clear();

  bool keep = false;
  std::vector<Seen> packets;
  std::vector<Packet*> kept;
  std::vector<uint32_t> batches;  // their sizes
};

class TestRouter {
 public:
  struct Options {
    uint32_t packets = 2047;  // in the pool
    uint32_t batch_size = 64;
    bool expect_balanced = true;
  };
  explicit TestRouter(std::string_view config) : TestRouter(config, Options{}) {}
  TestRouter(std::string_view config, Options options);
  ~TestRouter();

  // Makes packets of the bytes, emits them from the TestSource, and runs what that causes.
  void send(std::string_view source, const std::vector<Bytes>& packets,
            uint32_t batch_size = PacketBatch::kCapacity);
  void send_packets(std::string_view source, std::vector<Packet*> packets,
                    uint32_t batch_size = PacketBatch::kCapacity);
  void run(uint64_t max_rounds = 1'000'000) { scheduler->run_until_idle(max_rounds); }
  // Lets time pass, with whatever becomes due in it.
  void pass(int64_t nanoseconds);

  TestSink& sink(std::string_view name);
  // The value of a handler; a test failure when there is none.
  std::string read(std::string_view handler);
  void write(std::string_view handler, std::string_view value);
  // Packets dropped by an element for a reason, as the ledger has them.
  uint64_t dropped(std::string_view element, std::string_view reason);

  SimulatedClock clock;
  Diagnostics diagnostics;
  std::unique_ptr<Pool> pool;
  std::unique_ptr<Scheduler> scheduler;
  std::unique_ptr<Router> router;  // null when the configuration is wrong: see diagnostics

 private:
  Options options_;
};

// What reading and building a configuration reports, in Click's plain form; empty when it is right.
std::string errors_of(std::string_view config);

}  // namespace headroom::test
