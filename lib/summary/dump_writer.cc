#include "headroom/summary/dump_writer.hh"

#include <algorithm>
#include <ctime>

#include "headroom/summary/words.hh"

namespace headroom::summary {

std::string DumpWriter::header(const Heading& heading) const {
  std::string text = "!IPSummaryDump 1.3\n";
  if (!heading.creator.empty()) {
    text += "!creator ";
    append_quoted(heading.creator, text);
    text += '\n';
  }
  if (!heading.host.empty()) text += "!host " + std::string(heading.host) + '\n';
  if (heading.time != 0) {
    text += "!runtime ";
    PacketView then;
    then.timestamp = heading.time;
    find_field("timestamp")->write(then, text);
    const std::time_t seconds = heading.time / 1'000'000'000;
    std::tm parts{};
    char date[64] = "";
    if (localtime_r(&seconds, &parts) != nullptr)
      std::strftime(date, sizeof date, " (%a %b %e %H:%M:%S %Y)", &parts);
    text += date;
    text += '\n';
  }
  text += "!data";
  for (const Field* field : fields_) text += ' ' + std::string(field->name);
  return text + '\n';
}

void DumpWriter::add(const PacketView& packet, std::string& text) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (i > 0) text += ' ';
    if (!fields_[i]->write(packet, text)) text += '-';
  }
  text += '\n';
}

bool DumpWriter::has(std::string_view field) const {
  return std::any_of(fields_.begin(), fields_.end(),
                     [field](const Field* one) { return one->name == field; });
}

}  // namespace headroom::summary
