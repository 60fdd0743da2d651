#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include "dump_form_arg.hh"
#include "headroom/graph/element.hh"

namespace headroom {

class Print final : public BatchElement<Print> {
 public:
  static constexpr ElementSpec spec{
      .name = "Print",
      .doc = "Prints a line for every packet to standard error: label, length and bytes."};

  Arg<std::string> label{
      *this, "LABEL", "", {.doc = "Text at the start of the line.", .positional = true}};
  Arg<int32_t> max_length{*this,
                          "MAXLENGTH",
                          24,
                          {.doc = "Bytes that are shown at most; negative is all.",
                           .unit = "bytes",
                           .positional = true}};
  Arg<DumpForm> contents{*this, "CONTENTS", DumpForm::hex, {.doc = "How the bytes are shown."}};
  Arg<bool> timestamp{
      *this, "TIMESTAMP", false, {.doc = "Whether the packet's timestamp is shown."}};
  Arg<bool> annotations{
      *this, "PRINTANNO", false, {.doc = "Whether the user annotations are shown, in hex."}};
  Arg<bool> room{
      *this, "HEADROOM", false, {.doc = "Whether the packet's headroom and tailroom are shown."}};
  Arg<bool> active{*this, "ACTIVE", true, {.doc = "Whether anything is printed.", .live = true}};

  void process(PacketBatch& batch) {
    if (!*active) return;
    text_.clear();
    for (uint32_t i = 0; i < batch.size(); ++i) add_line(batch[i]);
    std::fwrite(text_.data(), 1, text_.size(), stderr);
  }

 private:
  void add_line(const Packet& packet) {
    char part[64];
    if (!label->empty()) text_ += *label + ": ";
    if (*timestamp) {
      const int64_t time = packet.timestamp_anno();
      std::snprintf(part, sizeof part, "%" PRId64 ".%06" PRId64 ": ", time / 1'000'000'000,
                    time % 1'000'000'000 / 1000);
      text_ += part;
    }
    std::snprintf(part, sizeof part, "%4" PRIu32, packet.length());
    text_ += part;
    if (*room) {
      std::snprintf(part, sizeof part, " (h%" PRIu32 " t%" PRIu32 ")", packet.headroom(),
                    packet.tailroom());
      text_ += part;
    }
    if (*annotations) {
      text_ += " |";
      add_hex(packet.annotations().user, anno::kUserBytes);
    }
    add_contents(packet);
    text_ += '\n';
  }

  void add_contents(const Packet& packet) {
    const uint32_t shown = *max_length < 0
                               ? packet.length()
                               : std::min(packet.length(), static_cast<uint32_t>(*max_length));
    if (shown == 0 || *contents == DumpForm::none) return;
    bytes_.resize(shown);
    packet.copy_out(0, bytes_.data(), shown);
    text_ += " |";
    if (*contents == DumpForm::hex) {
      add_hex(bytes_.data(), shown);
      return;
    }
    for (uint32_t i = 0; i < shown; ++i) {
      if (i % 8 == 0) text_ += ' ';
      text_ += bytes_[i] >= 32 && bytes_[i] < 127 ? static_cast<char>(bytes_[i]) : '.';
    }
  }

  void add_hex(const uint8_t* bytes, std::size_t size) {
    static constexpr char kDigits[] = "0123456789abcdef";
    for (std::size_t i = 0; i < size; ++i) {
      if (i % 4 == 0) text_ += ' ';
      text_ += kDigits[bytes[i] >> 4];
      text_ += kDigits[bytes[i] & 15];
    }
  }

  std::string text_;
  std::vector<uint8_t> bytes_;
};

HEADROOM_ELEMENT(Print);

}  // namespace headroom
