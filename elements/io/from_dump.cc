#include <pcap/pcap.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "file_source.hh"
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
          "FORCE_IP, other packets than IPv4 ones leave by output 1.",
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
  Arg<bool> mmap{*this, "MMAP", true, {.doc = "Accepted, without effect."}};

  Drop broken{*this, "broken-file", "The file ends in the middle of a packet or makes no sense."};
  Drop not_ip{*this, "not-ip", "FORCE_IP, and it is no IPv4 packet or its header is malformed."};

  ReadHandler encap{*this, "encap", "The file's link type, for ToDump's ENCAP.",
                    [this] { return link_type_name(link_type_); }};
  ReadHandler filename{*this, "filename", "FILENAME.", [this] { return file->path; }};
  ReadHandler filesize{*this, "filesize", "The file's length in bytes; - if not known.",
                       [this] { return size(); }};
  ReadHandler filepos{*this, "filepos", "Bytes of the file that were read; - if not known.",
                      [this] { return position(); }};
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
    char reason[PCAP_ERRBUF_SIZE] = "";
    capture_.reset(pcap_open_offline_with_tstamp_precision(file->path.c_str(),
                                                           PCAP_TSTAMP_PRECISION_NANO, reason));
    if (!capture_) return context.error(reason);
    link_type_ = pcap_datalink(capture_.get());
    return true;
  }

  Next next(Packet*& packet) override {
    if (at_end_ || (!over_ && !advance())) return Next::end;
    const int64_t time = time_of(*header_);
    if (first_) begin(time);
    over_ = end_ && time >= *end_;
    if (over_) return Next::end;
    if (time < begin_ || !sampled()) return Next::skipped;
    count_created(1);
    packet = Packet::make(pool(), {bytes_, header_->caplen});
    if (packet == nullptr) {
      no_buffer.count_lost(1);
      return Next::skipped;
    }
    packet->set_timestamp_anno(time);
    if (header_->len > header_->caplen)
      packet->set_anno_u32(anno::kExtraLength.offset, header_->len - header_->caplen);
    return !*force_ip || mark_ip(packet) ? Next::packet : Next::skipped;
  }

 private:
  struct Close {
    void operator()(pcap_t* capture) const { pcap_close(capture); }
  };

  static int64_t add(int64_t time, int64_t more) {
    return __builtin_add_overflow(time, more, &time) ? INT64_MAX : time;
  }

  // None when it is before the epoch or after the year 2262, which only a broken file says.
  static int64_t time_of(const pcap_pkthdr& header) {
    int64_t time = 0;
    // With nanosecond precision the second field holds nanoseconds.
    if (__builtin_mul_overflow(int64_t{header.ts.tv_sec}, 1'000'000'000, &time) ||
        __builtin_add_overflow(time, int64_t{header.ts.tv_usec}, &time))
      return 0;
    return std::max<int64_t>(time, 0);
  }

  // The file's next record; false at its end.
  bool advance() {
    const int status = pcap_next_ex(capture_.get(), &header_, &bytes_);
    if (status == 1) return true;
    at_end_ = true;
    if (status == PCAP_ERROR) {
      std::fprintf(stderr, "%s: %s: %s\n", label().c_str(), file->path.c_str(),
                   pcap_geterr(capture_.get()));
      count_created(1);
      broken.count_lost(1);
    }
    return false;
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
    const auto offset = ip_offset(link_type_, {bytes_, header_->caplen});
    if (!offset) {
      if (output_connected(1))
        output(1).push(*std::exchange(packet, nullptr));
      else
        not_ip.drop(*std::exchange(packet, nullptr));
      return false;
    }
    const auto& ip = *reinterpret_cast<const IpHeader*>(bytes_ + *offset);
    packet->set_network_header(*offset, ip.header_length());
    packet->set_dst_ip_anno(ip.destination);
    if (link_type_ == kLinkEther) packet->set_mac_header(0);
    return true;
  }

  std::string size() const {
    struct stat status {};
    if (!capture_ || fstat(fileno(pcap_file(capture_.get())), &status) != 0 ||
        !S_ISREG(status.st_mode))
      return "-";
    return std::to_string(status.st_size);
  }
  std::string position() const {
    const off_t at = capture_ ? ftello(pcap_file(capture_.get())) : -1;
    return at < 0 ? "-" : std::to_string(at);
  }

  std::unique_ptr<pcap_t, Close> capture_;
  int link_type_ = kLinkEther;
  pcap_pkthdr* header_ = nullptr;
  const u_char* bytes_ = nullptr;
  int64_t begin_ = 0;
  std::optional<int64_t> end_;
  bool first_ = true;
  bool over_ = false;  // the record is behind the end, where extend_interval may come
  bool at_end_ = false;
};

HEADROOM_ELEMENT(FromDump);

}  // namespace headroom
