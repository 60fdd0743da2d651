// The argument type of how bytes are printed: NONE, HEX or ASCII in any case, or a boolean, where
// true is HEX.
#pragma once

#include <string>
#include <string_view>

#include "headroom/click/arg_types.hh"
#include "headroom/net/ip_text.hh"

namespace headroom::click {

template <>
struct ArgType<DumpForm> {
  static constexpr std::string_view name = "NONE, HEX or ASCII";
  static bool parse(std::string_view text, DumpForm& value, std::string& error) {
    std::string upper(text);
    for (char& c : upper)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    bool on = false;
    if (upper == "NONE") {
      value = DumpForm::none;
    } else if (upper == "HEX") {
      value = DumpForm::hex;
    } else if (upper == "ASCII") {
      value = DumpForm::ascii;
    } else if (ArgType<bool>::parse(text, on, error)) {
      value = on ? DumpForm::hex : DumpForm::none;
    } else {
      error = "should be NONE, HEX or ASCII";
      return false;
    }
    return true;
  }
  static std::string unparse(const DumpForm& value) {
    return value == DumpForm::none ? "NONE" : value == DumpForm::hex ? "HEX" : "ASCII";
  }
};

}  // namespace headroom::click
