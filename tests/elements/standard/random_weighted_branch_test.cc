#include "../element_test.hh"

namespace headroom::test {
namespace {

std::vector<std::size_t> shares(const std::string& weights, int outputs, int packets) {
  std::string config = "in :: TestSource -> r :: RandomWeightedBranch(" + weights + ");";
  for (int i = 0; i < outputs; ++i)
    config += "r[" + std::to_string(i) + "] -> o" + std::to_string(i) + " :: TestSink;";
  TestRouter test(config);
  for (int sent = 0; sent < packets; sent += 1000)
    test.send("in", std::vector<Bytes>(1000, numbered(60)), 64);
  std::vector<std::size_t> counts;
  for (int i = 0; i < outputs; ++i)
    counts.push_back(test.sink("o" + std::to_string(i)).packets.size());
  return counts;
}

// 20,000 packets: the standard deviation of a share is at most 71 packets.
TEST(RandomWeightedBranch, ByWeight) {
  const auto three = shares("0.5, 0.3, 0.2", 3, 20'000);
  EXPECT_NEAR(static_cast<double>(three[0]), 10'000, 400);
  EXPECT_NEAR(static_cast<double>(three[1]), 6'000, 400);
  EXPECT_NEAR(static_cast<double>(three[2]), 4'000, 400);
  // Only their ratio counts.
  const auto two = shares("30, 10", 2, 20'000);
  EXPECT_NEAR(static_cast<double>(two[0]), 15'000, 400);
}

TEST(RandomWeightedBranch, NothingGoesToAWeightOfZero) {
  EXPECT_EQ(shares("0, 1, 0", 3, 2'000), (std::vector<std::size_t>{0, 2'000, 0}));
  EXPECT_EQ(shares("1", 1, 1'000), (std::vector<std::size_t>{1'000}));
}

TEST(RandomWeightedBranch, Mistakes) {
  const auto message = [](const std::string& weights) {
    return errors_of("in :: TestSource -> r :: RandomWeightedBranch(" + weights +
                     "); r[0] -> Discard; r[1] -> Discard;");
  };
  EXPECT_EQ(message("1, 1"), "");
  EXPECT_THAT(message("1"), testing::HasSubstr("has 2 outputs and 1 weights"));
  EXPECT_THAT(message("1, -1"), testing::HasSubstr("WEIGHT: out of range"));
  EXPECT_THAT(message("0, 0"), testing::HasSubstr("one must be more than 0"));
}

}  // namespace
}  // namespace headroom::test
