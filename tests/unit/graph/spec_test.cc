// Port specifications and verdicts.
#include <gmock/gmock.h>

#include "headroom/graph/spec.hh"
#include "headroom/graph/verdict.hh"

namespace headroom::test {
namespace {

constexpr uint32_t kMany = PortRange::kUnlimited;

struct SpecCase {
  std::string_view text;
  PortRange inputs;
  PortRange outputs;
};

TEST(PortSpecTest, Ranges) {
  for (const SpecCase& one :
       {SpecCase{"1/1", {1, 1}, {1, 1}}, SpecCase{"0/1", {0, 0}, {1, 1}},
        SpecCase{"1/2-", {1, 1}, {2, kMany}}, SpecCase{"1-2/0", {1, 2}, {0, 0}},
        SpecCase{"-/-3", {0, kMany}, {0, 3}}, SpecCase{"10-200/-", {10, 200}, {0, kMany}},
        SpecCase{"3-3/4294967295", {3, 3}, {4294967295u, 4294967295u}},
        // one side only is both
        SpecCase{"1", {1, 1}, {1, 1}}, SpecCase{"1-", {1, kMany}, {1, kMany}},
        SpecCase{"-", {0, kMany}, {0, kMany}}}) {
    const auto spec = PortSpec::parse(one.text);
    ASSERT_TRUE(spec) << one.text;
    EXPECT_FALSE(spec->outputs_follow_inputs) << one.text;
    EXPECT_EQ(spec->inputs.min, one.inputs.min) << one.text;
    EXPECT_EQ(spec->inputs.max, one.inputs.max) << one.text;
    EXPECT_EQ(spec->outputs.min, one.outputs.min) << one.text;
    EXPECT_EQ(spec->outputs.max, one.outputs.max) << one.text;
  }
}

TEST(PortSpecTest, OutputsThatFollowInputs) {
  for (const auto& [text, extra] : std::vector<std::pair<std::string_view, uint32_t>>{
           {"1/=", 0}, {"-/=+", 1}, {"2-5/=++", 2}}) {
    const auto spec = PortSpec::parse(text);
    ASSERT_TRUE(spec) << text;
    EXPECT_TRUE(spec->outputs_follow_inputs) << text;
    EXPECT_EQ(spec->extra, extra) << text;
  }
}

TEST(PortSpecTest, WhatIsNone) {
  for (const std::string_view text :
       {"",      "/",    "1/",    "/1",    "a",    "1/b",          "2-1/1",
        "1/3-2", "1//1", "1/1/1", "1-2-3", "=",    "=/1",          "1/=-",
        "1/=1",  "1/+",  "1 /1",  "--1",   "1/ 1", "4294967296/1", "1/99999999999999999999"})
    EXPECT_FALSE(PortSpec::parse(text)) << text;
}

static_assert(PortSpec::parse("1/2-")->outputs.min == 2, "usable at compile time");

TEST(VerdictTest, KindsDoNotOverlap) {
  for (const uint32_t number : {0u, 1u, 255u, 65535u, 1u << 30, 0x7fffffffu}) {
    const Verdict port = Verdict::to(number);
    EXPECT_TRUE(port.is_port() && !port.is_held() && !port.is_drop());
    EXPECT_EQ(port.port(), number);
  }
  for (const uint32_t reason : {0u, 1u, 1000u}) {
    const Verdict drop = Verdict::drop(reason);
    EXPECT_TRUE(drop.is_drop() && !drop.is_held() && !drop.is_port());
    EXPECT_EQ(drop.reason(), reason);
  }
  EXPECT_TRUE(Verdict::held().is_held() && !Verdict::held().is_drop());
  EXPECT_EQ(Verdict{}, Verdict::to(0));
}

TEST(VerdictTest, APortThatIsMinusOneIsAPort) {
  // to(-1) for "no match" must not mean that the packet was kept.
  for (const uint32_t number : {0x80000000u, 0xfffffffeu, 0xffffffffu})
    EXPECT_TRUE(Verdict::to(number).is_port()) << number;
}

}  // namespace
}  // namespace headroom::test
