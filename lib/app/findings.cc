#include "findings.hh"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

constexpr const char* kLevels[] = {"ok", "info", "warning", "error"};

const char* name_of(Finding::Level level) { return kLevels[static_cast<std::size_t>(level)]; }

std::string count_text(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::size_t Findings::count(Finding::Level level) const {
  return static_cast<std::size_t>(std::ranges::count(all_, level, &Finding::level));
}

std::string as_text(const Findings& findings) {
  std::string out;
  std::string section;
  for (const Finding& one : findings.all()) {
    if (one.section != section) {
      section = one.section;
      out += fmt::format("{}{}\n", out.empty() ? "" : "\n", section);
    }
    out += fmt::format("  {:<7}  {}\n", name_of(one.level), one.text);
    if (!one.why.empty()) out += fmt::format("           why: {}\n", one.why);
    if (!one.remedy.empty()) out += fmt::format("           do:  {}\n", one.remedy);
  }
  const std::size_t errors = findings.count(Finding::Level::error);
  out += fmt::format("\n{}, {}: the configuration {}\n", count_text(errors, "error"),
                     count_text(findings.count(Finding::Level::warning), "warning"),
                     errors == 0 ? "would start" : "would not start");
  return out;
}

std::string as_json(const Findings& findings) {
  auto all = nlohmann::ordered_json::array();
  for (const Finding& one : findings.all()) {
    nlohmann::ordered_json object{
        {"level", name_of(one.level)}, {"section", one.section}, {"text", one.text}};
    if (!one.why.empty()) object["why"] = one.why;
    if (!one.remedy.empty()) object["remedy"] = one.remedy;
    all.push_back(std::move(object));
  }
  return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace headroom
