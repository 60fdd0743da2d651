// Variables in configuration strings: $name, ${name}, ${name-default} and ${name[index]}.
//
// What a variable means is somebody else's business: a Variables finds values, this puts them in,
// and minds quotes while it does.
//
//   Expanded expanded = expand_variables("Print(\"$label\", $n)", variables);
//   if (expanded.changed) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::click {

// Values that contain variables are expanded in turn, down to this depth; below, text stays as it
// is.
inline constexpr int kMaxVariableDepth = 10;

inline bool is_variable_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class Variables {
 public:
  virtual ~Variables() = default;
  // The value, expanded at `depth`; nothing when there is no such variable.
  virtual std::optional<std::string> find(std::string_view name, int depth) = 0;
  // Whether it has values for the forms of scripts, and the value of one: "1", "#", "?" and "$" of
  // $1, $#, $? and $$, or "(handler arguments)", in which nothing is expanded yet. Nothing leaves
  // it as it is written.
  virtual bool has_forms() const { return false; }
  virtual std::optional<std::string> find_form(std::string_view /*form*/, int /*depth*/) {
    return std::nullopt;
  }
  // Accounts for work, in bytes put in; false when there was too much of it, and expansion stops.
  virtual bool spend(uint64_t bytes) = 0;
};

struct Expanded {
  // Which part of the source a part of the text is, or, if it was not copied, which reference.
  struct Stretch {
    std::size_t at = 0;
    std::size_t from = 0;
    bool copied = true;
  };

  std::string text;
  std::vector<Stretch> stretches;  // in order; the first one is at 0 when `changed`
  bool changed = false;
};

// Nothing is expanded in '...', in comments and in \<...>; in "..." the value's special characters
// are escaped, and \$ is no variable. What is not defined stays as it is.
Expanded expand_variables(std::string_view text, Variables& variables, int depth = 0);

}  // namespace headroom::click
