#include "headroom/net/icmp_error.hh"

#include <gmock/gmock.h>

#include <vector>

#include "headroom/net/checksum.hh"
#include "headroom/net/icmp_names.hh"

namespace headroom {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes datagram(uint8_t protocol = kIpProtocolUdp, uint32_t size = 100) {
  Bytes bytes(20 + size);
  auto& ip = *reinterpret_cast<IpHeader*>(bytes.data());
  ip.set_header_length(20);
  ip.tos = 0x1f;
  ip.total_length = static_cast<uint16_t>(bytes.size());
  ip.protocol = protocol;
  ip.source = IPAddress(10, 0, 0, 1);
  ip.destination = IPAddress(10, 0, 0, 2);
  for (uint32_t i = 0; i < size; ++i) bytes[20 + i] = static_cast<uint8_t>(i);
  return bytes;
}
IcmpErrorRefusal refusal(const Bytes& bytes) {
  return icmp_error_refusal(bytes.data(), static_cast<uint32_t>(bytes.size()));
}
Bytes changed(std::size_t at, Bytes with) {
  Bytes bytes = datagram();
  std::copy(with.begin(), with.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
  return bytes;
}

TEST(IcmpErrorRefusal, Rules) {
  EXPECT_EQ(refusal(datagram()), IcmpErrorRefusal::none);
  for (const uint8_t version : {0x65, 0x44, 0x4f})
    EXPECT_EQ(refusal(changed(0, {version})),
              version == 0x4f ? IcmpErrorRefusal::none : IcmpErrorRefusal::bad_header);
  EXPECT_EQ(refusal(Bytes(19, 0x45)), IcmpErrorRefusal::bad_header);
  EXPECT_EQ(refusal(changed(6, {0x20, 0})), IcmpErrorRefusal::none);  // a first fragment
  EXPECT_EQ(refusal(changed(6, {0x20, 1})), IcmpErrorRefusal::later_fragment);
  EXPECT_EQ(refusal(changed(6, {0x1f, 0})), IcmpErrorRefusal::later_fragment);
  for (const Bytes& group : {Bytes{255, 255, 255, 255}, Bytes{224, 0, 0, 1}, Bytes{239, 9, 9, 9}})
    EXPECT_EQ(refusal(changed(16, group)), IcmpErrorRefusal::destination_group);
  for (const Bytes& source : {Bytes{0, 0, 0, 0}, Bytes{0, 1, 2, 3}, Bytes{127, 0, 0, 1},
                              Bytes{224, 0, 0, 1}, Bytes{240, 0, 0, 1}, Bytes{255, 255, 255, 255}})
    EXPECT_EQ(refusal(changed(12, source)), IcmpErrorRefusal::bad_source);
  for (const Bytes& source : {Bytes{1, 0, 0, 0}, Bytes{126, 1, 1, 1}, Bytes{223, 255, 255, 255}})
    EXPECT_EQ(refusal(changed(12, source)), IcmpErrorRefusal::none);
}

TEST(IcmpErrorRefusal, OnlyQueriesOfIcmpAreAnswered) {
  Bytes bytes = datagram(kIpProtocolIcmp);
  for (int type = 0; type < 256; ++type) {
    bytes[20] = static_cast<uint8_t>(type);
    const bool query = type == 0 || (type >= 8 && type <= 10) || (type >= 13 && type <= 18);
    EXPECT_EQ(refusal(bytes), query ? IcmpErrorRefusal::none : IcmpErrorRefusal::icmp_error)
        << type;
  }
  bytes.resize(20);
  EXPECT_EQ(refusal(bytes), IcmpErrorRefusal::icmp_error);
}

TEST(IcmpError, Message) {
  const Bytes original = datagram();
  const IcmpError error{.source = IPAddress(10, 9, 9, 9),
                        .type = kIcmpTimeExceeded,
                        .code = 1,
                        .id = 77,
                        .mtu = 1400,
                        .pointer = 3,
                        .gateway = IPAddress(1, 2, 3, 4)};
  Bytes message(icmp_error_length(error, static_cast<uint32_t>(original.size())));
  ASSERT_EQ(message.size(), 28 + original.size());
  make_icmp_error(message, error, original.data());
  EXPECT_EQ(ip_header_sum(message.data(), 20), 0xffff);
  const auto& ip = *reinterpret_cast<const IpHeader*>(message.data());
  EXPECT_EQ(ip.version_and_length, 0x45);
  EXPECT_EQ(ip.tos, 0xdc);
  EXPECT_EQ(ip.total_length, message.size());
  EXPECT_EQ(ip.id, 77);
  EXPECT_EQ(ip.ttl, 255);
  EXPECT_EQ(ip.source, error.source);
  EXPECT_EQ(ip.destination, IPAddress(10, 0, 0, 1));
  InternetSum sum;
  sum.add(message.data() + 20, message.size() - 20);
  EXPECT_TRUE(sum.is_valid());
  const auto& icmp = *reinterpret_cast<const IcmpHeader*>(message.data() + 20);
  EXPECT_EQ(icmp.type, kIcmpTimeExceeded);
  EXPECT_EQ(icmp.code, 1);
  EXPECT_EQ(uint32_t{icmp.word[0]} | icmp.word[1], 0u);
  EXPECT_EQ(Bytes(message.begin() + 28, message.end()), original);
}

TEST(IcmpError, SecondWordAndLimit) {
  IcmpError error{.type = kIcmpUnreachable,
                  .code = kIcmpFragmentationNeeded,
                  .mtu = 1400,
                  .pointer = 20,
                  .gateway = IPAddress(1, 2, 3, 4)};
  EXPECT_EQ(icmp_error_length(error, 548), 576u);
  EXPECT_EQ(icmp_error_length(error, 1500), 576u);
  const Bytes original = datagram(kIpProtocolUdp, 1480);
  Bytes message(576);
  make_icmp_error(message, error, original.data());
  const auto& icmp = *reinterpret_cast<const IcmpHeader*>(message.data() + 20);
  EXPECT_EQ(icmp.next_hop_mtu(), 1400);
  error.type = kIcmpParameterProblem;
  error.code = 0;
  make_icmp_error(message, error, original.data());
  EXPECT_EQ(icmp.pointer(), 20);
  error.type = kIcmpRedirect;
  make_icmp_error(message, error, original.data());
  EXPECT_EQ(icmp.gateway(), IPAddress(1, 2, 3, 4));
}

TEST(IcmpNames, BothWays) {
  for (const IcmpName& type : icmp_type_names()) {
    EXPECT_EQ(icmp_type_by_name(type.name), type.number);
    EXPECT_EQ(icmp_type_name(type.number), type.name);
    for (const IcmpName& code : icmp_code_names(type.number)) {
      EXPECT_EQ(icmp_code_by_name(type.number, code.name), code.number);
      EXPECT_EQ(icmp_code_name(type.number, code.number), code.name);
    }
  }
  EXPECT_EQ(icmp_type_by_name("unreachable"), 3);
  EXPECT_EQ(icmp_code_by_name(3, "needfrag"), 4);
  EXPECT_EQ(icmp_code_by_name(11, "needfrag"), std::nullopt);
  EXPECT_EQ(icmp_type_name(77), "");
}

}  // namespace
}  // namespace headroom
