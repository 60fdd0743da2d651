#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "../element_test.hh"
#include "capture_file.hh"

namespace headroom::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int64_t kSecond = 1'000'000'000;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}
void write_text(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}
// In a configuration.
std::string quoted_data(std::string_view text) { return click::quote(text); }

class IPSummaryDumpTest : public ::testing::Test {
 protected:
  std::string in(std::string_view text) {
    write_text(directory_ / "in", text);
    return directory_ / "in";
  }
  // What comes out of FromIPSummaryDump -> `between` -> ToIPSummaryDump, without the header.
  std::string through(std::string_view text, std::string_view from, std::string_view fields,
                      std::string_view between = "", std::string_view to = "") {
    const std::string path = directory_ / "out";
    {
      TestRouter test("FromIPSummaryDump(" + in(text) + std::string(from) + ") -> " +
                      std::string(between) + " ToIPSummaryDump(" + path + ", FIELDS " +
                      std::string(fields) + ", HEADER false" + std::string(to) + ")");
      test.run();
    }
    return text_of(path);
  }

  TemporaryDirectory directory_;
};

TEST_F(IPSummaryDumpTest, GoldenText) {
  const std::string dump =
      "!IPSummaryDump 1.3\n"
      "!data timestamp ip_src sport ip_dst dport ip_proto tcp_flags tcp_seq payload direction\n"
      "996033261.451094 18.26.4.44 30 10.0.0.4 40 T SA 93167339 \"a\\n\\\"\\000\" >\n"
      "996033262.000000 18.26.4.44 53 10.0.0.4 41 U - - \"\" <\n"
      "0.000000 0.0.0.0 - 0.0.0.0 - I - - \"\\000\\000\\000\\000\\000\\000\\000\\000\" 7\n"
      "0.000000 0.0.0.0 - 0.0.0.0 - 99 - - \"\" >\n";
  const std::string path = directory_ / "out";
  {
    TestRouter test("FromIPSummaryDump(" + in(dump) + ") -> ToIPSummaryDump(" + path +
                    ", CONTENTS timestamp src sport dst dport proto tcp_flags \"tcp seq\" payload "
                    "direction)");
    test.run();
  }
  EXPECT_EQ(text_of(path), dump);
}

TEST_F(IPSummaryDumpTest, PacketsAreReadyToUse) {
  TestRouter test(
      "FromIPSummaryDump(DATA " +
      quoted_data("!data timestamp src dst ip_opt paint aggregate count first_timestamp ip_len\n"
                  "5.25 1.2.3.4 5.6.7.8 nop 3 9 4 5 100\n") +
      ") -> out :: TestSink");
  test.run();
  ASSERT_EQ(test.sink("out").packets.size(), 1u);
  const auto& seen = test.sink("out").packets[0];
  EXPECT_EQ(to_hex(seen.bytes),
            "460000640000000064060000010203040506070801000000"
            "0000000000000000000000005000000000000000");
  EXPECT_EQ(seen.network_offset, 0);
  EXPECT_EQ(seen.annotations.timestamp, 5 * kSecond + kSecond / 4);
  const auto anno = [&](AnnotationPlace place) {
    return to_hex(std::span(seen.annotations.user + place.offset, place.size));
  };
  EXPECT_EQ(anno(anno::kDstIp), "05060708");
  EXPECT_EQ(anno(anno::kPaint), "03");
  EXPECT_EQ(anno(anno::kAggregate), "09000000");
  EXPECT_EQ(anno(anno::kExtraPackets), "0300");
  EXPECT_EQ(anno(anno::kExtraLength), "38000000");
}

// Whatever the context and the size of batches.
TEST_F(IPSummaryDumpTest, PushesAndPulls) {
  const std::string from =
      "f :: FromIPSummaryDump(" + in("!data sport\n1\n2\n# no\n\nbad\n3\n4\n5\n");
  for (const std::string burst : {"1", "2", "256"})
    for (const std::string middle : {"", "Queue -> Unqueue ->", "Unqueue(BURST 3) ->"}) {
      SCOPED_TRACE(burst + middle);
      const std::string path = directory_ / "out";
      ::testing::internal::CaptureStderr();
      {
        TestRouter test(from + ", BURST " + burst + ") -> " + middle + " d :: ToIPSummaryDump(" +
                        path + ", FIELDS sport, HEADER false) -> out :: TestSink");
        test.run();
        EXPECT_EQ(test.sink("out").packets.size(), 5u);
        EXPECT_EQ(test.read("f.count"), "5");
        EXPECT_EQ(test.read("d.count"), "5");
        EXPECT_EQ(test.dropped("f", "bad-line"), 1u);
      }
      EXPECT_EQ(::testing::internal::GetCapturedStderr(),
                directory_ / "in" + std::string(":6:1: sport: expected a number\n"));
      EXPECT_EQ(text_of(path), "1\n2\n3\n4\n5\n");
    }
  const std::string path = directory_ / "out";
  {
    TestRouter test("FromIPSummaryDump(" + in("!data sport\n1\n2\n") + ") -> ToIPSummaryDump(" +
                    path + ", FIELDS sport, HEADER false)");
    test.run();
  }
  EXPECT_EQ(text_of(path), "1\n2\n");
}

TEST_F(IPSummaryDumpTest, FieldsByArgument) {
  for (const char* name : {"FIELDS", "CONTENTS", "DEFAULT_CONTENTS"})
    EXPECT_EQ(through("1.2.3.4 7\n", ", " + std::string(name) + " src sport", "sport src"),
              "7 1.2.3.4\n");
  EXPECT_EQ(through("7\n!data dport\n8\n", ", FIELDS sport", "sport dport"), "7 0\n0 8\n");
}

TEST_F(IPSummaryDumpTest, FlowAndProtocolByArgument) {
  EXPECT_EQ(through("!data tcp_flags\nS\n", ", FLOWID 1.2.3.4 5 6.7.8.9 10",
                    "src sport dst dport proto tcp_flags"),
            "1.2.3.4 5 6.7.8.9 10 T S\n");
  EXPECT_EQ(through("!data ip_id\n5\n", ", FLOWID 1.2.3.4 5 6.7.8.9 10 U", "sport proto"), "5 U\n");
  EXPECT_EQ(through("!data ip_id\n5\n", ", DEFAULT_PROTO 17", "proto ip_len"), "U 28\n");
  EXPECT_EQ(through("!data ip_id\n5\n", ", PROTO I", "proto ip_len"), "I 28\n");
}

TEST_F(IPSummaryDumpTest, ChecksumsAndLengths) {
  const std::string dump =
      "!data src dst proto ip_len payload icmp_type\n"
      "1.2.3.4 5.6.7.8 T 100 \"abc\" -\n1.2.3.4 5.6.7.8 U 101 \"abc\" -\n1.2.3.4 5.6.7.8 I 102 - "
      "8\n";
  for (const char* zero : {"true", "false"}) {
    TestRouter test("FromIPSummaryDump(" + in(dump) + ", CHECKSUM true, ZERO " + zero +
                    ") -> c :: CheckIPHeader -> k :: IPClassifier(tcp, udp, icmp);"
                    "k[0] -> t :: CheckTCPHeader -> out :: TestSink;"
                    "k[1] -> u :: CheckUDPHeader -> out; k[2] -> i :: CheckICMPHeader -> out");
    test.run();
    ASSERT_EQ(test.sink("out").packets.size(), 3u);
    EXPECT_EQ(test.sink("out").packets[0].bytes.size(), 100u);
    EXPECT_EQ(test.sink("out").packets[1].bytes.size(), 101u);
    const Bytes rest = without_first(test.sink("out").packets[0].bytes, 43);
    EXPECT_EQ(rest == Bytes(57), zero == std::string("true"));
  }
}

TEST_F(IPSummaryDumpTest, AsManyPacketsAsTheLineCounts) {
  const std::string dump = "!data sport count\n1 3\n2 0\n3 -\n";
  EXPECT_EQ(through(dump, "", "sport count"), "1 3\n2 1\n3 1\n");
  EXPECT_EQ(through(dump, ", MULTIPACKET true", "sport count"), "1 1\n1 1\n1 1\n2 1\n3 1\n");
  EXPECT_EQ(through(dump, "", "sport", "", ", MULTIPACKET true"), "1\n1\n1\n2\n3\n");
  EXPECT_EQ(through(dump, "", "sport count", "", ", MULTIPACKET true"), "1 3\n2 1\n3 1\n");
}

TEST_F(IPSummaryDumpTest, Sample) {
  std::string dump = "!data sport\n";
  for (int i = 0; i < 10000; ++i) dump += "5\n";
  EXPECT_EQ(through(dump, ", SAMPLE 0", "sport"), "");
  EXPECT_EQ(through(dump, ", SAMPLE 1", "sport").size(), 20000u);
  const std::size_t some = through(dump, ", SAMPLE 0.25", "sport").size() / 2;
  EXPECT_GT(some, 2250u);
  EXPECT_LT(some, 2750u);
}

// The packets come at the times of the dump, counted from the first.
TEST_F(IPSummaryDumpTest, Timing) {
  const std::string path = in("!data timestamp\n1000.5\n1000.75\n1000.75\n1000.6\n1002.5\n");
  for (const char* middle : {"", "Unqueue(BURST 10) ->"}) {
    SCOPED_TRACE(middle);
    TestRouter test("f :: FromIPSummaryDump(" + path + ", TIMING true, BURST 4) -> " + middle +
                    " out :: TestSink");
    const auto expect_by = [&](int64_t milliseconds, std::size_t packets) {
      test.pass(SimulatedClock::kStart + milliseconds * (kSecond / 1000) - test.clock.now());
      EXPECT_EQ(test.sink("out").packets.size(), packets) << milliseconds;
    };
    expect_by(1, 1);
    EXPECT_EQ(test.router->find("f")->held(), 1u);
    expect_by(249, 1);
    expect_by(251, 4);
    expect_by(1999, 4);
    test.run(1000);
    expect_by(2001, 5);
    EXPECT_EQ(test.router->find("f")->held(), 0u);
    EXPECT_EQ(test.sink("out").packets[0].annotations.timestamp, 1000 * kSecond + kSecond / 2);
  }
}

TEST_F(IPSummaryDumpTest, TimingBeginsAnewAfterAPause) {
  const std::string path = in("!data timestamp\n1\n2\n3\n");
  TestRouter test("f :: FromIPSummaryDump(" + path + ", TIMING true) -> out :: TestSink");
  test.pass(kSecond / 2);
  test.write("f.active", "false");
  test.pass(10 * kSecond);
  EXPECT_EQ(test.sink("out").packets.size(), 1u);
  test.write("f.active", "true");
  test.pass(kSecond / 2);
  EXPECT_EQ(test.sink("out").packets.size(), 2u);
  test.write("f.reset_timing", "");
  test.pass(kSecond / 4);
  EXPECT_EQ(test.sink("out").packets.size(), 3u);
}

TEST_F(IPSummaryDumpTest, APacketThatWaitsComesHome) {
  TestRouter test("FromIPSummaryDump(" + in("!data timestamp\n1\n1000\n") +
                  ", TIMING true) -> out :: TestSink");
  test.pass(kSecond);
  EXPECT_EQ(test.sink("out").packets.size(), 1u);
}

TEST_F(IPSummaryDumpTest, StopsTheRouterOnce) {
  const std::string path = in("!data sport\n1\n2\n");
  for (const std::string middle : {"", "Unqueue ->"}) {
    TestRouter test("f :: FromIPSummaryDump(" + path + ", STOP true) -> " + middle +
                    " out :: TestSink; InfiniteSource -> Discard");
    test.run();
    EXPECT_TRUE(test.scheduler->stopped());
    EXPECT_EQ(test.sink("out").packets.size(), 2u);
  }
  TestRouter test("f :: FromIPSummaryDump(" + path +
                  ", STOP true) -> out :: TestSink; InfiniteSource -> Discard;"
                  "DriverManager(pause, pause, stop)");
  test.run(1000);
  test.write("f.active", "true");
  test.run(1000);
  EXPECT_FALSE(test.scheduler->stopped());
}

TEST_F(IPSummaryDumpTest, Handlers) {
  const std::string text = "!data sport\n1\n22\n";
  TestRouter test("f :: FromIPSummaryDump(" + in(text) +
                  ", ACTIVE false) -> out :: TestSink; InfiniteSource -> Discard;"
                  "g :: FromIPSummaryDump(DATA \"!data sport\n5\") -> out");
  EXPECT_EQ(test.read("f.encap"), "IP");
  EXPECT_EQ(test.read("f.filename"), directory_ / "in");
  EXPECT_EQ(test.read("f.filesize"), "17");
  EXPECT_EQ(test.read("f.filepos"), "0");
  EXPECT_EQ(test.read("f.active"), "false");
  EXPECT_EQ(test.read("f.sampling_prob"), "1");
  EXPECT_EQ(test.read("g.filesize"), "13");
  test.write("f.active", "true");
  test.run(1000);
  EXPECT_EQ(test.read("f.filepos"), "17");
  EXPECT_EQ(test.read("g.filepos"), "13");
  EXPECT_EQ(test.read("f.packets"), "2");
  test.write("f.reset_counts", "");
  EXPECT_EQ(test.read("f.count"), "0");
  EXPECT_FALSE(test.scheduler->stopped());
  test.write("f.stop", "");
  test.run(10);
  EXPECT_EQ(test.read("f.active"), "false");
  EXPECT_TRUE(test.scheduler->stopped());
}

// A dump of nothing but mistakes neither fills the terminal nor holds the router up.
TEST_F(IPSummaryDumpTest, ManyMistakes) {
  std::string dump = "1\n!data spork sport\n";
  for (int i = 0; i < 5000; ++i) dump += "- x\n";
  ::testing::internal::CaptureStderr();
  {
    TestRouter test("f :: FromIPSummaryDump(" + in(dump) + ") -> out :: TestSink");
    test.scheduler->run_round();
    EXPECT_LT(test.dropped("f", "bad-line"), 2000u);
    test.run();
    EXPECT_EQ(test.dropped("f", "bad-line"), 5001u);
  }
  const std::string errors = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 11);
  EXPECT_THAT(errors, HasSubstr("in:1:1: a packet before a line"));
  EXPECT_THAT(errors, HasSubstr("in:2:7: there is no field 'spork'; did you mean 'sport'?"));
  EXPECT_THAT(errors, HasSubstr("in:3:3: sport: expected a number"));
  EXPECT_THAT(errors, HasSubstr("in: 4992 more lines with mistakes\n"));
}

TEST_F(IPSummaryDumpTest, MistakesInTheConfigurationHaveAPlace) {
  ::testing::internal::CaptureStderr();
  {
    TestRouter test("f :: FromIPSummaryDump(DATA \"!data sport\nx\") -> Discard");
    test.run();
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "f: DATA:2:1: sport: expected a number\n");
}

TEST_F(IPSummaryDumpTest, Arguments) {
  EXPECT_THAT(errors_of("FromIPSummaryDump -> Discard"),
              HasSubstr("FILENAME: required argument missing"));
  EXPECT_THAT(errors_of("FromIPSummaryDump(x, DATA y) -> Discard"), HasSubstr("not both"));
  EXPECT_THAT(errors_of("FromIPSummaryDump(x, FIELDS src sporf) -> Discard"),
              HasSubstr("FIELDS: there is no field 'sporf'"));
  EXPECT_THAT(errors_of("FromIPSummaryDump(x, FLOWID 1.2.3.4 x 1.2.3.4 5) -> Discard"),
              HasSubstr("FLOWID: expected a number"));
  EXPECT_THAT(errors_of("FromIPSummaryDump(x, PROTO abc) -> Discard"),
              HasSubstr("PROTO: expected T, U, I"));
  EXPECT_THAT(
      errors_of("FromIPSummaryDump(x, BURST 0, SAMPLE 2) -> Discard"),
      ::testing::AllOf(HasSubstr("BURST: out of range"), HasSubstr("SAMPLE: out of range")));
  EXPECT_THAT(errors_of("Idle -> ToIPSummaryDump(x, CONTENTS sorc)"),
              HasSubstr("CONTENTS: there is no field 'sorc'"));
  EXPECT_THAT(errors_of("Idle -> ToIPSummaryDump(x, FIELDS \"\")"), HasSubstr("FIELDS: there is"));
  EXPECT_THAT(errors_of("Idle -> ToIPSummaryDump"), HasSubstr("FILENAME"));
}

TEST_F(IPSummaryDumpTest, FilesThatCannotBeRead) {
  EXPECT_THAT(start_errors("FromIPSummaryDump(" + (directory_ / "none") + ") -> Discard"),
              HasSubstr("none: No such file or directory"));
  EXPECT_THAT(start_errors("FromIPSummaryDump(/) -> Discard"), HasSubstr("/: Is a directory"));
  EXPECT_THAT(start_errors("FromIPSummaryDump(" + in("\x1f\x8b\x08") + ") -> Discard"),
              HasSubstr("is compressed"));
  EXPECT_THAT(start_errors("Idle -> ToIPSummaryDump(" + (directory_ / "none/x") + ")"),
              HasSubstr("none/x: No such file or directory"));
  EXPECT_EQ(through("", "", "sport"), "");
}

TEST_F(IPSummaryDumpTest, FromANamedPipe) {
  const std::string path = directory_ / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  // For reading, too, so that neither end waits for the other.
  const int pipe = open(path.c_str(), O_RDWR | O_CLOEXEC);
  const std::string_view text = "!data ip_src\n1.2.3.4\n";
  ASSERT_EQ(write(pipe, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  TestRouter test("FromIPSummaryDump(" + path + ") -> out :: TestSink");
  close(pipe);
  test.run();
  ASSERT_EQ(test.sink("out").packets.size(), 1u);
  EXPECT_EQ(to_hex(std::span(test.sink("out").packets[0].bytes).subspan(12, 4)), "01020304");
}

TEST_F(IPSummaryDumpTest, TruncatedPackets) {
  const std::string dump = "!data sport dport tcp_urp tcp_opt\n1 2 3 wscale10\n";
  const std::string fields = "sport dport tcp_urp tcp_opt";
  for (const auto& [length, expected] : {std::pair{"44", "1 2 3 wscale10\n"},
                                         {"41", "1 2 3 -\n"},
                                         {"38", "1 2 - -\n"},
                                         {"23", "1 - - -\n"},
                                         {"20", "- - - -\n"}}) {
    EXPECT_EQ(through(dump, "", fields, "Truncate(" + std::string(length) + ") ->",
                      ", CAREFUL_TRUNC false"),
              expected);
  }
  EXPECT_EQ(through(dump, "", "sport", "Truncate(23, EXTRA_ANNO true) ->", ""), "1\n");
  EXPECT_EQ(through(dump, "", "sport", "Truncate(23, EXTRA_ANNO true) ->", ", EXTRA_LENGTH false"),
            "!bad truncated IP length\n1\n");
  EXPECT_EQ(through(dump, "", "sport", "Truncate(23) ->", ", BAD_PACKETS true"),
            "!bad truncated TCP header\n1\n");
}

// Packets of any bytes, in any number of pieces.
TEST_F(IPSummaryDumpTest, HostilePackets) {
  Bytes packet = Ip4Frame{}.build_ip();
  const std::string path = directory_ / "out";
  std::size_t sent = 0;
  {
    TestRouter test("in :: TestSource -> ToIPSummaryDump(" + path +
                    ", BAD_PACKETS true, FIELDS ip_src sport payload_md5 ip_opt tcp_opt eth_src "
                    "ip_capture_len wire_len) -> Discard");
    for (std::size_t length = 0; length <= packet.size(); ++length)
      for (const uint8_t first : {0x45, 0x4f, 0x44, 0x60, 0x00}) {
        Bytes bytes = first_bytes(packet, length);
        if (length > 0) bytes[0] = first;
        std::vector<Packet*> packets;
        if (bytes.empty())
          packets.push_back(Packet::make(*test.pool, bytes));
        else
          packets = {Packet::make(*test.pool, bytes), make_shredded(*test.pool, bytes, 30)};
        for (Packet* one : packets) {
          one->set_network_header(0, 20);
          one->set_mac_header(0);
        }
        sent += packets.size();
        test.send_packets("in", packets);
      }
  }
  std::istringstream lines(text_of(path));
  std::size_t packets = 0;
  for (std::string line; std::getline(lines, line);) packets += line[0] != '!';
  EXPECT_EQ(packets, sent);
}

TEST_F(IPSummaryDumpTest, NoNetworkHeaderIsDashes) {
  const std::string path = directory_ / "out";
  {
    TestRouter test("in :: TestSource -> m :: MarkMACHeader(0) -> ToIPSummaryDump(" + path +
                    ", FIELDS ip_src sport payload eth_src eth_dst wire_len count, HEADER false, "
                    "BAD_PACKETS true)");
    test.send("in", {numbered(60, 1)});
  }
  EXPECT_EQ(text_of(path), "!bad no IP header\n- - - 07-08-09-0A-0B-0C 01-02-03-04-05-06 60 1\n");
}

TEST_F(IPSummaryDumpTest, Heading) {
  const std::string path = directory_ / "out";
  { TestRouter test("Idle -> ToIPSummaryDump(" + path + ", BANNER \"a \\\"b\\\"\")"); }
  EXPECT_EQ(text_of(path), "!IPSummaryDump 1.3\n!creator \"a \\\"b\\\"\"\n!data ip_src ip_dst\n");
  { TestRouter test("Idle -> ToIPSummaryDump(" + path + ", VERBOSE true, DATA sport)"); }
  EXPECT_THAT(text_of(path),
              ::testing::MatchesRegex("!IPSummaryDump 1.3\n!host .+\n!runtime 1000000000.000000 "
                                      ".*2001.\n!data sport\n"));
}

TEST_F(IPSummaryDumpTest, FlushWritesWhatThereIs) {
  const std::string path = directory_ / "out";
  TestRouter test("FromIPSummaryDump(" + in("!data sport\n1\n") + ") -> d :: ToIPSummaryDump(" +
                  path + ", FIELDS sport)");
  test.run();
  EXPECT_EQ(text_of(path), "");
  test.write("d.flush", "");
  EXPECT_THAT(text_of(path), HasSubstr("!data sport\n1\n"));
}

TEST_F(IPSummaryDumpTest, AFullDisk) {
  ::testing::internal::CaptureStderr();
  {
    TestRouter test("FromIPSummaryDump(" + in("!data sport\n1\n2\n") +
                    ") -> d :: ToIPSummaryDump(/dev/full) -> out :: TestSink");
    test.run();
    EXPECT_EQ(test.read("d.count"), "2");
    std::string error;
    EXPECT_FALSE(test.router->write_handler("d.flush", "", error));
    EXPECT_EQ(error, "No space left on device");
    EXPECT_EQ(test.read("d.count"), "0");
    EXPECT_EQ(test.read("d.failed"), "2");
    EXPECT_EQ(test.sink("out").packets.size(), 2u);
  }
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("not everything could be written to /dev/full: No space left on device"));
}

TEST_F(IPSummaryDumpTest, StandardInputAndOutput) {
  const int before = dup(0);
  const int file = open(in("!data sport\n1\n2\n").c_str(), O_RDONLY);
  dup2(file, 0);
  ::testing::internal::CaptureStdout();
  {
    TestRouter test(
        "f :: FromIPSummaryDump(-) -> ToIPSummaryDump(-, FIELDS sport) -> out :: TestSink");
    test.run();
    EXPECT_EQ(test.sink("out").packets.size(), 2u);
    EXPECT_EQ(test.read("f.filesize"), "16");
  }
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "!IPSummaryDump 1.3\n!data sport\n1\n2\n");
  dup2(before, 0);
  std::clearerr(stdin);
  close(before);
  close(file);
}

TEST_F(IPSummaryDumpTest, AnEmptyPoolIsADrop) {
  std::string dump = "!data sport\n";
  for (int i = 0; i < 100; ++i) dump += "5\n";
  TestRouter test("f :: FromIPSummaryDump(" + in(dump) + ", BURST 10) -> out :: TestSink",
                  {.packets = 63});
  test.sink("out").keep = true;
  test.run();
  EXPECT_EQ(test.sink("out").packets.size(), 63u);
  EXPECT_EQ(test.dropped("f", "no-buffer"), 37u);
}

}  // namespace
}  // namespace headroom::test
