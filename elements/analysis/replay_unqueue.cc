#include "replay.hh"

namespace headroom {

class ReplayUnqueue final : public ReplayBase {
 public:
  static constexpr ElementSpec spec{
      .name = "ReplayUnqueue",
      .ports = "1/1",
      .processing = "l/h",
      .doc =
          "Collects the packets that there are upstream, and then pushes them on again and again, "
          "as fast as that goes.",
      .once = true};

  Arg<uint32_t> burst{
      *this,
      "BURST",
      0,
      {.doc = "Packets each time it is scheduled; 0 is workers.io_batch_size.", .unit = "packets"}};

  bool configure(SetupContext& context) override {
    return *burst <= PacketBatch::kCapacity ||
           context.error("BURST: out of range, bound " + std::to_string(PacketBatch::kCapacity));
  }

  bool reconfigure(std::string&) override {
    task.schedule();
    return true;
  }

  bool run_task(Task&) override {
    if (!collected_) {
      collected_ = collect();
      if (collected_) task.schedule();
      return collected_;
    }
    if (!*active || over()) {
      task.unschedule();
      if (over()) stop_once();
      return true;
    }
    PacketBatch batch;
    send(batch, *burst != 0 ? *burst : worker().batch_size);
    output(0).push(batch);
    return true;
  }
};

HEADROOM_ELEMENT(ReplayUnqueue);

}  // namespace headroom
