#include "headroom/click/scan.hh"

#include <algorithm>

namespace headroom::click::scan {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::size_t comment_end(std::string_view text, std::size_t at) {
  if (text[at + 1] == '/') return std::min(text.find_first_of("\r\n", at), text.size());
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

std::size_t bytes_end(std::string_view text, std::size_t at) {
  at += 2;
  while (at < text.size()) {
    if (text[at] == '>') return at + 1;
    at = starts_comment(text, at) ? comment_end(text, at) : at + 1;
  }
  return at;
}

std::size_t quoted_end(std::string_view text, std::size_t at) {
  if (text[at] == '\'') {
    const std::size_t end = text.find('\'', at + 1);
    return end == std::string_view::npos ? text.size() : end + 1;
  }
  ++at;
  while (at < text.size()) {
    if (text[at] == '"') return at + 1;
    if (starts_bytes(text, at)) {
      at = bytes_end(text, at);
    } else {
      at += text[at] == '\\' ? 2 : 1;
    }
  }
  return text.size();
}

std::size_t opaque_end(std::string_view text, std::size_t at) {
  if (text[at] == '"' || text[at] == '\'') return quoted_end(text, at);
  if (starts_bytes(text, at)) return bytes_end(text, at);
  return at;
}

std::size_t blank_end(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (is_space(text[at])) {
      ++at;
    } else if (starts_comment(text, at)) {
      at = comment_end(text, at);
    } else {
      break;
    }
  }
  return at;
}

}  // namespace headroom::click::scan
