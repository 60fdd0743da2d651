#include "headroom/net/arp.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace headroom {
namespace {

const EtherAddress kMine(2, 0, 0, 0, 0, 1);
const EtherAddress kTheirs(2, 0, 0, 0, 0, 2);

std::vector<uint8_t> bytes_of(const ArpFrame& frame) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&frame);
  return {bytes, bytes + sizeof frame};
}

// The bytes of RFC 826's packet format, written by hand.
TEST(Arp, RequestAndReply) {
  ArpFrame frame;
  make_arp_request(frame, kMine, IPAddress(10, 0, 0, 1), IPAddress(10, 0, 0, 2));
  EXPECT_EQ(bytes_of(frame),
            (std::vector<uint8_t>{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0,  1, 8, 6,
                                  0,    1,    8,    0,    6,    4,    0, 1, 2, 0, 0,  0, 0, 1,
                                  10,   0,    0,    1,    0,    0,    0, 0, 0, 0, 10, 0, 0, 2}));
  EXPECT_EQ(find_arp_fault(bytes_of(frame).data(), 42), ArpFault::none);
  make_arp_reply(frame, kTheirs);
  EXPECT_EQ(bytes_of(frame), (std::vector<uint8_t>{2,  0, 0, 0, 0, 1, 2, 0, 0, 0, 0,  2, 8, 6,
                                                   0,  1, 8, 0, 6, 4, 0, 2, 2, 0, 0,  0, 0, 2,
                                                   10, 0, 0, 2, 2, 0, 0, 0, 0, 1, 10, 0, 0, 1}));
  EXPECT_EQ(find_arp_fault(bytes_of(frame).data(), 42), ArpFault::none);
}

TEST(Arp, EveryLength) {
  ArpFrame frame;
  make_arp_request(frame, kMine, IPAddress(10, 0, 0, 1), IPAddress(10, 0, 0, 2));
  const std::vector<uint8_t> whole = bytes_of(frame);
  for (uint32_t length = 0; length < 42; ++length) {
    const std::vector<uint8_t> part(whole.begin(), whole.begin() + length);  // no byte too many
    EXPECT_EQ(find_arp_fault(part.data(), length), ArpFault::too_short) << length;
  }
  std::vector<uint8_t> padded = whole;
  padded.resize(60);
  EXPECT_EQ(find_arp_fault(padded.data(), 60), ArpFault::none);
}

ArpFault fault_with(std::size_t offset, std::vector<uint8_t> bytes, bool reply = false) {
  ArpFrame frame;
  make_arp_request(frame, kMine, IPAddress(10, 0, 0, 1), IPAddress(10, 0, 0, 2));
  if (reply) make_arp_reply(frame, kTheirs);
  std::vector<uint8_t> all = bytes_of(frame);
  std::copy(bytes.begin(), bytes.end(), all.begin() + static_cast<std::ptrdiff_t>(offset));
  return find_arp_fault(all.data(), 42);
}

TEST(Arp, Faults) {
  EXPECT_EQ(fault_with(12, {8, 0}), ArpFault::not_arp);
  EXPECT_EQ(fault_with(12, {0x81, 0}), ArpFault::not_arp) << "tagged";
  EXPECT_EQ(fault_with(14, {0, 6}), ArpFault::hardware);
  EXPECT_EQ(fault_with(18, {8}), ArpFault::hardware);
  EXPECT_EQ(fault_with(16, {0x86, 0xdd}), ArpFault::protocol);
  EXPECT_EQ(fault_with(19, {16}), ArpFault::protocol);
  for (const uint8_t operation : {0, 3, 4, 8, 9, 255})
    EXPECT_EQ(fault_with(20, {0, operation}), ArpFault::operation);
  EXPECT_EQ(fault_with(20, {1, 1}), ArpFault::operation);
  EXPECT_EQ(fault_with(22, {0, 0, 0, 0, 0, 0}), ArpFault::sender_ether);
  EXPECT_EQ(fault_with(22, {1, 0, 0x5e, 0, 0, 1}), ArpFault::sender_ether);
  EXPECT_EQ(fault_with(22, {255, 255, 255, 255, 255, 255}), ArpFault::sender_ether);
  EXPECT_EQ(fault_with(28, {255, 255, 255, 255}), ArpFault::sender_ip);
  EXPECT_EQ(fault_with(28, {224, 0, 0, 5}), ArpFault::sender_ip);
  EXPECT_EQ(fault_with(28, {127, 0, 0, 1}), ArpFault::sender_ip);
  EXPECT_EQ(fault_with(28, {0, 0, 0, 0}, true), ArpFault::sender_ip);
  EXPECT_EQ(fault_with(28, {0, 0, 0, 0}), ArpFault::none) << "a probe";
}

// RFC 1112, 6.4: the last 23 bits, so two addresses in 32 share one.
TEST(Arp, MulticastAddresses) {
  EXPECT_EQ(ether_multicast(IPAddress(224, 0, 0, 5)), EtherAddress(1, 0, 0x5e, 0, 0, 5));
  EXPECT_EQ(ether_multicast(IPAddress(239, 255, 255, 255)),
            EtherAddress(1, 0, 0x5e, 0x7f, 255, 255));
  EXPECT_EQ(ether_multicast(IPAddress(224, 128, 0, 5)), EtherAddress(1, 0, 0x5e, 0, 0, 5));
}

}  // namespace
}  // namespace headroom
