#include "headroom/graph/handler.hh"

#include <algorithm>
#include <charconv>

namespace headroom {
namespace {

template <class T>
bool read_all(const std::vector<std::string>& values, std::vector<T>& numbers) {
  numbers.clear();
  for (const std::string& value : values) {
    T number{};
    const char* const end = value.data() + value.size() - (value.ends_with('\n') ? 1 : 0);
    const auto [at, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc{} || at != end) return false;
    numbers.push_back(number);
  }
  return true;
}

template <class T>
std::string combine(Merge merge, const std::vector<T>& numbers) {
  T result = numbers.front();
  for (std::size_t i = 1; i < numbers.size(); ++i)
    result = merge == Merge::sum ? result + numbers[i] : std::max(result, numbers[i]);
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, result).ptr};
}

}  // namespace

std::string Handler::flags() const {
  return std::string(readable() ? "r" : "") + (write ? "w" : "") + (query ? "+" : "");
}

std::string merge_values(Merge merge, const std::vector<std::string>& values) {
  if (values.empty()) return {};
  if (merge == Merge::concatenate) {
    std::string all;
    for (const std::string& value : values) all += value;
    return all;
  }
  if (merge == Merge::first || values.size() == 1) return values.front();
  // Counters use all 64 bits, so signed and unsigned are each tried.
  std::vector<uint64_t> counts;
  if (read_all(values, counts)) return combine(merge, counts);
  std::vector<int64_t> integers;
  if (read_all(values, integers)) return combine(merge, integers);
  std::vector<double> reals;
  if (read_all(values, reals)) return combine(merge, reals);
  return values.front();
}

}  // namespace headroom
