#include "headroom/net/link_type.hh"

#include <gmock/gmock.h>

namespace headroom {
namespace {

using Bytes = std::vector<uint8_t>;

// An IPv4 header behind these bytes.
std::optional<uint32_t> offset_behind(int type, Bytes bytes) {
  bytes.push_back(0x45);
  bytes.resize(bytes.size() + 19);
  return ip_offset(type, bytes);
}

TEST(LinkType, Names) {
  EXPECT_EQ(link_type_by_name("ETHER"), 1);
  EXPECT_EQ(link_type_by_name("IP"), 12);
  EXPECT_EQ(link_type_by_name("ether"), std::nullopt);
  for (const std::string_view name : link_type_names())
    EXPECT_EQ(link_type_by_name(link_type_name(*link_type_by_name(name))), link_type_by_name(name));
  EXPECT_EQ(link_type_name(228), "IP");
  EXPECT_EQ(link_type_name(4242), "4242");
}

TEST(LinkType, WhereTheIpHeaderIs) {
  EXPECT_EQ(offset_behind(kLinkRaw, {}), 0u);
  EXPECT_EQ(offset_behind(kLinkIp4, {}), 0u);
  EXPECT_EQ(offset_behind(kLinkNull, {2, 0, 0, 0}), 4u);
  EXPECT_EQ(offset_behind(kLinkNull, {0, 0, 0, 2}), 4u);
  EXPECT_EQ(offset_behind(kLinkNull, {30, 0, 0, 0}), std::nullopt);
  EXPECT_EQ(offset_behind(kLinkLoop, {0, 0, 0, 2}), 4u);
  EXPECT_EQ(offset_behind(kLinkPpp, {0, 0x21}), 2u);
  EXPECT_EQ(offset_behind(kLinkPpp, {0xff, 3, 0, 0x21}), 4u);
  EXPECT_EQ(offset_behind(kLinkPppHdlc, {0xff, 3, 0, 0x57}), std::nullopt);
  Bytes cooked(16);
  cooked[14] = 8;
  EXPECT_EQ(offset_behind(kLinkCooked, cooked), 16u);
  Bytes cooked2(20);
  EXPECT_EQ(offset_behind(kLinkCooked2, cooked2), std::nullopt);
  cooked2[0] = 8;
  EXPECT_EQ(offset_behind(kLinkCooked2, cooked2), 20u);
  EXPECT_EQ(offset_behind(kLink80211, {8, 0, 8, 0}), std::nullopt);
}

// Cut off anywhere, and with tags that have no end.
TEST(LinkType, ShortAndEndlessPackets) {
  Bytes tags(12);
  for (int i = 0; i < 100; ++i) tags.insert(tags.end(), {0x81, 0, 0, 0});
  for (const int type : {kLinkNull, kLinkEther, kLinkPpp, kLinkRaw, kLinkPppHdlc, kLinkLoop,
                         kLinkCooked, kLinkIp4, kLinkCooked2, 9999})
    for (std::size_t length = 0; length <= tags.size(); ++length) {
      const Bytes bytes(tags.begin(), tags.begin() + static_cast<std::ptrdiff_t>(length));
      EXPECT_EQ(ip_offset(type, bytes), std::nullopt);
    }
}

}  // namespace
}  // namespace headroom
