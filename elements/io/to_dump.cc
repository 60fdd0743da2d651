#include <pcap/pcap.h>
#include <stdio_ext.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "file_sink.hh"
#include "headroom/base/suggest.hh"
#include "headroom/net/link_type.hh"

namespace headroom {

class ToDump final : public FileSink {
 public:
  static constexpr ElementSpec spec{
      .name = "ToDump",
      .ports = "1/0-1",
      .doc =
          "Writes packets to a capture file (pcap, nanoseconds), and passes them on when its "
          "output is "
          "connected. Packets without a timestamp are written with the time at which they pass.",
      .once = true,
      // When those that USE_ENCAP_FROM asks have opened their files.
      .phase = Phase::last};

  Arg<click::Filename> file{
      *this,
      "FILENAME",
      {.doc = "The file; - is standard output.", .positional = true, .mandatory = true}};
  Arg<uint32_t> snaplen{*this,
                        "SNAPLEN",
                        0,
                        {.doc = "Bytes of each packet written at most; 0 is all.",
                         .unit = "bytes",
                         .positional = true}};
  Arg<std::string> encap{*this,
                         "ENCAP",
                         "ETHER",
                         {.doc = "What the packets' bytes begin with: ETHER, IP, or another link "
                                 "type, by its name or number.",
                          .positional = true}};
  Arg<click::RawText> encap_from{
      *this,
      "USE_ENCAP_FROM",
      click::RawText{},
      {.doc = "Elements whose `encap` handlers say it, with blanks between their names."}};
  Arg<bool> extra_length{
      *this,
      "EXTRA_LENGTH",
      true,
      {.doc = "Whether the extra length annotation counts for the packets' length."}};
  Arg<int64_t> limit{
      *this,
      "LIMIT",
      -1,
      {.doc = "Packets written in all; later ones only pass. Negative is all.", .unit = "packets"}};
  Arg<bool> unbuffered{
      *this, "UNBUFFERED", false, {.doc = "Whether every batch is written out at once."}};
  ReadHandler filename{*this, "filename", "FILENAME.", [this] { return file->path; }};
  WriteHandler reset_counts{*this, "reset_counts",
                            "Sets the counts to zero, so that LIMIT more packets are written.",
                            [this](std::string_view, std::string&) {
                              flush();  // what fails now is not of the new counts
                              count.set(0);
                              failed.set(0);
                              return true;
                            }};

  ~ToDump() override {
    if (dump_) complain(file->path, flush());
  }

  bool configure(SetupContext& context) override {
    if (encap.given() && encap_from.given())
      return context.error(encap_from, "specify one of ENCAP and USE_ENCAP_FROM, not both");
    const auto type = link_type_of(*encap);
    if (!type) {
      const auto names = link_type_names();
      return context.error(encap, "ENCAP: '" + *encap + "' is no link type",
                           did_you_mean(*encap, names));
    }
    link_type_ = *type;
    return true;
  }

  bool initialize(SetupContext& context) override {
    if (!find_encap(context)) return false;
    const uint32_t most = *snaplen == 0 ? kMaxSnaplen : std::min(*snaplen, kMaxSnaplen);
    form_.reset(pcap_open_dead_with_tstamp_precision(link_type_, static_cast<int>(most),
                                                     PCAP_TSTAMP_PRECISION_NANO));
    std::FILE* const stream = file->path == "-" ? stdout : std::fopen(file->path.c_str(), "wb");
    if (stream == nullptr) return context.error(file->path + ": " + std::strerror(errno));
    // Larger than what is ever in it: the C library then writes only when it is told to.
    buffer_.resize(2 * kBuffer);
    std::setvbuf(stream, buffer_.data(), _IOFBF, buffer_.size());
    dump_.reset(pcap_dump_fopen(form_.get(), stream));
    if (!dump_) return context.error(pcap_geterr(form_.get()));
    bytes_.resize(most);
    return start();
  }

 private:
  static constexpr uint32_t kMaxSnaplen = 262144;  // the most that readers accept
  static constexpr std::size_t kRecordHeader = 16;
  static constexpr std::size_t kBuffer = 65536;

  struct Close {
    void operator()(pcap_t* form) const { pcap_close(form); }
    void operator()(pcap_dumper_t* dump) const { pcap_dump_close(dump); }
  };

  static std::optional<int> link_type_of(const std::string& text) {
    uint32_t number = 0;
    std::string ignored;
    if (click::ArgType<uint32_t>::parse(text, number, ignored) && number <= UINT16_MAX)
      return static_cast<int>(number);
    return link_type_by_name(text);
  }

  // USE_ENCAP_FROM: what all of its elements say.
  bool find_encap(SetupContext& context) {
    std::istringstream names(encap_from->text);
    std::string first;
    std::string first_says;
    for (std::string name; names >> name;) {
      std::string error;
      const auto says =
          router().read_handler(router().resolve_handler(*this, name + ".encap"), error);
      if (!says) return context.error(encap_from, "USE_ENCAP_FROM: " + error);
      const auto type = link_type_of(*says);
      if (!type)
        return context.error(
            encap_from, "USE_ENCAP_FROM: '" + name + "' has the unknown encap '" + *says + "'");
      if (!first.empty() && *type != link_type_)
        return context.error(encap_from,
                             "USE_ENCAP_FROM: '" + first + "' has encap " + first_says + ", but '" +
                                 name + "' has " + *says,
                             "a capture file has one link type: write two files");
      if (first.empty()) {
        first = name;
        first_says = *says;
      }
      link_type_ = *type;
    }
    return !encap_from.given() || !first.empty() ||
           context.error(encap_from, "USE_ENCAP_FROM: expected names of elements");
  }

  void record(PacketBatch& batch) override {
    if (*limit >= 0 && count.get() >= static_cast<uint64_t>(*limit)) return;
    for (uint32_t i = 0; i < batch.size(); ++i) {
      if (*limit >= 0 && count.get() >= static_cast<uint64_t>(*limit)) break;
      write(batch[i]);
    }
    if (*unbuffered) flush();
  }

  void write(const Packet& packet) {
    const int64_t time = packet.timestamp_anno() != 0 ? packet.timestamp_anno() : now();
    pcap_pkthdr header{};
    header.ts.tv_sec = time / 1'000'000'000;
    header.ts.tv_usec = time % 1'000'000'000;
    header.caplen = std::min<uint32_t>(packet.length(), static_cast<uint32_t>(bytes_.size()));
    header.len = packet.length();
    if (*extra_length) header.len += packet.anno_u32(anno::kExtraLength.offset);
    packet.copy_out(0, bytes_.data(), header.caplen);
    // The buffer is emptied before it overflows, so that it is known which packets a failure cost.
    const std::size_t size = kRecordHeader + header.caplen;
    if (buffered_bytes_ + size > kBuffer) flush();
    pcap_dump(reinterpret_cast<u_char*>(dump_.get()), &header, bytes_.data());
    buffered_bytes_ += size;
    ++buffered_;
    count.add(1);
    if (buffered_bytes_ > kBuffer) flush();
  }

  // Writes out what is in the buffer. The number of the last error that there was, or 0.
  int flush() {
    std::FILE* const stream = pcap_dump_file(dump_.get());
    errno = 0;
    if (pcap_dump_flush(dump_.get()) != 0 || std::ferror(stream) != 0) {
      last_error_ = errno != 0 ? errno : EIO;
      std::clearerr(stream);
      __fpurge(stream);  // or the packets would be written later, and counted as lost all the same
      fail(buffered_);
    }
    buffered_ = 0;
    buffered_bytes_ = 0;
    return last_error_;
  }

  int link_type_ = kLinkEther;
  std::unique_ptr<pcap_t, Close> form_;
  std::vector<char> buffer_;  // of the stream, which dump_ closes
  std::unique_ptr<pcap_dumper_t, Close> dump_;
  std::vector<uint8_t> bytes_;
  uint64_t buffered_ = 0;  // packets
  std::size_t buffered_bytes_ = 0;
  int last_error_ = 0;
};

HEADROOM_ELEMENT(ToDump);

}  // namespace headroom
