#include <gmock/gmock.h>

#include "../../support/summary_view.hh"
#include "headroom/summary/dump_reader.hh"
#include "headroom/summary/dump_writer.hh"

namespace headroom::summary {
namespace {

using ::testing::HasSubstr;
using Line = DumpReader::Line;

// A view of what a draft makes.
struct Packet {
  explicit Packet(const Draft& draft)
      : made(draft.make({})), view(view_of(draft, made.bytes, made.extra_length)) {}
  Made made;
  PacketView view;
};

std::string rewritten(DumpReader& reader, std::string_view fields, std::string_view line) {
  if (reader.read(line) != Line::packet) return "no packet: " + reader.message();
  std::string text;
  DumpWriter(parse_field_list(fields).fields).add(Packet(reader.draft()).view, text);
  return text;
}

TEST(DumpReader, LinesThatAreNoPackets) {
  DumpReader reader;
  for (const char* line :
       {"", "\n", "  \r\n", "\v", "\f \r\t\v", "# 1 2", "  # x", "!host here", "!", "!bad IP"})
    EXPECT_EQ(reader.read(line), Line::other) << line;
}

TEST(DumpReader, APacketNeedsFields) {
  DumpReader reader;
  EXPECT_EQ(reader.read(" 1.2.3.4\n"), Line::bad_packet);
  EXPECT_EQ(reader.column(), 2u);
  EXPECT_THAT(reader.message(), HasSubstr("!data ip_src ip_dst"));
  EXPECT_EQ(reader.read("!data src \"ip dst\"\r\n"), Line::other);
  EXPECT_EQ(rewritten(reader, "ip_src ip_dst ip_ttl", "1.2.3.4 5.6.7.8\r\n"),
            "1.2.3.4 5.6.7.8 100\n");
  EXPECT_EQ(rewritten(reader, "ip_src ip_dst", "1.2.3.4"), "1.2.3.4 0.0.0.0\n");
  EXPECT_EQ(rewritten(reader, "ip_src ip_dst", "- 5.6.7.8"), "0.0.0.0 5.6.7.8\n");
  EXPECT_EQ(reader.read("1.2.3.4 5.6.7.8 9"), Line::bad_packet);
  EXPECT_EQ(reader.column(), 17u);
  EXPECT_EQ(reader.message(), "there are only 2 fields");
}

TEST(DumpReader, ABadValueHasAPlace) {
  DumpReader reader;
  reader.read("!data sport dport");
  EXPECT_EQ(reader.read("10  70000"), Line::bad_packet);
  EXPECT_EQ(reader.column(), 5u);
  EXPECT_EQ(reader.message(), "dport: out of range, 0 to 65535");
}

TEST(DumpReader, UnknownFieldsArePassedOver) {
  DumpReader reader;
  EXPECT_EQ(reader.read("!data sporty what dport"), Line::mistake);
  EXPECT_EQ(reader.column(), 7u);
  EXPECT_EQ(reader.message(),
            "there is no field 'sporty'; did you mean 'sport'? (and 1 more unknown); what packets "
            "say of it is passed over");
  EXPECT_EQ(rewritten(reader, "sport dport", "?? \"a b\" 7"), "0 7\n");
  EXPECT_EQ(reader.read("!data"), Line::mistake);
  EXPECT_EQ(rewritten(reader, "dport", "?? - 8"), "8\n") << "the fields are as before";
}

TEST(DumpReader, RemarksAreAboutThePacketsBehindThem) {
  DumpReader reader;
  reader.read("!data sport");
  EXPECT_EQ(rewritten(reader, "proto sport aggregate", "1"), "T 1 0\n");
  EXPECT_EQ(reader.read("!proto U"), Line::other);
  EXPECT_EQ(reader.read("!aggregate 5"), Line::other);
  EXPECT_EQ(rewritten(reader, "proto sport aggregate", "1"), "U 1 5\n");
  EXPECT_EQ(reader.read("!proto icmp"), Line::other);
  EXPECT_EQ(rewritten(reader, "proto sport", "1"), "I -\n");
  EXPECT_EQ(reader.read("!proto 9"), Line::other);
  EXPECT_EQ(rewritten(reader, "proto", "1"), "9\n");
  EXPECT_EQ(reader.read("!flowid 1.2.3.4 10 5.6.7.8 20 T"), Line::other);
  EXPECT_EQ(rewritten(reader, "src sport dst dport proto", "-"), "1.2.3.4 10 5.6.7.8 20 T\n");
  EXPECT_EQ(rewritten(reader, "src sport dst dport proto", "99"), "1.2.3.4 99 5.6.7.8 20 T\n");
}

TEST(DumpReader, RemarksThatMakeNoSense) {
  const std::tuple<const char*, Line, std::size_t, const char*> lines[] = {
      {"!proto", Line::mistake, 7, "expected a protocol"},
      {"!proto nothing", Line::mistake, 8, "expected T, U, I"},
      {"!aggregate x", Line::mistake, 12, "expected a number"},
      {"!flowid 1.2.3.4 5", Line::mistake, 18, "expected SOURCE PORT"},
      {"!flowid 1.2.3.4 5 6.7.8 9", Line::mistake, 19, "expected an IP address"},
      {"!flowid 1.2.3.4 5 1.2.3.4 9 Z", Line::mistake, 29, "expected T, U, I"},
      {"!binary", Line::unreadable, 1, "binary dumps cannot be read"},
  };
  for (const auto& [text, kind, column, expected] : lines) {
    DumpReader reader;
    EXPECT_EQ(reader.read(text), kind) << text;
    EXPECT_EQ(reader.column(), column) << text;
    EXPECT_THAT(reader.message(), HasSubstr(expected)) << text;
  }
}

TEST(DumpReader, TheFirstVersionCountedFragmentOffsetsInEights) {
  DumpReader reader;
  reader.read("!IPSummaryDump 1.0");
  reader.read("!data ip_fragoff");
  EXPECT_EQ(rewritten(reader, "ip_fragoff", "2+"), "16+\n");
  reader.read("!IPSummaryDump 1.1");
  EXPECT_EQ(rewritten(reader, "ip_fragoff", "16+"), "16+\n");
}

TEST(DumpWriter, Header) {
  const DumpWriter writer(parse_field_list("src \"tcp seq\"").fields);
  EXPECT_EQ(writer.header({}), "!IPSummaryDump 1.3\n!data ip_src tcp_seq\n");
  EXPECT_THAT(writer.header({.creator = "me \"too\"", .host = "here", .time = 1'500'000}),
              ::testing::MatchesRegex("!IPSummaryDump 1.3\n!creator \"me ..too..\"\n!host here\n"
                                      "!runtime 0.001500 .*1970.\n!data ip_src tcp_seq\n"));
  EXPECT_TRUE(writer.has("ip_src"));
  EXPECT_FALSE(writer.has("ip_dst"));
}

// What is written is read as the same packet, whatever its protocol, with all fields there are.
TEST(RoundTrip, AllFieldsOfAllProtocols) {
  std::string all;
  for (const Field& field : fields()) all += std::string(field.name) + ' ';
  const char* packets[] = {
      "!data proto src dst sport dport tcp_seq tcp_ack tcp_flags tcp_window tcp_urp tcp_opt ip_opt "
      "ip_id ip_tos ip_ttl ip_fragoff payload ip_sum tcp_sum timestamp first_timestamp count paint "
      "aggregate",
      "T 1.2.3.4 5.6.7.8 80 1024 4000000000 17 SA 512 3 mss1460;sackok;wscale7;ts1:2 rr{1.1.1.1}+2 "
      "999 255 1 0! \"GET / \\000\\377\\n\" 4660 22136 100.000001 99.5 7 200 4294967295",
      "T - - 1 2 3 - FSRPAUECN - - sack1-2;sack3-4 ssrr{1.0.0.1^1.0.0.3} 1 3 - 0+ \"\" 1 2 3 - "
      "65536",
      "!data proto src dst sport dport udp_len udp_sum ip_len payload ip_capture_len ip_hl",
      "U 1.2.3.4 5.6.7.8 53 1024 - 7 1500 \"query\" - -",
      "U 1.2.3.4 5.6.7.8 53 1024 9 7 100 - 25 60",
      "!data proto icmp_type icmp_code icmp_flowid icmp_seq icmp_sum payload_len",
      "I 8 0 77 78 79 56",
      "I 13 1 77 78 79 -",
      "!data icmp_type_name icmp_code_name icmp_nextmtu payload",
      "unreachable needfrag 1400 \"........original\"",
      "timeexceeded transit",
      "!data proto ip_fragoff payload ip_ecn ip_dscp",
      "T 1480+ \"middle\" ce 11",
      "99 0 \"what\" ect1",
      "!data proto ip_len ip_capture_len",
      "T 40 1",
      "T 40 19",
      "T 40 33",
      "T 65535 40",
      "T 20 -",
  };
  DumpReader reader;
  for (const char* line : packets) {
    SCOPED_TRACE(line);
    const Line kind = reader.read(line);
    ASSERT_TRUE(kind == Line::packet || kind == Line::other) << reader.message();
    if (kind == Line::other) continue;
    const Packet before(reader.draft());
    std::string text;
    DumpWriter(parse_field_list(all).fields).add(before.view, text);

    DumpReader second;
    ASSERT_EQ(second.read("!data " + all), Line::other);
    ASSERT_EQ(second.read(text), Line::packet) << text << second.message();
    const Packet after(second.draft());
    EXPECT_EQ(after.made.bytes, before.made.bytes) << text;
    EXPECT_EQ(after.made.extra_length, before.made.extra_length) << text;
    EXPECT_EQ(after.view.timestamp, before.view.timestamp);
    EXPECT_EQ(after.view.first_timestamp, before.view.first_timestamp);
    EXPECT_EQ(after.view.extra_packets, before.view.extra_packets);
    EXPECT_EQ(after.view.aggregate, before.view.aggregate);
    EXPECT_EQ(after.view.paint, before.view.paint);
    std::string again;
    DumpWriter(parse_field_list(all).fields).add(after.view, again);
    EXPECT_EQ(again, text);
  }
}

}  // namespace
}  // namespace headroom::summary
