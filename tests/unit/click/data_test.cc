// Every tests/data/click/NAME.click must flatten to NAME.flat beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "headroom/click/reader.hh"
#include "headroom/click/unparse.hh"

namespace headroom::click {
namespace {

namespace fs = std::filesystem;

// Takes every name that looks like a class for one.
class AnyClass : public ReaderEnvironment {
 public:
  bool is_class(std::string_view name) const override {
    return !name.empty() && name[0] >= 'A' && name[0] <= 'Z' &&
           name.find_first_of("@/") == std::string_view::npos;
  }
  std::vector<std::string_view> class_names() const override { return {}; }
  void require_package(std::string_view, SourceLocation, Diagnostics&) override {}
};

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string flattened(const std::string& name, std::string text) {
  AnyClass classes;
  Diagnostics diagnostics;
  ReadOptions options;
  options.library_directories = {TEST_DATA "/click/lib"};
  const FlatGraph graph =
      read(diagnostics.sources().add(name, std::move(text)), classes, diagnostics, options);
  return diagnostics.render(Diagnostics::Form::plain) + unparse_flat(graph);
}

class DataTest : public testing::TestWithParam<std::string> {};

TEST_P(DataTest, Flattens) {
  const fs::path directory = fs::path(TEST_DATA) / "click";
  const std::string name = GetParam() + ".click";
  const std::string expected = contents(directory / (GetParam() + ".flat"));
  EXPECT_EQ(flattened(name, contents(directory / name)), expected);
  // The flat form is a fixed point.
  EXPECT_EQ(flattened(name, expected), expected);
}

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(fs::path(TEST_DATA) / "click")) {
    if (entry.path().extension() == ".click") found.push_back(entry.path().stem().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

INSTANTIATE_TEST_SUITE_P(Click, DataTest, testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace headroom::click
