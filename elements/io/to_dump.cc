#include <pcap/pcap.h>

#include <algorithm>
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
               "Packets that could not be written, for want of space for example."};
  Task task{*this};

  bool configure(SetupContext& context) override {
    if (*encap != "ETHER" && *encap != "IP")
      return context.error("ENCAP: '" + *encap + "' is neither ETHER nor IP");
    return true;
  }

  bool initialize(SetupContext& context) override {
    const uint32_t most = *snaplen == 0 ? kMaxSnaplen : std::min(*snaplen, kMaxSnaplen);
    form_.reset(pcap_open_dead_with_tstamp_precision(
        *encap == "IP" ? DLT_RAW : DLT_EN10MB, static_cast<int>(most), PCAP_TSTAMP_PRECISION_NANO));
    dump_.reset(pcap_dump_open(form_.get(), file->path.c_str()));
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
    if (*unbuffered) pcap_dump_flush(dump_.get());
  }

  void write(const Packet& packet) {
    const int64_t time = packet.timestamp_anno() != 0 ? packet.timestamp_anno() : now();
    pcap_pkthdr header{};
    header.ts.tv_sec = time / 1'000'000'000;
    header.ts.tv_usec = time % 1'000'000'000;
    header.caplen = std::min<uint32_t>(packet.length(), static_cast<uint32_t>(bytes_.size()));
    header.len = packet.length() + packet.anno_u32(anno::kExtraLength.offset);
    packet.copy_out(0, bytes_.data(), header.caplen);
    pcap_dump(reinterpret_cast<u_char*>(dump_.get()), &header, bytes_.data());
    if (ferror(pcap_dump_file(dump_.get())) != 0) {
      clearerr(pcap_dump_file(dump_.get()));
      failed.add(1);
    } else {
      count.add(1);
    }
  }

  std::unique_ptr<pcap_t, Close> form_;
  std::unique_ptr<pcap_dumper_t, Close> dump_;
  std::vector<uint8_t> bytes_;
  Signal signal_;
};

HEADROOM_ELEMENT(ToDump);

}  // namespace headroom
