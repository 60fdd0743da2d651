#include "headroom/routing/next_hops.hh"

#include <stdexcept>

namespace headroom {

NextHops::~NextHops() {
  for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
}

uint32_t NextHops::acquire(const NextHop& next_hop) {
  if (const auto known = indexes_.find(next_hop); known != indexes_.end()) {
    ++users_[known->second];
    return known->second;
  }
  if (free_.empty()) retired_.reclaim([this](uint32_t index) { free_.push_back(index); });
  if (free_.empty()) {
    // A new index goes through the list of free ones: should an allocation below fail, it stays.
    const size_t index = users_.size();
    if (index == kChunks * kChunk) throw std::length_error("more than 2^24 next hops");
    auto& chunk = chunks_[index >> kChunkBits];
    if (chunk.load(std::memory_order_relaxed) == nullptr)
      chunk.store(new NextHop[kChunk], std::memory_order_release);
    // Freeing must not fail, so the lists get their room here.
    if (free_.capacity() <= index) free_.reserve(2 * index + 8);
    retired_.reserve(index + 1);
    users_.push_back(0);
    free_.push_back(static_cast<uint32_t>(index));
  }
  const uint32_t index = free_.back();
  indexes_.emplace(next_hop, index);
  free_.pop_back();
  chunks_[index >> kChunkBits].load(std::memory_order_relaxed)[index & (kChunk - 1)] = next_hop;
  users_[index] = 1;
  return index;
}

void NextHops::release(uint32_t index) {
  if (--users_[index] > 0) return;
  indexes_.erase((*this)[index]);
  retired_.add(index);
}

std::optional<uint32_t> NextHops::find(const NextHop& next_hop) const {
  const auto known = indexes_.find(next_hop);
  if (known == indexes_.end()) return std::nullopt;
  return known->second;
}

}  // namespace headroom
