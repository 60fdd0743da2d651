#include "headroom/script/program.hh"

#include <algorithm>
#include <iterator>

#include "headroom/base/suggest.hh"
#include "headroom/base/text.hh"
#include "headroom/click/arg_types.hh"
#include "headroom/click/arguments.hh"

namespace headroom::script {
namespace {

enum class Form : uint8_t {
  nothing,     // no argument
  text,        // any text, perhaps none
  name_text,   // NAME [TEXT]
  name_alone,  // NAME
  file_text,   // [>FILE | >>FILE] TEXT
  steps,       // [N]
  time,        // TIME
  wait,        // [TIME]
};

struct Entry {
  std::string_view word;
  Op op;
  Form form;
};

constexpr Entry kEntries[] = {
    {"set", Op::set, Form::name_text},         {"setq", Op::setq, Form::name_text},
    {"init", Op::init, Form::name_text},       {"initq", Op::initq, Form::name_text},
    {"export", Op::export_, Form::name_text},  {"exportq", Op::exportq, Form::name_text},
    {"print", Op::print, Form::file_text},     {"printn", Op::printn, Form::file_text},
    {"printq", Op::printq, Form::file_text},   {"printnq", Op::printnq, Form::file_text},
    {"read", Op::read, Form::name_text},       {"readq", Op::readq, Form::name_text},
    {"write", Op::write, Form::name_text},     {"writeq", Op::writeq, Form::name_text},
    {"save", Op::save, Form::name_text},       {"append", Op::append, Form::name_text},
    {"pause", Op::wait_step, Form::steps},     {"wait_step", Op::wait_step, Form::steps},
    {"wait_stop", Op::wait_step, Form::steps}, {"wait", Op::wait_step, Form::wait},
    {"wait_time", Op::wait_time, Form::time},  {"wait_for", Op::wait_time, Form::time},
    {"label", Op::label, Form::name_alone},    {"goto", Op::go, Form::name_text},
    {"loop", Op::go, Form::nothing},           {"end", Op::end, Form::nothing},
    {"exit", Op::exit, Form::nothing},         {"stop", Op::stop, Form::nothing},
    {"return", Op::return_, Form::text},       {"returnq", Op::returnq, Form::text},
    {"error", Op::error, Form::text},          {"errorq", Op::errorq, Form::text},
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the first word off the text. "$(a b)" and quotes are parts of a word.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  std::size_t end = 0;
  int depth = 0;
  char quote = 0;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++end;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')') {
      --depth;
    } else if (is_space(c) && depth <= 0) {
      break;
    }
  }
  end = std::min(end, text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

bool is_variable(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool names_variable(Op op) {
  return op == Op::set || op == Op::setq || op == Op::init || op == Op::initq ||
         op == Op::export_ || op == Op::exportq;
}

bool read_argument(const Entry& entry, std::string_view rest, Instruction& made) {
  std::string ignored;
  switch (entry.form) {
    case Form::nothing:
      if (entry.word == "loop") made.name = "begin";
      return rest.empty();
    case Form::text:
      made.text = rest;
      return true;
    case Form::name_alone:
      made.name = take_word(rest);
      return !made.name.empty() && rest.empty();
    case Form::name_text:
      made.name = take_word(rest);
      made.text = rest;
      if (names_variable(entry.op)) return is_variable(made.name);
      return !made.name.empty();
    case Form::file_text:
      if (rest.starts_with('>')) {
        rest.remove_prefix(1);
        made.appends = rest.starts_with('>');
        if (made.appends) rest.remove_prefix(1);
        made.name = take_word(rest);
        if (made.name.empty()) return false;
      }
      made.text = rest;
      return true;
    case Form::wait:
    case Form::steps:
      made.number = 1;
      if (rest.empty()) return true;
      if (entry.form == Form::steps)
        return click::ArgType<int64_t>::parse(rest, made.number, ignored) && made.number >= 0;
      [[fallthrough]];
    case Form::time: {
      made.op = Op::wait_time;
      // A variable is read when its turn comes.
      made.text = rest;
      if (rest.find('$') != std::string_view::npos) return true;
      click::Duration time;
      if (!click::ArgType<click::Duration>::parse(rest, time, ignored)) return false;
      made.number = time.nanoseconds;
      return true;
    }
  }
  return false;
}

}  // namespace

bool Program::add(std::string_view text, std::string& error) {
  std::string_view rest = text;
  const std::string_view word = take_word(rest);
  if (word.empty()) return true;
  const auto* const entry =
      std::ranges::find_if(kEntries, [&](const Entry& one) { return one.word == word; });
  Instruction made;
  if (entry != std::end(kEntries)) made.op = entry->op;
  if (entry == std::end(kEntries) || !read_argument(*entry, rest, made)) {
    error = "syntax error at " + quoted(word);
    return false;
  }
  instructions_.push_back(std::move(made));
  return true;
}

bool Program::finish(std::string& error) const {
  for (const Instruction& one : instructions_) {
    // A label may be known only when its turn comes.
    if (one.op != Op::go || one.name.find('$') != std::string::npos) continue;
    if (place_of(one.name) != kNowhere) continue;
    error = "no such label " + quoted(one.name);
    return false;
  }
  return true;
}

std::size_t Program::place_of(std::string_view label) const {
  for (std::size_t i = 0; i < instructions_.size(); ++i)
    if (instructions_[i].op == Op::label && instructions_[i].name == label) return i;
  if (label == "begin" || label == "loop") return 0;
  if (label == "end") return kEnd;
  if (label == "exit") return kExit;
  if (label == "stop") return kStop;
  if (label == "error") return kError;
  return kNowhere;
}

bool Program::waits_first() const {
  for (const Instruction& one : instructions_) {
    if (one.op == Op::wait_step || one.op == Op::wait_time) return true;
    if (one.op != Op::init && one.op != Op::initq && one.op != Op::export_ &&
        one.op != Op::exportq && one.op != Op::label)
      return false;
  }
  return false;
}

}  // namespace headroom::script
