// What elements have in common that write packets to a file and pass them on, or end them when
// their output is not connected.
//
// Derive, declare a spec, call start() at the end of initialize(), and write:
//
//   class ToFile final : public FileSink {
//     void record(PacketBatch& batch) override;
//   };
#pragma once

#include <cstdio>
#include <cstring>
#include <string>

#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

namespace headroom {

class FileSink : public Element {
 public:
  Count count{*this, "count", "Packets written."};
  Count failed{*this, "failed",
               "Packets that could not be written, for want of space for example. They are counted "
               "when they leave the buffer, and are no longer in `count` then."};
  Task task{*this};

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

 protected:
  // Writes the packets, or as many as it wants of them.
  virtual void record(PacketBatch& batch) = 0;

  // The file is open.
  bool start() {
    if (noutputs() == 0 && input_kind(0) == PortKind::pull) {
      signal_ = router().signal(*this, 0, Notifier::Kind::nonempty, task);
      task.schedule();
    }
    return true;
  }

  // What was counted as written, and was not.
  void fail(uint64_t packets) {
    count.subtract(packets);
    failed.add(packets);
  }

  // At the end: `code` is the number of the last error that there was, or 0.
  void complain(const std::string& path, int code) const {
    if (code != 0)
      std::fprintf(stderr, "%s: not everything could be written to %s: %s\n", label().c_str(),
                   path.c_str(), std::strerror(code));
  }

 private:
  Signal signal_;
};

}  // namespace headroom
