// The arguments of an element, as members: declared once, parsed by the framework before the
// element runs, listed in the manual.
//
//   Arg<uint32_t> capacity{*this, "CAPACITY", 1000, {.doc = "Packets at most.", .positional =
//   true}};
//   ...
//   if (size() == *capacity)
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headroom/base/text.hh"
#include "headroom/click/arg_types.hh"
#include "headroom/click/arguments.hh"
#include "headroom/click/named_types.hh"

namespace headroom {

class Element;

struct ArgOptions {
  std::string_view doc = {};
  std::string_view unit = {};
  bool positional = false;
  bool mandatory = false;
  // May be changed while the router runs, by a handler of its name in lower case (or `handler`) or
  // by `config`. Element::reconfigure() is told.
  bool live = false;
  std::string_view handler = {};
  bool deprecated = false;  // giving it is a warning
};

// What all arguments have in common; the element keeps a list of them.
class ArgBase {
 public:
  ArgBase(Element& owner, std::string_view name, const ArgOptions& options);
  ArgBase(const ArgBase&) = delete;
  ArgBase& operator=(const ArgBase&) = delete;
  virtual ~ArgBase() = default;

  std::string_view name() const { return name_; }
  const ArgOptions& options() const { return options_; }
  bool given() const { return given_; }
  // Of a live one.
  std::string handler_name() const {
    return options_.handler.empty() ? lower_case(name_) : std::string(options_.handler);
  }

  virtual bool is_list() const { return false; }
  virtual std::string_view type() const = 0;
  virtual std::string_view example() const { return {}; }
  // The default as text; for lists empty.
  virtual std::string default_text() const = 0;
  // The value as text.
  virtual std::string value_text() const = 0;
  virtual bool read(std::string_view text, std::string& error) = 0;
  // Exchanges the value with that of the same argument of another element of the class.
  virtual void swap(ArgBase& other) = 0;

 protected:
  // What addresses, ports and annotations may be called in this element's configuration.
  click::NameScope names() const;

  bool given_ = false;

 private:
  friend class Router;
  friend struct SetupContext;

  Element& owner_;
  std::string_view name_;
  ArgOptions options_;
  std::vector<uint32_t> offsets_;  // of its values in the configuration string
};

template <class T>
class Arg final : public ArgBase {
 public:
  // A template, so that braces in the third place are options and never a value.
  template <std::convertible_to<T> U>
  Arg(Element& owner, std::string_view name, U&& default_value, const ArgOptions& options = {})
      : ArgBase(owner, name, options), value_(std::forward<U>(default_value)), default_(value_) {}
  // A mandatory argument has no default.
  Arg(Element& owner, std::string_view name, const ArgOptions& options)
      : ArgBase(owner, name, options) {}

  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }
  void set(T value) { value_ = std::move(value); }

  std::string_view type() const override { return click::ArgType<T>::name; }
  std::string_view example() const override { return click::example_of<T>(); }
  std::string default_text() const override {
    return default_ ? click::ArgType<T>::unparse(*default_) : std::string{};
  }
  std::string value_text() const override { return click::ArgType<T>::unparse(value_); }
  bool read(std::string_view text, std::string& error) override {
    given_ = true;
    return click::parse_argument(text, value_, error, names());
  }
  void swap(ArgBase& other) override {
    std::swap(value_, static_cast<Arg&>(other).value_);
    std::swap(given_, static_cast<Arg&>(other).given_);
  }

 private:
  T value_{};
  std::optional<T> default_;
};

// Any number of arguments of one type: everything positional that no other argument takes.
template <class T>
class ArgList final : public ArgBase {
 public:
  ArgList(Element& owner, std::string_view name, ArgOptions options = {})
      : ArgBase(owner, name, (options.positional = true, options)) {}

  const std::vector<T>& operator*() const { return values_; }
  const std::vector<T>* operator->() const { return &values_; }

  bool is_list() const override { return true; }
  std::string_view type() const override { return click::ArgType<T>::name; }
  std::string_view example() const override { return click::example_of<T>(); }
  std::string default_text() const override { return {}; }
  std::string value_text() const override {
    std::string text;
    for (const T& value : values_)
      text += (text.empty() ? "" : ", ") + click::ArgType<T>::unparse(value);
    return text;
  }
  bool read(std::string_view text, std::string& error) override {
    given_ = true;
    values_.emplace_back();
    return click::parse_argument(text, values_.back(), error, names());
  }
  void swap(ArgBase& other) override {
    std::swap(values_, static_cast<ArgList&>(other).values_);
    std::swap(given_, static_cast<ArgList&>(other).given_);
  }

 private:
  std::vector<T> values_;
};

}  // namespace headroom
