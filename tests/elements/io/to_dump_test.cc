#include <sys/resource.h>

#include <csignal>

#include "../element_test.hh"
#include "capture_file.hh"

namespace headroom::test {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kSecond = 1'000'000'000;

class ToDumpTest : public ::testing::Test {
 protected:
  std::string dump(std::string_view more = "") {
    return "d :: ToDump(" + path_ + std::string(more) + ")";
  }
  ReadCapture written() { return read_capture(path_); }
  Packet* make(Pool& pool, const Bytes& bytes, int64_t time) {
    Packet* packet = Packet::make(pool, bytes);
    packet->set_timestamp_anno(time);
    return packet;
  }

  TemporaryDirectory directory_;
  std::string path_ = directory_ / "out.pcap";
};

// Files are complete when the router has ended.
TEST_F(ToDumpTest, WritesWhatComesInAllItsPlaces) {
  const std::vector<Bytes> packets{numbered(60), numbered(1), numbered(0), numbered(1514, 7)};
  struct Place {
    std::string config;
    bool passes;
  };
  for (const Place& place :
       {Place{"in :: TestSource -> " + dump(), false},
        Place{"in :: TestSource -> " + dump() + " -> out :: TestSink", true},
        Place{"in :: TestSource -> Queue -> " + dump(), false},
        Place{"in :: TestSource -> Queue -> " + dump() + " -> Unqueue(BURST 2) -> out :: TestSink",
              true}})
    for (const uint32_t batch_size : {1u, 64u}) {
      SCOPED_TRACE(place.config);
      {
        TestRouter test(place.config);
        test.send("in", packets, batch_size);
        test.run(1000);
        EXPECT_EQ(test.read("d.count"), "4");
        EXPECT_EQ(test.read("d.failed"), "0");
        if (place.passes) {
          EXPECT_EQ(bytes_at(test, "out"), packets);
        }
        EXPECT_EQ(test.router->find("d")->packets_absorbed(), place.passes ? 0u : 4u);
      }
      const ReadCapture capture = written();
      EXPECT_TRUE(capture.nanoseconds);
      EXPECT_EQ(capture.link_type, 1u);
      EXPECT_EQ(bytes_in(capture), packets);
      for (const auto& packet : capture.packets) EXPECT_EQ(packet.length, packet.bytes.size());
    }
}

TEST_F(ToDumpTest, TimesAreThePacketsOrTheClocks) {
  const int64_t time = 1'700'000'000 * kSecond + 999'999'999;
  {
    TestRouter test("in :: TestSource -> " + dump());
    test.send_packets(
        "in", {make(*test.pool, numbered(60), time), make(*test.pool, numbered(60), time + 1),
               make(*test.pool, numbered(60), 0), make(*test.pool, numbered(60), 1)});
  }
  const ReadCapture capture = written();
  ASSERT_EQ(capture.packets.size(), 4u);
  EXPECT_EQ(capture.packets[0].time, time);
  EXPECT_EQ(capture.packets[1].time, time + 1);
  EXPECT_EQ(capture.packets[2].time / kSecond, SimulatedClock::kStart / kSecond);
  EXPECT_EQ(capture.packets[3].time, 1);
}

TEST_F(ToDumpTest, ChainedPacketsAreWrittenWhole) {
  const Bytes bytes = numbered(200);
  std::size_t sent = 0;
  {
    TestRouter test("in :: TestSource -> " + dump());
    auto packets = cut_everywhere(*test.pool, bytes);
    packets.push_back(make_shredded(*test.pool, bytes, 50));
    sent = packets.size();
    test.send_packets("in", std::move(packets));
  }
  const ReadCapture capture = written();
  ASSERT_EQ(capture.packets.size(), sent);
  for (const auto& packet : capture.packets) ASSERT_EQ(to_hex(packet.bytes), to_hex(bytes));
}

TEST_F(ToDumpTest, SnaplenCutsAndTheLengthTells) {
  const Bytes bytes = numbered(100);
  {
    TestRouter test("in :: TestSource -> " + dump(", SNAPLEN 40") + " -> out :: TestSink");
    auto packets = cut_everywhere(*test.pool, bytes);
    packets.push_back(Packet::make(*test.pool, numbered(39)));
    test.send_packets("in", std::move(packets));
    EXPECT_EQ(bytes_at(test, "out").front(), bytes) << "packets pass uncut";
  }
  const ReadCapture capture = written();
  EXPECT_EQ(capture.snaplen, 40u);
  ASSERT_EQ(capture.packets.size(), 101u);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(to_hex(capture.packets[i].bytes), to_hex(numbered(40)));
    EXPECT_EQ(capture.packets[i].length, 100u);
  }
  EXPECT_EQ(capture.packets[100].bytes, numbered(39));
}

TEST_F(ToDumpTest, ExtraLengthIsPartOfTheLength) {
  {
    TestRouter test("in :: TestSource -> " + dump());
    Packet* packet = Packet::make(*test.pool, numbered(60));
    packet->set_anno_u32(anno::kExtraLength.offset, 1440);
    test.send_packets("in", {packet});
  }
  ASSERT_EQ(written().packets.size(), 1u);
  EXPECT_EQ(written().packets[0].length, 1500u);
}

TEST_F(ToDumpTest, Limit) {
  for (const auto& [limit, expected] : {std::pair{3, 3u}, {0, 0u}, {-1, 10u}, {100, 10u}})
    for (const uint32_t batch_size : {1u, 4u, 64u}) {
      {
        TestRouter test("in :: TestSource -> " + dump(", LIMIT " + std::to_string(limit)) +
                        " -> out :: TestSink");
        test.send("in", std::vector<Bytes>(10, numbered(60)), batch_size);
        EXPECT_EQ(test.sink("out").packets.size(), 10u);
        EXPECT_EQ(test.read("d.count"), std::to_string(expected));
      }
      EXPECT_EQ(written().packets.size(), expected);
    }
}

TEST_F(ToDumpTest, ExtraLengthIsLeftOut) {
  {
    TestRouter test("in :: TestSource -> " + dump(", EXTRA_LENGTH false"));
    Packet* packet = Packet::make(*test.pool, numbered(60));
    packet->set_anno_u32(anno::kExtraLength.offset, 1440);
    test.send_packets("in", {packet});
  }
  ASSERT_EQ(written().packets.size(), 1u);
  EXPECT_EQ(written().packets[0].length, 60u);
}

TEST_F(ToDumpTest, EncapIsTheLinkType) {
  for (const auto& [encap, type] : {std::pair{"ETHER", 1u},
                                    {"IP", 101u},
                                    {"LINUX_SLL", 113u},
                                    {"802_11", 105u},
                                    {"NULL", 0u},
                                    {"276", 276u}}) {
    { TestRouter test("in :: TestSource -> " + dump(std::string(", ENCAP ") + encap)); }
    EXPECT_EQ(written().link_type, type) << encap;
  }
  EXPECT_THAT(errors_of("Idle -> ToDump(x, ENCAP TOKEN)"),
              HasSubstr("ENCAP: 'TOKEN' is no link type"));
}

TEST_F(ToDumpTest, EncapFromOthers) {
  const auto capture = [&](const char* name, uint8_t type) {
    Bytes bytes = pcap_file({});
    bytes[20] = type;
    return write_file(directory_ / name, bytes);
  };
  const std::string raw = capture("raw.pcap", 101);
  const std::string ether = capture("ether.pcap", 1);
  const std::string sources = "i :: FromIPSummaryDump(DATA x) -> Discard; r :: FromDump(" + raw +
                              ") -> Discard; e :: FromDump(" + ether + ") -> Discard;";
  // The file that is asked about may be opened later.
  for (const bool first : {true, false}) {
    const std::string to = "in :: TestSource -> " + dump(", USE_ENCAP_FROM r i") + ";";
    { TestRouter test(first ? to + sources : sources + to); }
    EXPECT_EQ(written().link_type, 101u);
  }
  {
    TestRouter test("c :: { in :: TestSource -> " + dump(", USE_ENCAP_FROM r") +
                    "; r :: FromDump(" + raw + ") -> Discard; }; r :: FromDump(" + ether +
                    ") -> Discard");
  }
  EXPECT_EQ(written().link_type, 101u) << "of those with the same name the nearest";

  const auto errors = [&](const std::string& from) {
    return start_errors(sources + "Idle -> " + dump(", USE_ENCAP_FROM " + from));
  };
  EXPECT_THAT(errors("i r e"), HasSubstr("USE_ENCAP_FROM: 'i' has encap IP, but 'e' has ETHER"));
  EXPECT_THAT(errors("nobody"), HasSubstr("USE_ENCAP_FROM: no element named 'nobody'"));
  EXPECT_THAT(errors("Discard@2"), HasSubstr("USE_ENCAP_FROM: no 'Discard@2.encap' read handler"));
  EXPECT_THAT(errors_of("Idle -> ToDump(x, ENCAP IP, USE_ENCAP_FROM r)"), HasSubstr("not both"));
}

TEST_F(ToDumpTest, Handlers) {
  {
    TestRouter test("in :: TestSource -> " + dump(", LIMIT 2"));
    EXPECT_EQ(test.read("d.filename"), path_);
    test.send("in", {numbered(60), numbered(61), numbered(62)});
    EXPECT_EQ(test.read("d.count"), "2");
    test.write("d.reset_counts", "");
    EXPECT_EQ(test.read("d.count"), "0");
    test.send("in", {numbered(63), numbered(64), numbered(65)});
    EXPECT_EQ(test.read("d.count"), "2");
  }
  EXPECT_EQ(bytes_in(written()),
            (std::vector<Bytes>{numbered(60), numbered(61), numbered(63), numbered(64)}));
}

TEST_F(ToDumpTest, UnbufferedIsInTheFileAtOnce) {
  TestRouter test("in :: TestSource -> " + dump(", UNBUFFERED true"));
  test.send("in", {numbered(60)});
  EXPECT_EQ(written().packets.size(), 1u);
  test.send("in", {numbered(60), numbered(61)});
  EXPECT_EQ(written().packets.size(), 3u);
}

TEST_F(ToDumpTest, PacketsLongerThanItsBuffer) {
  const std::vector<Bytes> packets{numbered(60),     numbered(150'000), numbered(65'520),
                                   numbered(65'536), numbered(300'000), numbered(1)};
  {
    TestRouter test("in :: TestSource -> " + dump());
    test.send("in", packets);
  }
  const ReadCapture capture = written();
  ASSERT_EQ(capture.packets.size(), packets.size());
  for (std::size_t i = 0; i < packets.size(); ++i) {
    EXPECT_EQ(capture.packets[i].bytes, first_bytes(packets[i], 262'144));
    EXPECT_EQ(capture.packets[i].length, packets[i].size());
  }
}

TEST_F(ToDumpTest, PathsThatCannotBeWritten) {
  EXPECT_THAT(start_errors("Idle -> ToDump(" + (directory_ / "none/out.pcap") + ")"),
              AllOf(HasSubstr("While initializing 'ToDump@2 :: ToDump':"),
                    HasSubstr("none/out.pcap: No such file or directory")));
  EXPECT_THAT(start_errors("Idle -> ToDump(/)"), HasSubstr("/: Is a directory"));
}

// Everything passes; what could not be written is counted, however it was buffered.
TEST_F(ToDumpTest, AFullDisk) {
  for (const bool unbuffered : {true, false}) {
    ::testing::internal::CaptureStderr();
    {
      TestRouter test(std::string("in :: TestSource -> d :: ToDump(/dev/full, UNBUFFERED ") +
                      (unbuffered ? "true" : "false") + ") -> out :: TestSink");
      test.send("in", std::vector<Bytes>(1000, numbered(1000)), 64);
      EXPECT_EQ(test.sink("out").packets.size(), 1000u);
      const uint64_t failed = std::stoull(test.read("d.failed"));
      const uint64_t count = std::stoull(test.read("d.count"));
      EXPECT_EQ(failed + count, 1000u);
      // What is still in the buffer has not failed yet.
      EXPECT_LE(count, unbuffered ? 0u : 64u);
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "d :: ToDump: not everything could be written to /dev/full: No space left on "
              "device\n");
  }
}

// A disk that becomes full: what was written before is whole, and counted apart from the rest.
TEST_F(ToDumpTest, ADiskThatBecomesFull) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit limit = before;
  limit.rlim_cur = 24 + 10 * (16 + 1000);
  setrlimit(RLIMIT_FSIZE, &limit);
  ::testing::internal::CaptureStderr();
  {
    TestRouter test("in :: TestSource -> " + dump(", UNBUFFERED true"));
    test.send("in", std::vector<Bytes>(25, numbered(1000)), 1);
    EXPECT_EQ(test.read("d.count"), "10");
    EXPECT_EQ(test.read("d.failed"), "15");
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("File too large"));
  EXPECT_EQ(written().packets.size(), 10u);
}

}  // namespace
}  // namespace headroom::test
