#include "headroom/base/file.hh"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace headroom {

std::optional<std::string> read_file(const std::string& path, std::string& error) {
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rbe"), close);
  std::string text;
  std::size_t size = 0;
  // A directory opens, but does not read.
  while (file && !std::feof(file.get()) && !std::ferror(file.get())) {
    constexpr std::size_t kStep = std::size_t{1} << 16;
    text.resize(std::max(size + kStep, text.size()));
    size += std::fread(text.data() + size, 1, text.size() - size, file.get());
    if (size == text.size()) text.resize(2 * size);
  }
  if (!file || std::ferror(file.get())) {
    error = path + ": " + std::strerror(errno);
    return std::nullopt;
  }
  text.resize(size);
  return text;
}

}  // namespace headroom
