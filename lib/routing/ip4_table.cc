#include "headroom/routing/ip4_table.hh"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace headroom {
namespace {

constexpr size_t kTbl24Size = size_t{1} << 24;

// How many addresses are looked up together.
constexpr size_t kChunk = 64;

constexpr uint32_t mask_of(unsigned length) { return IPAddress::mask_of(length).host_order(); }

constexpr size_t kVector = 8;

__m256i load_vector(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
void store_vector(uint32_t* to, __m256i words) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), words);
}
__m256i swap_bytes(__m256i words) {
  const __m128i order = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
  return _mm256_shuffle_epi8(words, _mm256_broadcastsi128_si256(order));
}

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
  const size_t in_vectors = count / kVector * kVector;
  for (size_t first = 0; first < in_vectors; first += kChunk)
    lookup_chunk(addresses + first, std::min(kChunk, in_vectors - first),
                 static_cast<uint32_t>(before), next_hops + first);
  for (size_t i = in_vectors; i < count; ++i) next_hops[i] = lookup(addresses[i]);
  if (default_.load(std::memory_order_acquire) != before) [[unlikely]]
    for (size_t i = 0; i < in_vectors; ++i) next_hops[i] = lookup(addresses[i]);
}

// Each step for all addresses before the next step. The processor then has as many cache misses
// under way as it can: single loads get more of them than gathers, and prefetching adds none. Of
// eight addresses at a time it must predict only whether any goes on to tbl8.
inline void Ip4Table::lookup_chunk(const IPAddress* addresses, size_t count, uint32_t default_route,
                                   uint32_t* next_hops) const {
  const ReservedArray::View tbl24 = tbl24_.view();
  const ReservedArray::View tbl8 = tbl8_.view();
  alignas(32) uint32_t keys[kChunk];
  alignas(32) uint32_t slots[kChunk];
  for (size_t i = 0; i < count; i += kVector) {
    const __m256i swapped = swap_bytes(load_vector(addresses + i));
    store_vector(keys + i, swapped);
    store_vector(slots + i, _mm256_srli_epi32(swapped, 8));
  }
#pragma GCC unroll 8  // so that more of the loads fit into what the processor looks ahead
  for (size_t i = 0; i < count; ++i) next_hops[i] = tbl24.load(slots[i], std::memory_order_acquire);
  const __m256i default_routes = _mm256_set1_epi32(static_cast<int>(default_route));
  for (size_t i = 0; i < count; i += kVector) {
    const __m256i entries = load_vector(next_hops + i);
    const __m256i empty = _mm256_cmpeq_epi32(entries, _mm256_setzero_si256());
    const __m256i numbers = _mm256_and_si256(entries, _mm256_set1_epi32(kMaxNextHop));
    store_vector(next_hops + i, _mm256_blendv_epi8(numbers, default_routes, empty));
    auto extended = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(entries)));
    for (; extended != 0; extended &= extended - 1) {
      const size_t j = i + static_cast<size_t>(std::countr_zero(extended));
      const uint32_t entry =
          tbl8.load(group_entry(next_hops[j]) + (keys[j] & 0xff), std::memory_order_acquire);
      next_hops[j] = entry == kEmpty ? default_route : entry & kMaxNextHop;
    }
  }
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
