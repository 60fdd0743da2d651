// Runs every file of the directories given, and what is left of each when it is cut, through a fuzz
// target; for builds without libFuzzer.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(argv[i]))
      if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    std::fprintf(stderr, "no files to replay\n");
    return 1;
  }
  std::size_t runs = 0;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    // Shown if the next line is a sanitizer's.
    std::printf("%s, %zu bytes\n", path.filename().c_str(), bytes.size());
    std::fflush(stdout);
    constexpr std::size_t kMostCuts = 512;
    const std::size_t step = std::max<std::size_t>(1, bytes.size() / kMostCuts);
    for (std::size_t size = bytes.size();; size -= std::min(size, step)) {
      // A copy of just that size, so that a sanitizer sees what is read behind it.
      const std::vector<uint8_t> input(bytes.begin(),
                                       bytes.begin() + static_cast<std::ptrdiff_t>(size));
      LLVMFuzzerTestOneInput(input.data(), input.size());
      ++runs;
      if (size == 0) break;
    }
  }
  std::printf("%zu files, %zu inputs\n", files.size(), runs);
  return 0;
}
