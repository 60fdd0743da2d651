// The Toeplitz hash against the published vectors of Microsoft's "Verifying the RSS Hash
// Calculation", and what frames hash by.
#include "headroom/net/flow_hash.hh"

#include <gmock/gmock.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "headroom/net/ether.hh"
#include "headroom/net/ip.hh"
#include "headroom/net/ip6.hh"

namespace headroom {
namespace {

using Bytes = std::vector<uint8_t>;

void append(Bytes& bytes, const auto& value) {
  const auto* first = reinterpret_cast<const uint8_t*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

Bytes input_of(const auto& source, const auto& destination) {
  Bytes bytes;
  append(bytes, source);
  append(bytes, destination);
  return bytes;
}
Bytes with_ports(Bytes bytes, uint16_t source, uint16_t destination) {
  for (const uint16_t port : {source, destination}) {
    bytes.push_back(static_cast<uint8_t>(port >> 8));
    bytes.push_back(static_cast<uint8_t>(port));
  }
  return bytes;
}

struct Vector {
  const char* source;
  uint16_t source_port;
  const char* destination;
  uint16_t destination_port;
  uint32_t addresses;
  uint32_t with_ports;
};

template <class Address>
void expect_hashes(std::initializer_list<Vector> vectors) {
  const FlowHash hash(FlowHash::kMicrosoftKey);
  for (const Vector& vector : vectors) {
    const Bytes input =
        input_of(*Address::parse(vector.source), *Address::parse(vector.destination));
    EXPECT_EQ(hash.of_bytes(input), vector.addresses) << vector.source;
    EXPECT_EQ(hash.of_bytes(with_ports(input, vector.source_port, vector.destination_port)),
              vector.with_ports)
        << vector.source;
  }
}

TEST(FlowHash, PublishedVectorsOfIp4) {
  expect_hashes<IPAddress>(
      {{"66.9.149.187", 2794, "161.142.100.80", 1766, 0x323e8fc2, 0x51ccc178},
       {"199.92.111.2", 14230, "65.69.140.83", 4739, 0xd718262a, 0xc626b0ea},
       {"24.19.198.95", 12898, "12.22.207.184", 38024, 0xd2d0a5de, 0x5c2b394a},
       {"38.27.205.30", 48228, "209.142.163.6", 2217, 0x82989176, 0xafc7327f},
       {"153.39.163.191", 44251, "202.188.127.2", 1303, 0x5d1809c5, 0x10e828a2}});
}

TEST(FlowHash, PublishedVectorsOfIp6) {
  expect_hashes<IP6Address>(
      {{"3ffe:2501:200:1fff::7", 2794, "3ffe:2501:200:3::1", 1766, 0x2cc18cd5, 0x40207d3d},
       {"3ffe:501:8::260:97ff:fe40:efab", 14230, "ff02::1", 4739, 0x0f0c461c, 0xdde51bbf},
       {"3ffe:1900:4545:3:200:f8ff:fe21:67cf", 44251, "fe80::200:f8ff:fe21:67cf", 38024, 0x4b61e985,
        0x02d1feef}});
}

struct Flow {
  std::string source = "10.0.0.1";
  std::string destination = "10.0.0.2";
  uint16_t source_port = 1000;
  uint16_t destination_port = 2000;
  uint8_t protocol = kIpProtocolUdp;
  uint16_t fragment = 0;
  unsigned tags = 0;
  unsigned options = 0;

  Bytes frame() const {
    Bytes bytes(12);
    for (unsigned tag = 0; tag < tags; ++tag)
      bytes.insert(bytes.end(), {0x81, 0x00, 0x00, static_cast<uint8_t>(7 + tag)});
    bytes.insert(bytes.end(), {0x08, 0x00});
    IpHeader ip{};
    ip.version_and_length = static_cast<uint8_t>(0x45 + options);
    ip.protocol = protocol;
    ip.fragment = fragment;
    ip.source = *IPAddress::parse(source);
    ip.destination = *IPAddress::parse(destination);
    append(bytes, ip);
    bytes.resize(bytes.size() + options * 4, 1);
    return with_ports(bytes, source_port, destination_port);
  }
  uint32_t hash(const FlowHash::Key& key = FlowHash::kMicrosoftKey) const {
    const Bytes bytes = frame();
    return FlowHash(key).of_frame(bytes.data(), static_cast<uint32_t>(bytes.size()));
  }
};

TEST(FlowHash, OfFrames) {
  const Flow flow;
  const Bytes addresses =
      input_of(*IPAddress::parse(flow.source), *IPAddress::parse(flow.destination));
  const FlowHash hash(FlowHash::kMicrosoftKey);
  const uint32_t by_ports = hash.of_bytes(with_ports(addresses, 1000, 2000));
  const uint32_t by_addresses = hash.of_bytes(addresses);
  EXPECT_EQ(flow.hash(), by_ports);
  EXPECT_EQ(Flow{.protocol = kIpProtocolTcp}.hash(), by_ports);
  EXPECT_EQ(Flow{.tags = 2}.hash(), by_ports);
  EXPECT_EQ(Flow{.options = 10}.hash(), by_ports);
  EXPECT_EQ(Flow{.protocol = kIpProtocolIcmp}.hash(), by_addresses);
  // All fragments, so that they meet.
  EXPECT_EQ(Flow{.fragment = 0x2000}.hash(), by_addresses);
  EXPECT_EQ(Flow{.fragment = 100}.hash(), by_addresses);
}

TEST(FlowHash, ShortFramesAreReadNoFurther) {
  const Bytes whole = Flow{.tags = 1, .options = 3}.frame();
  const FlowHash hash(FlowHash::kMicrosoftKey);
  std::set<uint32_t> seen;
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    seen.insert(hash.of_frame(part.data(), static_cast<uint32_t>(length)));
  }
  // Nothing, addresses, ports.
  EXPECT_EQ(seen.size(), 3U);
}

TEST(FlowHash, SymmetricKey) {
  std::mt19937 random(5);
  for (int i = 0; i < 1000; ++i) {
    Flow there;
    there.source = IPAddress::from_host_order(static_cast<uint32_t>(random())).to_string();
    there.destination = IPAddress::from_host_order(static_cast<uint32_t>(random())).to_string();
    there.source_port = static_cast<uint16_t>(random());
    there.destination_port = static_cast<uint16_t>(random());
    Flow back = there;
    std::swap(back.source, back.destination);
    std::swap(back.source_port, back.destination_port);
    EXPECT_EQ(there.hash(FlowHash::kSymmetricKey), back.hash(FlowHash::kSymmetricKey));
  }
}

TEST(FlowHash, SpreadsFlows) {
  // Clients of one server, as they come: addresses and ports in a row.
  for (const auto& key : {FlowHash::kSymmetricKey, FlowHash::kMicrosoftKey}) {
    std::array<unsigned, 4> counts{};
    for (unsigned i = 0; i < 4000; ++i) {
      const Flow flow{.source = "10.1.0." + std::to_string(i % 250),
                      .source_port = static_cast<uint16_t>(40000 + i)};
      ++counts[uint64_t{flow.hash(key)} * counts.size() >> 32];
    }
    for (const unsigned count : counts) {
      EXPECT_GT(count, 700U);
      EXPECT_LT(count, 1300U);
    }
  }
}

}  // namespace
}  // namespace headroom
