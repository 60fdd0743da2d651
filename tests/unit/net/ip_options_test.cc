#include "headroom/net/ip_options.hh"

#include <gmock/gmock.h>

#include <vector>

namespace headroom {
namespace {

using Bytes = std::vector<uint8_t>;
using testing::ElementsAre;

constexpr IPAddress kMine(10, 0, 0, 1);
const std::vector<IPAddress> kOthers{IPAddress(10, 0, 1, 1)};

Bytes header_with(const Bytes& options) {
  // Not inserted: g++ 12 sees overflows where vectors of known size grow.
  Bytes bytes((20 + options.size() + 3) / 4 * 4);
  for (std::size_t i = 0; i < options.size(); ++i) bytes[20 + i] = options[i];
  bytes[0] = static_cast<uint8_t>(0x40 | bytes.size() / 4);
  return bytes;
}
// The options afterwards; the problem as it is.
struct Processed {
  Bytes options;
  unsigned problem;
  bool changed;
};
Processed process(const Bytes& options) {
  Bytes bytes = header_with(options);
  const auto result = process_gateway_options(*reinterpret_cast<IpHeader*>(bytes.data()), kMine,
                                              kOthers, 0x01020304);
  return {
      Bytes(bytes.begin() + 20, bytes.begin() + 20 + static_cast<std::ptrdiff_t>(options.size())),
      result.problem, result.changed};
}

TEST(GatewayOptions, RecordRoute) {
  const auto first = process({7, 11, 4, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_THAT(first.options, ElementsAre(7, 11, 8, 10, 0, 0, 1, 0, 0, 0, 0));
  EXPECT_TRUE(first.changed);
  EXPECT_EQ(first.problem, 0u);
  const auto second = process({1, 7, 11, 8, 9, 9, 9, 9, 0, 0, 0, 0});
  EXPECT_THAT(second.options, ElementsAre(1, 7, 11, 12, 9, 9, 9, 9, 10, 0, 0, 1));
  const auto full = process({7, 7, 8, 9, 9, 9, 9});
  EXPECT_FALSE(full.changed);
  EXPECT_EQ(full.problem, 0u);
  EXPECT_EQ(process({7, 8, 6, 0, 0, 0, 0, 0}).problem, 22u);  // room for a part of an address
  EXPECT_EQ(process({7, 7, 3, 0, 0, 0, 0}).problem, 22u);
  EXPECT_EQ(process({7, 2}).problem, 21u);
}

TEST(GatewayOptions, Timestamp) {
  EXPECT_THAT(process({68, 8, 5, 0, 0, 0, 0, 0}).options, ElementsAre(68, 8, 9, 0, 1, 2, 3, 4));
  EXPECT_THAT(process({68, 12, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0}).options,
              ElementsAre(68, 12, 13, 1, 10, 0, 0, 1, 1, 2, 3, 4));
  // Only for those whom the sender named.
  EXPECT_THAT(process({68, 12, 5, 3, 10, 0, 1, 1, 0, 0, 0, 0}).options,
              ElementsAre(68, 12, 13, 3, 10, 0, 1, 1, 1, 2, 3, 4));
  EXPECT_FALSE(process({68, 12, 5, 3, 10, 0, 2, 1, 0, 0, 0, 0}).changed);
  EXPECT_FALSE(process({68, 12, 13, 3, 10, 0, 1, 1, 0, 0, 0, 0}).changed);
  // No room: those who had none are counted, up to 15.
  EXPECT_THAT(process({68, 8, 9, 0x20, 0, 0, 0, 0}).options,
              ElementsAre(68, 8, 9, 0x30, 0, 0, 0, 0));
  EXPECT_EQ(process({68, 8, 9, 0xf0, 0, 0, 0, 0}).problem, 23u);
  EXPECT_EQ(process({68, 8, 7, 0, 0, 0, 0, 0}).problem, 22u);
  EXPECT_EQ(process({68, 8, 5, 1, 0, 0, 0, 0}).problem, 22u);
  EXPECT_EQ(process({68, 8, 4, 0, 0, 0, 0, 0}).problem, 22u);
  EXPECT_EQ(process({68, 8, 5, 2, 0, 0, 0, 0}).problem, 23u);
  EXPECT_EQ(process({68, 3, 5, 0}).problem, 21u);
}

TEST(GatewayOptions, OthersAndMalformed) {
  const Bytes unknown{130, 4, 1, 2, 1, 1, 0, 7, 9};
  EXPECT_EQ(process(unknown).options, unknown);
  EXPECT_EQ(process(unknown).problem, 0u);
  EXPECT_EQ(process({130, 1, 0, 0}).problem, 21u);
  EXPECT_EQ(process({130, 5, 0, 0}).problem, 21u);
  EXPECT_EQ(process({1, 1, 1, 130}).problem, 23u);
  EXPECT_EQ(process({}).problem, 0u);
}

TEST(CopyHeaderForFragments, KeepsOptionsWithTheCopiedFlag) {
  const Bytes header = header_with({7, 7, 4, 0, 0, 0, 0, 1, 130, 3, 9, 131, 3, 4});
  uint8_t copy[60];
  const unsigned length =
      copy_header_for_fragments(*reinterpret_cast<const IpHeader*>(header.data()), copy);
  EXPECT_EQ(length, 28u);
  EXPECT_EQ(copy[0], 0x47);
  EXPECT_THAT(Bytes(copy + 20, copy + 28), ElementsAre(130, 3, 9, 131, 3, 4, 0, 0));
  const Bytes plain = header_with({1, 1, 0, 0});
  EXPECT_EQ(copy_header_for_fragments(*reinterpret_cast<const IpHeader*>(plain.data()), copy), 20u);
  EXPECT_EQ(copy[0], 0x45);
}

}  // namespace
}  // namespace headroom
