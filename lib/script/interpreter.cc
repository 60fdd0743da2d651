#include "headroom/script/interpreter.hh"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "headroom/base/text.hh"
#include "headroom/click/arg_types.hh"
#include "headroom/click/arguments.hh"

namespace headroom::script {
namespace {

constexpr int kMaxJumps = 1000;
constexpr int kMaxCalls = 64;
constexpr std::size_t kMaxValue = std::size_t{1} << 20;
// Of one expansion.
constexpr uint64_t kMaxWork = uint64_t{1} << 24;
// What $? is after a write that failed.
constexpr int kFailed = -22;

bool is_handler(std::string_view text) {
  const char c = text.empty() ? '\0' : text[0];
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@';
}

// "handler parameters" in two.
std::pair<std::string_view, std::string_view> split_call(std::string_view text) {
  const std::size_t end = text.find_first_of(" \t\r\n");
  if (end == std::string_view::npos) return {text, {}};
  const std::size_t rest = text.find_first_not_of(" \t\r\n", end);
  return {text.substr(0, end),
          rest == std::string_view::npos ? std::string_view{} : text.substr(rest)};
}

}  // namespace

Arguments arguments_of(std::string_view parameters) {
  Arguments arguments;
  arguments["args"] = parameters;
  const std::vector<std::string> words = click::split_words(parameters);
  for (std::size_t i = 0; i < words.size(); ++i) arguments[std::to_string(i + 1)] = words[i];
  arguments["#"] = std::to_string(words.size());
  return arguments;
}

std::vector<std::string> Interpreter::initialize() {
  std::vector<std::string> exported;
  for (std::size_t i = 0; i < program_.size(); ++i) {
    const Instruction& one = program_[i];
    const bool exports = one.op == Op::export_ || one.op == Op::exportq;
    if (!exports && one.op != Op::init && one.op != Op::initq) continue;
    const bool plain = one.op == Op::init || one.op == Op::export_;
    variables_[one.name] = plain ? expand(one.text) : expand_unquoted(one.text);
    if (exports) exported.push_back(one.name);
  }
  return exported;
}

void Interpreter::start() {
  status_ = {};
  next_ = 0;
  jumps_ = 0;
}

const Status& Interpreter::run() {
  while (!status_.waits && status_.end == End::none) {
    if (next_ >= program_.size())
      finish(End::end);
    else
      execute(program_[next_++]);
  }
  return status_;
}

const Status& Interpreter::step(int64_t steps) {
  while (steps > 0 && status_.waits) {
    if (!status_.time && steps_left_ > steps) {
      steps_left_ -= steps;
      break;
    }
    steps -= status_.time ? 1 : steps_left_;
    status_.waits = false;
    status_.time.reset();
    run();
  }
  return status_;
}

bool Interpreter::jump(std::string_view label) {
  const std::size_t place = program_.place_of(label);
  if (place == Program::kNowhere) return false;
  status_ = {};
  jumps_ = 0;
  go_to(place);
  return true;
}

Status Interpreter::call(Arguments arguments) {
  if (calls_ == kMaxCalls) {
    host_.complain("runs itself too deeply");
    Status failed;
    failed.end = End::error;
    return failed;
  }
  ++calls_;
  const Arguments outer_arguments = std::exchange(arguments_, std::move(arguments));
  const Status outer_status = std::exchange(status_, {});
  const std::size_t outer_next = std::exchange(next_, 0);
  const int outer_jumps = std::exchange(jumps_, 0);
  const int64_t outer_steps = steps_left_;
  run();
  if (status_.waits) {
    host_.complain("cannot wait while it is run by a handler");
    finish(End::error);
  }
  Status result = std::exchange(status_, outer_status);
  arguments_ = outer_arguments;
  next_ = outer_next;
  jumps_ = outer_jumps;
  steps_left_ = outer_steps;
  --calls_;
  return result;
}

void Interpreter::set(std::string_view name, std::string value) {
  if (value.size() > kMaxValue) {
    host_.complain("the value of '" + std::string(name) + "' is too long");
    return finish(End::error);
  }
  variables_.insert_or_assign(std::string(name), std::move(value));
}

std::optional<std::string> Interpreter::get(std::string_view name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? std::nullopt : std::optional(found->second);
}

// --- expansion ---

std::optional<std::string> Interpreter::find(std::string_view name, int) {
  if (const auto argument = arguments_.find(name); argument != arguments_.end())
    return argument->second;
  return get(name);
}

std::optional<std::string> Interpreter::find_form(std::string_view form, int depth) {
  if (form == "?") return std::to_string(write_status_);
  if (form == "$") return std::to_string(getpid());
  if (!form.starts_with('(')) {
    const auto found = arguments_.find(form);
    if (found != arguments_.end()) return found->second;
    // Arguments that were not given are empty, but only where there are any.
    return arguments_.contains("args") ? std::optional<std::string>("") : std::nullopt;
  }
  const std::string_view inside = form.substr(1, form.size() - 2);
  click::Expanded expanded = click::expand_variables(inside, *this, depth + 1);
  const std::string text = click::uncomment(expanded.changed ? expanded.text : std::string(inside));
  const auto [handler, parameters] = split_call(text);
  std::string error;
  std::optional<std::string> value = host_.read(handler, parameters, error);
  if (!value) host_.complain(error);
  return value;
}

bool Interpreter::spend(uint64_t bytes) { return (spent_ += bytes) <= kMaxWork; }

std::string Interpreter::expand(std::string_view text) {
  if (calls_ == 0) spent_ = 0;
  click::Expanded expanded = click::expand_variables(text, *this);
  return expanded.changed ? std::move(expanded.text) : std::string(text);
}

std::string Interpreter::expand_unquoted(std::string_view text) {
  return click::unquote(expand(text));
}

// --- instructions ---

void Interpreter::execute(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::set:
      return set(instruction.name, expand(instruction.text));
    case Op::setq:
      return set(instruction.name, expand_unquoted(instruction.text));
    case Op::init:
    case Op::initq:
    case Op::export_:
    case Op::exportq:
    case Op::label:
      return;
    case Op::print:
    case Op::printn:
    case Op::printq:
    case Op::printnq:
      return print(instruction);
    case Op::read:
    case Op::readq:
      return read(instruction);
    case Op::write:
    case Op::writeq:
      return write(instruction);
    case Op::save:
    case Op::append:
      return save(instruction);
    case Op::wait_step:
      if (instruction.number == 0) return;
      steps_left_ = instruction.number;
      jumps_ = 0;
      status_.waits = true;
      return;
    case Op::wait_time:
      return wait_for(instruction);
    case Op::go:
      return go(instruction);
    case Op::end:
      return finish(End::end);
    case Op::exit:
      return finish(End::exit);
    case Op::stop:
      return finish(End::stop);
    case Op::return_:
      return finish(End::returned, expand(instruction.text));
    case Op::returnq:
      return finish(End::returned, expand_unquoted(instruction.text));
    case Op::error:
    case Op::errorq: {
      const std::string text = instruction.op == Op::error ? expand(instruction.text)
                                                           : expand_unquoted(instruction.text);
      if (!text.empty()) host_.complain(text);
      return finish(End::error);
    }
  }
}

void Interpreter::print(const Instruction& instruction) {
  const bool newline = instruction.op == Op::print || instruction.op == Op::printq;
  if (!is_handler(instruction.text))
    return output(instruction, expand_unquoted(instruction.text), newline);
  const std::string text = expand(instruction.text);
  const auto [handler, parameters] = split_call(text);
  std::string error;
  std::optional<std::string> value = host_.read(handler, parameters, error);
  if (!value) return host_.complain(error);
  const bool unquotes = instruction.op == Op::printq || instruction.op == Op::printnq;
  output(instruction, unquotes ? click::unquote(*value) : std::move(*value), newline);
}

void Interpreter::output(const Instruction& instruction, std::string text, bool newline) {
  if (newline && !text.ends_with('\n')) text += '\n';
  const std::string path = click::unquote(expand(instruction.name));
  const bool standard = path.empty() || path == "-";
  std::FILE* const file =
      standard ? stdout : std::fopen(path.c_str(), instruction.appends ? "ab" : "wb");
  if (file == nullptr) return host_.complain(path + ": cannot be written");
  std::fwrite(text.data(), 1, text.size(), file);
  if (standard)
    std::fflush(file);
  else
    std::fclose(file);
}

void Interpreter::read(const Instruction& instruction) {
  const std::string handler = expand(instruction.name);
  const std::string parameters =
      instruction.op == Op::read ? expand(instruction.text) : expand_unquoted(instruction.text);
  std::string error;
  std::optional<std::string> value = host_.read(handler, parameters, error);
  if (!value) return host_.complain(error);
  if (!value->ends_with('\n')) *value += '\n';
  std::fprintf(stderr, "%s:\n%s\n", handler.c_str(), value->c_str());
}

void Interpreter::write(const Instruction& instruction) {
  const std::string handler = expand(instruction.name);
  const std::string value =
      instruction.op == Op::write ? expand(instruction.text) : expand_unquoted(instruction.text);
  std::string error;
  write_status_ = host_.write(handler, value, error) ? 0 : kFailed;
  if (write_status_ != 0) host_.complain(error);
}

void Interpreter::save(const Instruction& instruction) {
  std::string error;
  std::optional<std::string> value = host_.read(expand(instruction.name), {}, error);
  if (!value) return host_.complain(error);
  Instruction to_file;
  to_file.name = instruction.text;
  to_file.appends = instruction.op == Op::append;
  output(to_file, std::move(*value), false);
}

void Interpreter::wait_for(const Instruction& instruction) {
  int64_t time = instruction.number;
  if (instruction.text.find('$') != std::string::npos) {
    click::Duration read;
    std::string ignored;
    if (!click::ArgType<click::Duration>::parse(expand_unquoted(instruction.text), read, ignored)) {
      host_.complain("syntax error at 'wait'");
      return finish(End::error);
    }
    time = read.nanoseconds;
  }
  jumps_ = 0;
  status_.waits = true;
  status_.time = time;
}

void Interpreter::go(const Instruction& instruction) {
  if (!instruction.text.empty()) {
    const std::string condition = expand_unquoted(instruction.text);
    bool holds = false;
    std::string ignored;
    if (!click::ArgType<bool>::parse(condition, holds, ignored))
      return host_.complain("bad condition " + quoted(condition));
    if (!holds) return;
  }
  const std::string label = expand(instruction.name);
  const std::size_t place = program_.place_of(label);
  if (place == Program::kNowhere) {
    host_.complain("no such label " + quoted(label));
    return finish(End::error);
  }
  if (++jumps_ > kMaxJumps) {
    host_.complain("too many jumps, giving up");
    return finish(End::error);
  }
  go_to(place);
}

void Interpreter::go_to(std::size_t place) {
  if (place == Program::kEnd) return finish(End::end);
  if (place == Program::kExit) return finish(End::exit);
  if (place == Program::kStop) return finish(End::stop);
  if (place == Program::kError) return finish(End::error);
  next_ = place;
}

void Interpreter::finish(End end, std::string value) {
  status_.waits = false;
  status_.time.reset();
  status_.end = end;
  status_.value = std::move(value);
  if (end == End::stop) host_.stop();
}

}  // namespace headroom::script
