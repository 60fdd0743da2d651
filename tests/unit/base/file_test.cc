#include "headroom/base/file.hh"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace headroom {
namespace {

TEST(ReadFile, OfAnySize) {
  const std::string path = testing::TempDir() + "headroom-read-file";
  for (const std::size_t size : {0, 1, 65535, 65536, 65537, 131072, 1000000}) {
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 7 + i / 256);
    std::ofstream(path, std::ios::binary) << text;
    std::string error;
    const auto read = read_file(path, error);
    ASSERT_TRUE(read) << error;
    EXPECT_TRUE(*read == text) << size;
  }
  std::remove(path.c_str());
}

TEST(ReadFile, SaysWhatIsWrong) {
  std::string error;
  EXPECT_FALSE(read_file("/no/such/file", error));
  EXPECT_EQ(error, "/no/such/file: No such file or directory");
  EXPECT_FALSE(read_file("/", error));
  EXPECT_EQ(error, "/: Is a directory");
}

}  // namespace
}  // namespace headroom
