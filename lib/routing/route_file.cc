#include "headroom/routing/route_file.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace headroom {
namespace {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

struct Word {
  std::string_view text;
  std::size_t at = 0;  // in the line
};

// The words of a line without its comment, as far as there is room.
std::size_t split(std::string_view line, std::array<Word, 4>& words) {
  line = line.substr(0, line.find('#'));
  std::size_t count = 0;
  for (std::size_t at = 0; count < words.size();) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size()) break;
    const std::size_t start = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    words[count++] = {line.substr(start, at - start), start};
  }
  return count;
}

// A decimal number, or nothing.
std::optional<uint64_t> number_of(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

class Parser {
 public:
  Parser(RouteFile& file, const RouteFileForm& form) : file_(file), form_(form) {}

  void read_line(std::string_view line) {
    ++line_;
    std::array<Word, 4> words;
    const std::size_t count = split(line, words);
    if (count == 0) return;
    const auto prefix = IPPrefix::parse(words[0].text);
    if (!prefix) return complain(words[0].at, "should be a prefix, as 10.1.0.0/16");
    const std::size_t end = words[count - 1].at + words[count - 1].text.size();
    if (count == 1) return complain(end, "the number of an output is missing");
    Ip4Route route{prefix->canonical(), {}};
    const bool has_hop = count > 2 || !number_of(words[1].text);
    if (has_hop && !read_hop(words[1].text, route.hop))
      return complain(words[1].at, "should be the address of the next hop, or -");
    if (count == 2 && has_hop) return complain(end, "the number of an output is missing");
    const Word& output = words[has_hop ? 2 : 1];
    const auto number = number_of(output.text);
    if (!number) return complain(output.at, "should be the number of an output");
    if (*number >= form_.outputs)
      return complain(output.at, "output " + std::to_string(*number) + " out of range, bound " +
                                     std::to_string(form_.outputs - 1));
    if (count == 4) return complain(words[3].at, "nothing may follow the output but a comment");
    route.hop.port = static_cast<uint32_t>(*number);
    file_.routes.push_back(route);
  }

 private:
  bool read_hop(std::string_view text, NextHop& hop) const {
    if (text == "-") return true;
    if (const auto address = IPAddress::parse(text)) {
      hop.gateway = *address;
      return true;
    }
    const auto ether = form_.ether_next_hops ? EtherAddress::parse(text) : std::nullopt;
    if (ether) hop.ether = *ether;
    return ether.has_value();
  }

  void complain(std::size_t at, std::string message) {
    if (++file_.mistake_count <= RouteFile::kMostMistakes)
      file_.mistakes.push_back({line_, static_cast<uint32_t>(at + 1), std::move(message)});
  }

  RouteFile& file_;
  const RouteFileForm& form_;
  uint32_t line_ = 0;
};

}  // namespace

RouteFile parse_route_file(std::string_view text, const RouteFileForm& form) {
  RouteFile file;
  file.routes.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  Parser parser(file, form);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    parser.read_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return file;
}

}  // namespace headroom
