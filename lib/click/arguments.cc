#include "headroom/click/arguments.hh"

#include <algorithm>
#include <utility>

#include "headroom/base/suggest.hh"
#include "headroom/click/scan.hh"

namespace headroom::click {

std::vector<Argument> split_arguments(std::string_view config) {
  std::vector<Argument> arguments;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    const std::string_view piece = config.substr(begin, end - begin);
    arguments.push_back(
        {uncomment(piece), static_cast<uint32_t>(begin + scan::blank_end(piece, 0))});
    begin = end + 1;
  };
  std::size_t at = 0;
  while (at < config.size()) {
    if (scan::starts_comment(config, at)) {
      at = scan::comment_end(config, at);
    } else if (const std::size_t end = scan::opaque_end(config, at); end != at) {
      at = end;
    } else {
      if (config[at] == ',') add(at);
      ++at;
    }
  }
  add(config.size());
  if (arguments.back().text.empty()) arguments.pop_back();
  return arguments;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::size_t at = scan::blank_end(text, 0);
  while (at < text.size()) {
    const std::size_t begin = at;
    while (at < text.size() && !scan::is_space(text[at]) && !scan::starts_comment(text, at)) {
      const std::size_t end = scan::opaque_end(text, at);
      at = end == at ? at + 1 : end;
    }
    words.emplace_back(text.substr(begin, at - begin));
    at = scan::blank_end(text, at);
  }
  return words;
}

std::string uncomment(std::string_view text) {
  std::string result;
  std::size_t at = scan::blank_end(text, 0);
  while (at < text.size()) {
    if (scan::is_space(text[at]) || scan::starts_comment(text, at)) {
      // Blanks stay as they are, unless a comment is among them or nothing follows.
      const std::size_t end = scan::blank_end(text, at);
      if (end == text.size()) break;
      const std::string_view blanks = text.substr(at, end - at);
      if (blanks.find('/') == std::string_view::npos) {
        result += blanks;
      } else {
        result += ' ';
      }
      at = end;
    } else {
      const std::size_t end = std::max(scan::opaque_end(text, at), at + 1);
      result += text.substr(at, end - at);
      at = end;
    }
  }
  return result;
}

namespace {

// \<48 65 /* comment */ 78>: what is not a hexadecimal digit is ignored.
void append_bytes(std::string& out, std::string_view bytes) {
  int high = -1;
  std::size_t at = 2;
  while (at < bytes.size()) {
    if (scan::starts_comment(bytes, at)) {
      at = scan::comment_end(bytes, at);
      continue;
    }
    if (const int digit = scan::hex_digit(bytes[at]); digit >= 0) {
      if (high < 0) {
        high = digit;
      } else {
        out += static_cast<char>(high * 16 + digit);
        high = -1;
      }
    }
    ++at;
  }
}

// The escape that begins with the backslash at `at`, not \<; returns the place behind it.
std::size_t append_escape(std::string& out, std::string_view text, std::size_t at) {
  if (at + 1 == text.size()) {
    out += '\\';
    return at + 1;
  }
  const char c = text[at + 1];
  at += 2;
  static constexpr std::string_view kLetters = "abfnrtv";
  static constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v";
  if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos) {
    out += kMeanings[letter];
  } else if (c >= '0' && c <= '7') {
    unsigned value = static_cast<unsigned>(c - '0');
    for (int i = 0; i < 2 && at < text.size() && text[at] >= '0' && text[at] <= '7'; ++i) {
      value = value * 8 + static_cast<unsigned>(text[at++] - '0');
    }
    out += static_cast<char>(value & 0xFF);
  } else if (c == 'x' && at < text.size() && scan::hex_digit(text[at]) >= 0) {
    unsigned value = 0;
    for (; at < text.size() && scan::hex_digit(text[at]) >= 0; ++at) {
      value = (value * 16 + static_cast<unsigned>(scan::hex_digit(text[at]))) & 0xFF;
    }
    out += static_cast<char>(value);
  } else if (c == '\r') {
    if (at < text.size() && text[at] == '\n') ++at;
  } else if (c != '\n') {
    out += c;
  }
  return at;
}

}  // namespace

std::string unquote(std::string_view text) {
  std::string out;
  char quote = 0;  // the one that is open
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (quote != '\'' && scan::starts_bytes(text, at)) {
      const std::size_t end = scan::bytes_end(text, at);
      append_bytes(out, text.substr(at, end - at));
      at = end;
    } else if (quote == '"' && c == '\\') {
      at = append_escape(out, text, at);
    } else {
      if (quote != 0 ? c == quote : (c == '"' || c == '\'')) {
        quote = quote != 0 ? '\0' : c;
      } else {
        out += c;
      }
      ++at;
    }
  }
  return out;
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\' || c == '"' || c == '$') {
      out += '\\';
      out += c;
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 32 || byte >= 127) {
      out += '\\';
      out += static_cast<char>('0' + (byte >> 6));
      out += static_cast<char>('0' + ((byte >> 3) & 7));
      out += static_cast<char>('0' + (byte & 7));
    } else {
      out += c;
    }
  }
  return out + '"';
}

SourceLocation locate(SourceLocation config_where, std::string_view config, std::size_t offset) {
  if (!config_where.known()) return {};
  offset = std::min(offset, config.size());
  SourceLocation where = config_where;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < offset; ++i) {
    const bool line_ends = config[i] == '\n' ||
                           (config[i] == '\r' && (i + 1 == config.size() || config[i + 1] != '\n'));
    if (!line_ends) continue;
    ++where.line;
    where.column = 1;
    line_start = i + 1;
  }
  where.column += static_cast<uint32_t>(offset - line_start);
  return where;
}

}  // namespace headroom::click
