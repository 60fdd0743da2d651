#include "replay.hh"

namespace headroom {

class Replay final : public ReplayBase {
 public:
  static constexpr ElementSpec spec{
      .name = "Replay",
      .ports = "1/1",
      .processing = "l/l",
      .doc =
          "Collects the packets that there are upstream, and then sends them again and again to "
          "whoever pulls. ReplayUnqueue is the same and pushes.",
      .once = true};

  bool reconfigure(std::string&) override {
    if (*active && collected_) nonempty_.wake();
    return true;
  }

  // It only collects; then it is whoever pulls that works.
  bool run_task(Task&) override {
    collected_ = collect();
    if (!collected_) return false;
    task.unschedule();
    nonempty_.wake();
    return true;
  }

  void pull(uint32_t, PacketBatch& batch, uint32_t wanted) override {
    if (collected_ && *active) send(batch, wanted);
    if (!batch.empty()) return;
    nonempty_.sleep();
    if (collected_ && over()) stop_once();
  }

  Notifier* notifier(Notifier::Kind kind, uint32_t) override {
    return kind == Notifier::Kind::nonempty ? &nonempty_ : nullptr;
  }

 private:
  Notifier nonempty_;
};

HEADROOM_ELEMENT(Replay);

}  // namespace headroom
