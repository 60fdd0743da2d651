// `require(package nba)`: the names under which configurations written for NBA (Network Balancing
// Act, EuroSys 2015) know elements, as Click. All of them work on whole Ethernet frames.
//
//   read_options.package_text = [&](std::string_view name) {
//     return name == kNbaPackage ? std::optional(nba_package(system)) : std::nullopt;
//   };
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headroom/runtime/system_config.hh"

namespace headroom {

inline constexpr std::string_view kNbaPackage = "nba";

// FromInput and ToOutput are all the ports of the system configuration, and IPlookup without a file
// has the routes that it names.
std::string nba_package(const SystemConfig& system);

// What NBA takes from the environment, as overrides of the system configuration.
std::vector<std::string> nba_overrides();

}  // namespace headroom
