#include "headroom/runtime/cores.hh"

#include <gmock/gmock.h>

#include <fstream>

#include "headroom/runtime/machine_facts.hh"
#include "machine_fixture.hh"

namespace headroom::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// Two sockets: even cores belong to the first, odd ones to the second, and there is a card at each.
class Cores : public testing::Test {
 protected:
  Cores() {
    write("sys/devices/system/node/node0/cpulist", "0,2,4,6\n");
    write("sys/devices/system/node/node1/cpulist", "1,3,5,7\n");
    write("sys/devices/system/node/possible", "0-1\n");
    write("sys/bus/pci/devices/0000:03:00.0/numa_node", "0\n");
    write("sys/bus/pci/devices/0000:82:00.0/numa_node", "1\n");
    write("sys/bus/pci/devices/0000:00:03.0/numa_node", "-1\n");
  }
  void write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = directory_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::vector<uint32_t> preferred(const std::string& ports, std::vector<uint32_t> cores) {
    return cores_by_preference(system_config("ports: {" + ports + "}"), std::move(cores), root());
  }
  std::filesystem::path root() { return directory_ / ""; }

  TemporaryDirectory directory_;
};

TEST_F(Cores, Nodes) {
  EXPECT_THAT(nodes_of_cores(root()), ElementsAre(Pair(0, 0), Pair(1, 1), Pair(2, 0), Pair(3, 1),
                                                  Pair(4, 0), Pair(5, 1), Pair(6, 0), Pair(7, 1)));
  EXPECT_THAT(nodes_of_cores(directory_ / "elsewhere"), IsEmpty());
  EXPECT_EQ(node_of_card("0000:82:00.0", root()), 1);
  EXPECT_EQ(node_of_card("0000:00:03.0", root()), -1);
  EXPECT_EQ(node_of_card("0000:ff:00.0", root()), -1);
}

TEST_F(Cores, ThoseOfTheCardsNodeComeFirst) {
  EXPECT_THAT(preferred("a: {pci: 0000:82:00.0}", {0, 1, 2, 3}), ElementsAre(1, 3, 0, 2));
  EXPECT_THAT(preferred("a: {pci: 0000:03:00.0}", {1, 2, 3, 4}), ElementsAre(2, 4, 1, 3));
}

TEST_F(Cores, WhereNothingIsNearerTheOrderStays) {
  EXPECT_THAT(preferred("a: {pci: 0000:03:00.0}, b: {pci: 0000:82:00.0}", {0, 1, 2, 3}),
              ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(preferred("a: {pci: 0000:00:03.0}", {0, 1, 2, 3}), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(preferred("a: {vdev: net_null0}", {3, 1}), ElementsAre(3, 1));
}

}  // namespace
}  // namespace headroom::test
