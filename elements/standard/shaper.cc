#include <algorithm>

#include "headroom/base/token_bucket.hh"
#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

namespace headroom {

class Shaper final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "Shaper",
      .processing = "l/l",
      .doc =
          "Lets at most RATE packets a second be pulled through it, and at most a hundredth of a "
          "second's packets at once.",
      .once = true};

  Arg<uint32_t> rate{*this,
                     "RATE",
                     {.doc = "Packets a second.",
                      .unit = "packets/s",
                      .positional = true,
                      .mandatory = true,
                      .live = true}};

  Task task{*this};  // run when the queues before it have packets again
  Timer timer{*this};

  bool reconfigure(std::string&) override {
    bucket_.tokens(now());  // up to now the old rate counts
    bucket_.configure(*rate, burst_of_rate(*rate));
    tell();
    return true;
  }

  bool initialize(SetupContext&) override {
    bucket_.configure(*rate, burst_of_rate(*rate));
    bucket_.start(now(), 1);
    upstream_ = router().signal(*this, 0, Notifier::Kind::nonempty, task);
    return true;
  }

  void pull(uint32_t, PacketBatch& batch, uint32_t limit) override {
    const auto allowed = static_cast<uint32_t>(std::min<uint64_t>(bucket_.tokens(now()), limit));
    if (allowed != 0) {
      input(0).pull(batch, allowed);
      bucket_.take(batch.size());
    }
    if (batch.empty()) tell();
  }

  bool run_task(Task&) override {
    task.unschedule();
    tell();
    return true;
  }

  void run_timer(Timer&) override { tell(); }

  Notifier* notifier(Notifier::Kind kind, uint32_t) override {
    return kind == Notifier::Kind::nonempty ? &nonempty_ : nullptr;
  }

 private:
  // Whether it is worth while to pull: there may be packets, and it has a token; where it has none,
  // the timer is set for when it will.
  void tell() {
    if (!upstream_.active()) return nonempty_.sleep();
    if (bucket_.tokens(now()) != 0) return nonempty_.wake();
    nonempty_.sleep();
    const int64_t next = bucket_.time_of(1);
    if (next != INT64_MAX) timer.schedule_at(next);
  }

  TokenBucket bucket_;
  Signal upstream_;
  Notifier nonempty_;
};

HEADROOM_ELEMENT(Shaper);

}  // namespace headroom
