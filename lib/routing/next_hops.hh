// Next hops interned to the 24-bit indexes that route tables store.
//
// Routes with the same gateway and port share an index, which counts its users. Acquire one for
// each route that is added, release it for each that is removed or replaced.
//
//   NextHops next_hops;
//   uint32_t index = next_hops.acquire({.gateway = gateway, .port = 2});
//   const NextHop& hop = next_hops[index];   // on the data path
//
// Threads: one writer at a time; operator[] may run meanwhile on any thread, for indexes got from
// a table that is written after acquire() and before release(). A released index is given to
// another next hop when no reader can have it any more, which the readers' grace periods tell.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "headroom/base/grace_periods.hh"
#include "headroom/net/addresses.hh"

namespace headroom {

struct NextHop {
  IPAddress gateway;        // 0.0.0.0: the destination is connected directly
  uint32_t port = 0;        // output port of the route element
  EtherAddress ether = {};  // where frames go, if the route says so itself; all zero if not

  // The address to send to, for a packet to `destination`.
  IPAddress address_for(IPAddress destination) const {
    return gateway.is_zero() ? destination : gateway;
  }

  friend bool operator==(const NextHop&, const NextHop&) = default;
};

class NextHops {
 public:
  // `readers` is null if none of them are on other threads, and else outlives the next hops.
  explicit NextHops(GracePeriods* readers = nullptr) : retired_(readers) {}
  NextHops(const NextHops&) = delete;
  NextHops& operator=(const NextHops&) = delete;
  ~NextHops();

  // The index of `next_hop`, with one more user. Throws std::length_error when 2^24 different
  // next hops are in use, std::bad_alloc when memory is out.
  uint32_t acquire(const NextHop& next_hop);
  // Takes a user off; the last one frees the index. The index must be in use.
  void release(uint32_t index);
  // The index of `next_hop` if it is in use. Counts no user.
  std::optional<uint32_t> find(const NextHop& next_hop) const;

  // The next hop of an index in use.
  const NextHop& operator[](uint32_t index) const {
    return chunks_[index >> kChunkBits].load(std::memory_order_acquire)[index & (kChunk - 1)];
  }
  uint32_t users(uint32_t index) const { return users_[index]; }
  // The number of different next hops in use, and of indexes ever made.
  size_t size() const { return indexes_.size(); }
  size_t made() const { return users_.size(); }

 private:
  // Chunks of entries that never move, so that readers need no lock when their number grows.
  static constexpr unsigned kChunkBits = 12;
  static constexpr size_t kChunk = size_t{1} << kChunkBits;
  static constexpr size_t kChunks = size_t{1} << (24 - kChunkBits);

  struct Hash {
    size_t operator()(const NextHop& next_hop) const {
      return mix_hash(uint64_t{next_hop.gateway.host_order()} << 32 | next_hop.port) ^
             mix_hash(next_hop.ether.to_uint64());
    }
  };

  std::array<std::atomic<NextHop*>, kChunks> chunks_{};
  std::unordered_map<NextHop, uint32_t, Hash> indexes_;
  std::vector<uint32_t> users_;
  std::vector<uint32_t> free_;
  Retired retired_;
};

}  // namespace headroom
