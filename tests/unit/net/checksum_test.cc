#include "headroom/net/checksum.hh"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace headroom {
namespace {

// RFC 1071, section 1, as it is written: pairs of bytes as numbers, end-around carry at once.
uint16_t naive_sum(const uint8_t* data, size_t length) {
  uint32_t sum = 0;
  for (size_t i = 0; i < length; ++i) {
    sum += i % 2 == 0 ? data[i] << 8 : data[i];
    if (sum > 0xffff) sum = (sum & 0xffff) + 1;
  }
  return static_cast<uint16_t>(sum);
}
uint16_t naive_checksum(const uint8_t* data, size_t length) {
  return static_cast<uint16_t>(~naive_sum(data, length));
}
uint16_t naive_checksum(const IpHeader& header) {
  IpHeader copy = header;
  copy.checksum = 0;
  return naive_checksum(reinterpret_cast<const uint8_t*>(&copy), sizeof copy);
}

std::vector<uint8_t> random_bytes(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

TEST(Checksum, Rfc1071Example) {
  // Section 3: the sum is ddf2.
  const uint8_t bytes[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
  EXPECT_EQ(internet_checksum(bytes, sizeof bytes), 0x220d);
}

TEST(Checksum, EveryLengthAndAlignment) {
  const auto bytes = random_bytes(2100, 1);
  const std::vector<uint8_t> ones(2100, 0xff);
  for (size_t length = 0; length <= 2000; ++length) {
    for (size_t shift = 0; shift < 8; ++shift) {
      ASSERT_EQ(internet_checksum(&bytes[shift], length), naive_checksum(&bytes[shift], length))
          << length << '+' << shift;
      ASSERT_EQ(internet_checksum(&ones[shift], length), naive_checksum(&ones[shift], length))
          << length << '+' << shift;
    }
  }
  const std::vector<uint8_t> zeroes(100);
  EXPECT_EQ(internet_checksum(zeroes.data(), zeroes.size()), 0xffff);
}

TEST(Checksum, ManyBytes) {
  const std::vector<uint8_t> ones(5000001, 0xff);
  EXPECT_EQ(internet_checksum(ones.data(), ones.size()), naive_checksum(ones.data(), ones.size()));
}

TEST(Checksum, SegmentsOfAnyLength) {
  const auto bytes = random_bytes(300, 2);
  const uint16_t expected = naive_checksum(bytes.data(), bytes.size());
  for (size_t first = 0; first <= bytes.size(); ++first) {
    for (size_t second = first; second <= bytes.size(); ++second) {
      InternetSum sum;
      sum.add(bytes.data(), first);
      sum.add(&bytes[first], second - first);
      sum.add(bytes.data() + second, bytes.size() - second);
      ASSERT_EQ(sum.checksum(), expected) << first << ' ' << second;
    }
    InternetSum head;
    InternetSum tail;
    head.add(std::span(bytes).first(first));
    tail.add(std::span(bytes).subspan(first));
    head.add(tail);
    ASSERT_EQ(head.checksum(), expected) << first;
  }
  InternetSum one_by_one;
  for (const uint8_t& byte : bytes) one_by_one.add(&byte, 1);
  EXPECT_EQ(one_by_one.checksum(), expected);
}

TEST(Checksum, PseudoHeaders) {
  const auto payload = random_bytes(41, 3);
  std::vector<uint8_t> all = {10, 0, 0, 1, 192, 168, 1, 2, 0, 17, 0, 41};
  all.insert(all.end(), payload.begin(), payload.end());
  auto sum =
      ip_pseudo_header(IPAddress(10, 0, 0, 1), IPAddress(192, 168, 1, 2), kIpProtocolUdp, 41);
  sum.add(payload);
  EXPECT_EQ(sum.checksum(), naive_checksum(all.data(), all.size()));

  const auto source = *IP6Address::parse("2001:db8::1");
  const auto destination = *IP6Address::parse("ff02::1:ff00:1");
  all.clear();
  all.insert(all.end(), source.data(), source.data() + 16);
  all.insert(all.end(), destination.data(), destination.data() + 16);
  for (uint8_t byte : {0, 0, 0, 41, 0, 0, 0, 58}) all.push_back(byte);
  all.insert(all.end(), payload.begin(), payload.end());
  auto sum6 = ip6_pseudo_header(source, destination, kIpProtocolIcmp6, 41);
  sum6.add(payload);
  EXPECT_EQ(sum6.checksum(), naive_checksum(all.data(), all.size()));
}

TEST(Checksum, UdpZeroIsSentAsOnes) {
  const uint8_t bytes[] = {0xff, 0xff};
  InternetSum sum;
  sum.add(bytes, 2);
  EXPECT_EQ(sum.checksum(), 0);
  EXPECT_EQ(sum.udp_checksum(), 0xffff);
  EXPECT_TRUE(sum.is_valid());
  sum.add(bytes, 1);
  EXPECT_FALSE(sum.udp_checksum() == 0xffff);
}

TEST(Checksum, KnownHeader) {
  // An IPv4 header with checksum b861.
  const uint8_t bytes[] = {0x45, 0,    0, 0x73, 0,    0,    0x40, 0,   0x40, 0x11, 0xb8, 0x61,  //
                           0xc0, 0xa8, 0, 1,    0xc0, 0xa8, 0,    0xc7};
  auto header = *reinterpret_cast<const IpHeader*>(bytes);
  EXPECT_TRUE(ip_header_checksum_ok(header));
  header.checksum = 0;
  EXPECT_FALSE(ip_header_checksum_ok(header));
  set_ip_header_checksum(header);
  EXPECT_EQ(header.checksum, 0xb861);
  header.id += 1;
  EXPECT_FALSE(ip_header_checksum_ok(header));
}

TEST(Checksum, HeadersOfAllLengths) {
  auto bytes = random_bytes(64, 4);
  auto& header = *reinterpret_cast<IpHeader*>(bytes.data());
  for (unsigned words = 0; words < 16; ++words) {
    header.version_and_length = static_cast<uint8_t>(0x40 | words);
    if (words < 5) {
      EXPECT_FALSE(ip_header_checksum_ok(header));
      continue;
    }
    set_ip_header_checksum(header);
    EXPECT_TRUE(ip_header_checksum_ok(header));
    EXPECT_EQ(naive_sum(bytes.data(), words * 4), 0xffff);
    for (unsigned bit = 8; bit < words * 32; ++bit) {
      bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
      EXPECT_FALSE(ip_header_checksum_ok(header)) << words << ' ' << bit;
      bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    }
  }
}

TEST(Checksum, HeaderSumAgreesWithNaive) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 1000000; ++i) {
    alignas(8) uint8_t bytes[24];
    for (size_t j = 0; j < 24; j += 8) {
      // Sparse, dense and random words, so that carries of all kinds occur.
      const uint64_t a = random();
      const uint64_t word = a % 3 == 0   ? random()
                            : a % 3 == 1 ? random() & random() & random()
                                         : random() | random() | random();
      std::memcpy(bytes + j, &word, 8);
    }
    const uint16_t expected = naive_sum(bytes, 20);
    ASSERT_EQ(be16::from_raw(ip_header_sum(bytes, 20)), expected);
  }
}

TEST(IncrementalChecksum, Rfc1624Example) {
  // Section 4: HC = DD2F, m = 5555, m' = 3285 gives HC' = 0000.
  EXPECT_EQ(update_checksum(be16(0xdd2f), be16(0x5555), be16(0x3285)), 0x0000);
}

// All checksums with a choice of old and new values, corners included.
TEST(IncrementalChecksum, EqualsComputingAnew) {
  std::mt19937 random(6);
  std::vector<uint16_t> values = {0, 1, 2, 0x7fff, 0x8000, 0xfffe, 0xffff, 0x00ff, 0xff00, 0x0100};
  for (int i = 0; i < 20; ++i) values.push_back(static_cast<uint16_t>(random()));
  for (uint32_t other = 0; other <= 0xffff; ++other) {
    for (const uint16_t old_value : values) {
      const uint16_t new_value = values[random() % values.size()];
      if (other == 0 && new_value == 0) continue;  // all zeroes: documented
      be16 words[2] = {static_cast<uint16_t>(other), old_value};
      const auto* bytes = reinterpret_cast<const uint8_t*>(words);
      const be16 before = naive_checksum(bytes, 4);
      words[1] = new_value;
      ASSERT_EQ(update_checksum(before, be16(old_value), words[1]), naive_checksum(bytes, 4))
          << other << ' ' << old_value << ' ' << new_value;
    }
  }
}

TEST(IncrementalChecksum, NegativeZeroIsRepaired) {
  // Words ffff with checksum ffff verify, though a sender should have written 0.
  EXPECT_EQ(update_checksum(be16(0xffff), be16(0xffff), be16(0)), 0);
  EXPECT_EQ(update_checksum(be16(0xffff), be16(0x1234), be16(0x1234)), 0);
  EXPECT_EQ(update_checksum(be16(0xffff), be32(0xffffffff), be32(0)), 0);
}

TEST(IncrementalChecksum, ThirtyTwoBits) {
  std::mt19937 random(7);
  const auto value = [&]() -> uint32_t {
    switch (random() % 5) {
      case 0:
        return 0;
      case 1:
        return 0xffffffff;
      case 2:
        return random() & 0xffff;
      case 3:
        return random() << 16;
      default:
        return random();
    }
  };
  for (int i = 0; i < 2000000; ++i) {
    be32 words[2] = {value(), value()};
    const auto* bytes = reinterpret_cast<const uint8_t*>(words);
    const be16 before = naive_checksum(bytes, 8);
    const be32 old_value = words[1];
    words[1] = value();
    if (words[0] == 0 && words[1] == 0) continue;
    ASSERT_EQ(update_checksum(before, old_value, words[1]), naive_checksum(bytes, 8));
    ASSERT_EQ(update_checksum(before, IPAddress::from_host_order(old_value),
                              IPAddress::from_host_order(words[1])),
              naive_checksum(bytes, 8));
  }
}

TEST(IncrementalChecksum, Udp) {
  EXPECT_EQ(update_udp_checksum(be16(0), be16(1), be16(2)), 0);
  EXPECT_EQ(update_udp_checksum(be16(0xdd2f), be16(0x5555), be16(0x3285)), 0xffff);
  EXPECT_EQ(update_udp_checksum(be16(0xffff), be32(7), be32(7)), 0xffff);
}

// Every TTL; sums of the remaining words from 0 to ffff, all of them for the TTLs at the edges.
TEST(DecrementTtl, EqualsComputingAnew) {
  IpHeader header{};
  header.version_and_length = 0x45;
  header.source = IPAddress(10, 0, 0, 1);
  const auto check = [&header] {
    IpHeader changed = header;
    decrement_ttl(changed);
    ASSERT_EQ(changed.ttl, static_cast<uint8_t>(header.ttl - 1));
    ASSERT_EQ(changed.protocol, header.protocol);
    ASSERT_EQ(changed.checksum, naive_checksum(changed))
        << int{header.ttl} << ' ' << int{header.protocol} << ' ' << header.checksum;
    ASSERT_TRUE(ip_header_checksum_ok(changed));
  };
  for (unsigned ttl = 1; ttl < 256; ++ttl) {
    header.ttl = static_cast<uint8_t>(ttl);
    for (unsigned protocol : {0, 1, 6, 17, 50, 58, 254, 255}) {
      header.protocol = static_cast<uint8_t>(protocol);
      header.checksum = 0;
      header.id = 0;
      const uint16_t without_id = naive_checksum(header);
      for (unsigned id = 0; id <= 0xffff; id += ttl == 64 || ttl < 2 || ttl > 254 ? 1 : 251) {
        header.id = static_cast<uint16_t>(id);
        header.checksum = update_checksum(be16(without_id), be16(0), header.id);
        check();
      }
      // The corners: a checksum of 0, 1, 0xfffe, and those next to where the TTL carries.
      for (unsigned wanted : {0x0000, 0x0001, 0x00ff, 0x0100, 0xfeff, 0xff00, 0xfffe}) {
        const uint32_t id = (0xffff - wanted) + without_id;
        header.id = static_cast<uint16_t>((id & 0xffff) + (id >> 16));
        header.checksum = 0;
        set_ip_header_checksum(header);
        ASSERT_EQ(header.checksum, wanted);
        check();
      }
    }
  }
}

TEST(DecrementTtl, KeepsAWrongChecksumWrong) {
  IpHeader header{};
  header.version_and_length = 0x45;
  header.ttl = 9;
  set_ip_header_checksum(header);
  header.checksum += 1;
  decrement_ttl(header);
  EXPECT_FALSE(ip_header_checksum_ok(header));
}

}  // namespace
}  // namespace headroom
