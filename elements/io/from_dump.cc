#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "file_source.hh"
#include "headroom/net/capture_reader.hh"
#include "headroom/net/ip.hh"
#include "headroom/net/link_type.hh"

namespace headroom {

class FromDump final : public FileSource {
 public:
  static constexpr ElementSpec spec{
      .name = "FromDump",
      .ports = "0/1-2",
      .processing = "a/ah",
      .doc =
          "Reads packets from a capture file (pcap or pcapng), as fast as it is scheduled or as "
          "they are pulled, or at the pace of the file. Timestamps are those of the file; where a "
          "packet was captured only in part, the extra length annotation has the rest. With "
          "FORCE_IP, other packets than IPv4 ones leave by output 1. Without it, packets whose "
          "link "
          "type is not that of the first one are dropped.",
      .once = true};

  Arg<click::Filename> file{
      *this,
      "FILENAME",
      {.doc = "The file; - is standard input.", .positional = true, .mandatory = true}};
  Arg<bool> force_ip{*this,
                     "FORCE_IP",
                     false,
                     {.doc = "Whether only IPv4 packets come, with their network header set."}};
  Arg<click::Duration> start{
      *this, "START", click::Duration{}, {.doc = "Packets before this time do not come."}};
  Arg<click::Duration> start_after{
      *this,
      "START_AFTER",
      click::Duration{},
      {.doc = "Packets do not come before so long after the file's first one."}};
  Arg<click::Duration> end{
      *this, "END", click::Duration{}, {.doc = "The file ends at the first packet of this time."}};
  Arg<click::Duration> end_after{*this,
                                 "END_AFTER",
                                 click::Duration{},
                                 {.doc = "The file ends so long after its first packet."}};
  Arg<click::Duration> interval{
      *this,
      "INTERVAL",
      click::Duration{},
      {.doc = "The file ends so long after START or START_AFTER, or after its first packet."}};
  Arg<uint64_t> file_position{
      *this,
      "FILEPOS",
      0,
      {.doc = "Packets before this place of the file do not come; filepos has such places.",
       .unit = "bytes"}};
  Arg<bool> mmap{*this, "MMAP", true, {.doc = "Accepted, without effect."}};

  Drop broken{*this, "broken-file", "The file ends in the middle of a packet or makes no sense."};
  Drop other_type{*this, "other-link-type",
                  "The file has packets of several link types, and this one's is not that of the "
                  "first."};
  Drop not_ip{*this, "not-ip", "FORCE_IP, and it is no IPv4 packet or its header is malformed."};

  ReadHandler encap{*this, "encap", "The file's link type, for ToDump's ENCAP.",
                    [this] { return link_type_name(link_type()); }};
  ReadHandler filename{*this, "filename", "FILENAME.", [this] { return file->path; }};
  ReadHandler filesize{*this, "filesize", "The file's length in bytes; - if not known.",
                       [this] { return size(); }};
  ReadHandler filepos{*this, "filepos", "Bytes of the file that were read.",
                      [this] { return std::to_string(reader_.position()); }};
  WriteHandler extend{*this, "extend_interval",
                      "The file ends so much later, and is read on if it had ended.",
                      [this](std::string_view text, std::string& error) {
                        click::Duration by;
                        if (!click::ArgType<click::Duration>::parse(text, by, error)) return false;
                        if (end_) end_ = add(*end_, by.nanoseconds);
                        if (over_) resume();
                        return true;
                      }};

  bool configure(SetupContext& context) override {
    bool good = FileSource::configure(context);
    if (start.given() && start_after.given())
      good = context.error(start_after, "specify one of START and START_AFTER, not both");
    if (end.given() + end_after.given() + interval.given() > 1)
      good = context.error("specify one of END, END_AFTER and INTERVAL");
    if (noutputs() == 2 && !*force_ip)
      good = context.error("the second output is for FORCE_IP", "FromDump(FILE, FORCE_IP true)");
    return good;
  }

 protected:
  bool open(SetupContext& context) override {
    file_.reset(file->path == "-" ? stdin : std::fopen(file->path.c_str(), "rbe"));
    if (!file_) return context.error(file->path + ": " + std::strerror(errno));
    if (!reader_.open(file_.get())) return context.error(file->path + ": " + reader_.message());
    return find_position(context);
  }

  Next next(Packet*& packet) override {
    if (at_end_ || (!over_ && !advance())) return Next::end;
    const int64_t time = record_.time;
    if (first_) begin(time);
    over_ = end_ && time >= *end_;
    if (over_) return Next::end;
    if (time < begin_ || !sampled()) return Next::skipped;
    count_created(1);
    if (!*force_ip && record_.link_type != reader_.link_type()) {
      lose_other_type();
      return Next::skipped;
    }
    packet = Packet::make(pool(), record_.bytes);
    if (packet == nullptr) {
      no_buffer.count_lost(1);
      return Next::skipped;
    }
    packet->set_timestamp_anno(time);
    if (record_.length > record_.bytes.size())
      packet->set_anno_u32(anno::kExtraLength.offset,
                           record_.length - static_cast<uint32_t>(record_.bytes.size()));
    return !*force_ip || mark_ip(packet) ? Next::packet : Next::skipped;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdin) std::fclose(file);
    }
  };

  static int64_t add(int64_t time, int64_t more) {
    return __builtin_add_overflow(time, more, &time) ? INT64_MAX : time;
  }

  // The file's next record; false at its end.
  bool advance() {
    const CaptureReader::Status status = reader_.next(record_);
    if (status == CaptureReader::Status::packet) return true;
    at_end_ = true;
    if (status == CaptureReader::Status::broken) {
      std::fprintf(stderr, "%s: %s: %s\n", label().c_str(), file->path.c_str(),
                   reader_.message().c_str());
      count_created(1);
      broken.count_lost(1);
    }
    return false;
  }

  // Up to FILEPOS, without jumping there: pcapng's interfaces are before it, and pipes cannot.
  bool find_position(SetupContext& context) {
    while (reader_.position() < *file_position) {
      const CaptureReader::Status status = reader_.next(record_);
      if (status == CaptureReader::Status::broken)
        return context.error(file->path + ": " + reader_.message());
      if (status == CaptureReader::Status::end) break;
    }
    return !file_position.given() || reader_.position() == *file_position ||
           context.error(file_position, "FILEPOS: no packet begins at this place",
                         "the next one begins at " + std::to_string(reader_.position()));
  }

  // Before it is opened, what it will be: ToDump asks while the router starts.
  int link_type() const {
    struct stat status {};
    if (file_ || stat(file->path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
      return reader_.link_type();
    const std::unique_ptr<std::FILE, Close> look(std::fopen(file->path.c_str(), "rbe"));
    CaptureReader reader;
    if (look) reader.open(look.get());
    return reader.link_type();
  }

  void lose_other_type() {
    other_type.count_lost(1);
    if (std::exchange(told_, true)) return;
    const std::string number = std::to_string(record_.interface);
    std::fprintf(
        stderr,
        "%s: %s: packets of interface %s are %s, not %s as the first one: dropped\n"
        "  FORCE_IP true takes the IPv4 packets of all, and these come with\n"
        "  tshark -r %s -Y 'frame.interface_id == %s' -w - | headroom ... as FromDump(-)\n",
        label().c_str(), file->path.c_str(), number.c_str(),
        link_type_name(record_.link_type).c_str(), link_type_name(reader_.link_type()).c_str(),
        file->path.c_str(), number.c_str());
  }

  // Knowing the time of the first packet, what is relative to it.
  void begin(int64_t time) {
    first_ = false;
    if (start.given()) begin_ = start->nanoseconds;
    if (start_after.given()) begin_ = add(time, start_after->nanoseconds);
    if (end.given()) end_ = end->nanoseconds;
    if (end_after.given()) end_ = add(time, end_after->nanoseconds);
    const bool has_start = start.given() || start_after.given();
    if (interval.given()) end_ = add(has_start ? begin_ : time, interval->nanoseconds);
  }

  // False when the packet does not come, because it is none of IPv4.
  bool mark_ip(Packet*& packet) {
    const auto offset = ip_offset(record_.link_type, record_.bytes);
    if (!offset) {
      if (output_connected(1))
        output(1).push(*std::exchange(packet, nullptr));
      else
        not_ip.drop(*std::exchange(packet, nullptr));
      return false;
    }
    const auto& ip = *reinterpret_cast<const IpHeader*>(record_.bytes.data() + *offset);
    packet->set_network_header(*offset, ip.header_length());
    packet->set_dst_ip_anno(ip.destination);
    if (record_.link_type == kLinkEther) packet->set_mac_header(0);
    return true;
  }

  std::string size() const {
    struct stat status {};
    if (!file_ || fstat(fileno(file_.get()), &status) != 0 || !S_ISREG(status.st_mode)) return "-";
    return std::to_string(status.st_size);
  }

  std::unique_ptr<std::FILE, Close> file_;
  CaptureReader reader_;
  CaptureReader::Record record_;
  int64_t begin_ = 0;
  std::optional<int64_t> end_;
  bool first_ = true;
  bool over_ = false;  // the record is behind the end, where extend_interval may come
  bool at_end_ = false;
  bool told_ = false;  // of other link types
};

HEADROOM_ELEMENT(FromDump);

}  // namespace headroom
