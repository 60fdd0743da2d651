#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "../analysis/dump_form_arg.hh"
#include "headroom/graph/element.hh"
#include "headroom/net/ip_text.hh"
#include "headroom/packet/transport.hh"

namespace headroom {

class IPPrint final : public BatchElement<IPPrint> {
 public:
  static constexpr ElementSpec spec{
      .name = "IPPrint",
      .doc =
          "Prints a line for every IPv4 packet to standard error, in the manner of tcpdump. The "
          "packets need a network header, which CheckIPHeader or MarkIPHeader sets."};

  Arg<std::string> label{
      *this, "LABEL", "", {.doc = "Text at the start of the line.", .positional = true}};
  Arg<DumpForm> contents{*this,
                         "CONTENTS",
                         DumpForm::none,
                         {.doc = "How the bytes from the IPv4 header on are shown."}};
  Arg<DumpForm> payload{
      *this, "PAYLOAD", DumpForm::none, {.doc = "How the bytes behind the IPv4 header are shown."}};
  Arg<uint32_t> max_length{
      *this,
      "MAXLENGTH",
      1500,
      {.doc = "Bytes that CONTENTS and PAYLOAD show at most.", .unit = "bytes"}};
  Arg<uint32_t> nbytes{
      *this, "NBYTES", 1500, {.doc = "The old name of MAXLENGTH.", .unit = "bytes"}};
  Arg<bool> id{*this, "ID", false, {.doc = "Whether the identification is shown."}};
  Arg<bool> timestamp{*this, "TIMESTAMP", true, {.doc = "Whether the timestamp is shown."}};
  Arg<bool> paint{*this, "PAINT", false, {.doc = "Whether the paint annotation is shown."}};
  Arg<bool> tos{*this, "TOS", false, {.doc = "Whether the type of service is shown."}};
  Arg<bool> ttl{*this, "TTL", false, {.doc = "Whether the time to live is shown."}};
  Arg<bool> length{*this, "LENGTH", false, {.doc = "Whether the total length is shown."}};
  Arg<bool> aggregate{
      *this, "AGGREGATE", false, {.doc = "Whether the aggregate annotation is shown."}};
  Arg<bool> swap{
      *this,
      "SWAP",
      false,
      {.doc = "Whether ICMP identifiers and sequence numbers are read in the other byte order."}};
  Arg<click::Filename> outfile{*this,
                               "OUTFILE",
                               click::Filename{},
                               {.doc = "A file to print to instead; - is standard output."}};
  Arg<bool> active{*this, "ACTIVE", true, {.doc = "Whether anything is printed.", .live = true}};

  bool configure(SetupContext& context) override {
    if (*contents != DumpForm::none && *payload != DumpForm::none)
      return context.error("specify at most one of PAYLOAD and CONTENTS");
    return true;
  }

  bool initialize(SetupContext& context) override {
    if (outfile->path.empty()) return true;
    if (outfile->path == "-") {
      out_ = stdout;
      return true;
    }
    // Emptied first; then every worker adds to its end.
    file_.reset(std::fopen(outfile->path.c_str(), "we"));
    if (file_) file_.reset(std::fopen(outfile->path.c_str(), "ae"));
    out_ = file_.get();
    return file_ != nullptr ||
           context.error("OUTFILE: " + outfile->path + ": " + std::strerror(errno));
  }

  void process(PacketBatch& batch) {
    if (!*active) return;
    text_.clear();
    for (uint32_t i = 0; i < batch.size(); ++i) add_lines(batch[i]);
    std::fwrite(text_.data(), 1, text_.size(), out_);
    std::fflush(out_);
  }

 private:
  void add_lines(const Packet& packet) {
    if (!label->empty()) text_ += *label + ": ";
    if (*timestamp) {
      char time[48];
      std::snprintf(time, sizeof time, "%" PRId64 ".%06" PRId64 ": ",
                    packet.timestamp_anno() / 1'000'000'000,
                    packet.timestamp_anno() % 1'000'000'000 / 1000);
      text_ += time;
    }
    if (*aggregate) text_ += "#" + std::to_string(packet.anno_u32(anno::kAggregate.offset));
    if (*paint) text_ += (*aggregate ? "." : "paint ") + std::to_string(packet.paint_anno());
    if (*aggregate || *paint) text_ += ": ";
    add_packet(packet);
    text_ += '\n';
  }

  void add_packet(const Packet& packet) {
    const auto offset = ip_header_offset(packet);
    if (!offset) {
      text_ += packet.has_network_header() ? "truncated-ip" : "(not an IP packet)";
      return;
    }
    const uint32_t there = packet.length() - *offset;
    const uint32_t most = max_length.given() ? *max_length : *nbytes;
    const bool dumps = *contents != DumpForm::none || *payload != DumpForm::none;
    bytes_.resize(dumps ? there : std::min(there, kIpTextBytes));
    packet.copy_out(*offset, bytes_.data(), static_cast<uint32_t>(bytes_.size()));
    text_ += ip_text(bytes_, packet.length(),
                     {.id = *id, .ttl = *ttl, .tos = *tos, .length = *length, .swap = *swap});
    std::span<const uint8_t> shown = bytes_;
    if (*payload != DumpForm::none)
      shown = shown.subspan(std::min<std::size_t>(shown.size(), (bytes_[0] & 15U) * 4));
    shown = shown.first(std::min<std::size_t>(shown.size(), most));
    text_ += dump_text(shown, *payload != DumpForm::none ? *payload : *contents);
  }

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::FILE* out_ = stderr;
  std::unique_ptr<std::FILE, Close> file_;
  std::string text_;
  std::vector<uint8_t> bytes_;
};

HEADROOM_ELEMENT(IPPrint);

}  // namespace headroom
