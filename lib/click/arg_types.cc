#include "headroom/click/arg_types.hh"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "headroom/click/arguments.hh"
#include "headroom/click/numbers.hh"
#include "headroom/click/scan.hh"

namespace headroom::click {
namespace {

template <class Bound>
bool out_of_range(std::string& error, const Bound& bound) {
  if constexpr (std::is_arithmetic_v<Bound>) {
    error = "out of range, bound " + std::to_string(bound);
  } else {
    error = "out of range, bound " + std::string(bound);
  }
  return false;
}

template <class Integer>
bool parse_integer(std::string_view text, Integer& value, std::string& error) {
  using Limits = std::numeric_limits<Integer>;
  const std::optional<numbers::Integer> number = numbers::parse_integer(text);
  if (!number) return false;
  if (number->negative && number->magnitude != 0) {
    // -(min + 1) can be represented, and one more is the magnitude of min.
    uint64_t bound = 0;
    if constexpr (std::is_signed_v<Integer>)
      bound = static_cast<uint64_t>(-(Limits::min() + 1)) + 1;
    if (number->overflow || number->magnitude > bound) return out_of_range(error, Limits::min());
    value = static_cast<Integer>(-static_cast<int64_t>(number->magnitude - 1) - 1);
    return true;
  }
  if (number->overflow || number->magnitude > static_cast<uint64_t>(Limits::max())) {
    return out_of_range(error, Limits::max());
  }
  value = static_cast<Integer>(number->magnitude);
  return true;
}

// One word, unquoted. Nothing at all is no word; "" is the empty string.
bool parse_word(std::string_view text, std::string& value) {
  const std::vector<std::string> words = split_words(text);
  if (words.size() != 1) return false;
  value = unquote(words[0]);
  return true;
}

// As it is if that is read back as the same, else in quotes.
std::string unparse_word(const std::string& text) {
  const bool ordinary = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/_@.:-+=%!?*").find(c) != std::string_view::npos;
  });
  const bool comment = text.find("//") != std::string::npos || text.find("/*") != std::string::npos;
  const bool plain = !text.empty() && ordinary && !comment;
  return plain ? text : quote(text);
}

template <class Address>
bool parse_address(std::string_view text, Address& value) {
  const std::optional<Address> address = Address::parse(text);
  if (address) value = *address;
  return address.has_value();
}

}  // namespace

bool ArgType<bool>::parse(std::string_view text, bool& value, std::string&) {
  for (const std::string_view word : {"0", "false", "no", "f", "n"}) {
    if (text == word) {
      value = false;
      return true;
    }
  }
  for (const std::string_view word : {"1", "true", "yes", "t", "y"}) {
    if (text == word) {
      value = true;
      return true;
    }
  }
  return false;
}
std::string ArgType<bool>::unparse(const bool& value) { return value ? "true" : "false"; }

#define HEADROOM_INTEGER_TYPE(type)                                                   \
  bool ArgType<type>::parse(std::string_view text, type& value, std::string& error) { \
    return parse_integer(text, value, error);                                         \
  }                                                                                   \
  std::string ArgType<type>::unparse(const type& value) { return std::to_string(value); }

HEADROOM_INTEGER_TYPE(int32_t)
HEADROOM_INTEGER_TYPE(int64_t)
HEADROOM_INTEGER_TYPE(uint8_t)
HEADROOM_INTEGER_TYPE(uint16_t)
HEADROOM_INTEGER_TYPE(uint32_t)
HEADROOM_INTEGER_TYPE(uint64_t)

#undef HEADROOM_INTEGER_TYPE

bool ArgType<double>::parse(std::string_view text, double& value, std::string& error) {
  const auto number = numbers::parse_real<double>(text);
  if (!number || !number->rest.empty()) return false;
  if (std::isinf(number->value)) {
    return out_of_range(error, number->value < 0 ? "-1.79769e+308" : "1.79769e+308");
  }
  value = number->value;
  return true;
}

std::string ArgType<double>::unparse(const double& value) {
  char buffer[64];
  const auto [end, code] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return {buffer, end};
}

namespace {

struct Unit {
  std::string_view name;
  int64_t nanoseconds;
};
constexpr int64_t kSecond = 1'000'000'000;
constexpr Unit kTimeUnits[] = {{"s", kSecond},
                               {"sec", kSecond},
                               {"ms", 1'000'000},
                               {"msec", 1'000'000},
                               {"us", 1'000},
                               {"usec", 1'000},
                               {"ns", 1},
                               {"nsec", 1},
                               {"m", 60 * kSecond},
                               {"min", 60 * kSecond},
                               {"h", 3600 * kSecond},
                               {"hr", 3600 * kSecond},
                               {"d", 86400 * kSecond},
                               {"day", 86400 * kSecond}};

}  // namespace

bool ArgType<Duration>::parse(std::string_view text, Duration& value, std::string& error) {
  const auto number = numbers::parse_real<long double>(text);
  if (!number) return false;
  std::string_view unit = number->rest;
  while (!unit.empty() && scan::is_space(unit[0])) unit.remove_prefix(1);
  int64_t nanoseconds = unit.empty() && number->rest.empty() ? kSecond : 0;
  for (const Unit& known : kTimeUnits) {
    if (unit == known.name) nanoseconds = known.nanoseconds;
  }
  if (nanoseconds == 0) return false;

  // A long double holds every int64_t, so no nanosecond is lost.
  const long double scaled = std::round(number->value * static_cast<long double>(nanoseconds));
  if (scaled < 0) return out_of_range(error, 0);
  if (!(scaled <= static_cast<long double>(std::numeric_limits<int64_t>::max()))) {
    return out_of_range(error, "9223372036.854775807s");
  }
  value.nanoseconds = static_cast<int64_t>(scaled);
  return true;
}

std::string ArgType<Duration>::unparse(const Duration& value) {
  for (const Unit& unit : {Unit{"s", kSecond}, Unit{"ms", 1'000'000}, Unit{"us", 1'000}}) {
    if (value.nanoseconds % unit.nanoseconds == 0) {
      return std::to_string(value.nanoseconds / unit.nanoseconds) + std::string(unit.name);
    }
  }
  return std::to_string(value.nanoseconds) + "ns";
}

bool ArgType<std::string>::parse(std::string_view text, std::string& value, std::string&) {
  return parse_word(text, value);
}
std::string ArgType<std::string>::unparse(const std::string& value) { return unparse_word(value); }

bool ArgType<RawText>::parse(std::string_view text, RawText& value, std::string&) {
  value.text = text;
  return true;
}
std::string ArgType<RawText>::unparse(const RawText& value) { return value.text; }

namespace {

// "~" and "~user" at the start are home directories; what names none stays as it is.
std::string expand_home(const std::string& path) {
  if (path.empty() || path[0] != '~') return path;
  const std::size_t end = std::min(path.find('/'), path.size());
  const std::string user = path.substr(1, end - 1);
  const char* home = user.empty() ? std::getenv("HOME") : nullptr;
  if (!home) {
    const passwd* entry = user.empty() ? getpwuid(getuid()) : getpwnam(user.c_str());
    if (!entry) return path;
    home = entry->pw_dir;
  }
  return home + path.substr(end);
}

}  // namespace

bool ArgType<Filename>::parse(std::string_view text, Filename& value, std::string& error) {
  std::string path;
  if (!parse_word(text, path) || path.empty()) return false;
  if (path.find('\0') != std::string::npos) {
    error = "a filename cannot have a zero byte";
    return false;
  }
  path = expand_home(path);
  path.erase(
      std::unique(path.begin(), path.end(), [](char a, char b) { return a == '/' && b == '/'; }),
      path.end());
  value.path = std::move(path);
  return true;
}
std::string ArgType<Filename>::unparse(const Filename& value) { return unparse_word(value.path); }

#define HEADROOM_ADDRESS_TYPE(type)                                             \
  bool ArgType<type>::parse(std::string_view text, type& value, std::string&) { \
    return parse_address(text, value);                                          \
  }                                                                             \
  std::string ArgType<type>::unparse(const type& value) { return value.to_string(); }

HEADROOM_ADDRESS_TYPE(IPAddress)
HEADROOM_ADDRESS_TYPE(IPPrefix)
HEADROOM_ADDRESS_TYPE(IP6Address)
HEADROOM_ADDRESS_TYPE(IP6Prefix)
HEADROOM_ADDRESS_TYPE(EtherAddress)

#undef HEADROOM_ADDRESS_TYPE

}  // namespace headroom::click
