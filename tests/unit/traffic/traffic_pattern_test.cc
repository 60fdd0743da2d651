#include "headroom/traffic/traffic_pattern.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "headroom/net/ether.hh"
#include "headroom/net/ip.hh"
#include "headroom/net/ip6.hh"
#include "headroom/net/udp.hh"

namespace headroom {
namespace {

using Kind = TrafficOptions::Kind;
using Frame = std::vector<uint8_t>;

// The next frame, its payload zero.
Frame next(TrafficPattern& pattern) {
  Frame frame(std::max(pattern.longest(), pattern.copied()), 0);
  frame.resize(pattern.next(frame.data()));
  return frame;
}
template <class Header>
const Header& at(const Frame& frame, std::size_t offset) {
  return *reinterpret_cast<const Header*>(frame.data() + offset);
}
const IpHeader& ip_of(const Frame& frame) { return at<IpHeader>(frame, 14); }
const Ip6Header& ip6_of(const Frame& frame) { return at<Ip6Header>(frame, 14); }

bool is_ip6(const Frame& frame) { return at<EtherHeader>(frame, 0).type == kEtherTypeIp6; }

void expect_valid_ip(const Frame& frame) {
  const IpHeader& ip = ip_of(frame);
  ASSERT_EQ(at<EtherHeader>(frame, 0).type, kEtherTypeIp);
  ASSERT_EQ(ip.total_length, frame.size() - 14);
  ASSERT_TRUE(ip_header_checksum_ok(ip));
  ASSERT_EQ(at<UdpHeader>(frame, 34).length, frame.size() - 34);
  InternetSum sum = ip_pseudo_header(ip.source, ip.destination, kIpProtocolUdp,
                                     static_cast<uint16_t>(frame.size() - 34));
  sum.add(frame.data() + 34, frame.size() - 34);
  ASSERT_TRUE(sum.is_valid());
}

void expect_valid_ip6(const Frame& frame) {
  const Ip6Header& ip = ip6_of(frame);
  ASSERT_EQ(ip.version(), 6u);
  ASSERT_EQ(ip.payload_length, frame.size() - 54);
  InternetSum sum = ip6_pseudo_header(ip.source, ip.destination, kIpProtocolUdp,
                                      static_cast<uint32_t>(frame.size() - 54));
  sum.add(frame.data() + 54, frame.size() - 54);
  ASSERT_TRUE(sum.is_valid());
}

TEST(TrafficPattern, EveryFrameOfEveryKindAndSizeIsValid) {
  for (const Kind kind : {Kind::ipv4, Kind::ipv6, Kind::mixed}) {
    for (const uint32_t size : {TrafficPattern::least_size(kind), 67u, 128u, 1518u}) {
      if (size < TrafficPattern::least_size(kind)) continue;
      TrafficPattern pattern({.kind = kind, .sizes = {{size, 1}}});
      std::size_t ip6 = 0;
      for (std::size_t i = 0; i < 2 * pattern.frames(); ++i) {
        const Frame frame = next(pattern);
        ASSERT_EQ(frame.size(), size - 4);
        ip6 += is_ip6(frame);
        if (is_ip6(frame))
          expect_valid_ip6(frame);
        else
          expect_valid_ip(frame);
        ASSERT_FALSE(HasFatalFailure()) << size;
      }
      const std::size_t share = kind == Kind::ipv4 ? 0 : kind == Kind::ipv6 ? 2 : 1;
      EXPECT_EQ(ip6, share * pattern.frames());
    }
  }
}

TEST(TrafficPattern, LeastSizesHoldTheHeaders) {
  EXPECT_EQ(TrafficPattern::least_size(Kind::ipv4), 64u);
  EXPECT_EQ(TrafficPattern::least_size(Kind::ipv6), 66u);
  EXPECT_EQ(TrafficPattern::least_size(Kind::mixed), 66u);
}

TEST(TrafficPattern, NoTwoPacketsInARowAreTheSame) {
  TrafficPattern pattern({.flows = 1});
  Frame last = next(pattern);
  for (int i = 0; i < 70'000; ++i) {  // past the end of the identifications
    const Frame frame = next(pattern);
    ASSERT_NE(frame, last);
    expect_valid_ip(frame);
    ASSERT_FALSE(HasFatalFailure());
    last = frame;
  }
}

TEST(TrafficPattern, FlowsAreAsManyAsAskedForAndEquallyFrequent) {
  for (const uint32_t flows : {1u, 3u, 4096u, 5000u, 200'000u}) {
    TrafficPattern pattern({.flows = flows});
    std::map<std::tuple<uint32_t, uint16_t, uint32_t>, std::size_t> seen;
    std::set<std::pair<uint32_t, uint16_t>> sources;
    for (std::size_t i = 0; i < pattern.frames(); ++i) {
      const Frame frame = next(pattern);
      const std::pair source(ip_of(frame).source.host_order(),
                             uint16_t{at<UdpHeader>(frame, 34).source_port});
      sources.insert(source);
      ++seen[{source.first, source.second, ip_of(frame).destination.host_order()}];
    }
    EXPECT_EQ(sources.size(), flows);
    ASSERT_EQ(seen.size(), flows);
    for (const auto& [flow, count] : seen) ASSERT_EQ(count, pattern.frames() / flows);
    EXPECT_GE(pattern.frames(), 4096u);
  }
}

TEST(TrafficPattern, PatternsOfDifferentNumbersShareNoFlow) {
  std::set<uint32_t> sources;
  for (const uint32_t first : {0u, 1u}) {
    TrafficPattern pattern({.flows = 100, .first_flow = first, .flow_step = 2});
    for (std::size_t i = 0; i < pattern.frames(); ++i)
      sources.insert(ip_of(next(pattern)).source.host_order());
  }
  EXPECT_EQ(sources.size(), 200u);
}

TEST(TrafficPattern, DestinationsAreUniformOverThePrefixes) {
  const std::vector<IPPrefix> prefixes = {*IPPrefix::parse("10.0.0.0/8"),
                                          *IPPrefix::parse("192.0.2.7/32"),
                                          *IPPrefix::parse("198.51.100.0/24")};
  TrafficPattern pattern({.flows = 30'000, .destinations = prefixes});
  std::map<std::size_t, int> hits;
  for (std::size_t i = 0; i < pattern.frames(); ++i) {
    const IPAddress address = ip_of(next(pattern)).destination;
    ASSERT_NE(address, IPAddress(198, 51, 100, 0));
    ASSERT_NE(address, IPAddress(198, 51, 100, 255));
    for (std::size_t p = 0; p < prefixes.size(); ++p) hits[p] += prefixes[p].contains(address);
  }
  for (std::size_t p = 0; p < prefixes.size(); ++p) EXPECT_NEAR(hits[p], 10'000, 600) << p;
}

TEST(TrafficPattern, DestinationsOfTheWholeSpaceAreUnicast) {
  TrafficPattern pattern({.flows = 50'000});
  std::set<unsigned> first_bytes;
  for (std::size_t i = 0; i < pattern.frames(); ++i) {
    const IPAddress address = ip_of(next(pattern)).destination;
    first_bytes.insert(address.host_order() >> 24);
  }
  EXPECT_EQ(first_bytes.size(), 222u);  // 1 to 223 without 127
  EXPECT_EQ(*first_bytes.begin(), 1u);
  EXPECT_EQ(*first_bytes.rbegin(), 223u);
  EXPECT_FALSE(first_bytes.contains(127));

  TrafficPattern ip6({.kind = Kind::ipv6, .sizes = {{66, 1}}});
  for (std::size_t i = 0; i < ip6.frames(); ++i)
    ASSERT_EQ(ip6_of(next(ip6)).destination.high() >> 61, 1u);
}

TEST(TrafficPattern, DestinationsOfPrefixesOfIp6AreInside) {
  const std::vector<IP6Prefix> prefixes = {*IP6Prefix::parse("2001:db8::/48"),
                                           *IP6Prefix::parse("2001:db8:1:2:3::/80"),
                                           *IP6Prefix::parse("2001:db8:2::5/128")};
  TrafficPattern pattern({.kind = Kind::ipv6, .sizes = {{66, 1}}, .destinations6 = prefixes});
  std::set<IP6Address> seen;
  for (std::size_t i = 0; i < pattern.frames(); ++i) {
    const IP6Address address = ip6_of(next(pattern)).destination;
    seen.insert(address);
    ASSERT_TRUE(prefixes[0].contains(address) || prefixes[1].contains(address) ||
                prefixes[2].contains(address))
        << address.to_string();
  }
  EXPECT_GT(seen.size(), 2000u);
}

TEST(TrafficPattern, SizesComeInTheirProportionsAndMixed) {
  TrafficPattern pattern({.sizes = TrafficPattern::imix(), .flows = 12 * 1000});
  std::map<std::size_t, int> counts;
  std::size_t changes = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < pattern.frames(); ++i) {
    const Frame frame = next(pattern);
    expect_valid_ip(frame);
    ASSERT_FALSE(HasFatalFailure());
    ++counts[frame.size()];
    changes += frame.size() != last;
    last = frame.size();
  }
  EXPECT_THAT(counts, ::testing::ElementsAre(std::pair(60, 7000), std::pair(590, 4000),
                                             std::pair(1514, 1000)));
  EXPECT_GT(changes, 5000u);
  EXPECT_NEAR(pattern.mean_length(), (60 * 7 + 590 * 4 + 1514) / 12.0, 0.01);
}

TEST(TrafficPattern, TheSameSeedGivesTheSameFrames) {
  TrafficPattern a({.seed = 7});
  TrafficPattern b({.seed = 7});
  TrafficPattern c({.seed = 8});
  int different = 0;
  for (std::size_t i = 0; i < a.frames(); ++i) {
    const Frame frame = next(a);
    ASSERT_EQ(frame, next(b));
    different += frame != next(c);
  }
  EXPECT_GT(different, 4000);
}

TEST(TrafficPattern, GivenFramesComeAsTheyAre) {
  const std::vector<Frame> frames = {Frame(60, 1), Frame(14, 2), Frame(1514, 3)};
  TrafficPattern pattern(frames);
  EXPECT_EQ(pattern.frames(), 3u);
  EXPECT_EQ(pattern.longest(), 1514u);
  for (int round = 0; round < 3; ++round)
    for (const Frame& frame : frames) EXPECT_EQ(next(pattern), frame);
}

TEST(TrafficPattern, NoMoreIsWrittenThanAGivenFrame) {
  const std::vector<Frame> frames = {Frame(20, 1)};
  TrafficPattern pattern(frames);
  Frame room(pattern.copied(), 0xee);
  EXPECT_EQ(pattern.next(room.data()), 20u);
  EXPECT_EQ(Frame(room.begin(), room.begin() + 20), frames[0]);
  EXPECT_EQ(Frame(room.begin() + 20, room.end()), Frame(room.size() - 20, 0xee));
}

}  // namespace
}  // namespace headroom
