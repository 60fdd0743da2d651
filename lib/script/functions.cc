#include "headroom/script/functions.hh"

#include <arpa/inet.h>
#include <signal.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <variant>
#include <vector>

#include "headroom/click/arg_types.hh"
#include "headroom/click/arguments.hh"
#include "headroom/script/signal_names.hh"

namespace headroom::script {
namespace {

using Result = std::optional<std::string>;
using Number = std::variant<int64_t, double>;

Result fail(std::string& error, std::string text) {
  error = std::move(text);
  return std::nullopt;
}

std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(int64_t value) { return std::to_string(value); }
std::string text_of(double value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}
std::string text_of(const Number& value) {
  return std::visit([](auto number) { return text_of(number); }, value);
}

std::vector<std::string> operands_of(std::string_view parameters) {
  std::vector<std::string> words = click::split_words(parameters);
  for (std::string& word : words) word = click::unquote(word);
  return words;
}

std::optional<Number> parse_number(const std::string& text) {
  std::string ignored;
  int64_t integer = 0;
  if (click::ArgType<int64_t>::parse(text, integer, ignored)) return Number(integer);
  double real = 0;
  if (click::ArgType<double>::parse(text, real, ignored)) return Number(real);
  return std::nullopt;
}

double as_double(const Number& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

bool both_integers(const Number& a, const Number& b) {
  return std::holds_alternative<int64_t>(a) && std::holds_alternative<int64_t>(b);
}

// Overflow wraps around, as it does in hardware.
int64_t wrapping(uint64_t value) { return static_cast<int64_t>(value); }

struct Add {
  static int64_t of(int64_t a, int64_t b) {
    return wrapping(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  }
  static double of(double a, double b) { return a + b; }
};
struct Subtract {
  static int64_t of(int64_t a, int64_t b) {
    return wrapping(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  }
  static double of(double a, double b) { return a - b; }
};
struct Multiply {
  static int64_t of(int64_t a, int64_t b) {
    return wrapping(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }
  static double of(double a, double b) { return a * b; }
};
struct Minimum {
  static int64_t of(int64_t a, int64_t b) { return b < a ? b : a; }
  static double of(double a, double b) { return b < a ? b : a; }
};
struct Maximum {
  static int64_t of(int64_t a, int64_t b) { return a < b ? b : a; }
  static double of(double a, double b) { return a < b ? b : a; }
};

template <class Operation>
Result fold(std::string_view parameters, std::string& error) {
  std::optional<Number> result;
  for (const std::string& word : operands_of(parameters)) {
    const std::optional<Number> operand = parse_number(word);
    if (!operand) return fail(error, "'" + word + "' is not a number");
    if (!result)
      result = operand;
    else if (both_integers(*result, *operand))
      result = Operation::of(std::get<int64_t>(*result), std::get<int64_t>(*operand));
    else
      result = Operation::of(as_double(*result), as_double(*operand));
  }
  if (!result) return fail(error, "needs numbers");
  return text_of(*result);
}

std::optional<std::pair<Number, Number>> two_numbers(std::string_view parameters,
                                                     std::string& error) {
  const std::vector<std::string> words = operands_of(parameters);
  if (words.size() == 2) {
    const auto first = parse_number(words[0]);
    const auto second = parse_number(words[1]);
    if (first && second) return std::pair{*first, *second};
  }
  error = "needs two numbers";
  return std::nullopt;
}

Result divide(std::string_view parameters, std::string& error) {
  const auto pair = two_numbers(parameters, error);
  if (!pair) return std::nullopt;
  if (as_double(pair->second) == 0) return fail(error, "division by zero");
  return text_of(as_double(pair->first) / as_double(pair->second));
}

// `remainder` has the sign of the dividend; mod is never negative for a positive divisor.
Result integer_division(std::string_view parameters, std::string& error, char what) {
  const auto pair = two_numbers(parameters, error);
  if (!pair) return std::nullopt;
  if (!both_integers(pair->first, pair->second)) {
    if (what == 'm') return fail(error, "needs two integers");
    const double a = as_double(pair->first);
    const double b = as_double(pair->second);
    if (b == 0) return fail(error, "division by zero");
    return what == 'd' ? text_of(std::trunc(a / b)) : text_of(std::fmod(a, b));
  }
  const int64_t a = std::get<int64_t>(pair->first);
  const int64_t b = std::get<int64_t>(pair->second);
  if (b == 0) return fail(error, "division by zero");
  // The one quotient that does not fit.
  if (b == -1) return what == 'd' ? text_of(Subtract::of(int64_t{0}, a)) : text_of(int64_t{0});
  if (what == 'd') return text_of(a / b);
  const int64_t rest = a % b;
  return text_of(what == 'm' && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
}

Result negate(std::string_view parameters, std::string& error) {
  const auto number = parse_number(click::unquote(click::uncomment(parameters)));
  if (!number) return fail(error, "needs one number");
  if (const auto* integer = std::get_if<int64_t>(&*number))
    return text_of(Subtract::of(int64_t{0}, *integer));
  return text_of(-std::get<double>(*number));
}

Result absolute(std::string_view parameters, std::string& error) {
  const auto number = parse_number(click::unquote(click::uncomment(parameters)));
  if (!number) return fail(error, "needs one number");
  return as_double(*number) < 0 ? negate(parameters, error) : text_of(*number);
}

// -1, 0 or 1; numbers as numbers, anything else bytewise.
std::optional<int> compare(std::string_view parameters, std::string& error) {
  const std::vector<std::string> words = operands_of(parameters);
  if (words.size() != 2) {
    error = "needs two operands";
    return std::nullopt;
  }
  const auto first = parse_number(words[0]);
  const auto second = parse_number(words[1]);
  if (!first || !second) {
    const int order = words[0].compare(words[1]);
    return (order > 0) - (order < 0);
  }
  if (both_integers(*first, *second)) {
    const int64_t a = std::get<int64_t>(*first);
    const int64_t b = std::get<int64_t>(*second);
    return (a > b) - (a < b);
  }
  const double a = as_double(*first);
  const double b = as_double(*second);
  return (a > b) - (a < b);
}

template <bool (*Accepts)(int)>
Result comparison(std::string_view parameters, std::string& error) {
  const std::optional<int> order = compare(parameters, error);
  if (!order) return std::nullopt;
  return text_of(Accepts(*order));
}

std::optional<bool> truth_of(const std::string& word, std::string& error) {
  bool value = false;
  std::string ignored;
  if (click::ArgType<bool>::parse(word, value, ignored)) return value;
  error = "'" + word + "' is not a boolean";
  return std::nullopt;
}

// `wanted` ends it: false for and, true for or.
Result logic(std::string_view parameters, std::string& error, bool wanted, bool negated) {
  bool result = !wanted;
  for (const std::string& word : operands_of(parameters)) {
    const auto value = truth_of(word, error);
    if (!value) return std::nullopt;
    if (*value == wanted) result = wanted;
  }
  return text_of(result != negated);
}

Result negation(std::string_view parameters, std::string& error) {
  const auto value = truth_of(click::unquote(click::uncomment(parameters)), error);
  if (!value) return std::nullopt;
  return text_of(!*value);
}

// if CONDITION THEN [ELSE]
Result choice(std::string_view parameters, std::string& error) {
  const std::vector<std::string> words = operands_of(parameters);
  if (words.size() < 2 || words.size() > 3)
    return fail(error, "needs a condition and one or two values");
  const auto value = truth_of(words[0], error);
  if (!value) return std::nullopt;
  if (*value) return words[1];
  return words.size() == 3 ? words[2] : std::string();
}

Result member(std::string_view parameters, std::string& error) {
  const std::vector<std::string> words = operands_of(parameters);
  if (words.empty()) return fail(error, "needs an operand");
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i] == words[0]) return text_of(true);
  return text_of(false);
}

Result first_word(std::string_view parameters, std::string&) {
  const std::vector<std::string> words = click::split_words(parameters);
  return words.empty() ? std::string() : words.front();
}

Result length(std::string_view parameters, std::string&) {
  return std::to_string(parameters.size());
}

Result unquoted(std::string_view parameters, std::string&) { return click::unquote(parameters); }

// One conversion of a format, with its flags, width and precision.
Result format_one(std::string conversion, const std::string& word, std::string& error) {
  const char kind = conversion.back();
  char text[512];
  if (kind == 's' || kind == 'c') {
    conversion.back() = 's';
    const std::string shown = kind == 'c' ? word.substr(0, 1) : word;
    // A width or precision may make it longer than the buffer, so it is asked for its length.
    const int size = std::snprintf(nullptr, 0, conversion.c_str(), shown.c_str());
    if (size < 0 || size > 1'000'000) return fail(error, "'" + conversion + "' is too wide");
    std::string out(static_cast<std::size_t>(size) + 1, '\0');
    std::snprintf(out.data(), out.size(), conversion.c_str(), shown.c_str());
    out.pop_back();
    return out;
  }
  const auto number = parse_number(word);
  if (!number) return fail(error, "'" + word + "' is not a number");
  int size = -1;
  if (std::string_view("diouxX").find(kind) != std::string_view::npos) {
    conversion.insert(conversion.size() - 1, "ll");
    const auto value = std::holds_alternative<int64_t>(*number)
                           ? static_cast<long long>(std::get<int64_t>(*number))
                           : static_cast<long long>(as_double(*number));
    size = std::snprintf(text, sizeof text, conversion.c_str(), value);
  } else if (std::string_view("eEfFgG").find(kind) != std::string_view::npos) {
    size = std::snprintf(text, sizeof text, conversion.c_str(), as_double(*number));
  }
  if (size < 0 || size >= static_cast<int>(sizeof text))
    return fail(error, "bad conversion '" + conversion + "'");
  return std::string(text, static_cast<std::size_t>(size));
}

Result formatted(std::string_view parameters, std::string& error) {
  const std::vector<std::string> words = operands_of(parameters);
  if (words.empty()) return fail(error, "needs a format");
  const std::string& format = words[0];
  std::string out;
  std::size_t next = 1;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      out += format[++i];
      continue;
    }
    const std::size_t end = format.find_first_not_of("0123456789.-+ #", i + 1);
    if (end == std::string::npos) return fail(error, "the format ends in a conversion");
    if (next == words.size()) return fail(error, "too few arguments for the format");
    const Result one = format_one(format.substr(i, end + 1 - i), words[next++], error);
    if (!one) return std::nullopt;
    out += *one;
    i = end;
  }
  if (next != words.size()) return fail(error, "too many arguments for the format");
  return out;
}

// random, random N (below N), random A B (from A to B)
Result random_number(std::string_view parameters, std::string& error) {
  static std::mt19937_64 generator(1);
  int64_t low = 0;
  int64_t high = RAND_MAX;
  const std::vector<std::string> words = operands_of(parameters);
  std::string ignored;
  const auto read = [&](std::size_t i, int64_t& value) {
    return click::ArgType<int64_t>::parse(words[i], value, ignored);
  };
  if (words.size() > 2 || (!words.empty() && !read(words.size() - 1, high)) ||
      (words.size() == 2 && !read(0, low)))
    return fail(error, "needs at most two integers");
  if (words.size() == 1) --high;
  if (low > high) return fail(error, "no number is in that range");
  return text_of(std::uniform_int_distribution<int64_t>(low, high)(generator));
}

template <uint32_t (*Convert)(uint32_t), uint32_t Most>
Result swapped(std::string_view parameters, std::string& error) {
  uint32_t value = 0;
  if (!click::ArgType<uint32_t>::parse(click::uncomment(parameters), value, error) || value > Most)
    return fail(error, "needs an integer from 0 to " + std::to_string(Most));
  return std::to_string(Convert(value));
}

uint32_t swap_short(uint32_t value) { return htons(static_cast<uint16_t>(value)); }
uint32_t swap_long(uint32_t value) { return htonl(value); }

Result contents(std::string_view parameters, std::string& error) {
  const std::string path = click::unquote(click::uncomment(parameters));
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(error, path + ": cannot be read");
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result quoted_contents(std::string_view parameters, std::string& error) {
  const Result text = contents(parameters, error);
  return text ? Result(click::quote(*text)) : text;
}

// Process groups, and all processes at once, are not what a router's script means.
Result send_signal(std::string_view parameters, std::string& error) {
  const std::vector<std::string> words = operands_of(parameters);
  if (words.size() < 2) return fail(error, "needs a signal and processes");
  const auto number = signal_number(words[0]);
  if (!number) return fail(error, "unknown signal '" + words[0] + "'");
  std::vector<pid_t> processes(words.size() - 1);
  for (std::size_t i = 1; i < words.size(); ++i)
    if (!click::ArgType<int32_t>::parse(words[i], processes[i - 1], error) || processes[i - 1] <= 0)
      return fail(error, "bad process ID '" + words[i] + "'");
  bool sent = true;
  for (const pid_t process : processes) sent &= ::kill(process, *number) == 0;
  return text_of(sent);
}

constexpr Function kFunctions[] = {
    {"add", "The sum of numbers.", fold<Add>},
    {"sub", "The first number less the others.", fold<Subtract>},
    {"mul", "The product of numbers.", fold<Multiply>},
    {"div", "The quotient of two numbers, with its fraction.", divide},
    {"idiv", "The quotient of two numbers, cut to an integer.",
     [](std::string_view p, std::string& e) { return integer_division(p, e, 'd'); }},
    {"mod", "The remainder of two integers, with the sign of the second.",
     [](std::string_view p, std::string& e) { return integer_division(p, e, 'm'); }},
    {"rem", "The remainder of two numbers, with the sign of the first.",
     [](std::string_view p, std::string& e) { return integer_division(p, e, 'r'); }},
    {"neg", "The number with its sign changed.", negate},
    {"abs", "The number without its sign.", absolute},
    {"min", "The least of numbers.", fold<Minimum>},
    {"max", "The greatest of numbers.", fold<Maximum>},
    {"eq", "Whether two numbers or words are equal.",
     comparison<([](int order) { return order == 0; })>},
    {"ne", "Whether they differ.", comparison<([](int order) { return order != 0; })>},
    {"lt", "Whether the first is less.", comparison<([](int order) { return order < 0; })>},
    {"le", "Whether the first is not greater.", comparison<([](int order) { return order <= 0; })>},
    {"gt", "Whether the first is greater.", comparison<([](int order) { return order > 0; })>},
    {"ge", "Whether the first is not less.", comparison<([](int order) { return order >= 0; })>},
    {"not", "The opposite of a boolean.", negation},
    {"and", "Whether all booleans are true.",
     [](std::string_view p, std::string& e) { return logic(p, e, false, false); }},
    {"or", "Whether any boolean is true.",
     [](std::string_view p, std::string& e) { return logic(p, e, true, false); }},
    {"nand", "Whether not all booleans are true.",
     [](std::string_view p, std::string& e) { return logic(p, e, false, true); }},
    {"nor", "Whether no boolean is true.",
     [](std::string_view p, std::string& e) { return logic(p, e, true, true); }},
    {"if", "The second word if the first is true, else the third.", choice},
    {"in", "Whether the first word is among the others.", member},
    {"first", "The first word.", first_word},
    {"length", "How many bytes the text has.", length},
    {"unquote", "The text without a layer of quotes.", unquoted},
    {"sprintf", "A format and what it formats.", formatted},
    {"random", "A random integer: any, below N, or from A to B.", random_number},
    {"htons", "A 16-bit integer in network byte order.", swapped<swap_short, 65535>},
    {"ntohs", "A 16-bit integer from network byte order.", swapped<swap_short, 65535>},
    {"htonl", "A 32-bit integer in network byte order.", swapped<swap_long, UINT32_MAX>},
    {"ntohl", "A 32-bit integer from network byte order.", swapped<swap_long, UINT32_MAX>},
    {"cat", "The contents of a file.", contents},
    {"catq", "The contents of a file, quoted.", quoted_contents},
    {"kill", "Sends a signal to processes, and says whether all got it.", send_signal},
};

}  // namespace

std::span<const Function> functions() { return kFunctions; }

}  // namespace headroom::script
