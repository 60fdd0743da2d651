// The IPv4 route table: longest prefix match from addresses to 24-bit next hop indexes.
//
// Route elements use this interface and know nothing of what is behind it. Next hops are opaque
// numbers, usually those of NextHops (next_hops.hh). Host bits of prefixes are ignored.
//
//   Ip4Table table;
//   table.add(*IPPrefix::parse("10.0.0.0/8"), next_hops.acquire({gateway, port}));
//   uint32_t next_hop = table.lookup(packet.dst_ip_anno());
//   if (next_hop == kNoRoute) return no_route;
//
// Threads: one writer at a time; lookup() and lookup_bulk() may run meanwhile on any thread, if the
// table knows their grace periods. For each address, a lookup gives what was right at some moment
// while it ran. Memory for prefixes longer than /24 is used again after removals, when no lookup
// can be under way that began before.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "headroom/base/grace_periods.hh"
#include "headroom/net/addresses.hh"
#include "headroom/routing/prefix_map.hh"
#include "headroom/routing/reserved_array.hh"

namespace headroom {

// What a lookup gives when no prefix contains the address.
inline constexpr uint32_t kNoRoute = 0xffffffff;
inline constexpr uint32_t kMaxNextHop = 0xffffff;

class Ip4Table {
 public:
  // `readers` is null if none of them are on other threads, and else outlives the table. Throws
  // std::bad_alloc when there is no address space (16 GB are reserved, not used).
  explicit Ip4Table(GracePeriods* readers = nullptr);

  // Sets the next hop of a prefix; returns whether the prefix is new. Throws std::invalid_argument
  // when the next hop exceeds kMaxNextHop or the prefix length 32, std::bad_alloc when memory is
  // out; the table is unchanged then.
  bool add(const IPPrefix& prefix, uint32_t next_hop);
  // Returns whether the prefix was there.
  bool remove(const IPPrefix& prefix);
  // The next hop of exactly this prefix.
  std::optional<uint32_t> find(const IPPrefix& prefix) const;
  // Removes all prefixes.
  void clear();

  // The next hop of the longest prefix that contains `address`, or kNoRoute.
  uint32_t lookup(IPAddress address) const {
    const uint32_t key = address.host_order();
    uint64_t before = default_.load(std::memory_order_acquire);
    while (true) {
      uint32_t entry = tbl24_.load(key >> 8, std::memory_order_acquire);
      if (entry & kExtended)
        entry = tbl8_.load(group_entry(entry) + (key & 0xff), std::memory_order_acquire);
      if (entry != kEmpty) return entry & kMaxNextHop;
      const uint64_t after = default_.load(std::memory_order_acquire);
      if (after == before) return static_cast<uint32_t>(after);
      before = after;
    }
  }
  // For lookups one by one, as many as a batch has: what they need is in registers. Lives no longer
  // than a grace period.
  class Reader {
   public:
    explicit Reader(const Ip4Table& table)
        : table_(&table),
          tbl24_(table.tbl24_.view()),
          tbl8_(table.tbl8_.view()),
          default_(table.default_.load(std::memory_order_acquire)) {}
    uint32_t lookup(IPAddress address) const {
      const uint32_t key = address.host_order();
      uint32_t entry = tbl24_.load(key >> 8, std::memory_order_acquire);
      if (entry & kExtended) [[unlikely]]
        entry = tbl8_.load(group_entry(entry) + (key & 0xff), std::memory_order_acquire);
      if (entry != kEmpty) [[likely]]
        return entry & kMaxNextHop;
      return table_->default_.load(std::memory_order_acquire) == default_
                 ? static_cast<uint32_t>(default_)
                 : table_->lookup(address);
    }

   private:
    const Ip4Table* table_;
    ReservedArray::View tbl24_;
    ReservedArray::View tbl8_;
    uint64_t default_;
  };

  // lookup() of `count` addresses.
  void lookup_bulk(const IPAddress* addresses, size_t count, uint32_t* next_hops) const;

  // The number of prefixes.
  size_t size() const;
  bool empty() const { return size() == 0; }
  // Calls f(IPPrefix, uint32_t next_hop) for all prefixes, by address, shorter ones first. The
  // table may be changed meanwhile; f sees the prefixes there were at the start.
  template <class F>
  void for_each(F&& f) const {
    for (const auto& [prefix, next_hop] : sorted()) f(prefix, next_hop);
  }

  // Memory for prefixes longer than /24, in groups of 1 KB: those in use, those that lookups may
  // still use, and all that were ever made; the rest is free. For tests and statistics.
  size_t groups_in_use() const { return groups_made_ - free_groups_.size() - retired_.size(); }
  size_t groups_retired() const { return retired_.size(); }
  size_t groups_made() const { return groups_made_; }

 private:
  // An entry holds the next hop (24 bits) and the length of the prefix it comes from (6 bits), 0
  // meaning that the default route applies; or, in tbl24 and with bit 31 set, the number of the
  // tbl8 group that has the 256 entries for the last byte.
  static constexpr uint32_t kEmpty = 0;
  static constexpr uint32_t kExtended = 0x80000000;
  static constexpr size_t kGroupSize = 256;

  static constexpr uint32_t make_entry(unsigned length, uint32_t next_hop) {
    return length << 24 | next_hop;
  }
  static constexpr unsigned length_of(uint32_t entry) { return entry >> 24; }
  static constexpr size_t group_entry(uint32_t entry) { return (entry & kMaxNextHop) * kGroupSize; }

  std::vector<std::pair<IPPrefix, uint32_t>> sorted() const;
  void set_default(uint32_t next_hop);
  void lookup_chunk(const IPAddress* addresses, size_t count, uint32_t default_route,
                    uint32_t* next_hops) const;
  uint32_t covering_entry(uint32_t network, unsigned length) const;
  uint32_t take_group();
  void reclaim_groups();
  template <class Decide>
  void rewrite(uint32_t network, unsigned length, uint32_t entry, Decide decide);

  // The truth: next hops by network address (host order), for each prefix length.
  std::array<PrefixMap, 33> prefixes_;

  ReservedArray tbl24_;
  ReservedArray tbl8_;
  // The default route's next hop, and above it how often it changed: an empty entry and a default
  // route that were read at different moments may never have been so together.
  std::atomic<uint64_t> default_{kNoRoute};

  std::vector<uint16_t> group_prefixes_;  // how many prefixes longer than /24 a group has
  std::vector<uint32_t> free_groups_;
  Retired retired_;
  size_t groups_made_ = 0;
};

}  // namespace headroom
