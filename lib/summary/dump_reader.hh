// Reads an IP summary dump line by line: packets, `!data ip_src sport` and the other lines that say
// something about those that follow, and comments.
//
//   DumpReader reader;
//   switch (reader.read("10.0.0.1 80")) {
//     case DumpReader::Line::packet:   use(reader.draft()); break;
//     case DumpReader::Line::mistake:  complain(reader.column(), reader.message()); break;
//     case DumpReader::Line::other:    break;
//   }
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/summary/draft.hh"
#include "headroom/summary/field.hh"
#include "headroom/summary/words.hh"

namespace headroom::summary {

class DumpReader {
 public:
  enum class Line {
    packet,
    other,
    mistake,  // of a line that is no packet; the rest of it counts nevertheless
    bad_packet,
    unreadable  // nothing that follows can be read
  };

  // What the fields are before, or without, a `!data` line.
  void set_fields(std::vector<const Field*> fields) { fields_ = std::move(fields); }
  bool has_fields() const { return !fields_.empty(); }
  void set_default_protocol(uint8_t protocol) { defaults_.default_protocol = protocol; }

  Line read(std::string_view line);
  // Of the last line, if it is a packet.
  const Draft& draft() const { return draft_; }
  // Of the last line, if there is a mistake in it. Columns count from 1.
  std::size_t column() const { return column_; }
  const std::string& message() const { return message_; }

 private:
  Line read_packet(std::string_view line);
  Line read_remark(std::string_view line);
  Line set_data(std::string_view line);
  Line set_flow(const std::vector<Word>& words);
  Line fail(Line line, std::size_t column, std::string message);
  bool set(std::string_view field, const Word& word);

  std::vector<const Field*> fields_;
  Draft defaults_;
  Draft draft_;
  std::size_t column_ = 0;
  std::string message_;
};

}  // namespace headroom::summary
