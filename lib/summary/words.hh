// The words of a line of an IP summary dump: separated by blanks, except in double quotes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::summary {

struct Word {
  std::string_view text;   // with its quotes
  std::size_t column = 0;  // from 0
  bool quoted = false;     // begins with a quote
};

std::vector<Word> split_words(std::string_view line);

// A double-quoted string with \n, \t, \r, \0, \\, \", octal and hexadecimal escapes -> its bytes.
// False when it does not end, or goes on behind its end.
bool unquote(std::string_view text, std::string& bytes);
// Bytes -> a double-quoted string on one line, of printable characters.
void append_quoted(std::string_view bytes, std::string& text);

// Decimal, or hexadecimal with 0x. Nothing, with the reason, when it is none or more than `most`.
std::optional<uint64_t> parse_number(std::string_view text, uint64_t most, std::string& error);
// The same for a part of a word: takes the digits from its front.
std::optional<uint64_t> take_number(std::string_view& text, uint64_t most, std::string& error);

}  // namespace headroom::summary
