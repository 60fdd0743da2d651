// The words of the pattern language, and how its values are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "headroom/classify/primitive.hh"
#include "headroom/click/named_types.hh"

namespace headroom::classify {

struct HeaderWord {
  std::string_view word;
  Header header;
  uint16_t protocol;
};
struct FieldWord {
  std::string_view word;
  Field field;
  Header header;           // the one that it is of, if there is only one
  bool directed;           // it has a source and a destination
  std::string_view value;  // what its value is called; empty when it has none
};

// Null when it is no such word.
const HeaderWord* find_header(std::string_view word);
const FieldWord* find_field(std::string_view word);
const HeaderWord& word_of(Header header);
const FieldWord& word_of(Field field);
// The bit of a TCP flag.
std::optional<uint8_t> flag_value(std::string_view word);
bool is_protocol_word(std::string_view word);

std::vector<std::string_view> flag_words();
std::vector<std::string_view> icmp_words();
std::vector<std::string_view> protocol_words();
// Every word that may stand where a primitive begins.
std::vector<std::string_view> all_words();

std::optional<uint64_t> number_value(std::string_view text);
// A network with any mask, or an address alone. Of a name that is both, what is preferred.
std::optional<click::IPMasked> ip_value(std::string_view text, const click::NameScope& names,
                                        bool prefer_network);
std::optional<uint16_t> port_value(std::string_view text, Header header,
                                   const click::NameScope& names);

}  // namespace headroom::classify
