// BatchElement<T>: the shape for work that gains from seeing the whole batch (lookups, ciphers).
//
// T has `static constexpr ElementSpec spec` and one of
//   void process(PacketBatch& batch)                        packets left in the batch go to output
//   0; void process(PacketBatch& batch, Verdict* verdicts)     one verdict a packet is filled in.
#pragma once

#include "headroom/graph/element.hh"

namespace headroom {

template <class T>
class BatchElement : public Element {
 public:
  void push(uint32_t, PacketBatch& batch) final {
    prepare_all(batch);
    if (kPrepares && batch.empty()) return;
    T& self = static_cast<T&>(*this);
    if constexpr (kVerdicts) {
      Verdict verdicts[PacketBatch::kCapacity];
      self.process(batch, verdicts);
      send(batch, verdicts);
    } else {
      self.process(batch);
      output(0).push(batch);
    }
  }

  void pull(uint32_t port, PacketBatch& batch, uint32_t limit) final {
    input(0).pull(batch, limit);
    prepare_all(batch);
    if (batch.empty()) return;
    T& self = static_cast<T&>(*this);
    if constexpr (kVerdicts) {
      Verdict verdicts[PacketBatch::kCapacity];
      self.process(batch, verdicts);
      Split others;
      keep(batch, verdicts, port, others);
      PacketBatch none;
      uint32_t unused = port;
      if (others.size() != 0) dispatch(none, others, unused);
    } else {
      self.process(batch);
    }
  }

 protected:
  static constexpr Verdict to(uint32_t port) { return Verdict::to(port); }

 private:
  static constexpr bool kPrepares = T::spec.writes || T::spec.contiguous != 0;
  static constexpr bool kVerdicts = requires(T & self, PacketBatch& batch, Verdict* verdicts) {
    self.process(batch, verdicts);
  };

  void prepare_all(PacketBatch& batch) {
    if constexpr (kPrepares) {
      uint32_t kept = 0;
      for (uint32_t i = 0; i < batch.size(); ++i) {
        Packet* packet = &batch[i];
        if ((T::spec.writes && packet->shared()) ||
            (packet->chained() && packet->contiguous() < T::spec.contiguous)) [[unlikely]]
          packet = prepare(*packet, T::spec.writes, T::spec.contiguous);
        if (packet != nullptr) batch.set(kept++, *packet);
      }
      batch.set_size(kept);
    }
  }

  // Leaves the packets with this verdict in the batch, and collects the others.
  static void keep(PacketBatch& batch, const Verdict* verdicts, uint32_t port, Split& others) {
    const Verdict wanted = Verdict::to(port);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < batch.size(); ++i) {
      if (verdicts[i] == wanted)
        batch.set(kept++, batch[i]);
      else
        others.add(batch[i], verdicts[i]);
    }
    batch.set_size(kept);
  }

  void send(PacketBatch& batch, const Verdict* verdicts) {
    const Verdict likely = Verdict::to(likely_);
    bool same = true;
    for (uint32_t i = 0; i < batch.size(); ++i) same &= verdicts[i] == likely;
    if (same) [[likely]]
      output(likely_).push(batch);
    else
      split(batch, verdicts);
  }

  [[gnu::noinline]] void split(PacketBatch& batch, const Verdict* verdicts) {
    Split others;
    keep(batch, verdicts, likely_, others);
    dispatch(batch, others, likely_);
  }

  uint32_t likely_ = 0;
};

}  // namespace headroom
