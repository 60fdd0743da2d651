// PacketElement<T>: the shape for work on one packet at a time.
//
// T has `static constexpr ElementSpec spec` and `Verdict process(Packet&)`, or `process(uint32_t
// port, Packet&)` when its inputs differ. The loop is here, so that process() is inlined into it:
// one virtual call a batch.
#pragma once

#include "headroom/graph/element.hh"

namespace headroom {

template <class T>
class PacketElement : public Element {
 public:
  void push(uint32_t port, PacketBatch& batch) final { run<false>(port, batch); }

  void pull(uint32_t port, PacketBatch& batch, uint32_t limit) final {
    input(0).pull(batch, limit);
    if (batch.empty()) return;
    likely_ = port;  // what is pulled through leaves by the port that was asked
    run<true>(0, batch);
  }

 protected:
  static constexpr Verdict to(uint32_t port) { return Verdict::to(port); }
  static constexpr Verdict held_packet() { return Verdict::held(); }

 private:
  // The verdict on one packet, which may come to lie in another mbuf first.
  Verdict decide(uint32_t port, rte_mbuf*& slot) {
    Packet* packet = Packet::from_mbuf(slot);
    if constexpr (T::spec.writes || T::spec.contiguous != 0) {
      if (needs_preparation(*packet)) [[unlikely]] {
        packet = prepare(*packet, T::spec.writes, T::spec.contiguous);
        if (packet == nullptr) return Verdict::held();  // already freed and counted
        slot = packet->mbuf();
      }
    }
    if constexpr (requires(T & self) { self.process(port, *packet); })
      return static_cast<T*>(this)->process(port, *packet);
    else
      return static_cast<T*>(this)->process(*packet);
  }

  static bool needs_preparation(const Packet& packet) {
    if constexpr (T::spec.contiguous != 0)
      if (packet.contiguous() < T::spec.contiguous && packet.chained()) return true;
    if constexpr (T::spec.writes) return packet.shared();
    return false;
  }

  template <bool kPull>
  void run(uint32_t port, PacketBatch& batch) {
    const uint32_t size = batch.size();
    const Verdict likely = Verdict::to(likely_);
    rte_mbuf** const slots = batch.mbufs();
    for (uint32_t i = 0; i < size; ++i) {
      const Verdict verdict = decide(port, slots[i]);
      if (verdict != likely) [[unlikely]]
        return split<kPull>(port, batch, i, verdict);
    }
    if constexpr (!kPull) output(likely_).push(batch);
  }

  // From the first packet that goes another way on: those for the likeliest output are compacted in
  // place.
  template <bool kPull>
  [[gnu::noinline]] void split(uint32_t port, PacketBatch& batch, uint32_t first,
                               Verdict first_verdict) {
    Split others;
    const uint32_t size = batch.size();
    const Verdict likely = Verdict::to(likely_);
    rte_mbuf** const slots = batch.mbufs();
    others.add(batch[first], first_verdict);
    uint32_t kept = first;
    for (uint32_t i = first + 1; i < size; ++i) {
      const Verdict verdict = decide(port, slots[i]);
      if (verdict == likely)
        slots[kept++] = slots[i];
      else
        others.add(batch[i], verdict);
    }
    batch.set_size(kept);
    if constexpr (kPull) {
      // The packets that stay are the caller's; the rest goes on from a batch of its own.
      PacketBatch none;
      uint32_t unused = likely_;
      dispatch(none, others, unused);
    } else {
      dispatch(batch, others, likely_);
    }
  }

  uint32_t likely_ = 0;
};

}  // namespace headroom
