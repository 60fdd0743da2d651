#include "headroom/graph/registry.hh"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "headroom/base/suggest.hh"
#include "headroom/graph/element.hh"

namespace headroom {
namespace {

constexpr std::string_view kMark = HEADROOM_ABI_PREFIX;

bool by_name(const ElementClass& element_class, std::string_view name) {
  return element_class.spec->name < name;
}

// The ABI that the file says it was built against; empty when it says nothing.
std::string abi_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::size_t at = bytes.find(kMark);
  if (at == std::string::npos) return {};
  return bytes.c_str() + at + kMark.size();
}

}  // namespace

Registry& Registry::instance() {
  static Registry registry;
  return registry;
}

void Registry::add(const ElementClass& element_class) {
  const auto at =
      std::lower_bound(classes_.begin(), classes_.end(), element_class.spec->name, by_name);
  if (at != classes_.end() && at->spec->name == element_class.spec->name) {
    conflicts_.push_back(std::string(element_class.spec->name));
    return;
  }
  classes_.insert(at, element_class)->package = loading_;
}

const ElementClass* Registry::find(std::string_view name) const {
  const auto at = std::lower_bound(classes_.begin(), classes_.end(), name, by_name);
  return at != classes_.end() && at->spec->name == name ? &*at : nullptr;
}

std::vector<const ElementClass*> Registry::all() const {
  std::vector<const ElementClass*> result;
  for (const ElementClass& element_class : classes_) result.push_back(&element_class);
  return result;
}

std::vector<std::string_view> Registry::class_names() const {
  std::vector<std::string_view> names;
  for (const ElementClass& element_class : classes_) names.push_back(element_class.spec->name);
  return names;
}

void Registry::add_package_directory(std::string directory) {
  directories_.push_back(std::move(directory));
}

bool Registry::load_package(std::string_view name, std::string& error, std::string& hint) {
  if (std::find(packages_.begin(), packages_.end(), name) != packages_.end()) return true;
  error = "requirement '" + std::string(name) + "' not available";
  std::vector<std::string> directories = directories_;
  if (const char* path = std::getenv("HEADROOM_PACKAGE_PATH")) {
    for (std::string_view rest = path; !rest.empty();) {
      const std::string_view one = rest.substr(0, rest.find(':'));
      if (!one.empty()) directories.emplace_back(one);
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    }
  }
  directories.emplace_back(HEADROOM_PACKAGE_DIR);

  std::string path;
  for (const std::string& directory : directories) {
    const auto candidate = std::filesystem::path(directory) / (std::string(name) + ".so");
    std::error_code ignored;
    if (path.empty() && std::filesystem::exists(candidate, ignored)) path = candidate.string();
  }
  if (path.empty()) {
    hint = "no " + std::string(name) + ".so in";
    for (const std::string& directory : directories) hint += " " + directory;
    hint += "; set HEADROOM_PACKAGE_PATH to the directory that has it";
    return false;
  }
  const std::string abi = abi_of(path);
  if (abi != HEADROOM_ABI) {
    error += ": " + path +
             (abi.empty() ? " is not a Headroom package" : " was built for another Headroom");
    hint = "it has " + (abi.empty() ? "no ABI mark" : "ABI " + abi) +
           ", this program has ABI " HEADROOM_ABI
           "; rebuild it against the headers of this program";
    return false;
  }
  loading_ = name;
  conflicts_.clear();
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  loading_.clear();
  if (handle == nullptr) {
    const char* reason = dlerror();
    error += ": " + std::string(reason == nullptr ? "cannot be loaded" : reason);
    hint = "rebuild it against the headers of this program";
    return false;
  }
  packages_.emplace_back(name);
  if (!conflicts_.empty()) {
    error = "package '" + std::string(name) + "' has an element class '" + conflicts_.front() +
            "', which exists already";
    hint = "rename the class in " + path;
    return false;
  }
  return true;
}

void Registry::require_package(std::string_view name, SourceLocation where,
                               Diagnostics& diagnostics) {
  std::string error;
  std::string hint;
  if (!load_package(name, error, hint)) diagnostics.error(where, error, hint);
}

}  // namespace headroom
