// `.writes` and `.contiguous`: what the shapes make of shared and chained packets, and a pool that
// runs out meanwhile. And the plain form of BatchElement.
#include "graph_elements.hh"

namespace headroom::test {
namespace {

constexpr uint32_t kGathered = 40;

// Inverts the first bytes in place, which must be private and contiguous.
template <class Self, template <class> class Shape>
struct Inverter {
  static void invert(Packet& packet) {
    EXPECT_FALSE(packet.shared());
    const uint32_t size = std::min(kGathered, packet.length());
    ASSERT_GE(packet.contiguous(), size);
    for (uint32_t i = 0; i < size; ++i) packet.data()[i] = static_cast<uint8_t>(~packet.data()[i]);
  }
};

class PacketInverter final : public PacketElement<PacketInverter> {
 public:
  static constexpr ElementSpec spec{
      .name = "PacketInverter", .writes = true, .contiguous = kGathered};
  Verdict process(Packet& packet) {
    Inverter<void, PacketElement>::invert(packet);
    return to(0);
  }
};
HEADROOM_ELEMENT(PacketInverter);

class BatchInverter final : public BatchElement<BatchInverter> {
 public:
  static constexpr ElementSpec spec{
      .name = "BatchInverter", .writes = true, .contiguous = kGathered};
  void process(PacketBatch& batch) {
    EXPECT_FALSE(batch.empty());
    for (uint32_t i = 0; i < batch.size(); ++i) Inverter<void, BatchElement>::invert(batch[i]);
  }
};
HEADROOM_ELEMENT(BatchInverter);

class BatchVerdictInverter final : public BatchElement<BatchVerdictInverter> {
 public:
  static constexpr ElementSpec spec{
      .name = "BatchVerdictInverter", .writes = true, .contiguous = kGathered};
  void process(PacketBatch& batch, Verdict*) {
    EXPECT_FALSE(batch.empty());
    for (uint32_t i = 0; i < batch.size(); ++i) Inverter<void, BatchElement>::invert(batch[i]);
  }
};
HEADROOM_ELEMENT(BatchVerdictInverter);

// Reads only: shared packets stay shared unless their bytes have to be gathered.
class Gatherer final : public PacketElement<Gatherer> {
 public:
  static constexpr ElementSpec spec{.name = "Gatherer", .contiguous = kGathered};
  Verdict process(Packet& packet) {
    EXPECT_GE(packet.contiguous(), std::min(kGathered, packet.length()));
    shared += packet.shared();
    return to(0);
  }
  uint32_t shared = 0;
};
HEADROOM_ELEMENT(Gatherer);

// Takes every second packet out of the batch: the plain form may change it.
class EverySecond final : public BatchElement<EverySecond> {
 public:
  static constexpr ElementSpec spec{.name = "EverySecond"};
  Drop second{*this, "second"};
  void process(PacketBatch& batch) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < batch.size(); ++i) {
      if (i % 2 == 1)
        second.drop(batch[i]);
      else
        batch.set(kept++, batch[i]);
    }
    batch.set_size(kept);
  }
};
HEADROOM_ELEMENT(EverySecond);

Bytes counting(uint32_t size) {
  Bytes bytes(size);
  for (uint32_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(i);
  return bytes;
}

Bytes inverted(Bytes bytes) {
  for (std::size_t i = 0; i < std::min<std::size_t>(kGathered, bytes.size()); ++i)
    bytes[i] = static_cast<uint8_t>(~bytes[i]);
  return bytes;
}

class PrepareTest : public testing::TestWithParam<std::tuple<std::string, uint32_t>> {
 protected:
  std::string element() const { return std::get<0>(GetParam()); }
  uint32_t batch() const { return std::get<1>(GetParam()); }
};

TEST_P(PrepareTest, SharedPacketsBecomeCopiesThatKeepEverything) {
  TestRouter test("in :: TestSource -> w :: " + element() + " -> out :: TestSink");
  std::vector<Packet*> originals, clones;
  for (uint32_t i = 0; i < 100; ++i) {
    Packet* packet = Packet::make(*test.pool, counting(60 + i));
    packet->set_anno_u32(40, i);
    packet->set_network_header(14, 20);
    originals.push_back(packet);
    clones.push_back(i % 3 == 0 ? packet->clone() : Packet::make(*test.pool, counting(60 + i)));
    clones.back()->copy_annotations(*packet);
    clones.back()->set_network_header(14, 20);
  }
  test.send_packets("in", clones, batch());
  const auto& seen = test.sink("out").packets;
  ASSERT_EQ(seen.size(), 100u);
  for (uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(seen[i].bytes, inverted(counting(60 + i)));
    EXPECT_EQ(seen[i].network_offset, 14);
    EXPECT_EQ(seen[i].annotations.user[40], i);
    EXPECT_EQ(bytes_of(*originals[i]), counting(60 + i));
    originals[i]->kill();
  }
}

TEST_P(PrepareTest, ChainedAtEverySplitAlsoShared) {
  TestRouter test("in :: TestSource -> w :: " + element() + " -> out :: TestSink");
  const Bytes bytes = counting(128);
  std::vector<Packet*> packets, originals;
  for (uint32_t split = 1; split < 128; ++split) {
    packets.push_back(make_split(*test.pool, bytes, split));
    originals.push_back(make_split(*test.pool, bytes, split));
    packets.push_back(originals.back()->clone());
  }
  test.send_packets("in", packets, batch());
  ASSERT_EQ(test.sink("out").packets.size(), packets.size());
  for (const auto& seen : test.sink("out").packets) EXPECT_EQ(seen.bytes, inverted(bytes));
  for (Packet* packet : originals) {
    EXPECT_EQ(bytes_of(*packet), bytes);
    packet->kill();
  }
}

TEST_P(PrepareTest, ShortPackets) {
  TestRouter test("in :: TestSource -> w :: " + element() + " -> out :: TestSink");
  std::vector<Packet*> packets;
  for (uint32_t size = 0; size < 50; ++size) {
    packets.push_back(make_split(*test.pool, counting(size), size / 2));
    Packet* original = make_split(*test.pool, counting(size), size / 3);
    packets.push_back(original->clone());
    packets.push_back(original);
  }
  test.send_packets("in", packets, batch());
  const auto& seen = test.sink("out").packets;
  ASSERT_EQ(seen.size(), 150u);
  for (uint32_t i = 0; i < 150; ++i) EXPECT_EQ(seen[i].bytes, inverted(counting(i / 3)));
}

TEST_P(PrepareTest, AnEmptyPoolIsNoBufferAndRecovers) {
  TestRouter test("in :: TestSource -> w :: " + element() + " -> out :: TestSink", {.packets = 31});
  for (int round = 0; round < 3; ++round) {
    // Ten originals and ten clones: eleven packets are left for the copies, then none.
    std::vector<Packet*> originals, clones, filler;
    for (int i = 0; i < 10; ++i) {
      originals.push_back(Packet::make(*test.pool, counting(60)));
      clones.push_back(originals.back()->clone());
    }
    while (Packet* packet = Packet::make(*test.pool, 1)) filler.push_back(packet);
    test.send_packets("in", clones, batch());
    // Each clone that could not be copied is freed, which makes room for the next copy or none:
    // whatever got through, nothing is lost.
    const uint64_t arrived = test.sink("out").packets.size();
    const uint64_t dropped = test.dropped("w", "no-buffer");
    EXPECT_EQ(arrived + dropped, 10u * (static_cast<uint64_t>(round) + 1));
    EXPECT_GT(dropped, 0u);
    for (Packet* packet : filler) packet->kill();
    for (Packet* packet : originals) {
      EXPECT_EQ(bytes_of(*packet), counting(60));
      packet->kill();
    }
    EXPECT_TRUE(test.router->ledger().balanced());
  }
  const std::size_t before = test.sink("out").packets.size();
  test.send("in", std::vector<Bytes>(20, counting(60)), batch());
  EXPECT_EQ(test.sink("out").packets.size(), before + 20);
}

TEST_P(PrepareTest, ABatchOfWhichNothingIsLeftIsNotProcessed) {
  TestRouter test("in :: TestSource -> w :: " + element() + " -> out :: TestSink", {.packets = 31});
  Packet* original = Packet::make(*test.pool, counting(60));
  Packet* clone = original->clone();
  std::vector<Packet*> filler;
  while (Packet* packet = Packet::make(*test.pool, 1)) filler.push_back(packet);
  test.send_packets("in", {clone}, batch());
  EXPECT_EQ(test.dropped("w", "no-buffer"), 1u);
  EXPECT_TRUE(test.sink("out").packets.empty());
  for (Packet* packet : filler) packet->kill();
  original->kill();
}

TEST_P(PrepareTest, WhenPulled) {
  TestRouter test("in :: TestSource -> Queue -> w :: " + element() +
                  " -> p :: TestPuller -> out :: TestSink");
  std::vector<Packet*> packets, originals;
  for (int i = 0; i < 100; ++i) {
    originals.push_back(make_split(*test.pool, counting(100), 30));
    packets.push_back(originals.back()->clone());
  }
  test.send_packets("in", packets, batch());
  auto* puller = test.router->find_as<TestPuller>("p");
  while (puller->pull_now(batch()) != 0) {
  }
  ASSERT_EQ(test.sink("out").packets.size(), 100u);
  for (const auto& seen : test.sink("out").packets) EXPECT_EQ(seen.bytes, inverted(counting(100)));
  for (Packet* packet : originals) packet->kill();
}

INSTANTIATE_TEST_SUITE_P(Shapes, PrepareTest,
                         testing::Combine(testing::Values("PacketInverter", "BatchInverter",
                                                          "BatchVerdictInverter"),
                                          testing::Values(1, 64, 256)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + std::to_string(std::get<1>(info.param));
                         });

TEST(GathererTest, ReadersShareWhatIsContiguous) {
  TestRouter test("in :: TestSource -> g :: Gatherer -> out :: TestSink");
  Packet* whole = Packet::make(*test.pool, counting(100));
  Packet* long_enough = make_split(*test.pool, counting(100), kGathered);
  Packet* split = make_split(*test.pool, counting(100), kGathered - 1);
  test.send_packets("in", {whole->clone(), long_enough->clone(), split->clone()});
  EXPECT_EQ(test.router->find_as<Gatherer>("g")->shared, 2u);
  ASSERT_EQ(test.sink("out").packets.size(), 3u);
  for (const auto& seen : test.sink("out").packets) EXPECT_EQ(seen.bytes, counting(100));
  for (Packet* packet : {whole, long_enough, split}) packet->kill();
}

TEST(PlainBatchTest, TheBatchMayChange) {
  for (const uint32_t batch : {1u, 64u, 256u}) {
    TestRouter test("in :: TestSource -> e :: EverySecond -> out :: TestSink");
    test.send("in", std::vector<Bytes>(256, counting(60)), batch);
    EXPECT_EQ(test.sink("out").packets.size(), batch == 1 ? 256u : 128u);
  }
  TestRouter test(
      "in :: TestSource -> Queue -> e :: EverySecond -> p :: TestPuller -> out :: TestSink");
  test.send("in", std::vector<Bytes>(100, counting(60)));
  EXPECT_EQ(test.router->find_as<TestPuller>("p")->pull_now(64), 32u);
  EXPECT_EQ(test.dropped("e", "second"), 32u);
}

}  // namespace
}  // namespace headroom::test
