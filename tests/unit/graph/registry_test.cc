// The registry of classes, and packages that cannot be loaded.
#include "headroom/graph/registry.hh"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "graph_elements.hh"

namespace headroom::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(RegistryTest, KnowsItsClassesByName) {
  const Registry& registry = Registry::instance();
  const ElementClass* queue = registry.find("Queue");
  ASSERT_NE(queue, nullptr);
  EXPECT_EQ(queue->spec->name, "Queue");
  EXPECT_EQ(queue->package, "");
  EXPECT_THAT(queue->file, testing::EndsWith("queue.cc"));
  EXPECT_NE(queue->make(), nullptr);
  EXPECT_TRUE(registry.is_class("Counter"));
  for (const std::string_view name : {"", "queue", "Queue ", "Zzz", "\xff"})
    EXPECT_EQ(registry.find(name), nullptr) << name;
  const auto names = registry.class_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  EXPECT_EQ(registry.all().size(), names.size());
}

TEST(RegistryTest, EveryClassDeclaresItselfSoundly) {
  for (const ElementClass* one : Registry::instance().all()) {
    SCOPED_TRACE(one->spec->name);
    EXPECT_TRUE(PortSpec::parse(one->spec->ports));
    for (const std::string_view codes : {one->spec->processing, one->spec->flow})
      EXPECT_LE(std::count(codes.begin(), codes.end(), '/'), 1);
    EXPECT_EQ(one->spec->processing.find_first_not_of("hla/"), std::string_view::npos);
    const auto element = one->make();
    std::vector<std::string_view> names;
    for (const ArgBase* arg : element->args()) names.push_back(arg->name());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << "argument twice";
    names.clear();
    for (const Handler& handler : element->handlers()) names.push_back(handler.name);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << "handler twice";
    names.clear();
    for (const Drop* drop : element->drops()) {
      names.push_back(drop->name());
      EXPECT_EQ(drop->name().find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
                std::string_view::npos)
          << drop->name();
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << "drop twice";
  }
}

TEST(RegistryTest, AnUnknownClassGetsASuggestion) {
  Diagnostics diagnostics;
  click::FlatGraph graph;
  graph.add("a", "Quuee");
  graph.add("b", "Xyzzyplugh");
  EXPECT_EQ(Router::build(graph, nullptr, diagnostics), nullptr);
  ASSERT_EQ(diagnostics.all().size(), 2u);
  EXPECT_EQ(diagnostics.all()[0].message, "unknown element class 'Quuee'");
  EXPECT_THAT(diagnostics.all()[0].hint, HasSubstr("'Queue'"));
  EXPECT_EQ(diagnostics.all()[1].hint, "");
}

class PackageTest : public testing::Test {
 protected:
  PackageTest() {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
    setenv("HEADROOM_PACKAGE_PATH", (":" + directory_ + "::/no/such/place:").c_str(), 1);
  }
  ~PackageTest() override {
    unsetenv("HEADROOM_PACKAGE_PATH");
    std::filesystem::remove_all(directory_);
  }
  std::string file(const std::string& name, const std::string& bytes) {
    const std::string path = directory_ + "/" + name + ".so";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  bool load(const std::string& name) {
    error.clear();
    hint.clear();
    return Registry::instance().load_package(name, error, hint);
  }
  const std::string directory_ = testing::TempDir() + "headroom-packages";
  std::string error, hint;
};

TEST_F(PackageTest, NoSuchFile) {
  EXPECT_FALSE(load("nosuch"));
  EXPECT_EQ(error, "requirement 'nosuch' not available");
  EXPECT_THAT(hint, StartsWith("no nosuch.so in "));
  EXPECT_THAT(hint, HasSubstr(" " + directory_ + " /no/such/place /"));
  EXPECT_THAT(hint, HasSubstr("HEADROOM_PACKAGE_PATH"));
}

TEST_F(PackageTest, NotAPackage) {
  for (const std::string& bytes : {std::string(),
                                   std::string("\x7f"
                                               "ELF but no mark"),
                                   std::string(100'000, '\0')}) {
    const std::string path = file("broken", bytes);
    EXPECT_FALSE(load("broken"));
    EXPECT_EQ(error, "requirement 'broken' not available: " + path + " is not a Headroom package");
    EXPECT_THAT(hint, StartsWith("it has no ABI mark, this program has ABI version "));
  }
}

TEST_F(PackageTest, AnotherAbi) {
  const std::string path =
      file("old", std::string("\x7f"
                              "ELF\0",
                              5) +
                      HEADROOM_ABI_PREFIX + "version 0, DPDK 19.11, sanitizer off" +
                      std::string(10, '\0'));
  EXPECT_FALSE(load("old"));
  EXPECT_EQ(error, "requirement 'old' not available: " + path + " was built for another Headroom");
  EXPECT_EQ(hint,
            "it has ABI version 0, DPDK 19.11, sanitizer off, this program has ABI " HEADROOM_ABI
            "; rebuild it against the headers of this program");
  // A mark at the very end of the file, cut short.
  file("cut", std::string(HEADROOM_ABI_PREFIX) + "version 1");
  EXPECT_FALSE(load("cut"));
  EXPECT_THAT(hint, StartsWith("it has ABI version 1, this program"));
}

TEST_F(PackageTest, TheRightMarkInABrokenFile) {
  file("damaged", std::string(HEADROOM_ABI_PREFIX HEADROOM_ABI) + std::string(100, '\0'));
  EXPECT_FALSE(load("damaged"));
  EXPECT_THAT(error, StartsWith("requirement 'damaged' not available: "));
  EXPECT_EQ(hint, "rebuild it against the headers of this program");
  EXPECT_FALSE(load("damaged")) << "a failure is not remembered as success";
}

TEST_F(PackageTest, InAConfigurationWithItsPlace) {
  EXPECT_EQ(errors_of("InfiniteSource -> Discard;\nrequire(package nosuch)"),
            "config:2: requirement 'nosuch' not available\n");
}

}  // namespace
}  // namespace headroom::test
