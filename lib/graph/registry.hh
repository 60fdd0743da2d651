// The element classes that exist: those of the program and those of packages.
//
// A package is a shared object with elements, NAME.so; `require(package NAME)` loads it. It must be
// built against the same ABI: the program checks before it loads.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/base/diagnostics.hh"
#include "headroom/click/reader.hh"
#include "headroom/graph/abi.hh"
#include "headroom/graph/spec.hh"

namespace headroom {

class Element;

struct ElementClass {
  const ElementSpec* spec = nullptr;
  std::unique_ptr<Element> (*make)() = nullptr;
  const char* file = "";  // its source
  std::string package;    // empty for the program's own
};

class Registry final : public click::ReaderEnvironment {
 public:
  static Registry& instance();

  void add(const ElementClass& element_class);
  // Null when there is none.
  const ElementClass* find(std::string_view name) const;
  // All of them, by name.
  std::vector<const ElementClass*> all() const;

  // Where packages are looked for, before the directories of HEADROOM_PACKAGE_PATH and the
  // installed one.
  void add_package_directory(std::string directory);
  // Loads a package unless it is loaded. False, with cause and remedy in the arguments, when it
  // cannot be.
  bool load_package(std::string_view name, std::string& error, std::string& hint);

  bool is_class(std::string_view name) const override { return find(name) != nullptr; }
  std::vector<std::string_view> class_names() const override;
  void require_package(std::string_view name, SourceLocation where,
                       Diagnostics& diagnostics) override;

 private:
  std::vector<ElementClass> classes_;  // sorted by name
  std::vector<std::string> packages_;
  std::vector<std::string> directories_;
  std::string loading_;                 // the package whose constructors run now
  std::vector<std::string> conflicts_;  // class names that it had and were taken
};

namespace detail {
struct Registration {
  explicit Registration(const ElementClass& element_class) {
    Registry::instance().add(element_class);
  }
};
}  // namespace detail

}  // namespace headroom

#ifdef HEADROOM_GRAPH_COMPILER
// The graph compiler includes element sources for their code alone.
#define HEADROOM_ELEMENT(T) static_assert(true)
#else
#define HEADROOM_ELEMENT(T)                                                                   \
  [[maybe_unused]] static const ::headroom::detail::Registration headroom_registration_##T {  \
    ::headroom::ElementClass {                                                                \
      .spec = &T::spec,                                                                       \
      .make = []() -> std::unique_ptr<::headroom::Element> { return std::make_unique<T>(); }, \
      .file = __FILE__, .package = {}                                                         \
    }                                                                                         \
  }
#endif
