#include "headroom/summary/field.hh"

#include <gmock/gmock.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "../../support/summary_view.hh"
#include "headroom/net/checksum.hh"
#include "headroom/summary/words.hh"

namespace headroom::summary {
namespace {

using ::testing::HasSubstr;

// "name value name value ..." -> a draft.
Draft draft_of(const std::vector<std::pair<std::string, std::string>>& values) {
  Draft draft;
  for (const auto& [name, value] : values) {
    std::string error;
    const Field* field = find_field(name);
    EXPECT_NE(field, nullptr) << name;
    if (field != nullptr) {
      EXPECT_TRUE(field->read(value, draft, error)) << name << ": " << error;
    }
  }
  return draft;
}

struct Packet {
  explicit Packet(const Draft& draft, const MakeOptions& options = {})
      : made(draft.make(options)), view(view_of(draft, made.bytes, made.extra_length)) {}
  std::string operator[](std::string_view name) const {
    std::string text;
    const Field* field = find_field(name);
    if (field == nullptr) return "no field";
    return field->write(view, text) ? text : "-";
  }

  Made made;
  PacketView view;
};

std::string mistake_of(std::string_view name, std::string_view value) {
  Draft draft;
  std::string error;
  return find_field(name)->read(value, draft, error) ? "" : error;
}

TEST(Fields, NamesAndAliasesAreOfOneField) {
  std::set<std::string> names;
  for (const Field& field : fields()) {
    EXPECT_TRUE(names.insert(std::string(field.name)).second) << field.name;
    EXPECT_EQ(find_field(field.name), &field);
    for (const Word& alias : split_words(field.aliases)) {
      EXPECT_TRUE(names.insert(std::string(alias.text)).second) << alias.text;
      EXPECT_EQ(find_field(alias.text), &field);
    }
    EXPECT_FALSE(field.doc.empty() || field.example.empty()) << field.name;
  }
  EXPECT_EQ(find_field("tcp seq"), find_field("tcp_seq"));
  EXPECT_EQ(find_field("nothing"), nullptr);
  EXPECT_EQ(find_field(""), nullptr);
  EXPECT_EQ(nearest_field("tcp_sec"), "did you mean 'tcp_seq'?");
}

// Every example in the table is what it says it is.
TEST(Fields, ExamplesAreReadAndWrittenBack) {
  for (const Field& field : fields()) {
    if (!field.readable) continue;
    SCOPED_TRACE(field.name);
    std::vector<std::pair<std::string, std::string>> values;
    if (field.name.starts_with("icmp_"))
      values = {{"icmp_type", field.name == "icmp_code_name" || field.name == "icmp_nextmtu"
                                  ? "unreachable"
                                  : "echo"}};
    if (field.name == "icmp_nextmtu") values.emplace_back("icmp_code", "4");
    if (field.name == "ip_capture_len") values.emplace_back("ip_len", "100");
    values.emplace_back(field.name, field.example);
    EXPECT_EQ((Packet(draft_of(values)))[field.name], field.example);
  }
}

// The page lists what there is, in the same order and with the same words.
TEST(Fields, AreInTheManual) {
  std::ifstream page(TEST_DATA "/../../docs/summary-dumps.md");
  std::stringstream text;
  text << page.rdbuf();
  std::string expected = "| field | also | what | for example |\n|---|---|---|---|\n";
  for (const Field& field : fields()) {
    std::string aliases;
    for (const Word& alias : split_words(field.aliases))
      aliases += (aliases.empty() ? "`" : ", `") + std::string(alias.text) + '`';
    expected += "| `" + std::string(field.name) + "` | " + aliases + " | " +
                std::string(field.doc) + (field.readable ? "" : " (only written)") + " | `" +
                std::string(field.example) + "` |\n";
  }
  EXPECT_THAT(text.str(), HasSubstr(expected));
}

TEST(Fields, DefaultsAreATcpPacket) {
  const Packet packet{Draft{}};
  const std::vector<uint8_t> expected{0x45, 0, 0, 40, 0,    0, 0, 0, 100, 6, 0, 0, 0, 0,
                                      0,    0, 0, 0,  0,    0, 0, 0, 0,   0, 0, 0, 0, 0,
                                      0,    0, 0, 0,  0x50, 0, 0, 0, 0,   0, 0, 0};
  EXPECT_EQ(packet.made.bytes, expected);
  EXPECT_EQ(packet.made.header_length, 20u);
  EXPECT_EQ(packet.made.extra_length, 0u);
  EXPECT_EQ(packet["timestamp"], "0.000000");
  EXPECT_EQ(packet["count"], "1");
  EXPECT_EQ(packet["payload"], "\"\"");
  EXPECT_EQ(packet["payload_md5_hex"], "d41d8cd98f00b204e9800998ecf8427e");
}

TEST(Fields, TheProtocolIsSaidOrImplied) {
  EXPECT_EQ((Packet(draft_of({{"sport", "5"}})))["ip_proto"], "T");
  EXPECT_EQ((Packet(draft_of({{"udp_len", "8"}})))["ip_proto"], "U");
  EXPECT_EQ((Packet(draft_of({{"icmp_seq", "8"}})))["ip_proto"], "I");
  EXPECT_EQ((Packet(draft_of({{"tcp_seq", "8"}, {"proto", "U"}})))["ip_proto"], "U");
  EXPECT_EQ((Packet(draft_of({{"udp_len", "8"}, {"tcp_seq", "1"}})))["ip_proto"], "U");
  Draft draft = draft_of({{"sport", "5"}, {"dport", "6"}});
  draft.default_protocol = 17;
  EXPECT_EQ((Packet(draft))["ip_len"], "28");
  EXPECT_EQ((Packet(draft))["sport"], "5");
  EXPECT_EQ((Packet(draft))["dport"], "6");
  draft.default_protocol = 50;
  EXPECT_EQ((Packet(draft))["ip_proto"], "50");
  EXPECT_EQ((Packet(draft))["sport"], "-");
  EXPECT_EQ((Packet(draft))["ip_len"], "20");
}

TEST(Fields, Lengths) {
  const Packet told(draft_of({{"ip_len", "1500"}, {"payload", "\"abc\""}}));
  EXPECT_EQ(told.made.bytes.size(), 43u);
  EXPECT_EQ(told.made.extra_length, 1457u);
  EXPECT_EQ(told["payload_len"], "1460");
  EXPECT_EQ(told["ip_capture_len"], "43");
  const Packet payload(draft_of({{"payload_len", "100"}, {"proto", "U"}}));
  EXPECT_EQ(payload["ip_len"], "128");
  EXPECT_EQ(payload["udp_len"], "108");
  EXPECT_EQ(payload.made.extra_length, 100u);
  const Packet cut(draft_of({{"ip_len", "60"}, {"ip_capture_len", "23"}, {"sport", "4"}}));
  EXPECT_EQ(cut.made.bytes.size(), 23u);
  EXPECT_EQ(cut.made.extra_length, 37u);
  EXPECT_EQ(cut["sport"], "4");
  EXPECT_EQ(cut["dport"], "-");
  EXPECT_EQ(cut["payload_len"], "-") << "how long the TCP header is cannot be known";
  const Packet nothing(draft_of({{"ip_capture_len", "0"}}));
  EXPECT_TRUE(nothing.made.bytes.empty());
  EXPECT_EQ(nothing["ip_src"], "-");
  const Packet shorter(draft_of({{"ip_len", "25"}}));
  EXPECT_EQ(shorter.made.bytes.size(), 25u);
  EXPECT_EQ(shorter["tcp_flags"], "-");
  // A total length that cannot be is in the header all the same.
  const Packet wrong(draft_of({{"ip_len", "3"}}));
  EXPECT_EQ(wrong.made.bytes.size(), 20u);
  EXPECT_EQ(wrong["ip_len"], "3");
  const Packet longest(draft_of({{"payload_len", "65535"}}));
  EXPECT_EQ(longest["ip_len"], "65535");
}

TEST(Fields, ChecksumsAreRightForWhatIsThere) {
  for (const char* protocol : {"T", "U", "I", "99"}) {
    SCOPED_TRACE(protocol);
    const Packet packet(draft_of({{"ip_src", "1.2.3.4"},
                                  {"ip_dst", "5.6.7.8"},
                                  {"proto", protocol},
                                  {"ip_len", "151"},
                                  {"ip_opt", "nop"},
                                  {"ip_sum", "7"},
                                  {"payload", "\"odd\""}}),
                        {.checksum = true});
    ASSERT_EQ(packet.made.bytes.size(), 151u);
    EXPECT_EQ(packet.made.extra_length, 0u);
    const auto& ip = *reinterpret_cast<const IpHeader*>(packet.made.bytes.data());
    EXPECT_TRUE(ip_header_checksum_ok(ip));
    if (ip.protocol == 99) continue;
    InternetSum sum;
    if (ip.protocol != 1) sum = ip_pseudo_header(ip.source, ip.destination, ip.protocol, 127);
    sum.add(packet.made.bytes.data() + 24, 127);
    EXPECT_TRUE(sum.is_valid());
    EXPECT_NE(packet[ip.protocol == 6    ? "tcp_sum"
                     : ip.protocol == 17 ? "udp_sum"
                                         : "icmp_sum"],
              "0");
  }
  const Packet fragment(draft_of({{"ip_fragoff", "8+"}, {"ip_len", "60"}}), {.checksum = true});
  EXPECT_EQ(fragment.made.bytes.size(), 60u);
  EXPECT_EQ(fragment["tcp_sum"], "-");
}

TEST(Fields, NoiseIsWhatTheDumpDoesNotTell) {
  const Draft draft = draft_of({{"payload", "\"abc\""}, {"ip_len", "100"}});
  const Packet noisy(draft, {.checksum = false, .noise = 7});
  EXPECT_EQ(noisy.made.bytes.size(), 43u);
  const Packet whole(draft, {.checksum = true, .noise = 7});
  EXPECT_EQ(whole["payload"].substr(0, 4), "\"abc");
  EXPECT_NE(whole.made.bytes[50], whole.made.bytes[51]);
}

TEST(Fields, Fragments) {
  EXPECT_EQ((Packet(draft_of({{"ip_frag", "F"}})))["ip_fragoff"], "0+");
  EXPECT_EQ((Packet(draft_of({{"ip_frag", "!"}})))["ip_fragoff"], "0!");
  EXPECT_EQ((Packet(draft_of({{"ip_frag", "."}})))["ip_fragoff"], "0");
  EXPECT_EQ((Packet(draft_of({{"ip_frag", "f"}})))["ip_frag"], "f");
  for (const char* order : {"ab", "ba"}) {
    std::vector<std::pair<std::string, std::string>> values;
    for (const char c : std::string(order))
      values.emplace_back(c == 'a' ? "ip_frag" : "ip_fragoff", c == 'a' ? "f" : "1480+");
    EXPECT_EQ((Packet(draft_of(values)))["ip_fragoff"], "1480+");
  }
  const Packet later(draft_of({{"ip_fragoff", "8"}, {"sport", "5"}, {"payload", "\"x\""}}));
  EXPECT_EQ(later["ip_len"], "21");
  EXPECT_EQ(later["sport"], "-");
  EXPECT_EQ(later["payload"], "\"x\"");
  Draft old;
  old.fragment_unit = 8;
  std::string error;
  ASSERT_TRUE(find_field("ip_fragoff")->read("185+", old, error));
  EXPECT_EQ(Packet(old)["ip_fragoff"], "1480+");
}

TEST(Fields, Icmp) {
  const Packet echo(
      draft_of({{"icmp_type_name", "echo"}, {"icmp_flowid", "7"}, {"icmp_seq", "9"}}));
  EXPECT_EQ(echo.made.bytes.size(), 28u);
  EXPECT_EQ(echo["icmp_type"], "8");
  EXPECT_EQ(echo["icmp_nextmtu"], "-");
  EXPECT_EQ(echo["payload_len"], "8") << "the ICMP header is payload";
  const Packet needfrag(
      draft_of({{"icmp_code_name", "needfrag"}, {"icmp_type", "3"}, {"icmp_nextmtu", "1400"}}));
  EXPECT_EQ(needfrag["icmp_type_name"], "unreachable");
  EXPECT_EQ(needfrag["icmp_code"], "4");
  EXPECT_EQ(needfrag["icmp_flowid"], "-");
  EXPECT_EQ(needfrag["icmp_nextmtu"], "1400");
  // The payload has the whole message, in which fields overwrite their places.
  const Packet both(draft_of({{"proto", "I"},
                              {"payload", "\"\\010\\001\\002\\003ABCDrest\""},
                              {"icmp_code", "0"},
                              {"icmp_seq", "17219"}}));
  EXPECT_EQ(both["payload"], "\"\\010\\000\\002\\003ABCCrest\"");
}

TEST(Fields, TcpFlags) {
  for (const auto& [text, same] : {std::pair{"SA", "SA"},
                                   {"AS", "SA"},
                                   {"FSRPAUECN", "FSRPAUECN"},
                                   {".", "."},
                                   {"18", "SA"},
                                   {"0x112", "SAN"},
                                   {"XY", "EC"},
                                   {"W", "C"}})
    EXPECT_EQ((Packet(draft_of({{"tcp_flags", text}})))["tcp_flags"], same);
}

TEST(Fields, OptionsMakeHeadersLonger) {
  const Packet packet(draft_of({{"ip_opt", "rr{1.2.3.4}"},
                                {"tcp_opt", "mss1460;wscale3"},
                                {"tcp_ntopt", "mss1460"},
                                {"tcp_flags", "SN"},
                                {"payload", "\"p\""}}));
  EXPECT_EQ(packet["ip_hl"], "28");
  EXPECT_EQ(packet["tcp_off"], "28");
  EXPECT_EQ(packet["ip_len"], "57");
  EXPECT_EQ(packet["tcp_opt"], "mss1460;wscale3") << "tcp_opt says all";
  EXPECT_EQ(packet["tcp_flags"], "SN");
  EXPECT_EQ(packet["payload"], "\"p\"");
  const Packet longer(draft_of({{"ip_hl", "60"}, {"tcp_off", "60"}, {"ip_opt", "nop"}}));
  EXPECT_EQ(longer["ip_len"], "120");
  EXPECT_EQ(longer["ip_opt"], ".");
  EXPECT_EQ(longer["tcp_opt"], ".");
}

TEST(Fields, OldDumpsHaveOtherForms) {
  EXPECT_EQ((Packet(draft_of({{"direction", "L"}})))["link"], "0");
  EXPECT_EQ((Packet(draft_of({{"direction", "R"}})))["direction"], "<");
  EXPECT_EQ((Packet(draft_of({{"direction", "X"}})))["paint"], "1");
  EXPECT_EQ((Packet(draft_of({{"link", "7"}})))["direction"], "7");
  EXPECT_EQ((Packet(draft_of({{"ts_usec", "5"}, {"ts_sec", "3"}})))["timestamp"], "3.000005");
  EXPECT_EQ((Packet(draft_of({{"timestamp", "3.123456789999"}})))["ntimestamp"], "3.123456789");
  EXPECT_EQ((Packet(draft_of({{"timestamp", "3."}})))["ts_usec1"], "3000000");
}

TEST(Fields, Mistakes) {
  const std::tuple<const char*, const char*, const char*> values[] = {
      {"ip_src", "10.0.0", "expected an IP address"},
      {"ip_src", "10.0.0.1x", "expected an IP address"},
      {"sport", "65536", "out of range, 0 to 65535"},
      {"sport", "-1", "expected a number"},
      {"sport", "80x", "expected a number"},
      {"sport", "0x", "expected a number"},
      {"sport", "99999999999999999999", "out of range"},
      {"ip_ttl", "256", "out of range, 0 to 255"},
      {"tcp_seq", "4294967296", "out of range, 0 to 4294967295"},
      {"ip_hl", "22", "multiple of 4 from 20 to 60"},
      {"ip_hl", "16", "multiple of 4 from 20 to 60"},
      {"ip_hl", "64", "out of range, 0 to 60"},
      {"ip_dscp", "64", "out of range, 0 to 63"},
      {"ip_ecn", "maybe", "expected no, ect1, ect2 or ce"},
      {"ip_frag", "x", "expected F, f, ! or ."},
      {"ip_fragoff", "7", "not a multiple of 8"},
      {"ip_fragoff", "65536", "out of range, 0 to 65528"},
      {"ip_fragoff", "8-", "expected + or !"},
      {"ip_proto", "tpc", "expected T, U, I"},
      {"ip_proto", "256", "out of range"},
      {"tcp_flags", "SQ", "expected letters of"},
      {"tcp_flags", "512", "out of range"},
      {"icmp_type_name", "ecco", "expected the name of an ICMP type"},
      {"icmp_code_name", "neet", "expected the name of an ICMP code"},
      {"timestamp", "1.5x", "expected seconds"},
      {"timestamp", "9999999999999", "out of range"},
      {"ts_usec", "1000000", "out of range, 0 to 999999"},
      {"count", "65537", "out of range, 0 to 65536"},
      {"payload", "\"abc", "the quotes do not end"},
      {"payload", "\"abc\"d", "the quotes do not end"},
      {"payload_len", "65536", "out of range"},
      {"ip_src", "", "expected a value"},
      {"payload", "", "expected a value"},
  };
  for (const auto& [field, value, expected] : values)
    EXPECT_THAT(mistake_of(field, value), HasSubstr(expected)) << field << ' ' << value;
}

TEST(Fields, OfPacketsThatAreNoPackets) {
  const std::vector<std::vector<uint8_t>> all{{},
                                              {0x60},
                                              {0x44},
                                              {0x45},
                                              {0x4f, 0, 0},
                                              std::vector<uint8_t>(20, 0x45),
                                              std::vector<uint8_t>(64, 0x4f),
                                              std::vector<uint8_t>(64, 0xff)};
  for (const auto& bytes : all)
    for (const Field& field : fields()) {
      PacketView view;
      view.network = bytes;
      std::string text;
      if (!field.write(view, text)) {
        EXPECT_EQ(text, "");
      }
    }
  PacketView view;
  view.network = all[3];
  std::string text;
  EXPECT_TRUE(find_field("ip_hl")->write(view, text));
  EXPECT_FALSE(find_field("ip_tos")->write(view, text));
  EXPECT_STREQ(view.fault(), "truncated IP header");
}

TEST(FieldList, NamesInQuotesMayHaveBlanks) {
  const FieldList list = parse_field_list(" src \"tcp seq\"  'x' tcp_sec");
  ASSERT_EQ(list.fields.size(), 4u);
  EXPECT_EQ(list.fields[0]->name, "ip_src");
  EXPECT_EQ(list.fields[1]->name, "tcp_seq");
  ASSERT_EQ(list.mistakes.size(), 2u);
  EXPECT_EQ(list.mistakes[0].column, 16u);
  EXPECT_EQ(list.mistakes[1].message, "there is no field 'tcp_sec'");
  EXPECT_EQ(list.mistakes[1].hint, "did you mean 'tcp_seq'?");
}

TEST(Words, QuotesAndBack) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  std::string text;
  append_quoted(bytes, text);
  EXPECT_EQ(text.find_first_of("\n\r\t"), std::string::npos);
  std::string back;
  ASSERT_TRUE(unquote(text, back));
  EXPECT_EQ(back, bytes);
  ASSERT_TRUE(unquote(R"("\x41\101\t\q\1018")", back));
  EXPECT_EQ(back, "AA\tqA8");
  EXPECT_FALSE(unquote(R"("ends in \)", back));
  EXPECT_FALSE(unquote("", back));
  EXPECT_FALSE(unquote("x", back));
}

}  // namespace
}  // namespace headroom::summary
