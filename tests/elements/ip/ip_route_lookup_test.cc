// The six route lookups: what they share, under each of their names. static_ip_lookup_test.cc has
// more about packets and messages.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "../../support/route_mix.hh"
#include "../element_test.hh"

namespace headroom::test {
namespace {

IPAddress address(std::string_view text) { return *IPAddress::parse(text); }

std::string refused(TestRouter& test, std::string_view handler, std::string_view value) {
  std::string error;
  EXPECT_FALSE(test.router->write_handler(handler, value, error));
  return error;
}

// A file that goes when the test ends.
class File {
 public:
  explicit File(const std::string& text) { write(text); }
  ~File() { std::remove(path.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
  const std::string path = testing::TempDir() + "headroom-routes-" + std::to_string(getpid());
};

class IPRouteLookups : public testing::TestWithParam<const char*> {
 protected:
  std::string config(const std::string& routes) const {
    return "in :: TestSource -> r :: " + std::string(GetParam()) + "(" + routes +
           "); r[0] -> o0 :: TestSink; r[1] -> o1 :: TestSink;";
  }
};

TEST_P(IPRouteLookups, RoutePackets) {
  in_all_batch_sizes([&](uint32_t batch_size) {
    TestRouter test(config("0/0 9.9.9.9 1, 10/8 0, 10.1.2.128/25 8.8.8.8 0, 10.1.2.200/32 1"));
    const std::pair<const char*, const char*> cases[] = {{"10.1.2.127", "0 10.1.2.127"},
                                                         {"10.1.2.128", "0 8.8.8.8"},
                                                         {"10.1.2.200", "1 10.1.2.200"},
                                                         {"10.1.2.201", "0 8.8.8.8"},
                                                         {"9.255.255.255", "1 9.9.9.9"}};
    std::vector<Packet*> packets;
    for (uint8_t i = 0; i < 250; ++i) {
      packets.push_back(make_split(*test.pool, numbered(60, i), i % 60));
      packets.back()->set_dst_ip_anno(address(cases[i % std::size(cases)].first));
    }
    test.send_packets("in", packets, batch_size);
    std::size_t seen = 0;
    for (const char* port : {"0", "1"}) {
      int last = -1;
      for (const auto& one : test.sink("o" + std::string(port)).packets) {
        const uint8_t* user = one.annotations.user;
        EXPECT_EQ(port + (" " + IPAddress(user[0], user[1], user[2], user[3]).to_string()),
                  cases[one.bytes[0] % std::size(cases)].second);
        EXPECT_GT(int{one.bytes[0]}, last) << "the order is kept";
        last = one.bytes[0];
        ++seen;
      }
    }
    EXPECT_EQ(seen, 250u);
  });
}

TEST_P(IPRouteLookups, HandlersAsInClick) {
  TestRouter test(config("10.0.0.0/8 1"));
  std::string error;
  EXPECT_EQ(test.router->read_handler("r.lookup", error, "10.1.1.1"), "1");
  EXPECT_EQ(test.router->read_handler("r.lookup", error, "11.1.1.1"), "-1");
  test.write("r.add", "11.0.0.0/8 1.2.3.4 0");
  EXPECT_EQ(test.router->read_handler("r.lookup", error, "11.1.1.1"), "0 1.2.3.4");
  test.write("r.set", "11.0.0.0/8 - 1");
  test.write("r.ctrl", "add 12.0.0.0/8 1\nremove 10.0.0.0/8");
  EXPECT_EQ(test.read("r.table"), "11.0.0.0/8\t\t-\t\t1\n12.0.0.0/8\t\t-\t\t1\n");
  EXPECT_EQ(test.read("r.size"), "2");
  test.write("r.remove", "11.0.0.0/8");
  EXPECT_EQ(test.read("r.size"), "1");
  test.write("r.flush", "");
  EXPECT_EQ(test.read("r.table"), "");
  EXPECT_EQ(test.read("r.size"), "0");
  test.send_packets("in", {Packet::make(*test.pool, Bytes{1})});
  EXPECT_EQ(test.dropped("r", "no-route"), 1u);
}

INSTANTIATE_TEST_SUITE_P(Names, IPRouteLookups,
                         testing::Values("StaticIPLookup", "LinearIPLookup", "SortedIPLookup",
                                         "RadixIPLookup", "DirectIPLookup", "RangeIPLookup"),
                         [](const auto& test) { return std::string(test.param); });

// --- files of routes

std::string with_file(const File& file, const std::string& more = "") {
  return "in :: TestSource -> r :: RadixIPLookup(FILE " + file.path + more +
         "); r[0] -> o0 :: TestSink; r[1] -> o1 :: TestSink;";
}

TEST(IPRouteFile, IsReadAtTheStart) {
  const File file(
      "# routes\n10.0.0.0/8\t\t-\t\t1\r\n11.0.0.0/8 1.1.1.1 0 # by way of it\n\n0.0.0.0/0 1\n");
  TestRouter test(with_file(file));
  EXPECT_EQ(test.read("r.table"),
            "0.0.0.0/0\t\t-\t\t1\n10.0.0.0/8\t\t-\t\t1\n11.0.0.0/8\t\t1.1.1.1\t\t0\n");
  Packet* packet = Packet::make(*test.pool, Bytes{1});
  packet->set_dst_ip_anno(address("11.2.3.4"));
  test.send_packets("in", {packet});
  EXPECT_EQ(test.sink("o0").packets.size(), 1u);
}

TEST(IPRouteFile, ArgumentsTakeTheirPlace) {
  const File file("10.0.0.0/8 - 1\n11.0.0.0/8 - 1\n");
  TestRouter test(with_file(file, ", 10.0.0.0/8 2.2.2.2 0, 12.0.0.0/8 0"));
  EXPECT_EQ(test.read("r.table"),
            "10.0.0.0/8\t\t2.2.2.2\t\t0\n11.0.0.0/8\t\t-\t\t1\n12.0.0.0/8\t\t-\t\t0\n");
  EXPECT_EQ(test.diagnostics.all().size(), 0u) << "nothing to warn of";
}

TEST(IPRouteFile, MistakesAreShownWhereTheyAre) {
  const File file("10.0.0.0/8 - 1\n10.0.0.0/33 - 1\n  11.0.0.0/8 1.2.3 1\n12.0.0.0/8 - 2\n");
  Diagnostics diagnostics;
  const uint32_t config = diagnostics.sources().add("config", with_file(file));
  const auto graph = click::read(config, Registry::instance(), diagnostics);
  EXPECT_EQ(Router::build(graph, nullptr, diagnostics), nullptr);
  EXPECT_EQ(diagnostics.render(Diagnostics::Form::plain),
            file.path + ":2: should be a prefix, as 10.1.0.0/16\n" + file.path +
                ":3: should be the address of the next hop, or -\n" + file.path +
                ":4: output 2 out of range, bound 1\n"
                "config:1: While configuring 'r :: RadixIPLookup':\n"
                "  FILE: " +
                file.path + " has 3 mistakes\n");
  EXPECT_EQ(diagnostics.all()[1].where.column, 14u);
  EXPECT_THAT(
      diagnostics.render(Diagnostics::Form::full),
      testing::HasSubstr(file.path + ":3:14: error: should be the address of the next hop, or -\n"
                                     "    3 |   11.0.0.0/8 1.2.3 1\n"
                                     "      |              ^\n"));
}

TEST(IPRouteFile, ManyMistakesAreCounted) {
  std::string text;
  for (int i = 0; i < 12345; ++i) text += "10.0.0.0/8 - 1\n?\n";
  const File file(text);
  const std::string errors = errors_of(with_file(file));
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 12);
  EXPECT_THAT(errors, testing::EndsWith("  FILE: " + file.path +
                                        " has 12,345 mistakes, of which 10 are shown\n"));
}

TEST(IPRouteFile, MustBeThere) {
  EXPECT_EQ(errors_of("Idle -> r :: RadixIPLookup(FILE /no/such/file) -> Idle"),
            "config:1: While configuring 'r :: RadixIPLookup':\n"
            "  FILE: /no/such/file: No such file or directory\n");
  EXPECT_EQ(errors_of("Idle -> r :: RadixIPLookup(FILE /) -> Idle"),
            "config:1: While configuring 'r :: RadixIPLookup':\n"
            "  FILE: /: Is a directory\n");
}

TEST(IPRouteFile, PrefixesThatComeAgainAreAWarning) {
  const File file("10.0.0.0/8 - 1\n10.1.1.1/8 - 0\n11.0.0.0/8 1\n10.0.0.0/255.0.0.0 9.9.9.9 1\n");
  EXPECT_EQ(errors_of(with_file(file)),
            "config:1: While configuring 'r :: RadixIPLookup':\n"
            "  warning: FILE: " +
                file.path + ": 2 routes replaced by later ones with the same prefix\n");
}

TEST(IPRouteFile, IsLoadedInPlaceOfAllRoutes) {
  const File file("10.0.0.0/8 - 1\n11.0.0.0/8 1.1.1.1 0\n");
  TestRouter test(
      "in :: TestSource -> r :: LinearIPLookup(10.0.0.0/8 0, 12.0.0.0/8 0, 10.0.0.1/32 0);"
      "r[0] -> o0 :: TestSink; r[1] -> o1 :: TestSink;");
  test.write("r.load", file.path);
  const std::string loaded = "10.0.0.0/8\t\t-\t\t1\n11.0.0.0/8\t\t1.1.1.1\t\t0\n";
  EXPECT_EQ(test.read("r.table"), loaded);
  // What `table` says can be loaded.
  file.write(loaded + "13.0.0.0/8\t\t-\t\t1\n");
  test.write("r.load", "  \"" + file.path + "\" // again");
  EXPECT_EQ(test.read("r.size"), "3");
  const std::string before = test.read("r.table");

  file.write("10.0.0.0/8 - 0\n11.0.0.0/8 - 2\nx\n");
  EXPECT_EQ(refused(test, "r.load", file.path),
            file.path + ":2:14: output 2 out of range, bound 1\n" + file.path +
                ":3:1: should be a prefix, as 10.1.0.0/16\n" + file.path + " has 2 mistakes");
  EXPECT_EQ(refused(test, "r.load", "/no/such/file"), "/no/such/file: No such file or directory");
  EXPECT_EQ(refused(test, "r.load", ""), "should be a filename");
  EXPECT_EQ(test.read("r.table"), before);
  file.write("");
  test.write("r.load", file.path);
  EXPECT_EQ(test.read("r.size"), "0");
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Prints times, which depend on the machine; what they are held to is far from what they are.
TEST(IPRouteFile, AMillionRoutes) {
#ifdef __SANITIZE_ADDRESS__
  constexpr std::size_t kRoutes = 50'000;
#else
  constexpr std::size_t kRoutes = 1'000'000;
#endif
  std::string text;
  std::size_t number = 0;
  const auto prefixes = internet_prefixes(kRoutes, 1);
  for (const IPPrefix& prefix : prefixes) {
    ++number;
    text += prefix.to_string() + " 10.0." + std::to_string(number / 256 % 4) + "." +
            std::to_string(number % 256) + " " + std::to_string(number % 2) + "\n";
  }
  const File file(text);
  auto start = std::chrono::steady_clock::now();
  TestRouter test(with_file(file));
  const double at_start = seconds_since(start);
  EXPECT_EQ(test.read("r.size"), std::to_string(kRoutes));
  const auto table = test.read("r.table");
  EXPECT_EQ(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')), kRoutes);

  start = std::chrono::steady_clock::now();
  test.write("r.load", file.path);
  const double again = seconds_since(start);
  test.write("r.flush", "");
  EXPECT_EQ(test.read("r.size"), "0");
  start = std::chrono::steady_clock::now();
  test.write("r.load", file.path);
  const double anew = seconds_since(start);
  EXPECT_EQ(test.read("r.table"), table);
  std::cout << kRoutes << " routes, " << text.size() / 1'000'000 << " MB: at the start " << at_start
            << " s, loaded again " << again << " s, into an empty table " << anew << " s\n";
  EXPECT_LT(std::max({at_start, again, anew}), 60.0);
}

}  // namespace
}  // namespace headroom::test
