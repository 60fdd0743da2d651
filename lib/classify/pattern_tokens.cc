#include "headroom/classify/pattern_tokens.hh"

#include "headroom/click/scan.hh"

namespace headroom::classify {

Tokens::Tokens(std::string_view text, PatternError& error) {
  static constexpr std::string_view kSymbols[] = {"&&", "||", "==", "!=", "<=", ">=", "(", ")",
                                                  "!",  "?",  ":",  "=",  "<",  ">",  "&"};
  static constexpr std::string_view kWordEnds = "()!?=<>&|[]";
  std::size_t at = 0;
  while (ok_) {
    while (at < text.size() && click::scan::is_space(text[at])) ++at;
    if (at == text.size()) break;
    const std::string_view left = text.substr(at);
    if (left[0] == '[') {
      const std::size_t end = left.find(']');
      ok_ = end != std::string_view::npos;
      if (!ok_) error.message = "expected ']' behind '" + std::string(left) + "'";
      tokens_.push_back({Token::Kind::position, left.substr(1, end - 1)});
      at += std::min(end, left.size() - 1) + 1;
      continue;
    }
    std::string_view symbol;
    for (const std::string_view one : kSymbols)
      if (symbol.empty() && left.substr(0, one.size()) == one) symbol = one;
    if (!symbol.empty()) {
      tokens_.push_back({Token::Kind::symbol, left.substr(0, symbol.size())});
      at += symbol.size();
      continue;
    }
    std::size_t length = 0;
    while (length < left.size() && !click::scan::is_space(left[length]) &&
           kWordEnds.find(left[length]) == std::string_view::npos)
      ++length;
    // A colon inside a word belongs to it (an Ethernet address, NAME:KIND), one at its end does
    // not.
    while (length > 0 && left[length - 1] == ':') --length;
    ok_ = length != 0;
    if (!ok_) error.message = "unexpected character '" + std::string(left.substr(0, 1)) + "'";
    tokens_.push_back({Token::Kind::word, left.substr(0, length)});
    at += length;
  }
  tokens_.push_back({});
}

std::string Tokens::next_text() const {
  switch (peek().kind) {
    case Token::Kind::end:
      return "the end of the pattern";
    case Token::Kind::position:
      return "'[" + std::string(peek().text) + "]'";
    default:
      return "'" + std::string(peek().text) + "'";
  }
}

}  // namespace headroom::classify
