#include "headroom/net/ip_options.hh"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace headroom {
namespace {

using Bytes = std::vector<uint8_t>;

const IPAddress kMine(10, 1, 2, 3);
const IPAddress kOther(10, 9, 9, 9);
constexpr uint32_t kTime = 0x01020304;

struct Outcome {
  Bytes options;
  bool changed;
  unsigned bad_octet;
};

// The options, padded to a multiple of four with "end of options", in a header that ends there.
Outcome process(Bytes options) {
  while (options.size() % 4 != 0) options.push_back(0);
  Bytes header(20 + options.size());
  std::memcpy(header.data() + 20, options.data(), options.size());
  auto& ip = *reinterpret_cast<IpHeader*>(header.data());
  ip.set_header_length(static_cast<unsigned>(header.size()));
  const IPAddress others[] = {kOther};
  const auto result =
      update_router_options(ip, {.address = kMine, .others = others, .milliseconds = kTime});
  return {Bytes(header.begin() + 20, header.end()), result.changed, result.bad_octet};
}

void expect_changed(const Bytes& options, const Bytes& expected) {
  const Outcome outcome = process(options);
  EXPECT_EQ(outcome.options, expected);
  EXPECT_TRUE(outcome.changed);
  EXPECT_EQ(outcome.bad_octet, 0u);
}

void expect_unchanged(const Bytes& options) {
  const Outcome outcome = process(options);
  EXPECT_EQ(Bytes(outcome.options.begin(),
                  outcome.options.begin() + static_cast<std::ptrdiff_t>(options.size())),
            options);
  EXPECT_FALSE(outcome.changed);
  EXPECT_EQ(outcome.bad_octet, 0u);
}

TEST(RouterOptions, NoneOfOurs) {
  expect_unchanged({});
  expect_unchanged({1, 1, 1, 1});
  expect_unchanged({0, 7, 1, 9});                // behind the end anything may stand
  expect_unchanged({131, 7, 4, 1, 2, 3, 4, 0});  // a loose source route
  expect_unchanged({148, 4, 0, 0});              // router alert
}

TEST(RouterOptions, RecordRoute) {
  expect_changed({7, 7, 4, 0, 0, 0, 0, 0}, {7, 7, 8, 10, 1, 2, 3, 0});
  expect_changed({1, 7, 11, 8, 1, 2, 3, 4, 0, 0, 0, 0}, {1, 7, 11, 12, 1, 2, 3, 4, 10, 1, 2, 3});
  expect_unchanged({7, 7, 8, 1, 2, 3, 4, 0});  // full
  expect_unchanged({7, 3, 4, 0});              // no room from the start
}

TEST(RouterOptions, MalformedRecordRoute) {
  EXPECT_EQ(process({7, 2, 0, 0}).bad_octet, 21u);
  EXPECT_EQ(process({7, 7, 3, 0, 0, 0, 0, 0}).bad_octet, 22u);
  EXPECT_EQ(process({7, 7, 0, 0, 0, 0, 0, 0}).bad_octet, 22u);
  EXPECT_EQ(process({7, 7, 5, 0, 0, 0, 0, 0}).bad_octet, 22u);  // not room for a whole address
  EXPECT_EQ(process({1, 1, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0}).bad_octet, 24u);
}

TEST(RouterOptions, MalformedLengths) {
  EXPECT_EQ(process({7, 0, 4, 0}).bad_octet, 21u);
  EXPECT_EQ(process({7, 1, 4, 0}).bad_octet, 21u);
  EXPECT_EQ(process({7, 5, 4, 0}).bad_octet, 21u);
  EXPECT_EQ(process({99, 255, 4, 0}).bad_octet, 21u);
  EXPECT_EQ(process({1, 1, 1, 7}).bad_octet, 23u);  // nothing behind the type
}

TEST(RouterOptions, Timestamps) {
  expect_changed({68, 8, 5, 0, 0, 0, 0, 0}, {68, 8, 9, 0, 1, 2, 3, 4});
  expect_changed({68, 12, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0}, {68, 12, 13, 1, 10, 1, 2, 3, 1, 2, 3, 4});
  expect_changed({68, 12, 5, 3, 10, 9, 9, 9, 0, 0, 0, 0}, {68, 12, 13, 3, 10, 9, 9, 9, 1, 2, 3, 4});
  expect_changed({68, 12, 5, 3, 10, 1, 2, 3, 0, 0, 0, 0}, {68, 12, 13, 3, 10, 1, 2, 3, 1, 2, 3, 4});
  expect_unchanged({68, 12, 5, 3, 7, 7, 7, 7, 0, 0, 0, 0});  // somebody else's turn
}

TEST(RouterOptions, TimestampsOverflow) {
  expect_changed({68, 8, 9, 0, 1, 1, 1, 1}, {68, 8, 9, 0x10, 1, 1, 1, 1});
  expect_changed({68, 8, 9, 0xe0, 1, 1, 1, 1}, {68, 8, 9, 0xf0, 1, 1, 1, 1});
  EXPECT_EQ(process({68, 8, 9, 0xf0, 1, 1, 1, 1}).bad_octet, 23u);
  expect_unchanged({68, 12, 13, 3, 7, 7, 7, 7, 1, 1, 1, 1});
}

TEST(RouterOptions, MalformedTimestamps) {
  EXPECT_EQ(process({68, 3, 5, 0}).bad_octet, 21u);
  EXPECT_EQ(process({68, 8, 4, 0, 0, 0, 0, 0}).bad_octet, 22u);
  EXPECT_EQ(process({68, 8, 6, 0, 0, 0, 0, 0}).bad_octet, 22u);
  EXPECT_EQ(process({68, 8, 5, 1, 0, 0, 0, 0}).bad_octet, 22u);
  EXPECT_EQ(process({68, 8, 5, 2, 0, 0, 0, 0}).bad_octet, 23u);
}

TEST(RouterOptions, TwoOptions) {
  expect_changed({7, 7, 4, 0, 0, 0, 0, 68, 8, 5, 0, 0, 0, 0, 0, 0},
                 {7, 7, 8, 10, 1, 2, 3, 68, 8, 9, 0, 1, 2, 3, 4, 0});
  const Outcome outcome = process({7, 7, 4, 0, 0, 0, 0, 68, 8, 4, 0, 0, 0, 0, 0, 0});
  EXPECT_TRUE(outcome.changed);
  EXPECT_EQ(outcome.bad_octet, 29u);
}

// Whatever the bytes, nothing behind the header is read or written: it ends the buffer.
TEST(RouterOptions, AnyBytes) {
  for (const uint8_t type : {uint8_t{7}, uint8_t{68}, uint8_t{131}})
    for (int length = 0; length < 256; ++length)
      for (int pointer = 0; pointer < 256; ++pointer)
        for (const uint8_t flags : {uint8_t{0}, uint8_t{1}, uint8_t{3}, uint8_t{0xf1}}) {
          Bytes options(40, 0xff);
          options[0] = type;
          options[1] = static_cast<uint8_t>(length);
          options[2] = static_cast<uint8_t>(pointer);
          options[3] = flags;
          const Outcome outcome = process(options);
          EXPECT_LT(outcome.bad_octet, 60u);
        }
}

}  // namespace
}  // namespace headroom
