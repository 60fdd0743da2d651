#include <algorithm>
#include <utility>

#include "headroom/graph/element.hh"
#include "headroom/graph/handler_call.hh"
#include "headroom/graph/router.hh"
#include "source_bytes.hh"

namespace headroom {

class InfiniteSource final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "InfiniteSource",
      .ports = "0/1",
      .doc = "Makes packets with the same bytes as fast as it is scheduled, or as they are pulled.",
      .once = true};

  Arg<std::string> data{
      *this, "DATA", kSourceData, {.doc = "The packets' bytes.", .positional = true, .live = true}};
  Arg<int64_t> limit{*this,
                     "LIMIT",
                     -1,
                     {.doc = "Packets in all; negative is without end.",
                      .unit = "packets",
                      .positional = true,
                      .live = true}};
  Arg<uint32_t> burst{*this,
                      "BURST",
                      1,
                      {.doc = "Packets each time it is scheduled.",
                       .unit = "packets",
                       .positional = true,
                       .live = true}};
  Arg<bool> active{*this,
                   "ACTIVE",
                   true,
                   {.doc = "Whether it makes packets.", .positional = true, .live = true}};
  Arg<int64_t> length{
      *this,
      "LENGTH",
      -1,
      {.doc = "The packets' length: DATA is repeated or cut; negative is that of DATA.",
       .unit = "bytes",
       .live = true}};
  Arg<bool> stop{
      *this, "STOP", false, {.doc = "Whether the router stops at the end of LIMIT.", .live = true}};
  HandlerCall end_call{*this, "END_CALL",
                       "A handler that is called at the end of LIMIT: HANDLER [VALUE]. STOP's stop "
                       "event comes after it."};

  Count count{*this, "count", "Packets made."};
  WriteHandler reset{*this, "reset", "Sets the count to zero and starts again.",
                     [this](std::string_view, std::string&) {
                       count.set(0);
                       wake();
                       return true;
                     }};
  Task task{*this};

  bool configure(SetupContext& context) override {
    std::string problem;
    return make_bytes(problem) || context.error(problem);
  }

  bool reconfigure(std::string& error) override {
    if (!make_bytes(error)) return false;
    wake();
    return true;
  }

  bool initialize(SetupContext& context) override {
    if (!end_call.check(context)) return false;
    if (output_kind(0) == PortKind::push) {
      nonfull_ = router().signal(*this, 0, Notifier::Kind::nonfull, task);
      task.schedule();
    }
    return true;
  }

  bool run_task(Task&) override {
    if (!*active || left() == 0) {
      task.unschedule();
      // One scheduling after the last packet, so that what is downstream has been offered it.
      if (*active && std::exchange(at_work_, false)) announce_end();
      return true;
    }
    if (!nonfull_.active()) {
      task.unschedule();
      return false;
    }
    PacketBatch batch;
    make(batch, *burst);
    const bool worked = !batch.empty();
    output(0).push(batch);
    return worked;
  }

  void pull(uint32_t, PacketBatch& batch, uint32_t wanted) override {
    if (*active) make(batch, wanted);
    if (*active && left() == 0 && std::exchange(at_work_, false)) announce_end();
  }

 private:
  // Checks the arguments and makes the packets' bytes of them.
  bool make_bytes(std::string& problem) {
    if (*burst >= 1 && *burst <= PacketBatch::kCapacity)
      return make_source_bytes(*data, *length, bytes_, problem);
    problem = "BURST: out of range, 1 to " + std::to_string(PacketBatch::kCapacity);
    return false;
  }

  uint32_t left() const {
    if (*limit < 0) return UINT32_MAX;
    const auto bound = static_cast<uint64_t>(*limit);
    return static_cast<uint32_t>(
        std::min<uint64_t>(bound - std::min(bound, count.get()), UINT32_MAX));
  }

  void announce_end() {
    end_call.call([this] {
      if (*stop) router().stop_event();
    });
  }

  void wake() {
    at_work_ = true;
    if (noutputs() != 0 && output_kind(0) == PortKind::push) task.schedule();
  }

  void make(PacketBatch& batch, uint32_t wanted) {
    const int64_t time = now();
    for (uint32_t n = std::min(wanted, left()); n > 0; --n) {
      Packet* packet = Packet::make(pool(), bytes_);
      if (packet == nullptr) {
        // The packet existed only as an intention: it is created and dropped, so that it is not
        // lost silently.
        count_created(1);
        no_buffer.count_lost(1);
        break;
      }
      packet->set_timestamp_anno(time);
      batch.push_back(*packet);
    }
    count.add(batch.size());
    count_created(batch.size());
  }

  std::vector<uint8_t> bytes_;
  Signal nonfull_;
  bool at_work_ = true;
};

HEADROOM_ELEMENT(InfiniteSource);

}  // namespace headroom
