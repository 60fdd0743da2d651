#include "headroom/runtime/report.hh"

#include <gmock/gmock.h>

namespace headroom {
namespace {

LedgerEntry entry(std::string element, std::string class_name, uint64_t in, uint64_t created,
                  uint64_t out, uint64_t dropped, uint64_t absorbed, uint64_t held) {
  LedgerEntry entry;
  entry.element = std::move(element);
  entry.class_name = std::move(class_name);
  entry.in = in;
  entry.created = created;
  entry.out = out;
  entry.dropped = dropped;
  entry.absorbed = absorbed;
  entry.held = held;
  return entry;
}

RunReport small_report() {
  RunReport report;
  DeviceStats in;
  in.received = 1'234'567;
  in.missed = 12;
  DeviceStats out;
  out.transmitted = 1'000'000;
  out.tx_errors = 3;
  report.ports = {
      {"in", "net_pcap", in, {.up = true, .full_duplex = true, .speed = 10'000}, 1'234'567},
      {"out", "net_null", out, {}, 0, 1'000'000}};
  report.ledger.entries = {entry("FromPort@1", "FromPort", 0, 1'234'567, 1'234'567, 0, 0, 0),
                           entry("check", "CheckIPHeader", 1'234'567, 0, 1'000'000, 234'567, 0, 0),
                           entry("unused", "Idle", 0, 0, 0, 0, 0, 0),
                           entry("q", "Queue", 1'000'000, 0, 999'990, 0, 0, 10),
                           entry("ToPort@4", "ToPort", 999'990, 0, 0, 0, 999'990, 0)};
  report.ledger.drops = {{"check", "bad-checksum", 200'000}, {"check", "too-short", 34'567}};
  report.seconds = 0.5;
  report.workers = 2;
  return report;
}

TEST(Report, Balanced) {
  EXPECT_EQ(render(small_report()), R"(
Ports
  port  driver    link              received  transmitted  missed  no buffer  rx errors  tx errors
  in    net_pcap  up, 10,000 Mb/s  1,234,567            0      12          0          0          0
  out   net_null  down                     0    1,000,000       0          0          0          3

Elements
  element     class                 in    created        out  dropped  absorbed  held  ledger
  FromPort@1  FromPort               0  1,234,567  1,234,567        0         0     0      ok
  check       CheckIPHeader  1,234,567          0  1,000,000  234,567         0     0      ok
  q           Queue          1,000,000          0    999,990        0         0    10      ok
  ToPort@4    ToPort           999,990          0          0        0   999,990     0      ok
  total                      3,234,557  1,234,567  3,234,557  234,567   999,990    10      ok

Drops
  element  reason        packets
  check    bad-checksum  200,000
  check    too-short      34,567

Ledger: 1,234,567 created, 234,567 dropped, 999,990 absorbed, 10 held: balanced
1,234,567 packets in 0.50 s on 2 cores: 2.47 Mpps
)");
}

TEST(Report, WhatPortsCountOtherwise) {
  RunReport report = small_report();
  report.ports[0].taken -= 7;
  report.ports[1].handed += 1'000;
  EXPECT_THAT(render(report),
              ::testing::HasSubstr(
                  "  in: of 1,234,567 packets that the port received, elements took 1,234,560\n"
                  "  out: of 1,001,000 packets that elements handed to the port, it transmitted "
                  "1,000,000\n"));
}

TEST(Report, NotBalanced) {
  RunReport report;
  report.ledger.entries = {entry("a", "Lossy", 0, 2'000, 500, 0, 0, 0),
                           entry("b", "Generous", 500, 0, 501, 0, 0, 0),
                           entry("c", "Discard", 501, 0, 0, 0, 501, 0)};
  report.ledger.leaked = 1'500;
  EXPECT_EQ(render(report), R"(
Elements
  element  class        in  created    out  dropped  absorbed  held  ledger
  a        Lossy         0    2,000    500        0         0     0  -1,500
  b        Generous    500        0    501        0         0     0      +1
  c        Discard     501        0      0        0       501     0      ok
  total              1,001    2,000  1,001        0       501     0  -1,499

Ledger: 2,000 created, 0 dropped, 501 absorbed, 0 held: NOT BALANCED
'a :: Lossy' lost 1,500 packets
'b :: Generous' has 1 too many packets
1,500 packets were leaked by batches
)");
}

// Losses that cancel each other out in the sum are losses all the same.
TEST(Report, ASumThatIsRightHidesNothing) {
  RunReport report;
  report.ledger.entries = {entry("a", "A", 0, 2, 1, 0, 0, 0), entry("b", "B", 1, 0, 0, 0, 2, 0)};
  const std::string text = render(report);
  EXPECT_THAT(text, ::testing::HasSubstr("NOT BALANCED"));
  EXPECT_THAT(text, ::testing::ContainsRegex("total +1 +2 +1 +0 +2 +0 +ok"));
}

TEST(Report, Nothing) {
  EXPECT_EQ(render({}), R"(
Elements
  element  class  in  created  out  dropped  absorbed  held  ledger
  total            0        0    0        0         0     0      ok

Ledger: 0 created, 0 dropped, 0 absorbed, 0 held: balanced
)");
}

}  // namespace
}  // namespace headroom
