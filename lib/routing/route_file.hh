// Routes as text, one a line:
//
//   # the office, and everybody else
//   10.0.0.0/8      -         1
//   0.0.0.0/0       10.0.0.1  0
//
// A prefix, the next hop's address, and the number of the output, with blanks between. `-`, 0.0.0.0
// or nothing stands for no next hop: the destination itself is on that network. `#` begins a
// comment. docs/routing.md describes it for people.
//
//   RouteFile file = parse_route_file(text, {.outputs = noutputs()});
//   if (file.mistake_count == 0) routes.replace(file.routes);
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/routing/ip4_routes.hh"

namespace headroom {

struct RouteFile {
  struct Mistake {
    uint32_t line;    // from 1
    uint32_t column;  // from 1, in bytes
    std::string message;
  };
  // More are counted, and not kept.
  static constexpr std::size_t kMostMistakes = 10;

  std::vector<Ip4Route> routes;
  std::vector<Mistake> mistakes;
  std::size_t mistake_count = 0;
};

struct RouteFileForm {
  uint32_t outputs = 0;          // they are 0 to outputs - 1
  bool ether_next_hops = false;  // a next hop may be an Ethernet address
};

RouteFile parse_route_file(std::string_view text, const RouteFileForm& form);

}  // namespace headroom
