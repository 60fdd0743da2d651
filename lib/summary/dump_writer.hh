// Writes IP summary dumps: a header, and a line for each packet.
//
//   DumpWriter writer(parse_field_list("ip_src ip_dst").fields);
//   std::string text = writer.header({});
//   writer.add(view, text);
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headroom/summary/field.hh"

namespace headroom::summary {

class DumpWriter {
 public:
  struct Heading {
    std::string_view creator;  // who made the dump
    std::string_view host;
    int64_t time = 0;  // when; 0 is not told
  };

  explicit DumpWriter(std::vector<const Field*> fields = {}) : fields_(std::move(fields)) {}

  std::string header(const Heading& heading) const;
  // A line, with its end.
  void add(const PacketView& packet, std::string& text) const;
  bool has(std::string_view field) const;

 private:
  std::vector<const Field*> fields_;
};

}  // namespace headroom::summary
