#include "headroom/summary/words.hh"

#include <charconv>

#include "headroom/base/text.hh"

namespace headroom::summary {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_octal(char c) { return c >= '0' && c <= '7'; }
int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Past the quotes that begin at `at`.
std::size_t end_of_quotes(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return at < text.size() ? at + 1 : text.size();
}

// The byte that the escape behind a backslash at `at` means; `at` becomes the place behind it.
char unescape(std::string_view text, std::size_t& at) {
  const char c = text[at++];
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'v':
      return '\v';
    case 'x': {
      unsigned value = 0;
      for (; at < text.size() && hex_value(text[at]) >= 0; ++at)
        value = value << 4 | static_cast<unsigned>(hex_value(text[at]));
      return static_cast<char>(value);
    }
    default:
      if (!is_octal(c)) return c;
      unsigned value = static_cast<unsigned>(c - '0');
      for (int i = 0; i < 2 && at < text.size() && is_octal(text[at]); ++i)
        value = value << 3 | static_cast<unsigned>(text[at++] - '0');
      return static_cast<char>(value);
  }
}

}  // namespace

std::vector<Word> split_words(std::string_view line) {
  std::vector<Word> words;
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size()) return words;
    const std::size_t start = at;
    while (at < line.size() && !is_blank(line[at]))
      at = line[at] == '"' ? end_of_quotes(line, at) : at + 1;
    words.push_back({line.substr(start, at - start), start, line[start] == '"'});
  }
}

bool unquote(std::string_view text, std::string& bytes) {
  bytes.clear();
  if (text.empty() || text[0] != '"') return false;
  for (std::size_t at = 1; at < text.size();) {
    if (text[at] == '"') return at + 1 == text.size();
    if (text[at] == '\\' && at + 1 < text.size())
      bytes += unescape(text, ++at);
    else
      bytes += text[at++];
  }
  return false;
}

void append_quoted(std::string_view bytes, std::string& text) {
  text += '"';
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      text += "\\n";
    } else if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte >= 32 && byte < 127) {
      text += c;
    } else {
      text += '\\';
      for (const int shift : {6, 3, 0}) text += static_cast<char>('0' + (byte >> shift & 7));
    }
  }
  text += '"';
}

std::optional<uint64_t> take_number(std::string_view& text, uint64_t most, std::string& error) {
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char* const first = text.data() + (hex ? 2 : 0);
  uint64_t value = 0;
  const auto [end, code] = std::from_chars(first, text.data() + text.size(), value, hex ? 16 : 10);
  if (code == std::errc::invalid_argument) {
    error = "expected a number";
    return std::nullopt;
  }
  if (code != std::errc{} || value > most) {
    error = "out of range, 0 to " + std::to_string(most);
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::optional<uint64_t> parse_number(std::string_view text, uint64_t most, std::string& error) {
  const auto number = take_number(text, most, error);
  if (!number || text.empty()) return number;
  error = "expected a number";
  return std::nullopt;
}

}  // namespace headroom::summary
