#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "file_sink.hh"
#include "headroom/net/ether.hh"
#include "headroom/summary/dump_writer.hh"

namespace headroom {

class ToIPSummaryDump final : public FileSink {
 public:
  static constexpr ElementSpec spec{
      .name = "ToIPSummaryDump",
      .ports = "1/0-1",
      .doc =
          "Writes a line of text about every packet, with the fields that are asked for (see "
          "docs/summary-dumps.md), and passes packets on when its output is connected. Fields of "
          "IPv4 packets need a network header, which CheckIPHeader or MarkIPHeader sets.",
      .once = true};

  Arg<click::Filename> file{
      *this,
      "FILENAME",
      {.doc = "The file; - is standard output.", .positional = true, .mandatory = true}};
  Arg<click::RawText> wanted{*this,
                             "FIELDS",
                             click::RawText{"ip_src ip_dst"},
                             {.doc = "What is written of packets, with blanks between the names."}};
  Arg<click::RawText> contents{
      *this, "CONTENTS", click::RawText{}, {.doc = "Another name of FIELDS."}};
  Arg<click::RawText> data{*this, "DATA", click::RawText{}, {.doc = "Another name of FIELDS."}};
  Arg<bool> header{*this, "HEADER", true, {.doc = "Whether the lines with ! at the top come."}};
  Arg<bool> verbose{
      *this, "VERBOSE", false, {.doc = "Whether the header tells the machine and the time."}};
  Arg<std::string> banner{
      *this, "BANNER", "", {.doc = "Who made the dump, for a line !creator of the header."}};
  Arg<bool> multipacket{
      *this,
      "MULTIPACKET",
      false,
      {.doc = "Whether a packet has as many lines as the extra packets annotation says, and one."}};
  Arg<bool> bad_packets{
      *this,
      "BAD_PACKETS",
      false,
      {.doc = "Whether a line !bad says what is wrong with a packet's headers, before its own."}};
  Arg<bool> careful{
      *this,
      "CAREFUL_TRUNC",
      true,
      {.doc = "Whether a line !bad says when a packet is shorter than its header says."}};
  Arg<bool> extra_length{
      *this, "EXTRA_LENGTH", true, {.doc = "Whether the extra length annotation counts."}};

  WriteHandler flush_now{*this, "flush", "Writes out what it has.",
                         [this](std::string_view, std::string& error) {
                           if (flush() == 0) return true;
                           error = std::strerror(last_error_);
                           return false;
                         }};

  ~ToIPSummaryDump() override {
    if (file_) complain(file->path, flush());
  }

  bool configure(SetupContext& context) override {
    const auto& arg = contents.given() ? contents : data.given() ? data : wanted;
    summary::FieldList list = summary::parse_field_list(arg->text);
    for (const auto& mistake : list.mistakes)
      context.error(arg, std::string(arg.name()) + ": " + mistake.message, mistake.hint);
    if (!list.mistakes.empty()) return false;
    if (list.fields.empty())
      return context.error(arg, std::string(arg.name()) + ": expected names of fields",
                           "for example: ip_src ip_dst");
    writer_ = summary::DumpWriter(std::move(list.fields));
    counts_ = writer_.has("count");
    return true;
  }

  bool initialize(SetupContext& context) override {
    file_.reset(file->path == "-" ? stdout : std::fopen(file->path.c_str(), "we"));
    if (!file_) return context.error(file->path + ": " + std::strerror(errno));
    // The buffer is our own, so that it is known which packets a failure cost.
    if (file_.get() != stdout) std::setvbuf(file_.get(), nullptr, _IONBF, 0);
    if (*header) text_ = writer_.header(heading());
    return start();
  }

 private:
  static constexpr std::size_t kBuffer = 65536;

  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdout) std::fclose(file);
    }
  };

  summary::DumpWriter::Heading heading() {
    if (!*verbose) return {.creator = *banner, .host = {}, .time = 0};
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) == 0) host_ = host;
    return {.creator = *banner, .host = host_, .time = now()};
  }

  void record(PacketBatch& batch) override {
    for (uint32_t i = 0; i < batch.size(); ++i) {
      add(batch[i]);
      if (text_.size() > kBuffer) flush();
    }
    // What others print there, as Print and scripts do, keeps its place among the lines.
    if (file_.get() == stdout) flush();
  }

  void add(const Packet& packet) {
    const summary::PacketView view = view_of(packet);
    if (*bad_packets && view.fault()[0] != '\0')
      text_ += std::string("!bad ") + view.fault() + '\n';
    else if (*careful && view.total_length() > view.network.size() + view.extra_length)
      text_ += "!bad truncated IP length\n";
    const uint32_t lines = *multipacket && !counts_ ? view.extra_packets + 1 : 1;
    for (uint32_t line = 0; line < lines; ++line) {
      writer_.add(view, text_);
      if (text_.size() > kBuffer && line + 1 < lines) flush();
    }
    count.add(1);
    ++buffered_;
  }

  // The packet's bytes in one piece; they are copied if they are in several.
  std::span<const uint8_t> bytes_of(const Packet& packet) {
    if (!packet.chained()) return {packet.data(), packet.length()};
    bytes_.resize(packet.length());
    packet.copy_out(0, bytes_.data(), packet.length());
    return bytes_;
  }

  summary::PacketView view_of(const Packet& packet) {
    const std::span<const uint8_t> bytes = bytes_of(packet);
    const auto behind = [&](bool has, int32_t offset) {
      const bool there = has && offset >= 0 && static_cast<std::size_t>(offset) <= bytes.size();
      return there ? bytes.subspan(static_cast<std::size_t>(offset)) : std::span<const uint8_t>();
    };
    summary::PacketView view;
    view.network = behind(packet.has_network_header(), packet.network_header_offset());
    view.link = behind(packet.has_mac_header(), packet.mac_header_offset());
    view.length = packet.length();
    if (*extra_length) view.extra_length = packet.anno_u32(anno::kExtraLength.offset);
    view.extra_packets = packet.anno_u16(anno::kExtraPackets.offset);
    view.timestamp = packet.timestamp_anno();
    view.first_timestamp = packet.anno_at<int64_t>(anno::kFirstTimestamp.offset);
    view.aggregate = packet.anno_u32(anno::kAggregate.offset);
    view.paint = packet.paint_anno();
    return view;
  }

  // Writes out what is in the buffer. The number of the last error that there was, or 0.
  int flush() {
    errno = 0;
    const std::size_t written = std::fwrite(text_.data(), 1, text_.size(), file_.get());
    if (written != text_.size() || std::fflush(file_.get()) != 0) {
      last_error_ = errno != 0 ? errno : EIO;
      std::clearerr(file_.get());
      fail(buffered_);
    }
    text_.clear();
    buffered_ = 0;
    return last_error_;
  }

  summary::DumpWriter writer_;
  bool counts_ = false;  // `count` is among the fields
  std::string host_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string text_;
  std::vector<uint8_t> bytes_;
  uint64_t buffered_ = 0;  // packets in text_
  int last_error_ = 0;
};

HEADROOM_ELEMENT(ToIPSummaryDump);

}  // namespace headroom
