#include "headroom/summary/options_text.hh"

#include <gmock/gmock.h>

namespace headroom::summary {
namespace {

using ::testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

std::string ip_text(const Bytes& options) {
  std::string text;
  write_ip_options(options, text);
  return text;
}
std::string tcp_text(const Bytes& options, TcpOptions which = TcpOptions::all) {
  std::string text;
  write_tcp_options(options, which, text);
  return text;
}
Bytes ip_bytes(std::string_view text) {
  Bytes options;
  std::string error;
  EXPECT_TRUE(read_ip_options(text, options, error)) << text << ": " << error;
  return options;
}
Bytes tcp_bytes(std::string_view text) {
  Bytes options;
  std::string error;
  EXPECT_TRUE(read_tcp_options(text, options, error)) << text << ": " << error;
  return options;
}

struct Pair {
  const char* text;
  Bytes bytes;
};

TEST(IpOptionsText, BothWays) {
  const Pair pairs[] = {
      {".", {}},
      {"rr{}+1", {7, 7, 4, 0, 0, 0, 0}},
      {"rr{10.0.0.1,20.0.0.2}+1", {7, 15, 12, 10, 0, 0, 1, 20, 0, 0, 2, 0, 0, 0, 0}},
      {"rr{1.2.3.4}", {7, 7, 8, 1, 2, 3, 4}},
      {"ssrr{1.0.0.1^1.0.0.3}", {137, 11, 8, 1, 0, 0, 1, 1, 0, 0, 3}},
      {"lsrr{^1.0.0.3}", {131, 7, 4, 1, 0, 0, 3}},
      {"ssrr{128.4.45.60}+2", {137, 15, 8, 128, 4, 45, 60, 0, 0, 0, 0, 0, 0, 0, 0}},
      {"ts{1,!45}+1++3", {68, 16, 13, 0x30, 0, 0, 0, 1, 128, 0, 0, 45, 0, 0, 0, 0}},
      {"ts.ip{1.0.0.1=7}", {68, 12, 13, 1, 1, 0, 0, 1, 0, 0, 0, 7}},
      {"ts.preip{1.0.0.1=1^1.0.0.2}",
       {68, 20, 13, 3, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 2, 0, 0, 0, 0}},
      {"98", {98, 2}},
      {"148=0:0", {148, 4, 0, 0}},
      {"99=0:5:10;98", {99, 5, 0, 5, 10, 98, 2}},
  };
  for (const Pair& pair : pairs) {
    EXPECT_EQ(ip_text(pair.bytes), pair.text);
    EXPECT_EQ(ip_bytes(pair.text), pair.bytes) << pair.text;
  }
}

TEST(IpOptionsText, PaddingIsReadAndNotWritten) {
  EXPECT_EQ(ip_bytes("?"), Bytes{});
  EXPECT_EQ(ip_bytes("nop;nop;eol"), (Bytes{1, 1, 0}));
  EXPECT_EQ(ip_text({1, 1, 0, 7}), ".");
  EXPECT_EQ(ip_text({1, 98, 2, 0}), "98");
  // As old dumps have it.
  EXPECT_EQ(ip_bytes("nop,nop,ssrr{128.4.45.60:128.4.49.61}+1"),
            (Bytes{1, 1, 137, 15, 12, 128, 4, 45, 60, 128, 4, 49, 61, 0, 0, 0, 0}));
}

TEST(IpOptionsText, MalformedOptionsAreAQuestionMark) {
  for (const Bytes& bytes :
       {Bytes{7}, Bytes{7, 0}, Bytes{7, 1}, Bytes{7, 8, 4, 0}, Bytes{7, 2}, Bytes{7, 3, 3},
        Bytes{7, 3, 5}, Bytes{7, 3, 8}, Bytes{7, 5, 4, 0, 0}, Bytes{7, 7, 3, 0, 0, 0, 0},
        Bytes{7, 7, 255, 0, 0, 0, 0}, Bytes{68, 3, 5}, Bytes{68, 4, 5, 2}, Bytes{68, 4, 4, 0},
        Bytes{68, 8, 5, 1, 0, 0, 0, 0}, Bytes{98, 2, 137}, Bytes{131, 4, 4, 0}})
    EXPECT_EQ(ip_text(bytes), "?");
}

TEST(IpOptionsText, TextsThatMakeNoSense) {
  const std::pair<const char*, const char*> texts[] = {
      {"rr", "there is no option 'rr'"},
      {"rr{", "expected an IP address"},
      {"rr{1.2.3}", "expected an IP address"},
      {"rr{1.2.3.4", "expected , or }"},
      {"rr{1.2.3.4}x", "'x' makes no sense"},
      {"rr{1.2.3.4}+", "expected a number"},
      {"rr{}+11", "out of range, 0 to 10"},
      {"rr{}+10", "more than 40 bytes"},
      {"ssrr{1.2.3.4^1.2.3.4^}", "more than one ^"},
      {"ts{2147483648}", "out of range"},
      {"ts{1}++16", "out of range, 0 to 15"},
      {"ts.ip{1}", "expected an IP address"},
      {"256", "out of range"},
      {"98=256", "out of range, 0 to 255"},
      {"98=", "expected a number"},
      {";", "there is no option ''"},
      {"98;", "there is no option ''"},
      {"", "there is no option ''"},
      {"98?", "'?' makes no sense"},
      {"nope", "'e' makes no sense"},
      {"1=5", "'=5' makes no sense"},
  };
  for (const auto& [text, expected] : texts) {
    Bytes options;
    std::string error;
    EXPECT_FALSE(read_ip_options(text, options, error)) << text;
    EXPECT_THAT(error, HasSubstr(expected)) << text;
  }
}

TEST(TcpOptionsText, BothWays) {
  const Pair pairs[] = {
      {".", {}},
      {"mss1460", {2, 4, 5, 180}},
      {"wscale10", {3, 3, 10}},
      {"sackok", {4, 2}},
      {"sack95-98", {5, 10, 0, 0, 0, 95, 0, 0, 0, 98}},
      {"sack1-2;sack3-4294967295", {5, 18, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 255, 255, 255, 255}},
      {"ts669063908:38382731", {8, 10, 39, 225, 26, 228, 2, 73, 172, 139}},
      {"mss1460;sackok;wscale7", {2, 4, 5, 180, 4, 2, 3, 3, 7}},
      {"sack1-2;sackok", {5, 10, 0, 0, 0, 1, 0, 0, 0, 2, 4, 2}},
      {"6;7=1;30=1:2", {6, 2, 7, 3, 1, 30, 4, 1, 2}},
  };
  for (const Pair& pair : pairs) {
    EXPECT_EQ(tcp_text(pair.bytes), pair.text);
    EXPECT_EQ(tcp_bytes(pair.text), pair.bytes) << pair.text;
  }
}

TEST(TcpOptionsText, SomeOptions) {
  const Bytes all = tcp_bytes("mss1400;sackok;ts1:2;sack5-6;wscale1");
  EXPECT_EQ(tcp_text(all, TcpOptions::without_timestamp), "mss1400;sackok;sack5-6;wscale1");
  EXPECT_EQ(tcp_text(all, TcpOptions::sack), "sackok;sack5-6");
  EXPECT_EQ(tcp_text(tcp_bytes("mss1400"), TcpOptions::sack), ".");
}

TEST(TcpOptionsText, MalformedOptionsAreAQuestionMark) {
  for (const Bytes& bytes : {Bytes{2}, Bytes{2, 3, 5}, Bytes{3, 4, 1, 1}, Bytes{4, 3, 1},
                             Bytes{5, 2}, Bytes{5, 9, 0, 0, 0, 0, 0, 0, 0}, Bytes{8, 9, 0},
                             Bytes{8, 6, 0, 0, 0, 0}, Bytes{99, 1}, Bytes{4, 2, 99, 3}})
    EXPECT_EQ(tcp_text(bytes), "?");
}

TEST(TcpOptionsText, TextsThatMakeNoSense) {
  const std::pair<const char*, const char*> texts[] = {
      {"mss", "expected a number"},
      {"mss65536", "out of range, 0 to 65535"},
      {"wscale256", "out of range"},
      {"sack5", "expected -"},
      {"sack5-", "expected a number"},
      {"ts5", "expected :"},
      {"ts5:4294967296", "out of range"},
      {"sackokay", "'ay' makes no sense"},
      {"wscale-1", "expected a number"},
      {"rr{}", "there is no option 'rr{}'"},
      {"ts1:1;ts1:1;ts1:1;ts1:1;nop", "more than 40 bytes"},
  };
  for (const auto& [text, expected] : texts) {
    Bytes options;
    std::string error;
    EXPECT_FALSE(read_tcp_options(text, options, error)) << text;
    EXPECT_THAT(error, HasSubstr(expected)) << text;
  }
  EXPECT_EQ(tcp_bytes("ts1:1;ts1:1;ts1:1;ts1:1").size(), 40u);
}

}  // namespace
}  // namespace headroom::summary
