#include "headroom/click/arg_types.hh"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <optional>
#include <string>

namespace headroom::click {
namespace {

template <class T>
std::optional<T> parse(std::string_view text) {
  T value{};
  std::string error;
  if (!ArgType<T>::parse(text, value, error)) return std::nullopt;
  return value;
}
// The error text; "" for a plain parse error, "good" for none.
template <class T>
std::string error(std::string_view text) {
  T value{};
  std::string error;
  return ArgType<T>::parse(text, value, error) ? "good" : error;
}
template <class T>
std::string again(std::string_view text) {
  const std::optional<T> value = parse<T>(text);
  return value ? ArgType<T>::unparse(*value) : "parse error";
}
std::optional<int64_t> nanoseconds(std::string_view text) {
  const std::optional<Duration> value = parse<Duration>(text);
  return value ? std::optional(value->nanoseconds) : std::nullopt;
}

TEST(ArgTypes, Booleans) {
  for (const char* text : {"0", "false", "no", "f", "n"}) EXPECT_EQ(parse<bool>(text), false);
  for (const char* text : {"1", "true", "yes", "t", "y"}) EXPECT_EQ(parse<bool>(text), true);
  for (const char* text : {"", "TRUE", "True", "2", "on", "tru"}) EXPECT_FALSE(parse<bool>(text));
  EXPECT_EQ(ArgType<bool>::unparse(true), "true");
  EXPECT_EQ(ArgType<bool>::unparse(false), "false");
}

TEST(ArgTypes, Integers) {
  EXPECT_EQ(parse<int32_t>("12"), 12);
  EXPECT_EQ(parse<int32_t>("+12"), 12);
  EXPECT_EQ(parse<int32_t>("-12"), -12);
  EXPECT_EQ(parse<int32_t>("0"), 0);
  EXPECT_EQ(parse<int32_t>("0x1f"), 31);
  EXPECT_EQ(parse<int32_t>("-0XFF"), -255);
  EXPECT_EQ(parse<int32_t>("0b101"), 5);
  EXPECT_EQ(parse<int32_t>("0B1"), 1);
  EXPECT_EQ(parse<int32_t>("017"), 15);
  EXPECT_EQ(parse<int32_t>("1_000_000"), 1000000);
  EXPECT_EQ(parse<uint32_t>("-0"), 0U);
  EXPECT_EQ(parse<uint64_t>("18446744073709551615"), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(parse<int64_t>("-9223372036854775808"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(parse<int32_t>("-2147483648"), std::numeric_limits<int32_t>::min());
  for (const char* text : {"", "+", "-", "x", "1x", "1 2", " 1", "08", "0x", "0b2", "1.0", "1__0",
                           "_1", "1_", "0x_1", "--1", "1e3", "99999999999999999999x"}) {
    EXPECT_EQ(error<int32_t>(text), "") << text;
  }
}

TEST(ArgTypes, IntegerBounds) {
  EXPECT_EQ(error<int32_t>("2147483648"), "out of range, bound 2147483647");
  EXPECT_EQ(error<int32_t>("-2147483649"), "out of range, bound -2147483648");
  EXPECT_EQ(error<int64_t>("9223372036854775808"), "out of range, bound 9223372036854775807");
  EXPECT_EQ(error<int64_t>("-9223372036854775809"), "out of range, bound -9223372036854775808");
  EXPECT_EQ(error<uint8_t>("256"), "out of range, bound 255");
  EXPECT_EQ(error<uint16_t>("65536"), "out of range, bound 65535");
  EXPECT_EQ(error<uint32_t>("4294967296"), "out of range, bound 4294967295");
  EXPECT_EQ(error<uint32_t>("-1"), "out of range, bound 0");
  EXPECT_EQ(error<uint64_t>("18446744073709551616"), "out of range, bound 18446744073709551615");
  EXPECT_EQ(error<uint64_t>("0xFFFFFFFFFFFFFFFFF"), "out of range, bound 18446744073709551615");
  EXPECT_EQ(error<uint64_t>("-99999999999999999999"), "out of range, bound 0");
  EXPECT_EQ(again<int64_t>("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(again<uint8_t>("0xFF"), "255");
}

TEST(ArgTypes, RealNumbers) {
  EXPECT_EQ(parse<double>("1.5"), 1.5);
  EXPECT_EQ(parse<double>(".1"), 0.1);
  EXPECT_EQ(parse<double>("10."), 10.0);
  EXPECT_EQ(parse<double>("1e8"), 1e8);
  EXPECT_EQ(parse<double>("-2.5E-3"), -2.5e-3);
  EXPECT_EQ(parse<double>("+1_000.000_1"), 1000.0001);
  EXPECT_EQ(parse<double>("1e-999"), 0.0);
  EXPECT_EQ(parse<double>("0e999999999999999999999"), 0.0);
  EXPECT_EQ(parse<double>("0." + std::string(500, '0') + "1e501"), 1.0);
  for (const char* text : {"", ".", "e5", "1e", "1e+", "inf", "nan", "0x1p3", "1 ", "1.2.3", "-",
                           "1_", "_1", "1_.5"}) {
    EXPECT_EQ(error<double>(text), "") << text;
  }
  EXPECT_EQ(error<double>("1e999"), "out of range, bound 1.79769e+308");
  EXPECT_EQ(error<double>("-1e999"), "out of range, bound -1.79769e+308");
  EXPECT_EQ(again<double>("0.1"), "0.1");
  EXPECT_EQ(parse<double>(ArgType<double>::unparse(1.0 / 3)), 1.0 / 3);
}

TEST(ArgTypes, Durations) {
  EXPECT_EQ(nanoseconds("1"), 1'000'000'000);
  EXPECT_EQ(nanoseconds("1.5 s"), 1'500'000'000);
  EXPECT_EQ(nanoseconds("1.5sec"), 1'500'000'000);
  EXPECT_EQ(nanoseconds("10ms"), 10'000'000);
  EXPECT_EQ(nanoseconds("10 msec"), 10'000'000);
  EXPECT_EQ(nanoseconds("10us"), 10'000);
  EXPECT_EQ(nanoseconds("10 usec"), 10'000);
  EXPECT_EQ(nanoseconds("10ns"), 10);
  EXPECT_EQ(nanoseconds("10nsec"), 10);
  EXPECT_EQ(nanoseconds("2min"), 120'000'000'000);
  EXPECT_EQ(nanoseconds("2m"), 120'000'000'000);
  EXPECT_EQ(nanoseconds("1h"), 3'600'000'000'000);
  EXPECT_EQ(nanoseconds("1 hr"), 3'600'000'000'000);
  EXPECT_EQ(nanoseconds("1d"), 86'400'000'000'000);
  EXPECT_EQ(nanoseconds("1day"), 86'400'000'000'000);
  EXPECT_EQ(nanoseconds("1000000000.123456789"), 1'000'000'000'123'456'789);
  EXPECT_EQ(nanoseconds("9223372036854775807ns"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(nanoseconds("1e-3"), 1'000'000);
  for (const char* text : {"", "s", "1 x", "1 s s", "1S", "1mss", "1 ", "0x1s"}) {
    EXPECT_EQ(error<Duration>(text), "") << text;
  }
  EXPECT_EQ(error<Duration>("-1"), "out of range, bound 0");
  EXPECT_EQ(error<Duration>("1e11"), "out of range, bound 9223372036.854775807s");
  EXPECT_EQ(error<Duration>("1e99999"), "out of range, bound 9223372036.854775807s");
  EXPECT_EQ(again<Duration>("1.5"), "1500ms");
  EXPECT_EQ(again<Duration>("2min"), "120s");
  EXPECT_EQ(again<Duration>("1.0005ms"), "1000500ns");
  EXPECT_EQ(again<Duration>("15us"), "15us");
  EXPECT_EQ(again<Duration>("0"), "0s");
}

TEST(ArgTypes, Strings) {
  EXPECT_EQ(parse<std::string>("abc"), "abc");
  EXPECT_EQ(parse<std::string>("\"a b\"'c d'"), "a bc d");
  EXPECT_EQ(parse<std::string>("\"\""), "");
  EXPECT_FALSE(parse<std::string>("a b"));
  EXPECT_FALSE(parse<std::string>(""));
  EXPECT_EQ(again<std::string>("abc"), "abc");
  EXPECT_EQ(again<std::string>("'a b'"), "\"a b\"");
  EXPECT_EQ(again<std::string>("''"), "\"\"");
  EXPECT_EQ(again<std::string>("'a//b'"), "\"a//b\"");
}

TEST(ArgTypes, RawTexts) {
  EXPECT_EQ(parse<RawText>("\"a b\" c")->text, "\"a b\" c");
  EXPECT_EQ(again<RawText>("\"a b\" c"), "\"a b\" c");
}

TEST(ArgTypes, Filenames) {
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(parse<Filename>("\"/tmp//a///b.pcap\"")->path, "/tmp/a/b.pcap");
  EXPECT_EQ(parse<Filename>("\"a b\"")->path, "a b");
  EXPECT_EQ(parse<Filename>("-")->path, "-");
  EXPECT_EQ(parse<Filename>("~/x")->path, "/home/me/x");
  EXPECT_EQ(parse<Filename>("~")->path, "/home/me");
  EXPECT_EQ(parse<Filename>("~root/x")->path, "/root/x");
  EXPECT_EQ(parse<Filename>("~nosuchuser/x")->path, "~nosuchuser/x");
  EXPECT_FALSE(parse<Filename>("a b"));
  EXPECT_FALSE(parse<Filename>("\"\""));
  EXPECT_EQ(error<Filename>("\"a\\0b\""), "a filename cannot have a zero byte");
  EXPECT_EQ(again<Filename>("/tmp/x"), "/tmp/x");
}

TEST(ArgTypes, Addresses) {
  EXPECT_EQ(again<IPAddress>("10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(again<IPPrefix>("18.26.4.0/24"), "18.26.4.0/24");
  EXPECT_EQ(again<IP6Address>("2001:db8::1"), "2001:db8::1");
  EXPECT_EQ(again<IP6Prefix>("2001:db8::/32"), "2001:db8::/32");
  EXPECT_EQ(again<EtherAddress>("0:15:58:2d:fb:8f"), "00-15-58-2D-FB-8F");
  EXPECT_FALSE(parse<IPAddress>("10.0.0"));
  EXPECT_FALSE(parse<IPPrefix>("18.26/24"));
  EXPECT_FALSE(parse<IP6Address>("2001"));
  EXPECT_FALSE(parse<EtherAddress>("0:1:2:3:4"));
}

TEST(ArgTypes, Names) {
  EXPECT_EQ(ArgType<uint32_t>::name, "unsigned integer");
  EXPECT_EQ(ArgType<Duration>::name, "time");
}

}  // namespace
}  // namespace headroom::click
