// Packets for tests of patterns: bytes from the IPv4 header on, and an evaluator that takes every
// test by the definition, byte after byte.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headroom/classify/field_test.hh"
#include "headroom/net/addresses.hh"

namespace headroom::classify::test {

struct TestPacket {
  std::string source = "10.0.0.1";
  std::string destination = "10.0.0.2";
  uint8_t protocol = 6;
  uint8_t tos = 0;
  uint16_t id = 0;
  uint16_t fragment = 0;
  uint8_t ttl = 64;
  uint8_t option_words = 0;
  std::vector<uint8_t> transport = std::vector<uint8_t>(20);

  TestPacket& ports(uint16_t source_port, uint16_t destination_port) {
    transport[0] = static_cast<uint8_t>(source_port >> 8);
    transport[1] = static_cast<uint8_t>(source_port);
    transport[2] = static_cast<uint8_t>(destination_port >> 8);
    transport[3] = static_cast<uint8_t>(destination_port);
    return *this;
  }
  std::vector<uint8_t> build() const {
    const auto header = static_cast<uint8_t>(20 + 4 * option_words);
    std::vector<uint8_t> bytes(header);
    const auto put = [&](std::size_t at, uint16_t value) {
      bytes[at] = static_cast<uint8_t>(value >> 8);
      bytes[at + 1] = static_cast<uint8_t>(value);
    };
    bytes[0] = static_cast<uint8_t>(0x40 | header / 4);
    bytes[1] = tos;
    put(2, static_cast<uint16_t>(header + transport.size()));
    put(4, id);
    put(6, fragment);
    bytes[8] = ttl;
    bytes[9] = protocol;
    const IPAddress addresses[] = {IPAddress::parse(source).value(),
                                   IPAddress::parse(destination).value()};
    for (std::size_t i = 0; i < 8; ++i)
      bytes[12 + i] = static_cast<uint8_t>(addresses[i / 4].host_order() >> (24 - 8 * (i % 4)));
    for (std::size_t i = 20; i < header; ++i) bytes[i] = static_cast<uint8_t>(i);
    bytes.insert(bytes.end(), transport.begin(), transport.end());
    return bytes;
  }
};

// Written from the definition, without anything of the library but the tree.
inline bool plainly(const Expression& expression, const std::vector<uint8_t>& ip,
                    const std::vector<uint8_t>& ether = {}) {
  using Kind = Expression::Kind;
  const auto part = [&](std::size_t i) { return plainly(expression.parts[i], ip, ether); };
  switch (expression.kind) {
    case Kind::constant:
      return expression.value;
    case Kind::negation:
      return !part(0);
    case Kind::choice:
      return part(0) ? part(1) : part(2);
    case Kind::all_of: {
      for (std::size_t i = 0; i < expression.parts.size(); ++i)
        if (!part(i)) return false;
      return true;
    }
    case Kind::any_of: {
      for (std::size_t i = 0; i < expression.parts.size(); ++i)
        if (part(i)) return true;
      return false;
    }
    case Kind::test:
      break;
  }
  const FieldTest& test = expression.test;
  std::vector<uint8_t> bytes = test.base == Base::ether ? ether : ip;
  if (test.base == Base::transport) {
    if (ip.size() < 20) return false;
    const std::size_t header = (ip[0] % 16U) * 4;
    if (header < 20 || ip.size() < header) return false;
    if ((ip[6] * 256 + ip[7]) % 8192 != 0) return false;
    const bool tcp_or_udp = ip[9] == 6 || ip[9] == 17;
    if (test.protocol == kTcpOrUdp ? !tcp_or_udp
                                   : test.protocol != kAnyProtocol && test.protocol != ip[9])
      return false;
    bytes.assign(ip.begin() + static_cast<std::ptrdiff_t>(header), ip.end());
  }
  if (bytes.size() < std::size_t{test.offset} + test.size) return false;
  uint64_t field = 0;
  for (std::size_t i = 0; i < test.size; ++i) field = field * 256 + bytes[test.offset + i];
  field &= test.mask;
  switch (test.relation) {
    case Relation::equal:
      return field == test.value;
    case Relation::not_equal:
      return field != test.value;
    case Relation::at_most:
      return field <= test.value;
    case Relation::at_least:
      return field >= test.value;
  }
  return false;
}

}  // namespace headroom::classify::test
