#include "headroom/routing/ip4_table.hh"

#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace {

constexpr size_t kTbl24Size = size_t{1} << 24;

constexpr uint32_t mask_of(unsigned length) { return IPAddress::mask_of(length).host_order(); }

}  // namespace

Ip4Table::Ip4Table(GracePeriods* readers)
    : tbl24_(kTbl24Size, kTbl24Size), tbl8_(kTbl24Size * kGroupSize, 0), retired_(readers) {}

bool Ip4Table::add(const IPPrefix& prefix, uint32_t next_hop) {
  if (next_hop > kMaxNextHop) throw std::invalid_argument("next hop exceeds 24 bits");
  if (prefix.length > 32) throw std::invalid_argument("prefix length exceeds 32");
  const unsigned length = prefix.length;
  const uint32_t network = prefix.network().host_order();
  PrefixMap& map = prefixes_[length];
  map.reserve_one();
  if (length == 0) {
    set_default(next_hop);
    return map.insert_or_assign(network, next_hop);
  }

  uint32_t root = 0;
  if (length > 24) {
    root = tbl24_.load(network >> 8);
    if (!(root & kExtended)) {
      const uint32_t group = take_group();
      for (size_t i = 0; i < kGroupSize; ++i)
        tbl8_.store(group * kGroupSize + i, root, std::memory_order_relaxed);
      root = kExtended | group;
      tbl24_.store(network >> 8, root);  // releases the group's entries as well
    }
  }
  const bool is_new = map.insert_or_assign(network, next_hop);
  if (length > 24 && is_new) ++group_prefixes_[root & kMaxNextHop];
  // Entries of longer prefixes stay; of the same length only this prefix can be here.
  rewrite(network, length, make_entry(length, next_hop),
          [length](uint32_t old) { return length_of(old) <= length; });
  return is_new;
}

bool Ip4Table::remove(const IPPrefix& prefix) {
  const unsigned length = prefix.length;
  if (length > 32) return false;
  const uint32_t network = prefix.network().host_order();
  if (!prefixes_[length].erase(network)) return false;
  if (length == 0) {
    set_default(kNoRoute);
    return true;
  }
  rewrite(network, length, covering_entry(network, length),
          [length](uint32_t old) { return length_of(old) == length; });
  if (length > 24) {
    const uint32_t group = tbl24_.load(network >> 8) & kMaxNextHop;
    if (--group_prefixes_[group] == 0) {
      // No prefix longer than /24 is left, so the group's entries are all the same.
      tbl24_.store(network >> 8, tbl8_.load(group * kGroupSize));
      retired_.add(group);
      reclaim_groups();
    }
  }
  return true;
}

void Ip4Table::set_default(uint32_t next_hop) {
  const uint64_t changes = default_.load(std::memory_order_relaxed) >> 32;
  default_.store((changes + 1) << 32 | next_hop, std::memory_order_release);
}

// Stores `entry` for all addresses of the prefix whose present entry `decide` gives up.
template <class Decide>
void Ip4Table::rewrite(uint32_t network, unsigned length, uint32_t entry, Decide decide) {
  const auto rewrite_group = [&](size_t first, size_t count) {
    for (size_t i = first; i < first + count; ++i)
      if (decide(tbl8_.load(i))) tbl8_.store(i, entry);
  };
  const size_t slot = network >> 8;
  if (length > 24) {
    const size_t group = group_entry(tbl24_.load(slot));
    rewrite_group(group + (network & 0xff), size_t{1} << (32 - length));
    return;
  }
  for (size_t i = slot; i < slot + (size_t{1} << (24 - length)); ++i) {
    const uint32_t old = tbl24_.load(i);
    if (old & kExtended)
      rewrite_group(group_entry(old), kGroupSize);
    else if (decide(old))
      tbl24_.store(i, entry);
  }
}

std::optional<uint32_t> Ip4Table::find(const IPPrefix& prefix) const {
  if (prefix.length > 32) return std::nullopt;
  const uint32_t next_hop = prefixes_[prefix.length].find(prefix.network().host_order());
  if (next_hop == PrefixMap::kNone) return std::nullopt;
  return next_hop;
}

// The entry of the longest prefix that is shorter than `length` and contains `network`.
uint32_t Ip4Table::covering_entry(uint32_t network, unsigned length) const {
  while (--length > 0) {
    const uint32_t next_hop = prefixes_[length].find(network & mask_of(length));
    if (next_hop != PrefixMap::kNone) return make_entry(length, next_hop);
  }
  return kEmpty;
}

void Ip4Table::clear() {
  for (const auto& [prefix, next_hop] : sorted()) remove(prefix);
}

void Ip4Table::lookup_bulk(const IPAddress* addresses, size_t count, uint32_t* next_hops) const {
  const uint64_t before = default_.load(std::memory_order_acquire);
  // Independent loads without a branch between them: the processor has as many cache misses under
  // way as it can, which prefetching by hand does not improve on.
  uint32_t any = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t entry = tbl24_.load(addresses[i].host_order() >> 8, std::memory_order_acquire);
    next_hops[i] = entry;
    any |= entry;
  }
  if (any & kExtended) {
    // Which addresses go on to tbl8 cannot be predicted, so they are collected without a branch.
    constexpr size_t kChunk = 64;
    uint8_t extended[kChunk];
    for (size_t first = 0; first < count; first += kChunk) {
      const size_t size = std::min(kChunk, count - first);
      size_t extended_count = 0;
      for (size_t i = 0; i < size; ++i) {
        extended[extended_count] = static_cast<uint8_t>(i);
        extended_count += next_hops[first + i] >> 31;
      }
      for (size_t i = 0; i < extended_count; ++i) {
        const size_t at = first + extended[i];
        next_hops[at] = tbl8_.load(group_entry(next_hops[at]) + (addresses[at].host_order() & 0xff),
                                   std::memory_order_acquire);
      }
    }
  }
  const uint64_t after = default_.load(std::memory_order_acquire);
  if (after != before) [[unlikely]] {
    for (size_t i = 0; i < count; ++i) next_hops[i] = lookup(addresses[i]);
    return;
  }
  const auto default_route = static_cast<uint32_t>(after);
  for (size_t i = 0; i < count; ++i)
    next_hops[i] = next_hops[i] == kEmpty ? default_route : next_hops[i] & kMaxNextHop;
}

size_t Ip4Table::size() const {
  size_t total = 0;
  for (const PrefixMap& map : prefixes_) total += map.size();
  return total;
}

std::vector<std::pair<IPPrefix, uint32_t>> Ip4Table::sorted() const {
  std::vector<std::pair<IPPrefix, uint32_t>> all;
  all.reserve(size());
  for (unsigned length = 0; length <= 32; ++length) {
    prefixes_[length].for_each([&](uint32_t network, uint32_t next_hop) {
      all.emplace_back(IPPrefix(IPAddress::from_host_order(network), length), next_hop);
    });
  }
  std::sort(all.begin(), all.end());
  return all;
}

// A tbl8 group that nothing refers to. Throws std::bad_alloc.
uint32_t Ip4Table::take_group() {
  if (free_groups_.empty()) reclaim_groups();
  if (!free_groups_.empty()) {
    const uint32_t group = free_groups_.back();
    free_groups_.pop_back();
    return group;
  }
  tbl8_.grow((groups_made_ + 1) * kGroupSize);
  // Freeing must not fail, so the lists get their room here.
  const size_t made = groups_made_ + 1;
  if (free_groups_.capacity() < made) free_groups_.reserve(2 * made);
  retired_.reserve(made);
  group_prefixes_.push_back(0);
  return static_cast<uint32_t>(groups_made_++);
}

void Ip4Table::reclaim_groups() {
  retired_.reclaim([this](uint32_t group) { free_groups_.push_back(group); });
}

}  // namespace headroom
