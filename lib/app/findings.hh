// What `headroom doctor` has to say: one finding for each thing that it looked at.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

struct Finding {
  enum class Level : uint8_t { ok, info, warning, error };

  Level level = Level::ok;
  std::string section;
  std::string text;
  std::string why = {};     // it matters
  std::string remedy = {};  // a command, or what to change
};

class Findings {
 public:
  // What follows belongs to it.
  void section(std::string name) { section_ = std::move(name); }
  void ok(std::string text) { add(Finding::Level::ok, std::move(text)); }
  void info(std::string text, std::string why = {}, std::string remedy = {}) {
    add(Finding::Level::info, std::move(text), std::move(why), std::move(remedy));
  }
  void warning(std::string text, std::string why, std::string remedy) {
    add(Finding::Level::warning, std::move(text), std::move(why), std::move(remedy));
  }
  void error(std::string text, std::string why, std::string remedy) {
    add(Finding::Level::error, std::move(text), std::move(why), std::move(remedy));
  }

  const std::vector<Finding>& all() const { return all_; }
  std::size_t count(Finding::Level level) const;

 private:
  void add(Finding::Level level, std::string text, std::string why = {}, std::string remedy = {}) {
    all_.push_back({level, section_, std::move(text), std::move(why), std::move(remedy)});
  }

  std::string section_;
  std::vector<Finding> all_;
};

std::string as_text(const Findings& findings);
// An array of objects: level, section, text, and where they say something why and remedy.
std::string as_json(const Findings& findings);

}  // namespace headroom
