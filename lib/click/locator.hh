// Places in a configuration string, asked for one after the other.
//
// locate() counts lines from the start each time; going through a long list of arguments with it is
// quadratic, and with this it is not, as long as the offsets ascend mostly.
//
//   Locator locator(config_where, config);
//   for (const Argument& argument : split_arguments(config)) locator.at(argument.offset);
#pragma once

#include <cstddef>
#include <string_view>

#include "headroom/base/diagnostics.hh"
#include "headroom/click/arguments.hh"

namespace headroom::click {

class Locator {
 public:
  Locator(SourceLocation config_where, std::string_view config)
      : start_(config_where), config_(config), last_(config_where) {}

  // Unknown when the place of the configuration string is.
  SourceLocation at(std::size_t offset) {
    if (offset < last_offset_) {
      last_offset_ = 0;
      last_ = start_;
    }
    last_ = locate(last_, config_.substr(last_offset_), offset - last_offset_);
    last_offset_ = offset;
    return last_;
  }

 private:
  SourceLocation start_;
  std::string_view config_;
  SourceLocation last_;
  std::size_t last_offset_ = 0;
};

}  // namespace headroom::click
