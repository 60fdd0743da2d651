// Chains of elements that are fused do what they do one after the other, to every packet, in order.
#include <fstream>
#include <random>

#include "../element_test.hh"
#include "headroom/graph/ledger.hh"

namespace headroom::test {
namespace {

// What a router did: what arrived where, with its annotations, and the whole ledger.
struct Outcome {
  std::map<std::string, std::vector<std::string>> arrived;
  std::string ledger;
};

std::string ledger_text(const Ledger& ledger) {
  std::string text;
  for (const LedgerEntry& entry : ledger.entries)
    text += entry.element + " in " + std::to_string(entry.in) + " out " +
            std::to_string(entry.out) + " dropped " + std::to_string(entry.dropped) + " absorbed " +
            std::to_string(entry.absorbed) + "\n";
  for (const LedgerDrop& drop : ledger.drops)
    text += drop.element + " " + drop.reason + " " + std::to_string(drop.packets) + "\n";
  return text;
}

using Prepare = std::function<void(Packet&, std::mt19937&)>;

Outcome outcome(const std::string& config, bool fused, const std::vector<Bytes>& packets,
                uint32_t batch_size, const Prepare& prepare) {
  TestRouter test(config);
  if (fused) test.router->fuse();
  std::mt19937 random(5);
  // What is sent again and again, so that the pool suffices.
  for (std::size_t start = 0; start < packets.size(); start += 500) {
    std::vector<Packet*> made;
    for (std::size_t i = start; i < std::min(start + 500, packets.size()); ++i) {
      // Some in two pieces.
      const uint32_t cut = random() % 8 == 0 ? static_cast<uint32_t>(random() % 60) : 0;
      made.push_back(make_split(*test.pool, packets[i], cut));
      prepare(*made.back(), random);
    }
    test.send_packets("in", made, batch_size);
  }
  test.run();
  Outcome outcome;
  for (const auto& element : test.router->elements()) {
    const auto* sink = dynamic_cast<const TestSink*>(element.get());
    if (sink == nullptr) continue;
    for (const auto& seen : sink->packets)
      outcome.arrived[sink->name()].push_back(
          to_hex(seen.bytes) + " " +
          to_hex({reinterpret_cast<const uint8_t*>(&seen.annotations), anno::kUserBytes}) + " " +
          std::to_string(seen.network_offset));
  }
  outcome.ledger = ledger_text(test.router->ledger());
  return outcome;
}

void expect_the_same(
    const std::string& config, const std::vector<Bytes>& packets,
    const Prepare& prepare = [](Packet&, std::mt19937&) {}) {
  for (const uint32_t batch_size : {1U, 7U, 64U, 256U}) {
    const Outcome plain = outcome(config, false, packets, batch_size, prepare);
    const Outcome fused = outcome(config, true, packets, batch_size, prepare);
    EXPECT_EQ(fused.ledger, plain.ledger) << batch_size;
    // Packets that go to different outputs may change places with each other, but not those that
    // arrive at the same one.
    EXPECT_EQ(fused.arrived, plain.arrived) << batch_size;
  }
}

// Good packets, and one of many mistakes in each of the others.
std::vector<Bytes> frames(std::size_t count, unsigned bad_in_hundred) {
  std::mt19937 random(7);
  std::vector<Bytes> all;
  for (std::size_t i = 0; i < count; ++i) {
    Ip4Frame frame;
    frame.destination = "10." + std::to_string(random() % 6) + "." +
                        std::to_string(random() % 256) + "." + std::to_string(random() % 256);
    frame.source_port = static_cast<uint16_t>(i);
    frame.payload = 18 + random() % 40;
    Bytes bytes = frame.build();
    if (random() % 100 < bad_in_hundred) switch (random() % 9) {
        case 0:
          bytes[random() % bytes.size()] ^= static_cast<uint8_t>(1U << random() % 8);
          break;
        case 1:
          bytes.resize(random() % bytes.size());
          break;
        case 2:
          bytes[22] = static_cast<uint8_t>(random() % 3);  // TTL
          fix_ip_checksum(bytes, 14);
          break;
        case 3:
          bytes[0] = 0xff;
          break;
        case 4:
          bytes.resize(bytes.size() + random() % 20);  // padding
          break;
        case 5:
          bytes[14] = static_cast<uint8_t>(random());
          fix_ip_checksum(bytes, 14);
          break;
        case 6:
          bytes[16 + random() % 2] = static_cast<uint8_t>(random());  // total length
          fix_ip_checksum(bytes, 14);
          break;
        case 7: {  // an option
          const Bytes option{0x94, 4, 0, 0};
          bytes.insert(bytes.begin() + 34, option.begin(), option.end());
          bytes[14] = 0x46;
          bytes[17] = static_cast<uint8_t>(bytes[17] + 4);
          fix_ip_checksum(bytes, 14);
          break;
        }
        default:
          bytes[30] = 224;
          fix_ip_checksum(bytes, 14);
      }
    all.push_back(std::move(bytes));
  }
  return all;
}

class Fusion : public testing::Test {
 protected:
  static std::string frames_config(const std::string& first) {
    const std::string path = testing::TempDir() + "fusion_routes";
    std::ofstream(path) << "10.0.0.0/16 2:0:0:0:0:1 0\n10.1.0.0/16 - 1\n10.2.0.0/17 2:0:0:0:0:2 2\n"
                           "10.3.0.128/25 - 3\n10.4.0.0/16 2:0:0:0:0:4 4\n";
    return "in :: TestSource -> " + first + " c :: CheckIPHeader(14) -> IPlookup(" + path +
           ") -> d :: DecIPTTL(OFFSET 14) -> out :: TestSink;"
           "c[1] -> bad :: TestSink; d[1] -> expired :: TestSink;";
  }
};

TEST_F(Fusion, Frames) {
  for (const unsigned bad : {0U, 1U, 20U, 100U}) {
    expect_the_same(frames_config("DropBroadcasts(ETHER true) ->"), frames(2'000, bad));
    expect_the_same(frames_config(""), frames(2'000, bad));
  }
}

TEST_F(Fusion, FramesWithOtherArguments) {
  const std::string config = frames_config("DropBroadcasts ->");
  const Prepare mark = [](Packet& packet, std::mt19937& random) {
    packet.set_packet_type_anno(static_cast<PacketType>(random() % 7));
  };
  expect_the_same(config, frames(1'000, 10), mark);
  std::string other = config;
  other.replace(other.find("CheckIPHeader(14)"), 17,
                "CheckIPHeader(14, CHECKSUM false, BADSRC 10.0.0.1)");
  other.replace(other.find("OFFSET 14"), 9, "MULTICAST false");
  expect_the_same(other, frames(1'000, 30), mark);
}

TEST_F(Fusion, Output) {
  const std::string config =
      "in :: TestSource -> Strip(14) -> MarkIPHeader -> DropBroadcasts -> p :: PaintTee(3)"
      " -> g :: IPGWOptions(10.9.9.9) -> FixIPSrc(10.9.9.9) -> d :: DecIPTTL"
      " -> f :: IPFragmenter(68) -> out :: TestSink;"
      "p[1] -> copies :: TestSink; g[1] -> options :: TestSink; d[1] -> expired :: TestSink;"
      "f[1] -> long :: TestSink;";
  const Prepare mark = [](Packet& packet, std::mt19937& random) {
    packet.set_paint_anno(random() % 20 == 0 ? 3 : 1);
    packet.set_packet_type_anno(static_cast<PacketType>(random() % 20 == 0 ? random() % 3 : 0));
    packet.set_anno_u8(anno::kFixIpSrc.offset, random() % 20 == 0 ? 1 : 0);
  };
  for (const unsigned bad : {0U, 20U, 100U}) expect_the_same(config, frames(2'000, bad), mark);
}

// Packets that others see are nobody's to change, and go the slow way.
TEST_F(Fusion, Copies) {
  std::string config = frames_config("t :: Tee -> DropBroadcasts(ETHER true) ->");
  config += "t[1] -> copies :: TestSink;";
  TestRouter test(config);
  test.router->fuse();
  test.sink("copies").keep = true;
  test.send("in", frames(300, 0));
  ASSERT_EQ(test.sink("copies").kept.size(), 300U);
  const std::vector<Bytes> before = frames(300, 0);
  for (std::size_t i = 0; i < 300; ++i)
    EXPECT_EQ(to_hex(bytes_of(*test.sink("copies").kept[i])), to_hex(before[i]));
}

// Otherwise the tests above compare something with itself.
TEST_F(Fusion, IsThere) {
  TestRouter test(frames_config("DropBroadcasts(ETHER true) ->"));
  EXPECT_EQ(test.router->fused(), 0U);
  test.router->fuse();
  EXPECT_EQ(test.router->fused(), 2U);  // with DropBroadcasts, and from CheckIPHeader on
}

}  // namespace
}  // namespace headroom::test
