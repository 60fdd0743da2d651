// The pattern language of IPClassifier and IPFilter: text to an expression of field tests.
//
//   src host 10.0.0.1 and (tcp dst port www or 443)
//
// A primitive is qualifiers (`src`, `tcp`, `port` ..), perhaps `& MASK` and a relation, and a
// value. A value without qualifiers takes those of the primitive before it when it fits them, and
// else means what it looks like (an address, a network, a protocol, a port, a TCP flag, an ICMP
// type). Qualifiers before a parenthesis hold for the values in it. Primitives are combined with
// `not`, `and`, `or` (also `!`, `&&`, `||`) and `? :`, in this order of precedence.
//
//   PatternError error;
//   const auto expression = parse_pattern("tcp dst port www", names, error);
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "headroom/classify/field_test.hh"
#include "headroom/click/names.hh"

namespace headroom::classify {

struct PatternError {
  std::string message;  // what was expected, and what is there
  std::string hint;     // the nearest valid word, or empty
};

// Nothing, with the reason in `error`, when the text is not a pattern.
std::optional<Expression> parse_pattern(std::string_view text, const click::NameScope& names,
                                        PatternError& error);

}  // namespace headroom::classify
