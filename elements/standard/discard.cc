#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

namespace headroom {

class Discard final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "Discard",
      .ports = "1/0",
      .doc = "Discards all packets. Pulls them when its input is a pull port."};

  Arg<bool> active{
      *this, "ACTIVE", true, {.doc = "Whether it pulls. A push input always discards."}};
  Arg<uint32_t> burst{*this, "BURST", 32, {.doc = "Packets pulled at a time.", .unit = "packets"}};
  Count count{*this, "count", "Packets discarded."};
  WriteHandler reset{*this, "reset_counts", "Sets the count to zero.",
                     [this](std::string_view, std::string&) {
                       count.set(0);
                       return true;
                     }};
  Task task{*this};

  bool configure(SetupContext& context) override {
    return (*burst >= 1 && *burst <= PacketBatch::kCapacity) ||
           context.error("BURST: out of range, 1 to " + std::to_string(PacketBatch::kCapacity));
  }

  bool initialize(SetupContext&) override {
    if (input_kind(0) == PortKind::pull && *active) {
      signal_ = router().signal(*this, 0, Notifier::Kind::nonempty, task);
      task.schedule();
    }
    return true;
  }

  void push(uint32_t, PacketBatch& batch) override {
    count.add(batch.size());
    count_absorbed(batch.size());
    batch.kill();
  }

  bool run_task(Task&) override {
    PacketBatch batch;
    input(0).pull(batch, *burst);
    const bool worked = !batch.empty();
    push(0, batch);
    if (!worked && !signal_.active()) task.unschedule();
    return worked;
  }

 private:
  Signal signal_;
};

HEADROOM_ELEMENT(Discard);

}  // namespace headroom
