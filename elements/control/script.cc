#include "script.hh"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iterator>
#include <utility>

#include "headroom/base/suggest.hh"
#include "headroom/script/functions.hh"
#include "headroom/script/signal_names.hh"

namespace headroom {
namespace {

constexpr std::string_view kTypes[] = {"ACTIVE", "PASSIVE", "DRIVER", "PACKET", "PROXY", "SIGNAL"};

std::string seconds(int64_t nanoseconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%" PRId64 ".%09" PRId64, nanoseconds / 1'000'000'000,
                nanoseconds % 1'000'000'000);
  return text;
}

}  // namespace

Script::Script() {
  ReadHandler(*this, "now", "The time, in seconds.", [this] { return seconds(now()); });
  QueryHandler(*this, "get", "The value of a variable.",
               [this](std::string_view name, std::string& error) {
                 std::optional<std::string> value = interpreter_.get(click::uncomment(name));
                 if (!value) error = "no variable '" + std::string(name) + "'";
                 return value;
               });
  WriteHandler(*this, "set", "Sets a variable: NAME VALUE.",
               [this](std::string_view text, std::string&) {
                 const std::string trimmed = click::uncomment(text);
                 const std::size_t end = std::min(trimmed.find(' '), trimmed.size());
                 interpreter_.set(trimmed.substr(0, end), click::uncomment(trimmed.substr(end)));
                 return true;
               });
  WriteHandler(*this, "step", "Goes past the waiting instruction, or N of them.",
               [this](std::string_view text, std::string& error) {
                 int64_t steps = 1;
                 if (text == "router") return take_stop_event();
                 if (!text.empty() && !click::ArgType<int64_t>::parse(text, steps, error))
                   return false;
                 interpreter_.step(steps);
                 go_on();
                 return true;
               });
  WriteHandler(*this, "goto", "Goes on at a label.",
               [this](std::string_view label, std::string& error) {
                 if (!interpreter_.jump(click::uncomment(label))) {
                   error = "no such label '" + std::string(label) + "'";
                   return false;
                 }
                 interpreter_.run();
                 go_on();
                 return true;
               });
  QueryHandler(*this, "run", "Runs the script; its value is that of `return`.",
               [this](std::string_view parameters, std::string& error) {
                 return call(script::arguments_of(parameters), error);
               });
  WriteHandler(*this, "run", "", [this](std::string_view parameters, std::string& error) {
    return call(script::arguments_of(parameters), error).has_value();
  });
  QueryHandler(*this, "readable", "Whether there is a read handler of that name.",
               [this](std::string_view name, std::string&) -> std::optional<std::string> {
                 std::string ignored;
                 const auto handler =
                     router().find_handler(resolve(click::uncomment(name)), ignored);
                 return handler && handler->readable() ? "true" : "false";
               });
  QueryHandler(*this, "writable", "Whether there is a write handler of that name.",
               [this](std::string_view name, std::string&) -> std::optional<std::string> {
                 std::string ignored;
                 const auto handler =
                     router().find_handler(resolve(click::uncomment(name)), ignored);
                 return handler && handler->write ? "true" : "false";
               });
  for (const script::Function& function : script::functions())
    QueryHandler(*this, function.name, function.doc, function.call);
}

bool Script::read_type(SetupContext& context) {
  std::vector<std::string> words = click::split_words(type->text);
  for (std::string& word : words) word = click::unquote(word);
  if (words.empty()) words.emplace_back(default_type());
  const auto* const found = std::ranges::find(kTypes, words.front());
  const bool known = found != std::end(kTypes);
  if (known) type_ = static_cast<Type>(found - kTypes);
  if (!known || (type_ != Type::signal && words.size() > 1)) {
    std::string hint = known ? "" : did_you_mean(words.front(), kTypes);
    return context.error(
        "bad TYPE",
        hint.empty() ? "ACTIVE, PASSIVE, DRIVER, PACKET, PROXY or SIGNAL NAME..." : hint);
  }
  words.erase(words.begin());
  return type_ != Type::signal || read_signals(context, words);
}

bool Script::read_signals(SetupContext& context, const std::vector<std::string>& names) {
  if (names.empty())
    return context.error(type, "TYPE: expected names of signals", "for example: SIGNAL HUP USR1");
  for (const std::string& name : names) {
    const auto number = script::signal_number(name);
    if (!number) return context.error(type, "TYPE: unknown signal '" + name + "'");
    if (!SignalListener::can_listen(*number))
      return context.error(type, "TYPE: a script cannot take the signal '" + name + "'");
    if (std::ranges::find(signals_, *number) == signals_.end()) signals_.push_back(*number);
  }
  return true;
}

bool Script::configure(SetupContext& context) {
  if (!read_type(context)) return false;
  if (type_ == Type::packet && ninputs() == 0)
    return context.error("PACKET script must have inputs");
  if (type_ != Type::packet && ninputs() + noutputs() > 0)
    return context.error("ports allowed only on PACKET scripts");
  if (type_ == Type::driver && !router().set_driver([this] { return take_stop_event(); }))
    return context.error("router has more than one driver script");
  bool ok = true;
  std::string error;
  for (const click::RawText& instruction : *instructions)
    if (!program_.add(instruction.text, error)) ok = context.error(error);
  if (ok && !program_.finish(error)) ok = context.error(error);
  return ok;
}

bool Script::initialize(SetupContext&) {
  for (const std::string& name : interpreter_.initialize())
    ReadHandler(*this, name, "A variable of the script.",
                [this, name] { return interpreter_.get(name).value_or(""); });
  if (type_ == Type::active || type_ == Type::driver) timer.schedule_after(0);
  if (type_ == Type::signal) listener_.listen(scheduler(), signals_);
  return true;
}

void Script::run_timer(Timer&) {
  if (interpreter_.status().waits)
    interpreter_.step(1);
  else
    interpreter_.run();
  go_on();
}

// A signal that comes while the script is at work on one before has it run once more.
void Script::take_signal() {
  if (std::exchange(handles_signal_, true)) {
    signal_waits_ = true;
    return;
  }
  interpreter_.start();
  interpreter_.run();
  go_on();
}

void Script::end_signal() {
  handles_signal_ = false;
  const script::End end = interpreter_.status().end;
  if (end != script::End::end && end != script::End::returned) return listener_.stop();
  if (!std::exchange(signal_waits_, false)) return;
  handles_signal_ = true;
  interpreter_.start();
  timer.schedule_after(0);
}

// After it ran: waits for the time that it waits for, and ends the router when it ends.
void Script::go_on() {
  const script::Status& status = interpreter_.status();
  timer.unschedule();
  if (status.waits && status.time) timer.schedule_after(*status.time);
  if (type_ == Type::driver && status.end != script::End::none && status.end != script::End::stop)
    stop();
  if (handles_signal_ && status.end != script::End::none) end_signal();
}

bool Script::take_stop_event() {
  if (interpreter_.status().end != script::End::none) return false;
  // Before the first instruction was reached, the event is the one that it will wait for.
  if (!interpreter_.status().waits) interpreter_.run();
  router().stop_event(-1);
  interpreter_.step(1);
  go_on();
  return true;
}

std::optional<std::string> Script::call(script::Arguments arguments, std::string& error) {
  script::Status status = interpreter_.call(std::move(arguments));
  if (status.end == script::End::error) {
    error = "script ended with an error";
    return std::nullopt;
  }
  return std::move(status.value);
}

void Script::push(uint32_t port, PacketBatch& batch) {
  PacketBatch packets;
  packets.append(batch);
  for (uint32_t i = 0; i < packets.size(); ++i) {
    Packet& packet = packets[i];
    const script::Status status = interpreter_.call({{"input", std::to_string(port)}});
    int64_t output_port = 0;
    std::string ignored;
    if (status.end == script::End::returned && !status.value.empty() &&
        !click::ArgType<int64_t>::parse(status.value, output_port, ignored))
      output_port = -1;
    const bool ended = status.end == script::End::end || status.end == script::End::returned;
    if (ended && output_port >= 0 && output_port < noutputs())
      output(static_cast<uint32_t>(output_port)).push(packet);
    else
      exited.drop(packet);
  }
  packets.release();
}

std::optional<Handler> Script::make_handler(std::string_view name) {
  if (type_ != Type::proxy) return std::nullopt;
  auto arguments = [handler = std::string(name)](std::string_view parameters, bool write) {
    script::Arguments made = script::arguments_of(parameters);
    made["0"] = handler;
    made["write"] = write ? "true" : "false";
    return made;
  };
  Handler made;
  made.name = name;
  made.query = [this, arguments](std::string_view parameters, std::string& error) {
    return call(arguments(parameters, false), error);
  };
  made.write = [this, arguments](std::string_view value, std::string& error) {
    return call(arguments(value, true), error).has_value();
  };
  return made;
}

std::string Script::resolve(std::string_view handler) const {
  if (handler.find('.') == std::string_view::npos)
    for (const Handler& own : handlers())
      if (own.name == handler) return name() + '.' + std::string(handler);
  return router().resolve_handler(*this, handler);
}

std::optional<std::string> Script::read(std::string_view handler, std::string_view parameters,
                                        std::string& error) {
  ReplicaHandlers* const all = router().replicas();
  if (all != nullptr) return all->read_handler(resolve(handler), error, parameters);
  return router().read_handler(resolve(handler), error, parameters);
}

bool Script::write(std::string_view handler, std::string_view value, std::string& error) {
  ReplicaHandlers* const all = router().replicas();
  if (all != nullptr) return all->write_handler(resolve(handler), value, error);
  return router().write_handler(resolve(handler), value, error);
}

void Script::complain(std::string_view text) {
  std::fprintf(stderr, "While executing '%s':\n  %.*s\n", label().c_str(),
               static_cast<int>(text.size()), text.data());
}

HEADROOM_ELEMENT(Script);

}  // namespace headroom
