#include "headroom/click/lexer.hh"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "headroom/click/arguments.hh"
#include "headroom/click/scan.hh"

namespace headroom::click {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_identifier(char c) { return is_word(c) || c == '@'; }

struct Spelling {
  std::string_view text;
  TokenKind kind;
};
constexpr Spelling kKeywords[] = {{"elementclass", TokenKind::elementclass},
                                  {"require", TokenKind::require},
                                  {"provide", TokenKind::provide},
                                  {"define", TokenKind::define}};
constexpr Spelling kOperators[] = {{"->", TokenKind::arrow},
                                   {"=>", TokenKind::fat_arrow},
                                   {"::", TokenKind::double_colon},
                                   {"||", TokenKind::double_bar},
                                   {"...", TokenKind::ellipsis}};

}  // namespace

Lexer::Lexer(uint32_t file, Diagnostics& diagnostics)
    : diagnostics_(diagnostics),
      text_(diagnostics.sources().text(file)),
      original_(file),
      file_(file) {}

const Token& Lexer::peek(std::size_t ahead) {
  assert(ahead < kLookahead);
  while (ahead_count_ <= ahead) ahead_[ahead_count_++] = read();
  return ahead_[ahead];
}

Token Lexer::next() {
  if (ahead_count_ == 0) return read();
  const Token token = ahead_[0];
  ahead_[0] = ahead_[1];
  --ahead_count_;
  return token;
}

SourceLocation Lexer::here() const {
  return {file_, static_cast<uint32_t>(line_ - shift_),
          static_cast<uint32_t>(position_ - line_start_ + 1)};
}

void Lexer::move_to(std::size_t end) {
  for (; position_ < end; ++position_) {
    const char c = text_[position_];
    const bool line_ends =
        c == '\n' || (c == '\r' && (position_ + 1 == text_.size() || text_[position_ + 1] != '\n'));
    if (line_ends) {
      ++line_;
      line_start_ = position_ + 1;
    }
  }
}

void Lexer::skip_blanks() {
  while (position_ < text_.size()) {
    if (scan::is_space(text_[position_])) {
      move_to(position_ + 1);
    } else if (scan::starts_comment(text_, position_)) {
      move_to(scan::comment_end(text_, position_));
    } else if (at_directive()) {
      skip_line_directive();
    } else {
      return;
    }
  }
}

// `# 12 "file"` or `#line 12 "file"`: the next line has that number, in that file. Consumes the
// line up to its end.
void Lexer::skip_line_directive() {
  const std::size_t end = std::min(text_.find_first_of("\r\n", position_), text_.size());
  std::string_view rest = text_.substr(position_ + 1, end - position_ - 1);
  const SourceLocation where = here();
  move_to(end);

  const auto skip_space = [&rest] {
    while (!rest.empty() && scan::is_space(rest[0])) rest.remove_prefix(1);
  };
  skip_space();
  if (rest.starts_with("line") && rest.size() > 4 && scan::is_space(rest[4])) {
    rest.remove_prefix(4);
    skip_space();
  }
  int64_t number = 0;
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  bool good = digits > 0 && digits < 10;
  if (good) {
    for (char c : rest.substr(0, digits)) number = number * 10 + (c - '0');
    rest.remove_prefix(digits);
    good = rest.empty() || scan::is_space(rest[0]) || rest[0] == '"';
    skip_space();
    good = good && (rest.empty() || rest[0] == '"');
  }
  if (!good) {
    diagnostics_.error(where, "unknown preprocessor directive",
                       "only line directives are known: # 12 \"file\"");
    return;
  }

  std::string name = diagnostics_.sources().name(file_);
  if (!rest.empty()) {
    name = unquote(rest.substr(0, scan::quoted_end(rest, 0)));
    if (name.empty()) name = diagnostics_.sources().name(original_);
  }
  shift_ = static_cast<int64_t>(line_) + 1 - number;
  file_ = diagnostics_.sources().add_alias(std::move(name), original_, shift_);
}

Token Lexer::read() {
  skip_blanks();
  Token token;
  token.where = here();
  const std::string_view rest = text_.substr(position_);
  if (rest.empty()) {
    token.text = rest;
    return token;
  }

  std::size_t size = 1;
  token.kind = TokenKind::byte;
  if (is_identifier(rest[0])) {
    // A single slash joins two parts; after it must come a further part.
    while (size < rest.size() &&
           (is_identifier(rest[size]) ||
            (rest[size] == '/' && size + 1 < rest.size() && is_identifier(rest[size + 1])))) {
      ++size;
    }
    token.kind = TokenKind::identifier;
    for (const Spelling& keyword : kKeywords) {
      if (rest.substr(0, size) == keyword.text) token.kind = keyword.kind;
    }
  } else if (rest[0] == '$') {
    while (size < rest.size() && is_word(rest[size])) ++size;
    token.kind = TokenKind::variable;
  } else {
    for (const Spelling& op : kOperators) {
      if (rest.starts_with(op.text)) {
        token.kind = op.kind;
        size = op.text.size();
        break;
      }
    }
  }
  token.text = rest.substr(0, size);
  move_to(position_ + size);
  return token;
}

ConfigText Lexer::config_text() {
  assert(ahead_count_ == 0);
  ConfigText config;
  config.where = here();
  std::size_t copied = position_;
  const auto copy = [&] {
    config.text += text_.substr(copied, position_ - copied);
    copied = position_;
  };
  std::size_t depth = 1;
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '(') {
      ++depth;
    } else if (c == ')') {
      if (--depth == 0) {
        copy();
        move_to(position_ + 1);
        return config;
      }
    } else if (at_directive()) {
      copy();
      skip_line_directive();
      copied = position_;
      continue;
    } else if (scan::starts_comment(text_, position_)) {
      move_to(scan::comment_end(text_, position_));
      continue;
    } else if (const std::size_t end = scan::opaque_end(text_, position_); end != position_) {
      move_to(end);
      continue;
    }
    move_to(position_ + 1);
  }
  copy();
  config.closed = false;
  return config;
}

}  // namespace headroom::click
