// How packets get from an element on one worker to the next one on another.
//
// An Inlet is a ring into an element: one worker fills it, the scheduler of the element's worker
// empties it. A HandOff stands behind an output port in place of the element that is elsewhere. It
// has one way for each worker that may get the packets; when there are several it chooses by flow.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "headroom/graph/element.hh"
#include "headroom/packet/packet_ring.hh"

namespace headroom {

class Inlet {
 public:
  static constexpr uint32_t kSize = 2048;  // packets; one place stays empty

  // Into input `port` of `to`, at most `limit` packets at a time.
  Inlet(Element& to, uint32_t port, uint32_t limit)
      : to_(to), port_(port), limit_(limit), ring_(kSize) {}

  Element& to() const { return to_; }
  PacketRing& ring() { return ring_; }
  const PacketRing& ring() const { return ring_; }
  // On the element's worker: hands it what is there. Returns whether there was anything.
  bool deliver();

 private:
  Element& to_;
  uint32_t port_;
  uint32_t limit_;
  PacketRing ring_;
};

class HandOff final : public Element {
 public:
  // Behind output `port` of `from`.
  HandOff(Element& from, uint32_t port) : from_(from), port_(port) {}

  // A way to the worker of the inlet, or to the element on this worker.
  void add(Inlet& inlet) { ways_.push_back({&inlet, nullptr, 0}); }
  void add(Element& here, uint32_t port) { ways_.push_back({nullptr, &here, port}); }

  void push(uint32_t port, PacketBatch& batch) override;

 private:
  struct Way {
    Inlet* inlet;
    Element* here;
    uint32_t port;
  };

  void send(const Way& way, PacketBatch& batch);

  Element& from_;
  uint32_t port_;
  std::vector<Way> ways_;
  Drop full_{from_, "hand-off-full", "The ring to the worker that its way leads to was full."};
};

}  // namespace headroom
