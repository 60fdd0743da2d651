// Which alternative of a compound class a use means, and what its formals are bound to.
//
//   Use use{split_arguments(config), 1, 1};
//   Choice choice = choose(program, class_index, use);
//   if (!choice.found) diagnostics.error(where, choice.message, choice.hint);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/click/arguments.hh"
#include "headroom/click/program.hh"

namespace headroom::click {

struct Use {
  std::vector<Argument> arguments;
  uint32_t inputs = 0;
  uint32_t outputs = 0;
};

struct Choice {
  bool found = false;
  uint32_t primitive = kNoIndex;    // a class, or
  uint32_t body = kNoIndex;         // a body with
  std::vector<std::string> values;  // what its formals are bound to, and the rest if it has one

  std::string message;  // when nothing was found
  std::string hint;
};

// The values of the body's formals, or nothing when the arguments do not fit.
std::optional<std::vector<std::string>> bind_formals(const Body& body,
                                                     const std::vector<Argument>& arguments);

// The class must be a compound one.
Choice choose(const Program& program, uint32_t class_index, const Use& use);

}  // namespace headroom::click
