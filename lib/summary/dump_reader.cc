#include "headroom/summary/dump_reader.hh"

#include <utility>

#include "headroom/base/text.hh"
#include "headroom/summary/protocol_text.hh"

namespace headroom::summary {
namespace {

constexpr std::string_view kMissing = "-";

}  // namespace

DumpReader::Line DumpReader::fail(Line line, std::size_t column, std::string message) {
  column_ = column + 1;
  message_ = std::move(message);
  return line;
}

DumpReader::Line DumpReader::read(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  // All that separates words, or a line of nothing else would be taken for a packet.
  const std::size_t start = std::min(line.find_first_not_of(" \t\n\v\f\r"), line.size());
  if (start == line.size() || line[start] == '#') return Line::other;
  return line[start] == '!' ? read_remark(line) : read_packet(line);
}

DumpReader::Line DumpReader::read_packet(std::string_view line) {
  const std::vector<Word> words = split_words(line);
  if (fields_.empty())
    return fail(Line::bad_packet, words[0].column,
                "a packet before a line such as '!data ip_src ip_dst' says what its fields are");
  draft_ = defaults_;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i >= fields_.size())
      return fail(Line::bad_packet, words[i].column,
                  "there are only " + std::to_string(fields_.size()) + " fields");
    if (fields_[i] == nullptr || words[i].text == kMissing) continue;
    std::string error;
    if (!fields_[i]->read(words[i].text, draft_, error))
      return fail(Line::bad_packet, words[i].column, std::string(fields_[i]->name) + ": " + error);
  }
  return Line::packet;
}

DumpReader::Line DumpReader::read_remark(std::string_view line) {
  const std::vector<Word> words = split_words(line);
  const std::string_view what = words[0].text;
  const auto missing = [&](std::string_view wanted) {
    return fail(Line::mistake, line.size(), "expected " + std::string(wanted));
  };
  if (what == "!data" || what == "!contents")
    return set_data(line.substr(words[0].column + what.size()));
  if (what == "!flowid") return set_flow(words);
  if (what == "!proto") {
    if (words.size() < 2) return missing("a protocol, as in '!proto udp'");
    std::string error;
    const auto protocol = parse_protocol(words[1].text, error);
    if (!protocol) return fail(Line::mistake, words[1].column, error);
    defaults_.default_protocol = *protocol;
  } else if (what == "!aggregate") {
    if (words.size() < 2) return missing("a number, as in '!aggregate 5'");
    return set("aggregate", words[1]) ? Line::other : Line::mistake;
  } else if (what == "!IPSummaryDump") {
    // The first version counted fragment offsets as the header does.
    defaults_.fragment_unit = words.size() > 1 && words[1].text == "1.0" ? 8 : 1;
  } else if (what == "!binary") {
    return fail(Line::unreadable, words[0].column, "binary dumps cannot be read");
  }
  return Line::other;
}

DumpReader::Line DumpReader::set_data(std::string_view line) {
  FieldList list = parse_field_list(line);
  if (list.fields.empty())
    return fail(Line::mistake, 5 + line.size(), "expected fields, as in '!data ip_src ip_dst'");
  fields_ = std::move(list.fields);
  if (list.mistakes.empty()) return Line::other;
  const FieldList::Mistake& first = list.mistakes[0];
  const std::size_t more = list.mistakes.size() - 1;
  std::string text = first.message + (first.hint.empty() ? "" : "; " + first.hint);
  if (more != 0) text += " (and " + std::to_string(more) + " more unknown)";
  return fail(Line::mistake, first.column + 5, text + "; what packets say of it is passed over");
}

// !flowid SOURCE PORT DESTINATION PORT [PROTOCOL]
DumpReader::Line DumpReader::set_flow(const std::vector<Word>& words) {
  static constexpr std::string_view kParts[] = {"ip_src", "sport", "ip_dst", "dport"};
  if (words.size() < 5)
    return fail(Line::mistake, words.back().column + words.back().text.size(),
                "expected SOURCE PORT DESTINATION PORT [PROTOCOL]");
  for (std::size_t i = 0; i < std::size(kParts); ++i)
    if (!set(kParts[i], words[i + 1])) return Line::mistake;
  if (words.size() == 5) return Line::other;
  std::string error;
  const auto protocol = parse_protocol(words[5].text, error);
  if (!protocol) return fail(Line::mistake, words[5].column, error);
  defaults_.default_protocol = *protocol;
  return Line::other;
}

// What packets have from here on that do not say it.
bool DumpReader::set(std::string_view field, const Word& word) {
  std::string error;
  if (word.text == kMissing || find_field(field)->read(word.text, defaults_, error)) return true;
  fail(Line::mistake, word.column, error);
  return false;
}

}  // namespace headroom::summary
