// An IP summary dump. Mistakes must have places in their lines; what is read must be written, with
// all fields there are, and read as the same packet; and the packet's bytes, of any length and
// taken for a packet as they are, must be written somehow.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "../support/summary_view.hh"
#include "headroom/summary/dump_reader.hh"
#include "headroom/summary/dump_writer.hh"

namespace {

using namespace headroom::summary;  // NOLINT: a program of one file

void check(bool good) {
  if (!good) std::abort();
}

std::string all_fields() {
  std::string all;
  for (const Field& field : fields()) all += std::string(field.name) + ' ';
  return all;
}

// The bytes are at the end of a buffer of their own, so that reading behind them shows.
std::string written(const Draft& draft, const uint8_t* bytes, std::size_t size, uint32_t extra) {
  static const DumpWriter writer(parse_field_list(all_fields()).fields);
  const PacketView view = view_of(draft, {bytes, size}, extra);
  check(view.fault() != nullptr);
  std::string text;
  writer.add(view, text);
  check(std::count(text.begin(), text.end(), '\n') == 1 && text.back() == '\n');
  return text;
}

void check_packet(const Draft& draft, bool checksum) {
  const Made made = draft.make({.checksum = checksum, .noise = checksum ? 1U : 0U});
  check(made.header_length >= 20 && made.header_length <= 60 && made.bytes.size() <= 65535);
  const auto bytes = std::make_unique<uint8_t[]>(made.bytes.size());
  std::copy(made.bytes.begin(), made.bytes.end(), bytes.get());
  const std::string text = written(draft, bytes.get(), made.bytes.size(), made.extra_length);

  DumpReader second;
  check(second.read("!data " + all_fields()) == DumpReader::Line::other);
  check(second.read(text) == DumpReader::Line::packet);
  // Of less than that the total length is not told.
  if (made.bytes.size() < 4) return;
  const Made again = second.draft().make({});
  check(again.bytes.size() == made.bytes.size() && again.extra_length == made.extra_length);
  // Malformed options are not told, so that others come of it.
  if (text.find('?') != std::string::npos) return;
  check(written(second.draft(), again.bytes.data(), again.bytes.size(), again.extra_length) ==
        text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 4096));
  DumpReader reader;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const DumpReader::Line kind = reader.read(line);
    if (kind == DumpReader::Line::packet) {
      check_packet(reader.draft(), false);
      check_packet(reader.draft(), true);
    } else if (kind != DumpReader::Line::other) {
      check(reader.column() >= 1 && reader.column() <= line.size() + 1);
      check(!reader.message().empty());
    }
    // The line itself, as a packet.
    const auto bytes = std::make_unique<uint8_t[]>(line.size());
    std::copy(line.begin(), line.end(), bytes.get());
    written({}, bytes.get(), line.size(), 0);
  }
  return 0;
}
