#include "headroom/net/addresses.hh"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <random>
#include <unordered_set>
#include <vector>

namespace headroom {
namespace {

template <class T>
void expect_refused(const std::vector<std::string_view>& texts) {
  for (const auto text : texts)
    EXPECT_FALSE(T::parse(text)) << "'" << text << "' is " << T::parse(text)->to_string();
}

TEST(ByteOrder, StoresBigEndianAnywhere) {
  unsigned char bytes[9] = {};
  auto& field = *reinterpret_cast<be32*>(bytes + 1);
  field = 0x01020304;
  EXPECT_EQ(bytes[1], 1);
  EXPECT_EQ(bytes[4], 4);
  EXPECT_EQ(field, 0x01020304U);
  field += 0xff;
  EXPECT_EQ(field, 0x01020403U);
  field |= 0x80000000;
  field &= 0xff000000;
  EXPECT_EQ(field.value(), 0x81000000U);
  be64 wide = 0x0102030405060708;
  EXPECT_EQ(reinterpret_cast<unsigned char*>(&wide)[0], 1);
  EXPECT_EQ(be64::from_raw(wide.raw()), wide);
  EXPECT_EQ(load_big<uint16_t>("\x12\x34"), 0x1234);
  store_big<uint16_t>(bytes, 0xabcd);
  EXPECT_EQ(bytes[0], 0xab);
  static_assert(be16(0x1234) == 0x1234);
}

TEST(EtherAddress, ParsesAndPrints) {
  EXPECT_EQ(EtherAddress::parse("00-15-58-2D-FB-8F")->to_string(), "00-15-58-2D-FB-8F");
  EXPECT_EQ(EtherAddress::parse("00:15:58:2d:fb:8f"),
            EtherAddress(0, 0x15, 0x58, 0x2d, 0xfb, 0x8f));
  EXPECT_EQ(EtherAddress::parse("0:1:2:a:B:ff")->to_string(), "00-01-02-0A-0B-FF");
  EXPECT_EQ(EtherAddress::parse("1-2-3-4-5-6")->to_uint64(), 0x010203040506U);
  expect_refused<EtherAddress>({"",
                                "0",
                                ":",
                                "1:2:3:4:5",
                                "1:2:3:4:5:",
                                "1:2:3:4:5:6:",
                                "1:2:3:4:5:6:7",
                                "1:2:3:4:5-6",
                                "1-2:3-4-5-6",
                                "1:2:3:4:5:g",
                                "1:2:3:4:5:100",
                                "001:2:3:4:5:6",
                                " 1:2:3:4:5:6",
                                "1:2:3:4:5:6 ",
                                "1.2.3.4.5.6",
                                "1::3:4:5:6",
                                ":1:2:3:4:5:6",
                                "0x1:2:3:4:5:6",
                                "001122334455",
                                "1:2:3:4:5:-6"});
}

TEST(EtherAddress, Classifies) {
  EXPECT_TRUE(EtherAddress::broadcast().is_broadcast());
  EXPECT_TRUE(EtherAddress::broadcast().is_group());
  EXPECT_FALSE(EtherAddress::broadcast().is_multicast());
  EXPECT_TRUE(EtherAddress(1, 0, 0x5e, 0, 0, 1).is_multicast());
  EXPECT_FALSE(EtherAddress(0, 1, 1, 1, 1, 1).is_group());
  EXPECT_TRUE(EtherAddress(2, 0, 0, 0, 0, 0).is_local());
  EXPECT_TRUE(EtherAddress().is_zero());
  static_assert(EtherAddress(1, 2, 3, 4, 5, 6).to_uint64() == 0x010203040506);
  static_assert(EtherAddress::from_uint64(0x010203040506) == EtherAddress(1, 2, 3, 4, 5, 6));
}

TEST(EtherAddress, OrderAndBytes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const auto a = EtherAddress::from_uint64(random() & 0xff00000000ff);
    const auto b = EtherAddress::from_uint64(random() & 0xff00000000ff);
    EXPECT_EQ(a == b, a.bytes() == b.bytes());
    EXPECT_EQ(a < b, a.bytes() < b.bytes());
    EXPECT_EQ(EtherAddress::parse(a.to_string()), a);
    EXPECT_EQ(EtherAddress::from_bytes(a.data()), a);
  }
}

TEST(IPAddress, ParsesAndPrints) {
  EXPECT_EQ(IPAddress::parse("18.26.4.9"), IPAddress(18, 26, 4, 9));
  EXPECT_EQ(IPAddress::parse("0.0.0.0"), IPAddress());
  EXPECT_EQ(IPAddress::parse("255.255.255.255"), IPAddress::broadcast());
  EXPECT_EQ(IPAddress(127, 0, 0, 1).to_string(), "127.0.0.1");
  EXPECT_EQ(IPAddress(127, 0, 0, 1).host_order(), 0x7f000001U);
  EXPECT_EQ(IPAddress(127, 0, 0, 1).network_order(), htonl(0x7f000001));
  expect_refused<IPAddress>({"",           ".",          "1",         "1.2",
                             "1.2.3",      "1.2.3.",     "1.2.3.4.",  "1.2.3.4.5",
                             ".1.2.3.4",   "1..3.4",     "256.1.1.1", "1.1.1.256",
                             "1.2.3.1000", "0001.2.3.4", "010.0.0.1", "00.0.0.0",
                             "1.2.3.4 ",   " 1.2.3.4",   "0x1.2.3.4", "-1.2.3.4",
                             "+1.2.3.4",   "1.2.3.a",    "1,2,3,4",   "99999999999999999999.1.1.1",
                             "1.2.3.4/8"});
  EXPECT_FALSE(IPAddress::parse(std::string_view("1.2.3.4\0", 8)));
}

TEST(IPAddress, RoundTripsLikeInetPton) {
  std::mt19937 random(2);
  for (int i = 0; i < 100000; ++i) {
    const uint32_t value = random();
    const auto address = IPAddress::from_host_order(value);
    const std::string text = address.to_string();
    EXPECT_EQ(IPAddress::parse(text), address);
    in_addr expected{};
    ASSERT_EQ(inet_pton(AF_INET, text.c_str(), &expected), 1);
    EXPECT_EQ(expected.s_addr, address.network_order());
  }
}

TEST(IPAddress, Classifies) {
  EXPECT_TRUE(IPAddress(224, 0, 0, 1).is_multicast());
  EXPECT_TRUE(IPAddress(239, 255, 255, 255).is_multicast());
  EXPECT_FALSE(IPAddress(240, 0, 0, 0).is_multicast());
  EXPECT_FALSE(IPAddress(223, 255, 255, 255).is_multicast());
  EXPECT_TRUE(IPAddress(127, 255, 0, 1).is_loopback());
  EXPECT_TRUE(IPAddress(169, 254, 3, 4).is_link_local());
  EXPECT_TRUE(IPAddress::broadcast().is_broadcast());
  EXPECT_LT(IPAddress(9, 255, 255, 255), IPAddress(10, 0, 0, 0));
  for (unsigned length = 0; length <= 32; ++length)
    EXPECT_EQ(IPAddress::mask_of(length).mask_length(), length);
  EXPECT_FALSE(IPAddress(255, 0, 255, 0).mask_length());
  EXPECT_FALSE(IPAddress(0, 255, 255, 255).mask_length());
}

TEST(IPPrefix, Parses) {
  const auto prefix = [](const char* text) {
    const auto parsed = IPPrefix::parse(text);
    return parsed ? parsed->to_string() : "refused";
  };
  EXPECT_EQ(prefix("18.26.4.9/24"), "18.26.4.9/24");
  EXPECT_EQ(prefix("18.26/16"), "18.26.0.0/16");
  EXPECT_EQ(prefix("18.26/15"), "18.26.0.0/15");
  EXPECT_EQ(prefix("18/8"), "18.0.0.0/8");
  EXPECT_EQ(prefix("0/0"), "0.0.0.0/0");
  EXPECT_EQ(prefix("10.1.2/24"), "10.1.2.0/24");
  EXPECT_EQ(prefix("1.2.3.4"), "1.2.3.4/32");
  EXPECT_EQ(prefix("1.2.3.4/32"), "1.2.3.4/32");
  EXPECT_EQ(prefix("1.2.3.4/255.255.255.0"), "1.2.3.4/24");
  EXPECT_EQ(prefix("18.26/255.255.0.0"), "18.26.0.0/16");
  EXPECT_EQ(prefix("1.2.3.4/0.0.0.0"), "1.2.3.4/0");
  EXPECT_EQ(prefix("1.2.3.4/255.255.255.255"), "1.2.3.4/32");
  expect_refused<IPPrefix>({"",
                            "/",
                            "/8",
                            "18.26/24",
                            "18/9",
                            "18.26",
                            "18",
                            "1.2.3.4/",
                            "1.2.3.4/33",
                            "1.2.3.4/-1",
                            "1.2.3.4/+1",
                            "1.2.3.4/08",
                            "1.2.3.4/8/8",
                            "1.2.3.4/255.0.255.0",
                            "18/255.255.0.0",
                            "1.2.3.4/255.255",
                            "1.2.3.4/24 ",
                            "18./8",
                            "1.2.3.4/a",
                            "1.2.3.4.5/8",
                            "1.2.3.4/999999999999",
                            "1.2.3.4 /8"});
}

TEST(IPPrefix, Contains) {
  const auto prefix = *IPPrefix::parse("10.1.2.3/16");
  EXPECT_TRUE(prefix.contains(IPAddress(10, 1, 255, 255)));
  EXPECT_FALSE(prefix.contains(IPAddress(10, 2, 0, 0)));
  EXPECT_EQ(prefix.network(), IPAddress(10, 1, 0, 0));
  EXPECT_EQ(prefix.mask(), IPAddress(255, 255, 0, 0));
  EXPECT_EQ(prefix.last(), IPAddress(10, 1, 255, 255));
  EXPECT_EQ(prefix.canonical(), *IPPrefix::parse("10.1/16"));
  EXPECT_NE(prefix, prefix.canonical());
  EXPECT_TRUE(prefix.contains(*IPPrefix::parse("10.1.9.0/24")));
  EXPECT_FALSE(prefix.contains(*IPPrefix::parse("10/8")));
  EXPECT_TRUE(IPPrefix(IPAddress(), 0).contains(IPAddress(1, 2, 3, 4)));
  EXPECT_TRUE(IPPrefix(IPAddress(1, 2, 3, 4)).contains(IPAddress(1, 2, 3, 4)));
  EXPECT_FALSE(IPPrefix(IPAddress(1, 2, 3, 4)).contains(IPAddress(1, 2, 3, 5)));
}

TEST(IP6Address, PrintsCanonically) {
  // RFC 5952, section 4, and RFC 4291, 2.2.
  const std::pair<const char*, const char*> cases[] = {
      {"2001:0db8::0001", "2001:db8::1"},
      {"2001:db8:0:0:0:0:2:1", "2001:db8::2:1"},
      {"2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"},
      {"2001:0:0:1:0:0:0:1", "2001:0:0:1::1"},
      {"2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"},
      {"2001:DB8::AbCd", "2001:db8::abcd"},
      {"ABCD:EF01:2345:6789:ABCD:EF01:2345:6789", "abcd:ef01:2345:6789:abcd:ef01:2345:6789"},
      {"FF01:0:0:0:0:0:0:101", "ff01::101"},
      {"0:0:0:0:0:0:0:1", "::1"},
      {"0:0:0:0:0:0:0:0", "::"},
      {"::FFFF:129.144.52.38", "::ffff:129.144.52.38"},
      {"0:0:0:0:0:ffff:8190:3426", "::ffff:129.144.52.38"},
      {"::13.1.68.3", "::d01:4403"},
      {"64:ff9b::192.0.2.33", "64:ff9b::c000:221"},
      {"1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"},
      {"::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"},
      {"1::", "1::"},
      {"1:0:0:0:0:0:0:8", "1::8"},
      {"1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"},
  };
  for (const auto& [text, canonical] : cases) {
    const auto address = IP6Address::parse(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->to_string(), canonical) << text;
    EXPECT_EQ(IP6Address::parse(canonical), address) << text;
  }
  expect_refused<IP6Address>({"",
                              ":",
                              ":::",
                              "1",
                              "1:2:3:4:5:6:7",
                              "1:2:3:4:5:6:7:8:9",
                              "1::2::3",
                              "::1::",
                              "1:2:3:4:5:6:7:8::",
                              "::1:2:3:4:5:6:7:8",
                              "1:",
                              ":1",
                              "12345::",
                              "g::",
                              "::1%eth0",
                              "[::1]",
                              "1.2.3.4",
                              "::1.2.3",
                              "::1.2.3.256",
                              "1.2.3.4::",
                              "::1.2.3.4:5",
                              "1:2:3:4:5:6:7:1.2.3.4",
                              " ::",
                              ":: ",
                              "::1/64",
                              "1:2:3:4:5:6::1.2.3.4",
                              "::01.2.3.4",
                              "1:::2",
                              "::-1",
                              "::ffff:1.2.3.4.5"});
}

// inet_ntop() writes IPv4-compatible addresses (::/96), deprecated by RFC 4291, with dots.
bool is_compatible(const IP6Address& address) {
  return address.high() == 0 && address.low() >> 32 == 0;
}

TEST(IP6Address, AgreesWithInetNtop) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 200000; ++i) {
    IP6Address address;
    const uint64_t zeroes = random();  // which groups are zero, so that runs of all lengths occur
    for (size_t group = 0; group < 8; ++group) {
      if (zeroes >> group & 1) continue;
      const auto value = static_cast<uint16_t>(random() >> (random() % 16));
      store_big(address.data() + 2 * group, value);
    }
    if (i % 50 == 0)
      address = IP6Address::mapped(IPAddress::from_host_order(random() & 0xffffffff));
    char expected[INET6_ADDRSTRLEN];
    inet_ntop(AF_INET6, address.data(), expected, sizeof expected);
    if (!is_compatible(address)) {
      ASSERT_EQ(address.to_string(), expected);
    }
    ASSERT_EQ(IP6Address::parse(address.to_string()), address);
    ASSERT_EQ(IP6Address::parse(expected), address) << expected;
  }
}

TEST(IP6Address, AgreesWithInetPtonOnAnything) {
  std::mt19937 random(4);
  const std::string_view pieces[] = {":",
                                     "::",
                                     "0",
                                     "1",
                                     "ab",
                                     "FFFF",
                                     "12345",
                                     ".",
                                     "1.2.3.4",
                                     "1:2:3",
                                     "255.255.255.255",
                                     "256.1.1.1",
                                     "g",
                                     "1:2:3:4:5:6"};
  int accepted = 0;
  for (int i = 0; i < 1000000; ++i) {
    std::string text;
    for (unsigned n = random() % 10 + 1; n > 0; --n) {
      text += pieces[random() % std::size(pieces)];
      if (random() % 2) text += ':';
    }
    in6_addr expected{};
    const bool valid = inet_pton(AF_INET6, text.c_str(), &expected) == 1;
    const auto address = IP6Address::parse(text);
    ASSERT_EQ(address.has_value(), valid) << text;
    if (valid) {
      ASSERT_EQ(*address, IP6Address::from_bytes(&expected)) << text;
    }
    accepted += valid;
  }
  EXPECT_GT(accepted, 1000);
}

TEST(IP6Address, Classifies) {
  EXPECT_TRUE(IP6Address::parse("::1")->is_loopback());
  EXPECT_TRUE(IP6Address::parse("::")->is_zero());
  EXPECT_TRUE(IP6Address::parse("ff02::1")->is_multicast());
  EXPECT_TRUE(IP6Address::parse("fe80::1")->is_link_local());
  EXPECT_TRUE(IP6Address::parse("febf::1")->is_link_local());
  EXPECT_FALSE(IP6Address::parse("fec0::1")->is_link_local());
  EXPECT_TRUE(IP6Address::parse("::ffff:1.2.3.4")->is_mapped());
  EXPECT_LT(*IP6Address::parse("1::ffff"), *IP6Address::parse("2::"));
  EXPECT_LT(*IP6Address::parse("1::1"), *IP6Address::parse("1::2"));
  static_assert(IP6Address::mask_of(65).low() == uint64_t{1} << 63);
  static_assert(IP6Address::mask_of(0).is_zero() && IP6Address::mask_of(128).low() + 1 == 0);
  for (unsigned length = 0; length <= 128; ++length)
    EXPECT_EQ(IP6Address::mask_of(length).mask_length(), length);
}

TEST(IP6Prefix, ParsesAndContains) {
  const auto prefix = IP6Prefix::parse("2001:db8::1/33");
  ASSERT_TRUE(prefix);
  EXPECT_EQ(prefix->to_string(), "2001:db8::1/33");
  EXPECT_EQ(prefix->network(), *IP6Address::parse("2001:db8::"));
  EXPECT_TRUE(prefix->contains(*IP6Address::parse("2001:db8:7fff::")));
  EXPECT_FALSE(prefix->contains(*IP6Address::parse("2001:db8:8000::")));
  EXPECT_TRUE(IP6Prefix::parse("::/0")->contains(*IP6Address::parse("ffff::1")));
  EXPECT_EQ(IP6Prefix::parse("1::")->length, 128);
  EXPECT_EQ(IP6Prefix::parse("1::/ffff:ffff::")->length, 32);
  expect_refused<IP6Prefix>({"", "/64", "1::/", "1::/129", "1::/-1", "1::/064", "1::/64/64",
                             "1.2.3.4/8", "1::/64 ", "1::/ffff::1", "1::/1000"});
}

template <class T>
void expect_hashable(const std::vector<const char*>& texts) {
  std::unordered_set<T> set;
  for (const char* text : texts) set.insert(*T::parse(text));
  EXPECT_EQ(set.size(), texts.size());
  for (const char* text : texts) EXPECT_TRUE(set.contains(*T::parse(text)));
}

TEST(Addresses, Hash) {
  expect_hashable<EtherAddress>({"1:2:3:4:5:6", "1:2:3:4:5:7"});
  expect_hashable<IPAddress>({"1.2.3.4", "4.3.2.1"});
  expect_hashable<IPPrefix>({"1.2.3.4/8", "1.2.3.4/9"});
  expect_hashable<IP6Address>({"1::2", "2::1"});
  expect_hashable<IP6Prefix>({"1::2/64", "1::2/65"});
}

}  // namespace
}  // namespace headroom
