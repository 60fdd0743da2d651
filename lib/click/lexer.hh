// Click source text as a sequence of tokens, and of configuration strings where the parser asks for
// them.
//
// The language has two modes: tokens, and the raw text between the parentheses after an element
// class. Only the parser knows which parenthesis begins such a text, so it switches the mode:
//
//   Lexer lexer(file, diagnostics);
//   if (lexer.peek().is('(')) {
//     lexer.next();
//     ConfigText config = lexer.config_text();   // up to and with the matching ')'
//   }
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "headroom/base/diagnostics.hh"

namespace headroom::click {

enum class TokenKind : uint8_t {
  end,  // of the file; its text is empty
  identifier,
  variable,  // "$name"
  elementclass,
  require,
  provide,
  define,
  arrow,         // ->
  fat_arrow,     // =>
  double_colon,  // ::
  double_bar,    // ||
  ellipsis,      // ...
  byte,          // any other single byte
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // a part of the source
  SourceLocation where;

  bool is(TokenKind other) const { return kind == other; }
  bool is(char byte) const { return kind == TokenKind::byte && text[0] == byte; }
  bool is_arrow() const { return kind == TokenKind::arrow || kind == TokenKind::fat_arrow; }
};

struct ConfigText {
  std::string text;      // without the parentheses and without line directives
  SourceLocation where;  // of its first byte
  bool closed = true;    // false when the source ended first
};

class Lexer {
 public:
  static constexpr std::size_t kLookahead = 2;

  // `file` is an index from diagnostics.sources().
  Lexer(uint32_t file, Diagnostics& diagnostics);

  // The token that next() returns, or the one after it (`ahead` = 1). Peeking beyond a '(' that a
  // configuration string may follow would read that string as tokens; don't.
  const Token& peek(std::size_t ahead = 0);
  Token next();

  // The raw text up to the parenthesis that matches the '(' which next() returned last.
  ConfigText config_text();

 private:
  Token read();
  void skip_blanks();
  void skip_line_directive();
  // Consumes up to `end`, counting lines.
  void move_to(std::size_t end);
  bool at_directive() const { return position_ == line_start_ && text_[position_] == '#'; }
  SourceLocation here() const;

  Diagnostics& diagnostics_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  uint32_t line_ = 1;  // of the text; messages show it shifted after a line directive

  const uint32_t original_;
  uint32_t file_;
  int64_t shift_ = 0;

  std::array<Token, kLookahead> ahead_;
  std::size_t ahead_count_ = 0;
};

}  // namespace headroom::click
