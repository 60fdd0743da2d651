// Patterns of IPFilter, one a line up to the first NUL byte; what follows is packets of 64 bytes at
// most. The compiled patterns must say the same as each of them alone.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "headroom/classify/pattern.hh"
#include "headroom/classify/rule_set.hh"

namespace {

using namespace headroom::classify;  // NOLINT: a program of one file

void check(bool good) {
  if (!good) std::abort();
}

bool holds(const Expression& expression, const HeaderView& view) {
  using Kind = Expression::Kind;
  const auto part_holds = [&](const Expression& part) { return holds(part, view); };
  const std::vector<Expression>& parts = expression.parts;
  switch (expression.kind) {
    case Kind::constant:
      return expression.value;
    case Kind::test:
      return expression.test.holds(view);
    case Kind::negation:
      return !holds(parts[0], view);
    case Kind::all_of:
      return std::all_of(parts.begin(), parts.end(), part_holds);
    case Kind::any_of:
      return std::any_of(parts.begin(), parts.end(), part_holds);
    case Kind::choice:
      return holds(holds(parts[0], view) ? parts[1] : parts[2], view);
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 4096));
  std::string_view patterns = text.substr(0, text.find('\0'));
  text.remove_prefix(std::min(patterns.size() + 1, text.size()));

  std::vector<Expression> rules;
  while (!patterns.empty()) {
    const std::size_t end = std::min(patterns.find('\n'), patterns.size());
    PatternError error;
    auto rule = parse_pattern(patterns.substr(0, end), {}, error);
    check(rule.has_value() == error.message.empty());
    if (rule) rules.push_back(std::move(*rule));
    patterns.remove_prefix(std::min(end + 1, patterns.size()));
  }
  RuleSet set;
  set.compile(rules);
  const std::vector<std::string> names(rules.size());
  check(!set.text(names).empty());

  while (!text.empty()) {
    const std::size_t length = std::min<std::size_t>(text.size(), 64);
    const auto packet = std::make_unique<uint8_t[]>(length);
    std::copy_n(text.data(), length, packet.get());
    text.remove_prefix(length);
    const HeaderView view(packet.get(), static_cast<uint32_t>(length),
                          length >= 14 ? packet.get() : nullptr);
    uint32_t expected = 0;
    while (expected < rules.size() && !holds(rules[expected], view)) ++expected;
    check(set.find(view) == (expected == rules.size() ? RuleSet::kNone : expected));
  }
  return 0;
}
