// Elements and packets that several graph tests use. Each class is registered by the test file that
// it is named in.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "test_router.hh"

namespace headroom::test {

// What a TestSwitch does with a packet, by its first byte: a port number, or one of these.
constexpr uint8_t kHold = 0xff;
constexpr uint8_t kDropBad = 0xfe;
constexpr uint8_t kDropWorse = 0xfd;
constexpr uint8_t kFarPort = 0xfc;  // a port that no element has
constexpr uint8_t kNoPort = 0xfb;   // to(-1)

// A packet of four bytes: what is to be done with it, and its number.
inline Bytes order(uint8_t what, uint32_t number = 0) {
  return {what, static_cast<uint8_t>(number >> 16), static_cast<uint8_t>(number >> 8),
          static_cast<uint8_t>(number)};
}
inline uint32_t number_of(const Bytes& bytes) {
  return static_cast<uint32_t>(bytes.at(1) << 16 | bytes.at(2) << 8 | bytes.at(3));
}

// Decides by the first byte of each packet (dispatch_test.cc).
class TestSwitch final : public PacketElement<TestSwitch> {
 public:
  static constexpr ElementSpec spec{
      .name = "TestSwitch", .ports = "1/1-", .processing = "a/ah", .flow = "x/x"};
  ~TestSwitch() override { release(); }
  Drop bad{*this, "bad", "The first byte says so."};
  Drop worse{*this, "worse"};

  Verdict process(Packet& packet) {
    switch (packet.data()[0]) {
      case kHold:
        kept.push_back(&packet);
        return held_packet();
      case kDropBad:
        return bad;
      case kDropWorse:
        return worse;
      case kFarPort:
        return to(1000);
      case kNoPort:
        return to(static_cast<uint32_t>(-1));
      default:
        return to(packet.data()[0]);
    }
  }
  uint64_t held() const override { return kept.size(); }
  void release() {
    count_absorbed(kept.size());
    for (Packet* packet : kept) packet->kill();
    kept.clear();
  }
  std::vector<Packet*> kept;
};

// The same as a BatchElement with verdicts (batch_element_test.cc).
class TestBatchSwitch final : public BatchElement<TestBatchSwitch> {
 public:
  static constexpr ElementSpec spec{
      .name = "TestBatchSwitch", .ports = "1/1-", .processing = "a/ah", .flow = "x/x"};
  ~TestBatchSwitch() override { release(); }
  Drop bad{*this, "bad"};
  Drop worse{*this, "worse"};

  void process(PacketBatch& batch, Verdict* verdicts) {
    sizes.push_back(batch.size());
    for (uint32_t i = 0; i < batch.size(); ++i) {
      const uint8_t what = batch[i].data()[0];
      verdicts[i] = what == kHold        ? Verdict::held()
                    : what == kDropBad   ? Verdict(bad)
                    : what == kDropWorse ? Verdict(worse)
                    : what == kFarPort   ? to(1000)
                    : what == kNoPort    ? to(static_cast<uint32_t>(-1))
                                         : to(what);
      if (what == kHold) kept.push_back(&batch[i]);
    }
  }
  uint64_t held() const override { return kept.size(); }
  void release() {
    count_absorbed(kept.size());
    for (Packet* packet : kept) packet->kill();
    kept.clear();
  }
  std::vector<Packet*> kept;
  std::vector<uint32_t> sizes;
};

// Writes down what arrives, across all of them in one list (dispatch_test.cc).
class OrderSink final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "OrderSink", .ports = "1/0", .processing = "h/h"};
  struct Arrival {
    std::string sink;
    uint32_t number;
  };
  static inline std::vector<Arrival> arrivals;
  static inline uint64_t drops_before = 0;  // of the element "drops_of", at the first arrival
  static inline const Element* drops_of = nullptr;

  void push(uint32_t, PacketBatch& batch) override {
    if (arrivals.empty() && drops_of != nullptr)
      for (const Drop* drop : drops_of->drops()) drops_before += drop->dropped();
    for (uint32_t i = 0; i < batch.size(); ++i)
      arrivals.push_back({name(), number_of(bytes_of(batch[i]))});
    count_absorbed(batch.size());
    batch.kill();
  }
  static std::vector<std::string> sinks_in_order() {
    std::vector<std::string> names;
    for (const Arrival& one : arrivals)
      if (names.empty() || names.back() != one.sink) names.push_back(one.sink);
    return names;
  }
  static std::vector<uint32_t> numbers(std::string_view sink) {
    std::vector<uint32_t> result;
    for (const Arrival& one : arrivals)
      if (one.sink == sink) result.push_back(one.number);
    return result;
  }
  static void clear() {
    arrivals.clear();
    drops_before = 0;
    drops_of = nullptr;
  }
};

// Pulls when the test says so (dispatch_test.cc).
class TestPuller final : public Element {
 public:
  static constexpr ElementSpec spec{.name = "TestPuller", .ports = "1/1", .processing = "l/h"};
  uint32_t pull_now(uint32_t limit) {
    PacketBatch batch;
    input(0).pull(batch, limit);
    const uint32_t got = batch.size();
    output(0).push(batch);
    return got;
  }
};

}  // namespace headroom::test
