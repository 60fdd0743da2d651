#include "headroom/net/ip_reassembly.hh"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "headroom/net/checksum.hh"

namespace headroom {
namespace {

using Bytes = std::vector<uint8_t>;
using Status = IpReassembler::Status;

struct Piece {
  uint32_t offset;
  uint32_t size;
  bool more;
};
uint8_t data_at(uint32_t offset) { return static_cast<uint8_t>(offset * 7 + offset / 256); }

Bytes fragment(const Piece& piece, uint16_t id = 1, unsigned header_length = 20) {
  Bytes bytes(header_length + piece.size);
  auto& ip = *reinterpret_cast<IpHeader*>(bytes.data());
  ip.set_header_length(header_length);
  ip.total_length = static_cast<uint16_t>(bytes.size());
  ip.id = id;
  ip.fragment = static_cast<uint16_t>(piece.offset / 8 | (piece.more ? kIpMoreFragments : 0));
  ip.ttl = 9;
  ip.protocol = kIpProtocolUdp;
  ip.source = IPAddress(10, 0, 0, 1);
  ip.destination = IPAddress(10, 0, 0, 2);
  for (uint32_t i = 0; i < piece.size; ++i) bytes[header_length + i] = data_at(piece.offset + i);
  set_ip_header_checksum(ip);
  return bytes;
}
void expect_datagram(const Bytes& bytes, uint32_t size, unsigned header_length = 20) {
  ASSERT_EQ(bytes.size(), header_length + size);
  const auto& ip = *reinterpret_cast<const IpHeader*>(bytes.data());
  EXPECT_EQ(ip.total_length, bytes.size());
  EXPECT_FALSE(ip.is_fragment());
  EXPECT_EQ(ip_header_sum(bytes.data(), header_length), 0xffff);
  for (uint32_t i = 0; i < size; ++i) ASSERT_EQ(bytes[header_length + i], data_at(i)) << i;
}

TEST(IpReassembler, EveryOrder) {
  std::vector<Piece> pieces{{0, 16, true}, {16, 8, true}, {24, 40, true}, {64, 5, false}};
  std::vector<int> order{0, 1, 2, 3};
  do {
    IpReassembler reassembler;
    for (int i = 0; i < 4; ++i) {
      const auto result = reassembler.add(
          fragment(pieces[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]), i);
      if (i < 3) {
        ASSERT_EQ(result.status, Status::added);
        continue;
      }
      ASSERT_EQ(result.status, Status::completed);
      EXPECT_EQ(result.datagram->fragments, 4u);
      expect_datagram(result.datagram->bytes, 69);
    }
    EXPECT_EQ(reassembler.memory(), 0u);
    EXPECT_EQ(reassembler.fragments(), 0u);
    EXPECT_EQ(reassembler.datagrams(), 0u);
  } while (std::next_permutation(order.begin(), order.end()));
}

// Random pieces, overlapping and repeated, until all bytes have come.
TEST(IpReassembler, RandomPieces) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const auto size = static_cast<uint32_t>(9 + random() % 400);
    std::vector<bool> there(size);
    bool end_seen = false;
    IpReassembler reassembler;
    for (;;) {
      Piece piece{static_cast<uint32_t>(random() % ((size + 7) / 8)) * 8, 0, true};
      const auto wanted = static_cast<uint32_t>(8 + random() % 10 * 8);
      piece.more = piece.offset + wanted < size;
      piece.size = piece.more ? wanted : size - piece.offset;
      bool is_new = false;
      for (uint32_t i = 0; i < piece.size; ++i) {
        is_new |= !there[piece.offset + i];
        there[piece.offset + i] = true;
      }
      end_seen |= !piece.more;
      const auto result = reassembler.add(fragment(piece), 0);
      const bool complete =
          end_seen && std::all_of(there.begin(), there.end(), [](bool one) { return one; });
      ASSERT_EQ(result.status, complete ? Status::completed
                               : is_new ? Status::added
                                        : Status::duplicate);
      if (!complete) continue;
      expect_datagram(result.datagram->bytes, size);
      break;
    }
    ASSERT_EQ(reassembler.memory(), 0u);
  }
}

TEST(IpReassembler, WhatCameFirstStays) {
  IpReassembler reassembler;
  ASSERT_EQ(reassembler.add(fragment({0, 24, true}), 0).status, Status::added);
  Bytes other = fragment({16, 16, true});
  std::fill(other.begin() + 20, other.end(), uint8_t{0xee});
  ASSERT_EQ(reassembler.add(other, 0).status, Status::added);
  const auto result = reassembler.add(fragment({32, 3, false}), 0);
  ASSERT_EQ(result.status, Status::completed);
  for (uint32_t i = 0; i < 35; ++i)
    EXPECT_EQ(result.datagram->bytes[20 + i], i >= 24 && i < 32 ? 0xee : data_at(i)) << i;
}

TEST(IpReassembler, HeaderAndTagOfTheFirstFragment) {
  IpReassembler reassembler;
  const Bytes tag{1, 2, 3};
  reassembler.add(fragment({16, 4, false}), 0, Bytes{9});
  const auto result = reassembler.add(fragment({0, 16, true}, 1, 32), 0, tag);
  ASSERT_EQ(result.status, Status::completed);
  expect_datagram(result.datagram->bytes, 20, 32);
  EXPECT_EQ(result.datagram->tag, tag);
}

TEST(IpReassembler, KeepsDatagramsApart) {
  IpReassembler reassembler;
  Bytes protocol = fragment({0, 8, true});
  protocol[9] = 6;
  Bytes source = fragment({0, 8, true});
  source[15] = 9;
  for (const Bytes& one : {fragment({0, 8, true}), fragment({0, 8, true}, 2), protocol, source})
    EXPECT_EQ(reassembler.add(one, 0).status, Status::added);
  EXPECT_EQ(reassembler.datagrams(), 4u);
  EXPECT_EQ(reassembler.add(fragment({8, 1, false}, 2), 0).status, Status::completed);
  EXPECT_EQ(reassembler.datagrams(), 3u);
}

TEST(IpReassembler, BadFragments) {
  IpReassembler reassembler;
  EXPECT_EQ(reassembler.add(fragment({0, 9, true}), 0).status, Status::bad);
  EXPECT_EQ(reassembler.add(fragment({0, 0, true}), 0).status, Status::bad);
  EXPECT_EQ(reassembler.add(fragment({65528, 8, true}), 0).status, Status::bad);
  EXPECT_EQ(reassembler.add(fragment({65512, 8, false}), 0).status, Status::bad);
  EXPECT_EQ(reassembler.add(Bytes(19), 0).status, Status::bad);
  EXPECT_EQ(reassembler.datagrams(), 0u);
  reassembler.add(fragment({16, 8, false}), 0);
  EXPECT_EQ(reassembler.add(fragment({16, 16, true}), 0).status, Status::bad);  // beyond the end
  EXPECT_EQ(reassembler.add(fragment({16, 4, false}), 0).status, Status::bad);  // another end
  EXPECT_EQ(reassembler.add(fragment({24, 8, false}), 0).status, Status::bad);
  const auto result = reassembler.add(fragment({0, 16, true}), 0);
  ASSERT_EQ(result.status, Status::completed);
  expect_datagram(result.datagram->bytes, 24);
  // The greatest that there is.
  for (uint32_t at = 0; at < 65512; at += 8)
    ASSERT_EQ(reassembler.add(fragment({at, 8, true}), 0).status, Status::added);
  const auto greatest = reassembler.add(fragment({65512, 3, false}), 0);
  ASSERT_EQ(greatest.status, Status::completed);
  expect_datagram(greatest.datagram->bytes, 65515);
}

TEST(IpReassembler, ExpiresTheOldest) {
  IpReassembler reassembler;
  reassembler.add(fragment({0, 16, true}, 1), 10);
  reassembler.add(fragment({32, 8, true}, 1), 25);
  reassembler.add(fragment({8, 8, true}, 2), 20);
  EXPECT_EQ(reassembler.oldest(), 10);
  EXPECT_FALSE(reassembler.expire(9));
  const auto first = reassembler.expire(10);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->fragments, 2u);
  ASSERT_EQ(first->bytes.size(), 36u);  // up to the hole
  EXPECT_EQ(ip_header_sum(first->bytes.data(), 20), 0xffff);
  EXPECT_EQ(reassembler.oldest(), 20);
  const auto second = reassembler.expire(20);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->bytes.empty());  // its first fragment never came
  EXPECT_EQ(reassembler.memory(), 0u);
}

TEST(IpReassembler, Limit) {
  IpReassembler reassembler(20'000);
  uint64_t evicted = 0;
  for (uint16_t id = 0; id < 1000; ++id) {
    reassembler.add(fragment({0, 504, true}, id), id);
    while (const auto one = reassembler.evict()) evicted += one->fragments;
    ASSERT_LE(reassembler.memory(), 20'000u);
  }
  EXPECT_EQ(evicted + reassembler.fragments(), 1000u);
  EXPECT_GT(reassembler.datagrams(), 10u);
}

}  // namespace
}  // namespace headroom
