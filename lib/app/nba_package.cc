#include "nba_package.hh"

#include <fmt/format.h>

#include <cstdlib>

#include "headroom/click/arguments.hh"

namespace headroom {
namespace {

// In the body of a compound element its own name is still the class that had it before.
constexpr std::string_view kElements = R"(
elementclass None { __REST__ $ignored | input -> output }
elementclass DropBroadcasts { input -> DropBroadcasts(ETHER true) -> output }
elementclass CheckIPHeader { input -> CheckIPHeader(14) -> output }
elementclass DecIPTTL { input -> DecIPTTL(OFFSET 14) -> output }
elementclass Queue { __REST__ $ignored | input -> Queue -> Unqueue(BURST 64) -> output }
elementclass CPUOnly { __REST__ $ignored | input -> output }
)";

// Where to compute. There is one place.
constexpr std::string_view kPlaces[] = {
    "GPUOnly",
    "LoadBalanceAIMD",
    "LoadBalanceAdaptiveGlobal",
    "LoadBalanceAdaptiveMeasure",
    "LoadBalanceByEnv",
    "LoadBalanceByWeight",
    "LoadBalancePPC",
    "LoadBalanceThruput",
};

}  // namespace

std::string nba_package(const SystemConfig& system) {
  std::string text(kElements);
  for (const std::string_view place : kPlaces)
    text += fmt::format(
        "elementclass {0} {{ __REST__ $ignored |\n"
        "  Message(\"{0}: there is no co-processor, so the CPU computes.\", WARNING);\n"
        "  input -> output }}\n",
        place);

  std::string names;
  std::string receive;
  std::string send;
  for (std::size_t i = 0; i < system.ports.size(); ++i) {
    const std::string name = click::quote(system.ports[i].name);
    names += (i == 0 ? "" : ", ") + name;
    receive += fmt::format("  FromPort({}) -> output;\n", name);
    send += fmt::format("  egress [{}] -> ToPort({});\n", i, name);
  }
  if (system.ports.empty()) {
    // So that the message is about what is missing.
    receive =
        "  Message(\"there are no ports; name them in a file given with --system\", ERROR);\n"
        "  Idle -> output;\n";
    send = "  egress -> Discard;\n";
    names = "none";
  }
  text += "elementclass FromInput {\n" + receive + "}\n";
  text +=
      "elementclass ToOutput {\n  input -> egress :: EgressSwitch(" + names + ");\n" + send + "}\n";

  const std::size_t ports = system.ports.size();
  const std::string count = ports == 0 ? "" : fmt::format("PORTS {}", ports);
  const std::string& routes = system.compat.nba_routes;
  text += fmt::format(
      "elementclass IPlookup {{\n"
      "  | input -> IPlookup({}{}) -> output\n"
      "  || $file | input -> IPlookup($file, {}) -> output\n}}\n",
      routes.empty() ? "" : "FILE " + click::quote(routes) + ", ", count, count);
  return text;
}

std::vector<std::string> nba_overrides() {
  std::vector<std::string> overrides;
  const std::pair<const char*, std::string_view> variables[] = {
      {"NBA_IO_BATCH_SIZE", "workers.io_batch_size="},
      {"NBA_COMP_BATCH_SIZE", "workers.comp_batch_size="}};
  for (const auto& [variable, key] : variables)
    if (const char* value = std::getenv(variable)) overrides.push_back(std::string(key) + value);
  return overrides;
}

}  // namespace headroom
