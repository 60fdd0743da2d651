// Steps over the parts of Click text in which commas, parentheses and blanks mean nothing: quotes,
// comments and \<...>. The lexer and everything that takes configuration strings apart use these,
// so that all agree on where such a part ends.
//
//   scan::opaque_end("'a, b' c", 0) == 6      // just past the quoted text
//   scan::opaque_end("abc", 0) == 0           // nothing of the kind begins here
//
// All take the text and the place of the first byte, and return the place just past the last one;
// what is not terminated ends with the text.
#pragma once

#include <cstddef>
#include <string_view>

namespace headroom::click::scan {

// White space as C's isspace has it, whatever the locale.
inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The value of a hexadecimal digit, or -1.
int hex_digit(char c);

inline bool starts_comment(std::string_view text, std::size_t at) {
  return at + 1 < text.size() && text[at] == '/' && (text[at + 1] == '/' || text[at + 1] == '*');
}
inline bool starts_bytes(std::string_view text, std::size_t at) {
  return at + 1 < text.size() && text[at] == '\\' && text[at + 1] == '<';
}

// A line comment ends before its line end, a block comment after its last slash.
std::size_t comment_end(std::string_view text, std::size_t at);
// \<01 02 /* comment */ 03>
std::size_t bytes_end(std::string_view text, std::size_t at);
// "...", with backslash escapes, or '...', without.
std::size_t quoted_end(std::string_view text, std::size_t at);

// Past the quotes or \<...> that begin at `at`; `at` itself when none do. Not past comments.
std::size_t opaque_end(std::string_view text, std::size_t at);
// Past all blanks and comments from `at` on.
std::size_t blank_end(std::string_view text, std::size_t at);

}  // namespace headroom::click::scan
