// The arithmetic of ledgers and of merged handlers.
#include "headroom/graph/ledger.hh"

#include <gmock/gmock.h>

#include "headroom/graph/handler.hh"

namespace headroom::test {
namespace {

LedgerEntry entry(std::string name, uint64_t in, uint64_t created, uint64_t out, uint64_t dropped,
                  uint64_t absorbed, uint64_t held) {
  return {std::move(name), "Class", in, created, out, dropped, absorbed, held};
}

TEST(LedgerTest, UnaccountedIsWhatTheRightSideLacks) {
  EXPECT_EQ(entry("a", 10, 5, 6, 4, 3, 2).unaccounted(), 0);
  EXPECT_EQ(entry("a", 10, 0, 6, 0, 0, 0).unaccounted(), 4);
  EXPECT_EQ(entry("a", 0, 0, 6, 0, 0, 0).unaccounted(), -6);
  EXPECT_EQ(entry("a", UINT64_MAX, 2, 1, 0, 0, 0).unaccounted(), 0);  // counters may wrap
}

TEST(LedgerTest, TotalsSumAllColumns) {
  Ledger ledger;
  ledger.entries = {entry("a", 0, 10, 10, 0, 0, 0), entry("b", 10, 0, 6, 1, 2, 1)};
  const LedgerEntry total = ledger.total();
  EXPECT_EQ(total.in, 10u);
  EXPECT_EQ(total.created, 10u);
  EXPECT_EQ(total.out, 16u);
  EXPECT_EQ(total.dropped, 1u);
  EXPECT_EQ(total.absorbed, 2u);
  EXPECT_EQ(total.held, 1u);
  EXPECT_EQ(total.unaccounted(), 0);
  EXPECT_TRUE(ledger.balanced());
  EXPECT_EQ(ledger.complaint(), "");
}

TEST(LedgerTest, ComplaintsNameWhoLostHowMany) {
  Ledger ledger;
  ledger.entries = {entry("a", 2000000, 0, 3, 0, 0, 0), entry("b", 1, 0, 1, 0, 0, 0),
                    entry("c", 1, 0, 3, 0, 0, 0)};
  ledger.leaked = 1000;
  EXPECT_FALSE(ledger.balanced());
  EXPECT_EQ(ledger.complaint(),
            "'a :: Class' lost 1,999,997 packets\n"
            "'c :: Class' has 2 too many packets\n"
            "1,000 packets were leaked by batches\n");
  // Two elements that make up for each other are still two mistakes.
  ledger.entries = {entry("a", 1, 0, 0, 0, 0, 0), entry("b", 0, 0, 1, 0, 0, 0)};
  ledger.leaked = 0;
  EXPECT_EQ(ledger.total().unaccounted(), 0);
  EXPECT_FALSE(ledger.balanced());
}

TEST(LedgerTest, MergeAddsReplicas) {
  Ledger first;
  first.entries = {entry("a", 1, 2, 3, 4, 5, 6), entry("b", 0, 0, 0, 0, 0, 0)};
  first.drops = {{"a", "one", 4}};
  first.in_transit = 3;
  first.leaked = 2;
  Ledger second;
  second.entries = {entry("a", 10, 20, 30, 40, 50, 60), entry("b", 7, 0, 0, 7, 0, 0)};
  second.drops = {{"a", "one", 30}, {"a", "two", 10}, {"b", "one", 7}};
  second.in_transit = 4;
  second.leaked = 5;
  first.merge(second);
  EXPECT_EQ(first.entries[0].in, 11u);
  EXPECT_EQ(first.entries[0].created, 22u);
  EXPECT_EQ(first.entries[0].out, 33u);
  EXPECT_EQ(first.entries[0].dropped, 44u);
  EXPECT_EQ(first.entries[0].absorbed, 55u);
  EXPECT_EQ(first.entries[0].held, 66u);
  EXPECT_EQ(first.entries[1].in, 7u);
  ASSERT_EQ(first.drops.size(), 3u);
  EXPECT_EQ(first.drops[0].packets, 34u);
  EXPECT_EQ(first.in_transit, 7u);
  EXPECT_EQ(first.leaked, 5u);  // of the whole process, so the larger look
  EXPECT_EQ(first.entries[0].element, "a");
}

TEST(LedgerTest, MergeIntoAnEmptyOneIsACopy) {
  Ledger one;
  one.entries = {entry("a", 1, 0, 1, 0, 0, 0)};
  Ledger sum;
  sum.merge(one);
  sum.merge(one);
  ASSERT_EQ(sum.entries.size(), 1u);
  EXPECT_EQ(sum.entries[0].element, "a");
  EXPECT_EQ(sum.entries[0].in, 2u);
}

TEST(MergeValuesTest, EveryWay) {
  const std::vector<std::string> values{"12", "7", "30"};
  EXPECT_EQ(merge_values(Merge::first, values), "12");
  EXPECT_EQ(merge_values(Merge::sum, values), "49");
  EXPECT_EQ(merge_values(Merge::max, values), "30");
  EXPECT_EQ(merge_values(Merge::concatenate, values), "12730");
  for (const Merge merge : {Merge::first, Merge::sum, Merge::max, Merge::concatenate}) {
    EXPECT_EQ(merge_values(merge, {}), "");
    EXPECT_EQ(merge_values(merge, {"5"}), "5");
  }
  EXPECT_EQ(merge_values(Merge::sum, {"18446744073709551614", "1"}), "18446744073709551615");
  EXPECT_EQ(merge_values(Merge::sum, {"2.5"}), "2.5");
  EXPECT_EQ(merge_values(Merge::sum, {"2.5", "3", "1e6"}), "1000005.5");
  EXPECT_EQ(merge_values(Merge::max, {"0.25", "0.5"}), "0.5");
  EXPECT_EQ(merge_values(Merge::sum, {"1\n", "2\n"}), "3");
  EXPECT_EQ(merge_values(Merge::sum, {"-5", "3"}), "-2");
  EXPECT_EQ(merge_values(Merge::max, {"-5", "-3"}), "-3");
  EXPECT_EQ(merge_values(Merge::sum, {"1.5", "2", "-0.25"}), "3.25");
  EXPECT_EQ(merge_values(Merge::max, {"1.5", "1e3"}), "1000");
  EXPECT_EQ(merge_values(Merge::sum, {"true", "false"}), "true");  // no numbers
  EXPECT_EQ(merge_values(Merge::sum, {"1", ""}), "1");
}

}  // namespace
}  // namespace headroom::test
