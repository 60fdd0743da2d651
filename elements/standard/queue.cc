#include "simple_queue.hh"

namespace headroom {

class Queue final : public SimpleQueue {
 public:
  static constexpr ElementSpec spec{
      .name = "Queue",
      .ports = "1/1",
      .processing = "h/l",
      .doc =
          "Stores packets in order until they are pulled. When it is full, packets that arrive "
          "are dropped."};

  bool initialize(SetupContext& context) override {
    nonempty_.sleep();
    return SimpleQueue::initialize(context);
  }

  void push(uint32_t port, PacketBatch& batch) override {
    SimpleQueue::push(port, batch);
    if (size() != 0) nonempty_.wake();
    if (is_full()) nonfull_.sleep();
  }

  void pull(uint32_t port, PacketBatch& batch, uint32_t limit) override {
    SimpleQueue::pull(port, batch, limit);
    if (!batch.empty()) nonfull_.wake();
    if (size() == 0) nonempty_.sleep();
  }

  Notifier* notifier(Notifier::Kind kind, uint32_t) override {
    return kind == Notifier::Kind::nonempty ? &nonempty_ : &nonfull_;
  }

 private:
  void contents_changed() override {
    size() != 0 ? nonempty_.wake() : nonempty_.sleep();
    is_full() ? nonfull_.sleep() : nonfull_.wake();
  }

  Notifier nonempty_;
  Notifier nonfull_;
};

HEADROOM_ELEMENT(Queue);

}  // namespace headroom
