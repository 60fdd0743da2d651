// Configuration strings: taking them apart, and reading every type of argument.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "headroom/click/arg_types.hh"
#include "headroom/click/arguments.hh"
#include "headroom/click/named_types.hh"
#include "headroom/click/names.hh"
#include "headroom/click/variables.hh"

namespace {

using namespace headroom;         // NOLINT: a program of one file
using namespace headroom::click;  // NOLINT

void check(bool good) {
  if (!good) std::abort();
}

// What was read is written so that it is read as the same again.
template <class T>
void check_round_trip(const T& value) {
  const std::string text = ArgType<T>::unparse(value);
  T again{};
  std::string error;
  check(ArgType<T>::parse(text, again, error));
  check(ArgType<T>::unparse(again) == text);
}

template <class T>
Parameter parameter(std::string_view name) {
  Parameter parameter;
  parameter.name = name;
  parameter.read = [](std::string_view text, std::string& error) {
    T value{};
    if (!ArgType<T>::parse(text, value, error)) return false;
    // A name of a home directory that does not exist is left alone, and could be another's.
    if constexpr (!std::is_same_v<T, Filename>) check_round_trip(value);
    return true;
  };
  return parameter;
}

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> table = [] {
    std::vector<Parameter> made{parameter<bool>("BOOL"),         parameter<int32_t>("INT"),
                                parameter<int64_t>("LONG"),      parameter<uint8_t>("BYTE"),
                                parameter<uint16_t>("SHORT"),    parameter<uint32_t>("UNSIGNED"),
                                parameter<uint64_t>("ULONG"),    parameter<double>("REAL"),
                                parameter<Duration>("TIME"),     parameter<std::string>("STR"),
                                parameter<Filename>("FILE"),     parameter<IPAddress>("IP"),
                                parameter<IPPrefix>("PREFIX"),   parameter<IP6Address>("IP6"),
                                parameter<IP6Prefix>("PREFIX6"), parameter<EtherAddress>("ETH"),
                                parameter<Bandwidth>("RATE"),    parameter<Word>("WORD"),
                                parameter<Keyword>("KEYWORD"),   parameter<IPProtocol>("PROTO"),
                                parameter<IPMasked>("MASKED"),   parameter<HandlerName>("HANDLER"),
                                parameter<ElementName>("ELT"),   parameter<Annotation<2>>("ANNO")};
    for (std::size_t i = 0; i < made.size(); i += 2) made[i].positional = true;
    made[0].mandatory = true;
    made.push_back(parameter<RawText>("RAW"));
    made.back().rest = true;
    made.back().positional = true;
    return made;
  }();
  return table;
}

class FuzzVariables : public Variables {
 public:
  std::optional<std::string> find(std::string_view name, int) override {
    if (name == "x") return "a, \"$b\" c";
    return name == "e" ? std::optional<std::string>("") : std::nullopt;
  }
  bool spend(uint64_t bytes) override { return (spent_ += bytes) < 1'000'000; }

 private:
  uint64_t spent_ = 0;
};

void check_variables(std::string_view text) {
  FuzzVariables variables;
  const Expanded expanded = expand_variables(text, variables);
  if (!expanded.changed) return;
  check(!expanded.stretches.empty() && expanded.stretches[0].at == 0);
  for (std::size_t i = 0; i < expanded.stretches.size(); ++i) {
    const Expanded::Stretch& stretch = expanded.stretches[i];
    const std::size_t end =
        i + 1 < expanded.stretches.size() ? expanded.stretches[i + 1].at : expanded.text.size();
    check(stretch.at <= end && end <= expanded.text.size());
    if (!stretch.copied) continue;
    check(text.substr(stretch.from, end - stretch.at) ==
          std::string_view(expanded.text).substr(stretch.at, end - stretch.at));
  }
}

// What information elements define, and a name looked up among it.
void check_names(std::string_view text) {
  NameTables tables;
  tables.device = [](const std::string&) { return std::nullopt; };
  std::string error;
  for (const Argument& argument : split_arguments(text)) {
    tables.add_addresses("a/i", argument.text, error);
    tables.add_ports("a/i", argument.text, error);
    tables.add_annotation("a/i", argument.text, error);
  }
  const NameScope scope(tables, "a/b");
  IPPrefix prefix;
  parse_argument(text.substr(0, text.find(' ')), prefix, error, scope);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  check(unquote(quote(text)) == text);
  check_variables(text);
  check_names(text);
  const std::string plain = uncomment(text);
  check(uncomment(plain) == plain);
  for (const Argument& argument : split_arguments(text)) {
    check(argument.offset <= text.size());
    for (const std::string& word : split_words(argument.text)) {
      check(split_words(word).size() == 1);
      unquote(word);
    }
    std::string error;
    for (const Parameter& parameter : parameters()) parameter.read(argument.text, error);
  }

  // With the rest parameter that takes everything, and without it.
  for (const std::size_t left_out : {0, 1}) {
    Diagnostics diagnostics;
    const uint32_t file = diagnostics.sources().add("config", std::string(text));
    const std::span<const Parameter> table(parameters().data(), parameters().size() - left_out);
    const bool good = bind_arguments(text, table, {file, 1, 1}, {file, 1, 1}, diagnostics);
    check(good == diagnostics.ok());
    diagnostics.render(Diagnostics::Form::plain);
    diagnostics.render(Diagnostics::Form::full);
  }
  return 0;
}
