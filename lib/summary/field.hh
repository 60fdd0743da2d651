// The fields of IP summary dumps, the text format of Click's FromIPSummaryDump and
// ToIPSummaryDump: one packet a line, one column a field.
//
//   const Field* field = find_field("tcp seq");     // also by an alias: "seq", "tcp_seqno"
//   std::string text;
//   if (!field->write(view, text)) text = "-";      // the packet has no such thing
//   std::string error;
//   if (!field->read("17", draft, error)) ...
//
// A new field is one entry of the table in field_table.cc. docs/summary-dumps.md lists them, and a
// test compares the two.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/summary/draft.hh"
#include "headroom/summary/packet_view.hh"

namespace headroom::summary {

enum class Header : uint8_t { none, ip, ports, tcp, udp, icmp };

// A number that lies in a header as it is.
struct Place {
  Header header = Header::none;
  uint8_t offset = 0;
  uint8_t size = 0;
};

struct Field {
  using Writer = bool (*)(const PacketView& packet, std::string& text);
  using Reader = bool (*)(std::string_view text, Draft& draft, std::string& error);

  std::string_view name;
  std::string_view aliases;  // with blanks between them
  std::string_view doc;
  std::string_view example;
  Place place;
  Writer writer = nullptr;  // null: the number at the place
  Reader reader = nullptr;  // null: likewise; without a place, what dumps say of it is passed over
  bool readable = true;

  // Appends to the text; false, with nothing appended, when the packet has no such thing.
  bool write(const PacketView& packet, std::string& text) const;
  // False, with the reason, when the text makes no sense.
  bool read(std::string_view text, Draft& draft, std::string& error) const;
};

std::span<const Field> fields();
// By name or alias, in which a blank is as good as an underscore; null when there is none.
const Field* find_field(std::string_view name);
// "did you mean 'tcp_seq'?", or empty.
std::string nearest_field(std::string_view name);

// A list of fields, as in `!data ip_src ip_dst "tcp seq"`.
struct FieldList {
  struct Mistake {
    std::size_t column;  // from 0
    std::string message;
    std::string hint;
  };
  std::vector<const Field*> fields;  // null where a name is not known
  std::vector<Mistake> mistakes;
};
FieldList parse_field_list(std::string_view text);

}  // namespace headroom::summary
