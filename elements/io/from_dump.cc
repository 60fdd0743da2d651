#include <pcap/pcap.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

namespace headroom {

class FromDump final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "FromDump",
      .ports = "0/1",
      .doc =
          "Reads packets from a capture file (pcap or pcapng), as fast as it is scheduled or as "
          "they "
          "are pulled. Timestamps are those of the file; where a packet was captured only in part, "
          "the extra length annotation has the rest.",
      .once = true};

  Arg<click::Filename> file{
      *this,
      "FILENAME",
      {.doc = "The file; - is standard input.", .positional = true, .mandatory = true}};
  Arg<bool> stop{*this, "STOP", false, {.doc = "Whether the router stops at the end of the file."}};
  Arg<bool> active{*this, "ACTIVE", true, {.doc = "Whether it reads.", .live = true}};
  Arg<uint32_t> burst{
      *this, "BURST", 1, {.doc = "Packets each time it is scheduled.", .unit = "packets"}};
  Drop broken{*this, "broken-file", "The file ends in the middle of a packet or makes no sense."};
  Count count{*this, "count", "Packets read."};
  Task task{*this};

  bool configure(SetupContext& context) override {
    return (*burst >= 1 && *burst <= PacketBatch::kCapacity) ||
           context.error("BURST: out of range, 1 to " + std::to_string(PacketBatch::kCapacity));
  }

  bool initialize(SetupContext& context) override {
    char reason[PCAP_ERRBUF_SIZE] = "";
    capture_.reset(pcap_open_offline_with_tstamp_precision(file->path.c_str(),
                                                           PCAP_TSTAMP_PRECISION_NANO, reason));
    if (!capture_) return context.error(reason);
    if (output_kind(0) == PortKind::push) {
      nonfull_ = router().signal(*this, 0, Notifier::Kind::nonfull, task);
      task.schedule();
    }
    return true;
  }

  bool reconfigure(std::string&) override {
    if (*active && output_kind(0) == PortKind::push) task.schedule();
    return true;
  }

  bool run_task(Task&) override {
    if (!*active) {
      task.unschedule();
      return false;
    }
    if (!capture_) {
      // One scheduling after the last packet, so that what is downstream has been offered it.
      task.unschedule();
      if (*stop) router().stop_event();
      return true;
    }
    if (!nonfull_.active()) {
      task.unschedule();
      return false;
    }
    PacketBatch batch;
    read(batch, *burst);
    output(0).push(batch);
    return true;
  }

  void pull(uint32_t, PacketBatch& batch, uint32_t limit) override {
    const bool had_more = capture_ != nullptr;
    if (*active) read(batch, limit);
    if (had_more && !capture_ && *stop) router().stop_event();
  }

 private:
  struct Close {
    void operator()(pcap_t* capture) const { pcap_close(capture); }
  };

  // None when it is before the epoch or after the year 2262, which only a broken file says.
  static int64_t time_of(const pcap_pkthdr& header) {
    int64_t time = 0;
    // With nanosecond precision the second field holds nanoseconds.
    if (__builtin_mul_overflow(int64_t{header.ts.tv_sec}, 1'000'000'000, &time) ||
        __builtin_add_overflow(time, int64_t{header.ts.tv_usec}, &time))
      return 0;
    return std::max<int64_t>(time, 0);
  }

  void read(PacketBatch& batch, uint32_t limit) {
    while (capture_ && batch.size() < limit) {
      pcap_pkthdr* header = nullptr;
      const u_char* bytes = nullptr;
      const int status = pcap_next_ex(capture_.get(), &header, &bytes);
      if (status != 1) {
        if (status == PCAP_ERROR) {
          count_created(1);
          broken.count_lost(1);
        }
        capture_.reset();
        break;
      }
      count_created(1);
      Packet* packet = Packet::make(pool(), {bytes, header->caplen});
      if (packet == nullptr) {
        no_buffer.count_lost(1);
        continue;
      }
      packet->set_timestamp_anno(time_of(*header));
      if (header->len > header->caplen)
        packet->set_anno_u32(anno::kExtraLength.offset, header->len - header->caplen);
      batch.push_back(*packet);
    }
    count.add(batch.size());
  }

  std::unique_ptr<pcap_t, Close> capture_;
  Signal nonfull_;
};

HEADROOM_ELEMENT(FromDump);

}  // namespace headroom
