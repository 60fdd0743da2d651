#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "file_source.hh"
#include "headroom/summary/dump_reader.hh"
#include "headroom/summary/protocol_text.hh"

namespace headroom {

class FromIPSummaryDump final : public FileSource {
 public:
  static constexpr ElementSpec spec{
      .name = "FromIPSummaryDump",
      .ports = "0/1",
      .doc =
          "Makes IPv4 packets of an IP summary dump, a text of which every line describes one: see "
          "docs/summary-dumps.md. What a line does not say is 0, but for the protocol (TCP), the "
          "TTL (100) and the lengths, which are right.",
      .once = true};

  Arg<click::Filename> file{*this,
                            "FILENAME",
                            click::Filename{},
                            {.doc = "The file; - is standard input.", .positional = true}};
  Arg<std::string> data{*this, "DATA", "", {.doc = "The dump itself, instead of a file."}};
  Arg<click::RawText> wanted{
      *this,
      "FIELDS",
      click::RawText{},
      {.doc = "What the columns are if the dump does not say so before its first packet."}};
  Arg<click::RawText> contents{
      *this, "CONTENTS", click::RawText{}, {.doc = "Another name of FIELDS."}};
  Arg<click::RawText> default_contents{
      *this, "DEFAULT_CONTENTS", click::RawText{}, {.doc = "Another name of FIELDS."}};
  Arg<click::RawText> flow{*this,
                           "FLOWID",
                           click::RawText{},
                           {.doc = "SOURCE PORT DESTINATION PORT [PROTOCOL] of packets that do not "
                                   "say it, as the line !flowid has them."}};
  Arg<click::RawText> default_flow{
      *this, "DEFAULT_FLOWID", click::RawText{}, {.doc = "Another name of FLOWID."}};
  Arg<click::RawText> proto{
      *this,
      "PROTO",
      click::RawText{},
      {.doc = "The protocol of packets that do not say it: a number, T, U, I or a name."}};
  Arg<click::RawText> default_proto{
      *this, "DEFAULT_PROTO", click::RawText{}, {.doc = "Another name of PROTO."}};
  Arg<bool> checksum{
      *this,
      "CHECKSUM",
      false,
      {.doc =
           "Whether checksums are right, and packets as long as their headers say. Without it the "
           "extra length annotation has what the dump does not tell of a packet."}};
  Arg<bool> zero{*this,
                 "ZERO",
                 true,
                 {.doc = "Whether bytes that the dump does not tell are zero, and not noise."}};
  Arg<bool> multipacket{*this,
                        "MULTIPACKET",
                        false,
                        {.doc = "Whether as many packets come of a line as its field count says."}};

  Drop bad_line{*this, "bad-line", "A line that should be a packet, and makes no sense."};
  ReadHandler encap{*this, "encap", "What packets begin with.", [] { return "IP"; }};
  ReadHandler filename{*this, "filename", "FILENAME.", [this] { return file->path; }};
  ReadHandler filesize{*this, "filesize", "The length of the dump in bytes; - if not known.",
                       [this] { return size(); }};
  ReadHandler filepos{*this, "filepos", "Bytes of the dump that were read.",
                      [this] { return std::to_string(position_); }};

  ~FromIPSummaryDump() override {
    if (mistakes_ > kMostMessages)
      std::fprintf(stderr, "%s: %llu more lines with mistakes\n", place().c_str(),
                   static_cast<unsigned long long>(mistakes_ - kMostMessages));
    std::free(line_);
  }

  bool configure(SetupContext& context) override {
    bool good = FileSource::configure(context);
    if (file.given() == data.given())
      good = context.error(file.given() ? "specify one of FILENAME and DATA, not both"
                                        : "FILENAME: required argument missing",
                           "FromIPSummaryDump(FILENAME) or FromIPSummaryDump(DATA \"...\")");
    return set_fields(context) && set_flow(context) && set_protocol(context) && good;
  }

 protected:
  bool open(SetupContext& context) override {
    if (data.given()) return true;
    if (file->path == "-") {
      file_.reset(stdin);
      return true;
    }
    file_.reset(std::fopen(file->path.c_str(), "re"));
    struct stat status {};
    if (!file_ || fstat(fileno(file_.get()), &status) != 0)
      return context.error(file->path + ": " + std::strerror(errno));
    if (S_ISDIR(status.st_mode)) return context.error(file->path + ": Is a directory");
    // What comes from a pipe can be looked at only once.
    if (!S_ISREG(status.st_mode)) return true;
    const int first = std::fgetc(file_.get());
    const int second = first == EOF ? EOF : std::fgetc(file_.get());
    if ((first == 0x1f && second == 0x8b) || (first == 'B' && second == 'Z'))
      return context.error(file->path + ": is compressed",
                           "unpack it, or read it from a pipe: zcat FILE | headroom ... with "
                           "FromIPSummaryDump(-)");
    std::rewind(file_.get());
    return true;
  }

  Next next(Packet*& packet) override {
    if (copies_ == 0) {
      std::string_view line;
      if (!next_line(line)) return Next::end;
      ++line_number_;
      switch (reader_.read(line)) {
        case summary::DumpReader::Line::packet:
          copies_ = *multipacket ? reader_.draft().count : 1;
          break;
        case summary::DumpReader::Line::other:
          return Next::skipped;
        case summary::DumpReader::Line::mistake:
          complain();
          return Next::skipped;
        case summary::DumpReader::Line::bad_packet:
          complain();
          count_created(1);
          bad_line.count_lost(1);
          return Next::skipped;
        case summary::DumpReader::Line::unreadable:
          complain();
          return Next::end;
      }
    }
    --copies_;
    return sampled() ? make(packet) : Next::skipped;
  }

 private:
  static constexpr uint64_t kMostMessages = 10;

  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdin) std::fclose(file);
    }
  };

  Next make(Packet*& packet) {
    const summary::Draft& draft = reader_.draft();
    const summary::Made made =
        draft.make({.checksum = *checksum, .noise = *zero ? 0 : line_number_});
    count_created(1);
    packet = Packet::make(pool(), made.bytes);
    if (packet == nullptr) {
      no_buffer.count_lost(1);
      return Next::skipped;
    }
    packet->set_network_header(0, made.header_length);
    packet->set_dst_ip_anno(
        IPAddress::from_host_order(load_big<uint32_t>(&draft.ip[offsetof(IpHeader, destination)])));
    packet->set_timestamp_anno(draft.timestamp);
    packet->set_paint_anno(draft.paint);
    if (draft.aggregate != 0) packet->set_anno_u32(anno::kAggregate.offset, draft.aggregate);
    if (draft.first_timestamp != 0)
      packet->set_anno_at(anno::kFirstTimestamp.offset, draft.first_timestamp);
    if (!*multipacket)
      packet->set_anno_u16(anno::kExtraPackets.offset, static_cast<uint16_t>(draft.count - 1));
    packet->set_anno_u32(anno::kExtraLength.offset, made.extra_length);
    return Next::packet;
  }

  // FIELDS, FLOWID and PROTO by the name that was given.
  static const Arg<click::RawText>& given(const Arg<click::RawText>& a,
                                          const Arg<click::RawText>& b) {
    return a.given() ? a : b;
  }

  bool set_fields(SetupContext& context) {
    const auto& arg = given(wanted, given(contents, default_contents));
    if (!arg.given()) return true;
    summary::FieldList list = summary::parse_field_list(arg->text);
    for (const auto& mistake : list.mistakes)
      context.error(arg, std::string(arg.name()) + ": " + mistake.message, mistake.hint);
    const bool good = list.mistakes.empty();
    reader_.set_fields(std::move(list.fields));
    return good;
  }

  bool set_flow(SetupContext& context) {
    const auto& arg = given(flow, default_flow);
    return !arg.given() ||
           reader_.read("!flowid " + arg->text) == summary::DumpReader::Line::other ||
           context.error(arg, std::string(arg.name()) + ": " + reader_.message());
  }

  bool set_protocol(SetupContext& context) {
    const auto& arg = given(proto, default_proto);
    if (!arg.given()) return true;
    std::string error;
    const auto protocol = summary::parse_protocol(arg->text, error);
    if (!protocol) return context.error(arg, std::string(arg.name()) + ": " + error);
    reader_.set_default_protocol(*protocol);
    return true;
  }

  bool next_line(std::string_view& line) {
    if (data.given()) {
      if (position_ >= data->size()) return false;
      const std::size_t end = std::min(data->find('\n', position_), data->size());
      line = std::string_view(*data).substr(position_, end - position_);
      position_ = std::min(end + 1, data->size());
      return true;
    }
    const ssize_t length = getline(&line_, &line_room_, file_.get());
    if (length < 0) {
      if (std::ferror(file_.get()) != 0)
        std::fprintf(stderr, "%s: %s\n", place().c_str(), std::strerror(errno));
      return false;
    }
    position_ += static_cast<std::size_t>(length);
    line = {line_, static_cast<std::size_t>(length)};
    return true;
  }

  std::string size() const {
    if (data.given()) return std::to_string(data->size());
    struct stat status {};
    if (!file_ || fstat(fileno(file_.get()), &status) != 0 || !S_ISREG(status.st_mode)) return "-";
    return std::to_string(status.st_size);
  }

  std::string place() const { return data.given() ? name() + ": DATA" : file->path; }

  void complain() {
    if (++mistakes_ > kMostMessages) return;
    std::fprintf(stderr, "%s:%llu:%zu: %s\n", place().c_str(),
                 static_cast<unsigned long long>(line_number_), reader_.column(),
                 reader_.message().c_str());
  }

  summary::DumpReader reader_;
  std::unique_ptr<std::FILE, Close> file_;
  char* line_ = nullptr;  // of getline()
  std::size_t line_room_ = 0;
  std::size_t position_ = 0;
  uint64_t line_number_ = 0;
  uint64_t mistakes_ = 0;
  uint32_t copies_ = 0;  // of the last line, still to come
};

HEADROOM_ELEMENT(FromIPSummaryDump);

}  // namespace headroom
