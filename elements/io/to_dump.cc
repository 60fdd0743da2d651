#include <pcap/pcap.h>
#include <stdio_ext.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

namespace headroom {

class ToDump final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "ToDump",
      .ports = "1/0-1",
      .doc =
          "Writes packets to a capture file (pcap, nanoseconds), and passes them on when its "
          "output is "
          "connected. Packets without a timestamp are written with the time at which they pass.",
      .once = true};

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
  Arg<std::string> encap{
      *this,
      "ENCAP",
      "ETHER",
      {.doc = "What the packets' bytes begin with: ETHER or IP.", .positional = true}};
  Arg<int64_t> limit{
      *this,
      "LIMIT",
      -1,
      {.doc = "Packets written in all; later ones only pass. Negative is all.", .unit = "packets"}};
  Arg<bool> unbuffered{
      *this, "UNBUFFERED", false, {.doc = "Whether every batch is written out at once."}};
  Count count{*this, "count", "Packets written."};
  Count failed{*this, "failed",
               "Packets that could not be written, for want of space for example. They are counted "
               "when they leave the buffer, and are no longer in `count` then."};
  Task task{*this};

  ~ToDump() override {
    if (!dump_) return;
    const int code = flush();
    if (code != 0)
      std::fprintf(stderr, "%s: not everything could be written to %s: %s\n", label().c_str(),
                   file->path.c_str(), std::strerror(code));
  }

  bool configure(SetupContext& context) override {
    if (*encap != "ETHER" && *encap != "IP")
      return context.error("ENCAP: '" + *encap + "' is neither ETHER nor IP");
    return true;
  }

  bool initialize(SetupContext& context) override {
    const uint32_t most = *snaplen == 0 ? kMaxSnaplen : std::min(*snaplen, kMaxSnaplen);
    form_.reset(pcap_open_dead_with_tstamp_precision(
        *encap == "IP" ? DLT_RAW : DLT_EN10MB, static_cast<int>(most), PCAP_TSTAMP_PRECISION_NANO));
    std::FILE* const stream = file->path == "-" ? stdout : std::fopen(file->path.c_str(), "wb");
    if (stream == nullptr) return context.error(file->path + ": " + std::strerror(errno));
    // Larger than what is ever in it: the C library then writes only when it is told to.
    buffer_.resize(2 * kBuffer);
    std::setvbuf(stream, buffer_.data(), _IOFBF, buffer_.size());
    dump_.reset(pcap_dump_fopen(form_.get(), stream));
    if (!dump_) return context.error(pcap_geterr(form_.get()));
    bytes_.resize(most);
    if (noutputs() == 0 && input_kind(0) == PortKind::pull) {
      signal_ = router().signal(*this, 0, Notifier::Kind::nonempty, task);
      task.schedule();
    }
    return true;
  }

  void push(uint32_t, PacketBatch& batch) override {
    record(batch);
    if (noutputs() != 0) return output(0).push(batch);
    count_absorbed(batch.size());
    batch.kill();
  }

  void pull(uint32_t, PacketBatch& batch, uint32_t most) override {
    input(0).pull(batch, most);
    record(batch);
  }

  bool run_task(Task&) override {
    PacketBatch batch;
    input(0).pull(batch, worker().batch_size);
    const bool worked = !batch.empty();
    push(0, batch);
    if (!worked && !signal_.active()) task.unschedule();
    return worked;
  }

 private:
  static constexpr uint32_t kMaxSnaplen = 262144;  // the most that readers accept
  static constexpr std::size_t kRecordHeader = 16;
  static constexpr std::size_t kBuffer = 65536;

  struct Close {
    void operator()(pcap_t* form) const { pcap_close(form); }
    void operator()(pcap_dumper_t* dump) const { pcap_dump_close(dump); }
  };

  void record(PacketBatch& batch) {
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
    header.len = packet.length() + packet.anno_u32(anno::kExtraLength.offset);
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
      count.subtract(buffered_);
      failed.add(buffered_);
    }
    buffered_ = 0;
    buffered_bytes_ = 0;
    return last_error_;
  }

  std::unique_ptr<pcap_t, Close> form_;
  std::vector<char> buffer_;  // of the stream, which dump_ closes
  std::unique_ptr<pcap_dumper_t, Close> dump_;
  std::vector<uint8_t> bytes_;
  uint64_t buffered_ = 0;  // packets
  std::size_t buffered_bytes_ = 0;
  int last_error_ = 0;
  Signal signal_;
};

HEADROOM_ELEMENT(ToDump);

}  // namespace headroom
