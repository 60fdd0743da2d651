#include <numeric>

#include "../element_test.hh"
#include "capture_file.hh"

namespace headroom::test {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kSecond = 1'000'000'000;

std::vector<CapturedPacket> some_packets(std::size_t count = 5) {
  std::vector<CapturedPacket> packets;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<int64_t>(i);
    packets.push_back({(1'700'000'000 + number) * kSecond + 123'456'789 + number,
                       numbered(60 + i, static_cast<uint8_t>(i)), 0});
  }
  return packets;
}

class FromDumpTest : public ::testing::Test {
 protected:
  std::string file(const Bytes& bytes) { return write_file(directory_ / "in.pcap", bytes); }
  // Reads the file to its end, pushed and pulled, and compares what comes out.
  void expect_read(const Bytes& bytes, const std::vector<CapturedPacket>& expected,
                   int64_t time_unit = 1) {
    const std::string path = file(bytes);
    for (const std::string& config :
         {"d :: FromDump(" + path + ") -> out :: TestSink",
          "d :: FromDump(" + path + ", BURST 64) -> out :: TestSink",
          "d :: FromDump(" + path + ") -> Unqueue(BURST 3) -> out :: TestSink"}) {
      SCOPED_TRACE(config);
      TestRouter test(config);
      test.run(1000);
      const auto& seen = test.sink("out").packets;
      ASSERT_EQ(seen.size(), expected.size());
      EXPECT_EQ(test.read("d.count"), std::to_string(expected.size()));
      for (std::size_t i = 0; i < seen.size(); ++i) {
        EXPECT_EQ(to_hex(seen[i].bytes), to_hex(expected[i].bytes));
        EXPECT_EQ(seen[i].annotations.timestamp, expected[i].time / time_unit * time_unit);
        uint32_t extra = 0;
        std::memcpy(&extra, seen[i].annotations.user + anno::kExtraLength.offset, sizeof extra);
        EXPECT_EQ(extra, expected[i].wire_length() - expected[i].bytes.size());
      }
    }
  }

  TemporaryDirectory directory_;
};

TEST_F(FromDumpTest, PcapInNanosecondsAndMicrosecondsInBothByteOrders) {
  const auto packets = some_packets();
  for (const bool big_endian : {false, true}) {
    expect_read(pcap_file(packets, {.nanoseconds = true, .big_endian = big_endian}), packets);
    expect_read(pcap_file(packets, {.nanoseconds = false, .big_endian = big_endian}), packets,
                1'000);
  }
}

TEST_F(FromDumpTest, Pcapng) {
  const auto packets = some_packets();
  expect_read(pcapng_file(packets, 9), packets);
  expect_read(pcapng_file(packets, 6), packets, 1'000);
}

TEST_F(FromDumpTest, PacketsCapturedInPartHaveTheRestAsExtraLength) {
  auto packets = some_packets();
  packets[1].length = 1500;
  packets[3].length = 61;
  packets[3].bytes.resize(60);
  expect_read(pcap_file(packets), packets);
  expect_read(pcapng_file(packets), packets);
}

TEST_F(FromDumpTest, ALengthBelowWhatWasCapturedIsNoExtraLength) {
  auto packets = some_packets(1);
  packets[0].length = 10;
  TestRouter test("FromDump(" + file(pcap_file(packets)) + ") -> out :: TestSink");
  test.run();
  ASSERT_EQ(test.sink("out").packets.size(), 1u);
  const Annotations& annotations = test.sink("out").packets[0].annotations;
  EXPECT_EQ(to_hex(std::span(annotations.user + anno::kExtraLength.offset, 4)), "00000000");
}

TEST_F(FromDumpTest, TimesThatDoNotFitAreNone) {
  // pcapng with timestamps in whole seconds, of which 2^63 fit into the file.
  auto packets = some_packets(2);
  Bytes bytes = pcapng_file(packets, 0);
  std::memset(bytes.data() + 60 + 12, 0xff, 4);  // the upper half of the first packet's
  TestRouter test("FromDump(" + file(bytes) + ") -> out :: TestSink");
  test.run();
  ASSERT_EQ(test.sink("out").packets.size(), 2u);
  EXPECT_EQ(test.sink("out").packets[0].annotations.timestamp, 0);
  EXPECT_EQ(test.sink("out").packets[1].annotations.timestamp, 1'700'000'001 * kSecond);
}

TEST_F(FromDumpTest, EmptyAndLongPackets) {
  std::vector<CapturedPacket> packets;
  for (const std::size_t size : {0u, 1u, 2047u, 2048u, 2049u, 9000u, 70000u, 262144u})
    packets.push_back({kSecond, numbered(size, static_cast<uint8_t>(size)), 0});
  expect_read(pcap_file(packets), packets);
}

TEST_F(FromDumpTest, NothingButAHeader) {
  expect_read(pcap_file({}), {});
  expect_read(pcapng_file({}), {});
}

// Wherever the file ends, the whole packets before that come out, and a packet of which only a part
// is there is counted as one.
TEST_F(FromDumpTest, AFileThatEndsInAPacketIsBroken) {
  const auto packets = some_packets(3);
  for (const bool pcapng : {false, true}) {
    auto make = [pcapng](const std::vector<CapturedPacket>& some) {
      return pcapng ? pcapng_file(some) : pcap_file(some);
    };
    const Bytes whole = make(packets);
    const std::size_t ends[] = {make({}).size(), make({packets[0]}).size(),
                                make({packets[0], packets[1]}).size(), whole.size()};
    for (std::size_t size = ends[0]; size <= whole.size(); ++size) {
      SCOPED_TRACE((pcapng ? "pcapng of " : "pcap of ") + std::to_string(size));
      const std::string path = file(first_bytes(whole, size));
      const auto complete = static_cast<std::size_t>(std::count_if(
          std::begin(ends) + 1, std::end(ends), [size](std::size_t end) { return end <= size; }));
      ::testing::internal::CaptureStderr();
      TestRouter test("d :: FromDump(" + path + ", BURST 256) -> out :: TestSink");
      test.run();
      ASSERT_THAT(::testing::internal::GetCapturedStderr(),
                  ::testing::MatchesRegex(
                      size == ends[complete] ? "" : "d :: FromDump: .*: truncated .*\n"));
      ASSERT_EQ(test.sink("out").packets.size(), complete);
      ASSERT_EQ(test.read("d.count"), std::to_string(complete));
      ASSERT_EQ(test.dropped("d", "broken-file"), size == ends[complete] ? 0u : 1u);
    }
  }
}

TEST_F(FromDumpTest, BrokenFileInPullContext) {
  const Bytes whole = pcap_file(some_packets(3));
  ::testing::internal::CaptureStderr();
  TestRouter test("d :: FromDump(" + file(first_bytes(whole, whole.size() - 1)) +
                  ", STOP true) -> Unqueue -> out :: TestSink");
  test.run();  // ends because of STOP
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("in.pcap: truncated"));
  EXPECT_EQ(test.sink("out").packets.size(), 2u);
  EXPECT_EQ(test.dropped("d", "broken-file"), 1u);
}

TEST_F(FromDumpTest, FilesThatCannotBeRead) {
  EXPECT_THAT(start_errors("FromDump(" + (directory_ / "none.pcap") + ") -> Discard"),
              AllOf(HasSubstr("While initializing 'FromDump@1 :: FromDump':"),
                    HasSubstr("none.pcap: No such file or directory")));
  EXPECT_THAT(start_errors("FromDump(" + file({}) + ") -> Discard"), HasSubstr("is empty"));
  EXPECT_THAT(start_errors("FromDump(" + file(hex("d4c3b2a1020004")) + ") -> Discard"),
              HasSubstr("truncated"));
  EXPECT_THAT(start_errors("FromDump(" + file(Bytes(100, 'x')) + ") -> Discard"),
              HasSubstr("unknown file format"));
  EXPECT_THAT(start_errors("FromDump(/) -> Discard"), HasSubstr("Is a directory"));
}

TEST_F(FromDumpTest, Arguments) {
  EXPECT_THAT(errors_of("FromDump -> Discard"), HasSubstr("FILENAME"));
  EXPECT_THAT(errors_of("FromDump(x, BURST 0) -> Discard"), HasSubstr("BURST: out of range"));
  EXPECT_THAT(errors_of("FromDump(x, BURST 257) -> Discard"), HasSubstr("BURST: out of range"));
}

TEST_F(FromDumpTest, BurstIsTheSizeOfBatches) {
  const std::string path = file(pcap_file(some_packets(10)));
  TestRouter test("FromDump(" + path + ", BURST 4) -> out :: TestSink");
  test.run();
  EXPECT_THAT(test.sink("out").batches, ::testing::ElementsAre(4, 4, 2));
}

TEST_F(FromDumpTest, StopsTheRouterAfterTheLastPacketWasOffered) {
  const std::string path = file(pcap_file(some_packets(10)));
  for (const std::string& config :
       {"FromDump(" + path + ", STOP true) -> out :: TestSink; InfiniteSource -> Discard",
        "FromDump(" + path +
            ", STOP true) -> Unqueue -> out :: TestSink; InfiniteSource -> Discard"}) {
    TestRouter test(config);
    test.run();
    EXPECT_TRUE(test.scheduler->stopped());
    EXPECT_EQ(test.sink("out").packets.size(), 10u);
  }
  TestRouter test("FromDump(" + path + ") -> out :: TestSink; InfiniteSource -> Discard");
  test.run(1000);
  EXPECT_FALSE(test.scheduler->stopped());
}

TEST_F(FromDumpTest, IsSwitchedOnAndOff) {
  const std::string path = file(pcap_file(some_packets(10)));
  TestRouter test("d :: FromDump(" + path + ", ACTIVE false) -> out :: TestSink");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 0u);
  EXPECT_EQ(test.read("d.active"), "false");
  test.write("d.active", "true");
  for (int i = 0; i < 4; ++i) test.scheduler->run_round();
  test.write("d.active", "false");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 4u);
  std::string error;
  EXPECT_FALSE(test.router->write_handler("d.active", "perhaps", error));
  test.write("d.active", "true");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 10u);
}

TEST_F(FromDumpTest, WaitsForAFullQueue) {
  const std::string path = file(pcap_file(some_packets(100)));
  TestRouter test("FromDump(" + path +
                  ") -> q :: Queue(10) -> Unqueue(BURST 1) -> out :: TestSink");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 100u);
  EXPECT_EQ(test.dropped("q", "queue-full"), 0u);
}

TEST_F(FromDumpTest, AnEmptyPoolIsADrop) {
  const std::string path = file(pcap_file(some_packets(100)));
  TestRouter test("d :: FromDump(" + path + ", BURST 10) -> out :: TestSink", {.packets = 63});
  test.sink("out").keep = true;
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 63u);
  EXPECT_EQ(test.dropped("d", "no-buffer"), 37u);
}

// Packets a second apart, of which the first is at 1,700,000,000 s.
class FromDumpTimesTest : public FromDumpTest {
 protected:
  std::string seconds(const std::string& arguments, const std::string& middle = "") {
    std::vector<CapturedPacket> packets;
    for (int i = 0; i < 10; ++i)
      packets.push_back({(1'700'000'000 + i) * kSecond, numbered(60), 0});
    const std::string path = file(pcap_file(packets));
    TestRouter test("d :: FromDump(" + path + arguments + ") -> " + middle + " out :: TestSink");
    test.run(1000);
    std::string text;
    for (const auto& seen : test.sink("out").packets)
      text += std::to_string(seen.annotations.timestamp / kSecond % 100);
    return text;
  }
};

TEST_F(FromDumpTimesTest, PartsOfTheFile) {
  for (const char* middle : {"", "Unqueue(BURST 3) ->"}) {
    EXPECT_EQ(seconds(", START 1700000003", middle), "3456789");
    EXPECT_EQ(seconds(", START 1700000003.5", middle), "456789");
    EXPECT_EQ(seconds(", START_AFTER 3", middle), "3456789");
    EXPECT_EQ(seconds(", END 1700000003", middle), "012");
    EXPECT_EQ(seconds(", END 1700000003.000000001", middle), "0123");
    EXPECT_EQ(seconds(", END_AFTER 2s", middle), "01");
    EXPECT_EQ(seconds(", INTERVAL 2", middle), "01");
    EXPECT_EQ(seconds(", START 1700000003, INTERVAL 2", middle), "34");
    EXPECT_EQ(seconds(", START_AFTER 3, INTERVAL 2", middle), "34");
    EXPECT_EQ(seconds(", START_AFTER 3, END_AFTER 5", middle), "34");
    EXPECT_EQ(seconds(", START_AFTER 5, END_AFTER 5", middle), "");
    EXPECT_EQ(seconds(", START 1", middle), "0123456789");
    EXPECT_EQ(seconds(", START_AFTER 9000000000", middle), "");
    EXPECT_EQ(seconds(", END 1", middle), "");
  }
}

TEST_F(FromDumpTimesTest, TheIntervalIsExtended) {
  std::vector<CapturedPacket> packets;
  for (int i = 0; i < 10; ++i) packets.push_back({(1000 + i) * kSecond, numbered(60), 0});
  const std::string path = file(pcap_file(packets));
  for (const char* middle : {"", "Unqueue ->"}) {
    TestRouter test("d :: FromDump(" + path + ", END_AFTER 2, STOP true) -> " + middle +
                    " out :: TestSink; InfiniteSource -> Discard;"
                    "DriverManager(pause, print, pause, stop)");
    test.run(100);
    EXPECT_EQ(test.sink("out").packets.size(), 2u);
    EXPECT_FALSE(test.scheduler->stopped());
    test.write("d.extend_interval", "3");
    test.run(100);
    EXPECT_EQ(test.sink("out").packets.size(), 5u);
    EXPECT_TRUE(test.scheduler->stopped()) << "the second end is a stop event, too";
    std::string error;
    EXPECT_FALSE(test.router->write_handler("d.extend_interval", "soon", error));
  }
  TestRouter test("d :: FromDump(" + path + ") -> out :: TestSink");
  test.run();
  test.write("d.extend_interval", "3");
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 10u);
}

// The packets come when the file says, counted from the first, whatever the simulated clock says.
TEST_F(FromDumpTimesTest, TimingIsExactInSimulatedTime) {
  const int64_t offsets[] = {0, 1, 1'000, 1'000, 5'000'000, 5'000'000, 3'600 * kSecond};
  std::vector<CapturedPacket> packets;
  for (const int64_t offset : offsets)
    packets.push_back({1'700'000'000 * kSecond + offset, numbered(60), 0});
  const std::string path = file(pcap_file(packets));
  for (const char* middle : {"SetTimestamp ->", "Unqueue(BURST 10) -> SetTimestamp ->"})
    for (const char* burst : {"1", "256"}) {
      SCOPED_TRACE(middle);
      TestRouter test("FromDump(" + path + ", TIMING true, BURST " + burst + ") -> " + middle +
                      " out :: TestSink");
      test.pass(7'200 * kSecond);
      const auto& seen = test.sink("out").packets;
      ASSERT_EQ(seen.size(), std::size(offsets));
      for (std::size_t i = 0; i < seen.size(); ++i) {
        const int64_t late =
            seen[i].annotations.timestamp - seen[0].annotations.timestamp - offsets[i];
        // Every look at the clock takes it a nanosecond further.
        EXPECT_GE(late, -100) << i;
        EXPECT_LE(late, 100) << i;
      }
    }
}

TEST_F(FromDumpTest, ForceIp) {
  const Bytes ip = Ip4Frame{}.build_ip();
  const Bytes macs = numbered(12);
  std::vector<CapturedPacket> packets;
  const auto add = [&](std::string_view head, const Bytes& rest) {
    packets.push_back({kSecond, concat({macs, hex(head), rest}), 0});
  };
  add("0800", ip);
  add("8100000a0800", ip);
  add("88a8000a8100000a0800", ip);
  const std::size_t good = packets.size();
  add("86dd", ip);
  add("0806", ip);
  add("0800", first_bytes(ip, 19));
  add("0800", concat({hex("4f"), first_bytes(without_first(ip, 1), 30)}));
  add("0800", concat({hex("65"), without_first(ip, 1)}));
  add("81000000", {});
  packets.push_back({kSecond, first_bytes(macs, 5), 0});
  packets.push_back({kSecond, {}, 0});
  const std::size_t bad = packets.size() - good;
  const std::string path = file(pcap_file(packets));
  for (const bool pulls : {false, true}) {
    const std::string middle = pulls ? " -> Unqueue(BURST 3)" : "";
    {
      TestRouter test("d :: FromDump(" + path + ", FORCE_IP true)" + middle +
                      " -> out :: TestSink");
      test.run(1000);
      const auto& seen = test.sink("out").packets;
      ASSERT_EQ(seen.size(), good);
      for (std::size_t i = 0; i < good; ++i) {
        EXPECT_EQ(to_hex(seen[i].bytes), to_hex(packets[i].bytes));
        EXPECT_EQ(seen[i].network_offset, static_cast<int32_t>(14 + 4 * i));
        EXPECT_EQ(to_hex(std::span(seen[i].annotations.user, 4)), "0a000002");
      }
      EXPECT_EQ(test.dropped("d", "not-ip"), bad);
    }
    TestRouter test("d :: FromDump(" + path + ", FORCE_IP true)" + middle +
                    " -> out :: TestSink; d[1] -> rest :: TestSink");
    test.run(1000);
    EXPECT_EQ(test.sink("out").packets.size(), good);
    EXPECT_EQ(test.sink("rest").packets.size(), bad);
    EXPECT_EQ(test.dropped("d", "not-ip"), 0u);
  }
}

TEST_F(FromDumpTest, Sample) {
  const std::string path = file(pcap_file(some_packets(4000)));
  for (const auto& [part, least, most] :
       {std::tuple{"0", 0u, 0u}, {"0.5", 1800u, 2200u}, {"1", 4000u, 4000u}}) {
    TestRouter test("d :: FromDump(" + path + ", SAMPLE " + part + ") -> out :: TestSink");
    test.run();
    EXPECT_GE(test.sink("out").packets.size(), least);
    EXPECT_LE(test.sink("out").packets.size(), most);
    EXPECT_EQ(test.read("d.sampling_prob"), part);
  }
}

TEST_F(FromDumpTest, Handlers) {
  const Bytes bytes = pcap_file(some_packets(3));
  const std::string path = file(bytes);
  TestRouter test("d :: FromDump(" + path + ") -> out :: TestSink");
  EXPECT_EQ(test.read("d.encap"), "ETHER");
  EXPECT_EQ(test.read("d.filename"), path);
  EXPECT_EQ(test.read("d.filesize"), std::to_string(bytes.size()));
  EXPECT_EQ(test.read("d.filepos"), "24");
  test.run();
  EXPECT_EQ(test.read("d.filepos"), std::to_string(bytes.size()));
  EXPECT_EQ(test.read("d.packets"), "3");
}

TEST_F(FromDumpTest, MoreArguments) {
  EXPECT_THAT(errors_of("FromDump(x, START 1, START_AFTER 1) -> Discard"), HasSubstr("not both"));
  EXPECT_THAT(errors_of("FromDump(x, END 1, INTERVAL 1) -> Discard"), HasSubstr("one of END"));
  EXPECT_THAT(errors_of("FromDump(x, SAMPLE 1.5) -> Discard"), HasSubstr("SAMPLE: out of range"));
  EXPECT_THAT(errors_of("d :: FromDump(x) -> Discard; d[1] -> Discard"), HasSubstr("FORCE_IP"));
}

// In whatever way packets are taken, the handler is called once, after the last one; and it may do
// to the element what it likes.
TEST_F(FromDumpTest, EndCall) {
  const std::string path = file(pcap_file(some_packets(3)));
  for (const std::string middle : {"", "Unqueue ->"}) {
    TestRouter test("f :: FromDump(" + path + ", END_CALL q.run a b, STOP true) -> " + middle +
                    " c :: Counter -> out :: TestSink; InfiniteSource -> Discard;"
                    "q :: Script(TYPE PASSIVE, export seen -, set seen \"$seen $(c.count):$args\","
                    "write f.active false)");
    test.run(1000);
    EXPECT_TRUE(test.scheduler->stopped());
    EXPECT_EQ(test.read("q.seen"), "\"- 3:a b\"");
    EXPECT_EQ(test.read("f.active"), "false");
  }
  EXPECT_THAT(start_errors("FromDump(" + path + ", END_CALL x.run) -> Discard"),
              HasSubstr("END_CALL: no element named 'x'"));
  EXPECT_THAT(start_errors("f :: FromDump(" + path + ", END_CALL f.count) -> Discard"),
              HasSubstr("END_CALL: no 'f.count' write handler"));
}

TEST_F(FromDumpTest, EndCallInACompoundAndRefused) {
  const std::string path = file(pcap_file(some_packets(3)));
  TestRouter test(
      "c :: { f :: FromDump(" + path +
      ", END_CALL s.run) -> Discard;"
      "s :: Script(TYPE PASSIVE, print \"done\") }; s :: Script(TYPE PASSIVE, print \"wrong\")");
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  test.run(1000);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "done\n");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  ::testing::internal::CaptureStderr();
  TestRouter refused("f :: FromDump(" + path + ", END_CALL f.active perhaps) -> Discard;");
  refused.run(1000);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("f :: FromDump: END_CALL: "));
}

TEST_F(FromDumpTest, FilePosition) {
  const auto packets = some_packets(3);
  for (const bool pcapng : {false, true}) {
    auto make = [pcapng](const std::vector<CapturedPacket>& some) {
      return pcapng ? pcapng_file(some) : pcap_file(some);
    };
    const std::string path = file(make(packets));
    for (std::size_t from = 0; from <= packets.size(); ++from) {
      const std::size_t at =
          make({packets.begin(), packets.begin() + static_cast<int>(from)}).size();
      TestRouter test("FromDump(" + path + ", FILEPOS " + std::to_string(at) +
                      ") -> out :: TestSink");
      test.run();
      EXPECT_EQ(test.sink("out").packets.size(), packets.size() - from);
      EXPECT_THAT(
          start_errors("FromDump(" + path + ", FILEPOS " + std::to_string(at + 1) + ") -> Discard"),
          HasSubstr("FILEPOS: no packet begins at this place"));
    }
  }
}

}  // namespace
}  // namespace headroom::test
