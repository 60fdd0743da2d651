// A file of routes. Mistakes must have places in the text, and routes that are read must be found
// in a table of them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "headroom/routing/route_file.hh"

namespace {

void check(bool good) {
  if (!good) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace headroom;  // NOLINT: a program of one file
  const std::string_view text(reinterpret_cast<const char*>(data),
                              std::min<std::size_t>(size, 2048));
  constexpr uint32_t kOutputs = 5;
  const RouteFile file = parse_route_file(text, {.outputs = kOutputs});
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  check(file.routes.size() + file.mistake_count <= lines);
  check(file.mistakes.size() == std::min(file.mistake_count, RouteFile::kMostMistakes));
  for (const auto& mistake : file.mistakes)
    check(mistake.line >= 1 && mistake.line <= lines && mistake.column >= 1 &&
          mistake.column <= text.size() + 1 && !mistake.message.empty());

  // One table for all inputs, and without the prefixes that take long: thousands of inputs a second
  // are worth more.
  static Ip4Routes routes;
  std::vector<Ip4Route> wanted = file.routes;
  std::erase_if(wanted, [](const Ip4Route& route) { return route.prefix.length < 14; });
  const std::size_t replaced = routes.replace(wanted);
  check(routes.size() + replaced == wanted.size());
  for (const Ip4Route& route : file.routes) check(route.hop.port < kOutputs);
  for (const Ip4Route& route : wanted) {
    check(routes.find(route.prefix).has_value());
    check(routes.lookup(route.prefix.last()).has_value());
  }
  return 0;
}
