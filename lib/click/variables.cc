#include "headroom/click/variables.hh"

#include <algorithm>
#include <utility>

#include "headroom/click/arguments.hh"
#include "headroom/click/numbers.hh"
#include "headroom/click/scan.hh"

namespace headroom::click {
namespace {

// Putting a value in counts for more than its bytes, because it takes time; most of all deep inside
// other values, where references multiply.
constexpr uint64_t kByteCost = 4;
constexpr uint64_t kReferenceCost = 64;
constexpr int kMaxDoublings = 4;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && scan::is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && scan::is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::size_t name_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_variable_byte(text[at])) ++at;
  return at;
}

// As it must be written in double quotes.
std::string escaped(std::string_view value) {
  std::string out;
  for (;;) {
    const std::size_t special = value.find_first_of("\"\\$");
    out += value.substr(0, special);
    if (special == std::string_view::npos) return out;
    out += '\\';
    out += value[special];
    value.remove_prefix(special + 1);
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Which closing bracket belongs to which opening one. All of a text are matched at once, the first
// time: an opening one may have its partner anywhere.
class Brackets {
 public:
  Brackets(char open, char close) : open_(open), close_(close) {}

  // Of the opening one at `at`, the first that is asked for or one behind it.
  std::size_t partner(std::string_view text, std::size_t at) {
    if (pairs_.empty()) match(text, at);
    const auto found =
        std::lower_bound(pairs_.begin(), pairs_.end(), at,
                         [](const auto& pair, std::size_t place) { return pair.first < place; });
    return found == pairs_.end() || found->first != at ? std::string_view::npos : found->second;
  }

 private:
  void match(std::string_view text, std::size_t from) {
    std::vector<std::size_t> opened;
    for (std::size_t i = from; i < text.size(); ++i) {
      if (text[i] == open_) {
        opened.push_back(pairs_.size());
        pairs_.emplace_back(i, std::string_view::npos);
      } else if (text[i] == close_ && !opened.empty()) {
        pairs_[opened.back()].second = i;
        opened.pop_back();
      }
    }
  }

  char open_;
  char close_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

class Expander {
 public:
  Expander(std::string_view text, Variables& variables, int depth)
      : text_(text), variables_(variables), depth_(depth) {}

  Expanded run() {
    bool quoted = false;
    std::size_t at = 0;
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == '$') {
        const std::size_t end = reference(at, quoted);
        // What follows a script's "$$" is text.
        const bool process_id = text_.substr(at).starts_with("$$");
        at = end != at ? end : at + (process_id ? 2 : 1);
      } else if (c == '"') {
        quoted = !quoted;
        ++at;
      } else if (scan::starts_bytes(text_, at)) {
        at = scan::bytes_end(text_, at);
      } else if (quoted) {
        at += c == '\\' ? 2 : 1;
      } else if (c == '\'') {
        at = scan::quoted_end(text_, at);
      } else if (scan::starts_comment(text_, at)) {
        at = scan::comment_end(text_, at);
      } else {
        ++at;
      }
    }
    if (out_.changed) copy(text_.size());
    return std::move(out_);
  }

 private:
  // Puts the value of the reference at `at` in and returns where it ends; `at` when it stays.
  std::size_t reference(std::size_t at, bool quoted) {
    if (at + 1 >= text_.size()) return at;
    std::optional<std::string> value;
    std::size_t end = at;
    if (text_[at + 1] == '{') {
      const std::size_t close = braces_.partner(text_, at + 1);
      if (close == std::string_view::npos) return at;
      value = in_braces(text_.substr(at + 2, close - at - 2));
      end = close + 1;
    } else if (const std::size_t form = form_end(at + 1); form != at + 1) {
      end = form;
      value = variables_.find_form(text_.substr(at + 1, end - at - 1), depth_);
      // What stands in parentheses is expanded even when the whole stays.
      if (!value) return text_[at + 1] == '(' ? at : end;
    } else {
      end = name_end(text_, at + 1);
      const std::string_view name = text_.substr(at + 1, end - at - 1);
      if (name.empty()) return at;
      value = variables_.find(name, depth_);
    }
    if (!value) return at;
    if (quoted) *value = escaped(*value);
    const uint64_t cost = kByteCost * value->size() + kReferenceCost;
    if (!variables_.spend(cost << std::min(depth_, kMaxDoublings))) return at;

    copy(at);
    out_.changed = true;
    out_.stretches.push_back({out_.text.size(), at, false});
    out_.text += *value;
    copied_ = end;
    return end;
  }

  // Where the script's form at `at`, behind the "$", ends; `at` when there is none.
  std::size_t form_end(std::size_t at) {
    const char c = text_[at];
    if (c == '?' || c == '#' || c == '$') return at + 1;
    if (is_digit(c)) return name_end(text_, at);
    if (c != '(' || !variables_.has_forms()) return at;
    const std::size_t close = parentheses_.partner(text_, at);
    return close == std::string_view::npos ? at : close + 1;
  }

  // name, name-default or name[index].
  std::optional<std::string> in_braces(std::string_view inside) {
    while (!inside.empty() && scan::is_space(inside[0])) inside.remove_prefix(1);
    const std::size_t end = name_end(inside, 0);
    const std::string_view name = inside.substr(0, end);
    if (name.empty()) return std::nullopt;
    inside = inside.substr(end);
    while (!inside.empty() && scan::is_space(inside[0])) inside.remove_prefix(1);

    std::optional<uint64_t> index;
    if (inside.starts_with('[')) {
      const std::size_t close = inside.find(']');
      if (close == std::string_view::npos) return std::nullopt;
      const std::string number(trimmed(expanded(inside.substr(1, close - 1))));
      const std::optional<numbers::Integer> parsed = numbers::parse_integer(number);
      if (!parsed || parsed->negative || parsed->overflow) return std::nullopt;
      index = parsed->magnitude;
      inside = inside.substr(close + 1);
    }
    const bool has_default = inside.starts_with('-');
    if (!has_default && !trimmed(inside).empty()) return std::nullopt;

    std::optional<std::string> value = variables_.find(name, depth_);
    if (!value) {
      if (has_default) value = expanded(inside.substr(1));
      return value;
    }
    if (!index) return value;
    std::vector<std::string> words = split_words(*value);
    return *index < words.size() ? std::move(words[*index]) : std::string();
  }

  std::string expanded(std::string_view text) {
    Expanded inner = expand_variables(text, variables_, depth_ + 1);
    return inner.changed ? std::move(inner.text) : std::string(text);
  }

  void copy(std::size_t end) {
    if (copied_ == end) return;
    out_.stretches.push_back({out_.text.size(), copied_, true});
    out_.text += text_.substr(copied_, end - copied_);
    copied_ = end;
  }

  std::string_view text_;
  Variables& variables_;
  int depth_;
  Expanded out_;
  std::size_t copied_ = 0;
  Brackets braces_{'{', '}'};
  Brackets parentheses_{'(', ')'};
};

}  // namespace

Expanded expand_variables(std::string_view text, Variables& variables, int depth) {
  if (depth > kMaxVariableDepth || text.find('$') == std::string_view::npos) return {};
  return Expander(text, variables, depth).run();
}

}  // namespace headroom::click
