// The arguments of an element: splitting a configuration string, and reading values from its parts.
//
// Rules: sections 9 to 11 of the Click language as documented in docs/. Splitting keeps the place
// of every argument, so that a message can point into the middle of a configuration string.
// Elements need only bind_arguments(); the rest serves those with a syntax of their own.
//
//   uint32_t limit = 0;
//   const Parameter parameters[] = {{.name = "LIMIT", .read = [&](auto text, auto& error) {
//     return ArgType<uint32_t>::parse(text, limit, error);
//   }}};
//   if (!bind_arguments("LIMIT 5", parameters, where, config_where, diagnostics)) return;
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/base/diagnostics.hh"

namespace headroom::click {

// One argument: its text without comments and outer blanks, and where it began in the
// configuration.
struct Argument {
  std::string text;
  uint32_t offset = 0;  // bytes from the start of the configuration string
};

// Splits at commas outside quotes, comments and \<...>. A last empty argument is dropped, others
// are kept.
std::vector<Argument> split_arguments(std::string_view config);
// Splits an argument at unquoted blanks; quotes are kept.
std::vector<std::string> split_words(std::string_view text);
// Removes comments (each becomes a blank) and outer blanks.
std::string uncomment(std::string_view text);
// Resolves "...", '...' and \<...>.
std::string unquote(std::string_view text);
// Of "KEYWORD value" the keyword; of anything else nothing.
std::string_view keyword_of(std::string_view argument);
// The inverse of unquote(): `text` as one double-quoted string.
std::string quote(std::string_view text);

// How a parameter of an element is read. `read` takes the argument's text and stores the value; on
// failure it returns false and may set `error` to a text of its own (default "parse error").
struct Parameter {
  std::string_view name;
  bool positional = false;
  bool mandatory = false;
  // Takes every positional argument that is left over, one call for each; also what looks like
  // "KEYWORD value" unless another parameter has that keyword.
  bool rest = false;
  // Read as any other, with a warning.
  bool deprecated = false;
  std::function<bool(std::string_view text, std::string& error)> read;
  // What is expected, for the hint of a plain parse error: "IP address" and "10.0.0.1".
  std::string_view type = {};
  std::string_view example = {};
  // Where the values that were read stand: bytes from the start of the configuration string.
  std::vector<uint32_t>* offsets = nullptr;
};

// The place of byte `offset` of a configuration string that begins at `config_where`; unknown when
// that is.
SourceLocation locate(SourceLocation config_where, std::string_view config, std::size_t offset);

// Binds the arguments of `config` to `parameters` by the rules of Click's Args: the last keyword
// wins, positional arguments come first, mandatory ones may not be missing. Every mistake is
// reported, at its column when `config_where` is known and else at `element_where`. Returns whether
// there was none.
bool bind_arguments(std::string_view config, std::span<const Parameter> parameters,
                    SourceLocation element_where, SourceLocation config_where,
                    Diagnostics& diagnostics);

}  // namespace headroom::click
