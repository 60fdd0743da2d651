#include "headroom/runtime/machine_facts.hh"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

namespace headroom {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

// A picture of a machine in a directory of its own.
class FactsOf : public ::testing::Test {
 protected:
  FactsOf() : root_(fs::temp_directory_path() / ("facts-" + std::to_string(getpid()))) {
    fs::create_directories(root_);
  }
  ~FactsOf() override { fs::remove_all(root_); }

  void write(const fs::path& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  void link(const fs::path& name, const fs::path& target) {
    fs::create_directories((root_ / name).parent_path());
    fs::create_symlink(target, root_ / name);
  }
  MachineFacts gather() const { return gather_facts(root_); }

  fs::path root_;
};

TEST(CoreList, AsTheKernelWritesIt) {
  EXPECT_THAT(parse_core_list("0-2,8,10-11"), ElementsAre(0, 1, 2, 8, 10, 11));
  EXPECT_THAT(parse_core_list("3"), ElementsAre(3));
  EXPECT_THAT(parse_core_list(""), IsEmpty());
  EXPECT_THAT(parse_core_list(" (null)"), IsEmpty());
}

TEST_F(FactsOf, NothingIsNoMistake) {
  const MachineFacts facts = gather();
  EXPECT_THAT(facts.cards, IsEmpty());
  EXPECT_THAT(facts.cores, IsEmpty());
  EXPECT_EQ(facts.free_hugepages(), 0u);
  EXPECT_FALSE(facts.iommu);
}

TEST_F(FactsOf, HugepagesOfNodesOrOfAll) {
  write("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "7\n");
  write("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "5\n");
  EXPECT_EQ(gather().free_hugepages(), 5u);
  EXPECT_EQ(gather().hugepages.at(0).node, -1);
  for (const char* node : {"node0", "node1"}) {
    const fs::path pool = fs::path("sys/devices/system/node") / node / "hugepages/hugepages-2048kB";
    write(pool / "nr_hugepages", "4\n");
    write(pool / "free_hugepages", "3\n");
  }
  EXPECT_EQ(gather().free_hugepages(), 6u) << "not the whole once more";
}

TEST_F(FactsOf, RightsAndLimits) {
  write("proc/self/status",
        "Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0000008000001000\nCpus_allowed_list:\t1-2\n");
  write("proc/self/limits", "Max locked memory         8388608              unlimited     bytes\n");
  const MachineFacts facts = gather();
  EXPECT_FALSE(facts.superuser);
  EXPECT_TRUE(facts.has_capability(12));
  EXPECT_TRUE(facts.has_capability(39));
  EXPECT_FALSE(facts.has_capability(13));
  EXPECT_EQ(facts.memory_lock, 8388608u);
  EXPECT_THAT(facts.cores, ElementsAre(1, 2));
}

TEST_F(FactsOf, ACardWithTheInterfaceOfVirtio) {
  const fs::path card = "sys/bus/pci/devices/0000:00:03.0";
  write(card / "class", "0x020000\n");
  write(card / "vendor", "0x1af4\n");
  write(card / "device", "0x1041\n");
  write(card / "numa_node", "-1\n");
  link(card / "driver", "../../drivers/virtio-pci");
  write("sys/bus/pci/devices/0000:00:04.0/class", "0x010000\n");
  fs::create_directories(root_ / card / "virtio0/net/eth0");
  write("sys/class/net/eth0/mtu", "9000\n");
  write("proc/net/if_inet6", "fe80 02 40 20 80 eth0\n");
  EXPECT_EQ(gather().uses_of(*gather().find_pci("0000:00:03.0")), "") << "link-local only";
  write("proc/net/route", "Iface\neth0 00000000 010200C0 0003 0 0 0 00000000 0 0 0\n");
  const MachineFacts facts = gather();
  ASSERT_EQ(facts.cards.size(), 1u) << "the other is a disk";
  EXPECT_EQ(facts.cards[0].vendor, 0x1af4u);
  EXPECT_EQ(facts.cards[0].numa_node, -1);
  EXPECT_EQ(facts.cards[0].driver, "virtio-pci");
  EXPECT_EQ(facts.uses_of(facts.cards[0]), "eth0 (default route)");
  EXPECT_EQ(facts.find_interface("eth0")->mtu, 9000u);
}

TEST_F(FactsOf, WhoHasACardOpen) {
  write("proc/1234/comm", "testpmd\n");
  link("proc/1234/fd/9", "/dev/vfio/12");
  link("proc/1234/fd/10", "/dev/null");
  EXPECT_THAT(gather().users, ElementsAre(std::pair("/dev/vfio/12", "testpmd (process 1234)")));
}

}  // namespace
}  // namespace headroom
