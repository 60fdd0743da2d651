// The words and symbols of a pattern, and a cursor over them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/classify/pattern.hh"

namespace headroom::classify {

struct Token {
  enum class Kind : uint8_t { end, word, symbol, position };  // position: what "[...]" encloses

  Kind kind = Kind::end;
  std::string_view text;
};

class Tokens {
 public:
  // Of a text that outlives them. ok() is false, with a text in `error`, when they cannot be told
  // apart.
  Tokens(std::string_view text, PatternError& error);

  bool ok() const { return ok_; }
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  void skip(std::size_t count = 1) { at_ = std::min(at_ + count, tokens_.size() - 1); }
  // Skips the token if it is this.
  bool take(Token::Kind kind, std::string_view text) {
    if (peek().kind != kind || peek().text != text) return false;
    skip();
    return true;
  }
  bool take_symbol(std::string_view text) { return take(Token::Kind::symbol, text); }
  bool take_word(std::string_view text) { return take(Token::Kind::word, text); }
  // What is next, quoted for a message.
  std::string next_text() const;

 private:
  std::vector<Token> tokens_;  // the last one is the end
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace headroom::classify
