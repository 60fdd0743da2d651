// A reason to drop packets: a member of the element, named, counted and listed wherever drops are
// shown.
//
//   Drop odd{*this, "odd-length", "The length is odd."};
//   Verdict process(Packet& packet) { return packet.length() % 2 ? odd : to(0); }
#pragma once

#include <cstdint>
#include <string_view>

#include "headroom/graph/cell.hh"
#include "headroom/graph/verdict.hh"
#include "headroom/packet/packet_batch.hh"

namespace headroom {

class Element;

class Drop {
 public:
  // `name` is lower case with dashes; it becomes a label of metrics. `doc` says when it happens.
  Drop(Element& owner, std::string_view name, std::string_view doc = {});
  Drop(const Drop&) = delete;
  Drop& operator=(const Drop&) = delete;

  // As a verdict: the framework frees the packet and counts it here.
  operator Verdict() const { return Verdict::drop(index_); }  // NOLINT: meant to be implicit

  // For elements without verdicts: frees and counts.
  void drop(Packet& packet) {
    dropped_.add(1);
    packet.kill();
  }
  void drop(PacketBatch& batch) {
    dropped_.add(batch.size());
    batch.kill();
  }
  // Counts packets that were lost without one of ours to free (a driver refused, a copy could not
  // be made).
  void count_lost(uint64_t packets) { dropped_.add(packets); }
  // Counts a packet that left by an output for this reason instead of being dropped.
  void count_diverted() { diverted_.add(1); }

  std::string_view name() const { return name_; }
  std::string_view doc() const { return doc_; }
  uint64_t dropped() const { return dropped_.get(); }
  uint64_t diverted() const { return diverted_.get(); }
  // Packets that it happened to, whatever became of them.
  uint64_t packets() const { return dropped() + diverted(); }

 private:
  std::string_view name_;
  std::string_view doc_;
  uint32_t index_;
  Cell dropped_;
  Cell diverted_;
};

}  // namespace headroom
