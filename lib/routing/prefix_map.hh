// An open-addressing hash map from network addresses of one prefix length to 24-bit next hops.
//
// The route tables keep one for each prefix length as the store that is the truth; others want
// Ip4Table. Not for use by several threads.
//
//   PrefixMap map;
//   map.reserve_one();
//   map.insert_or_assign(0x0a000000, 7);
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "headroom/net/addresses.hh"

namespace headroom {

class PrefixMap {
 public:
  // What find() gives for a missing key. Values are below it.
  static constexpr uint32_t kNone = 0xffffffff;

  size_t size() const { return size_; }

  uint32_t find(uint32_t key) const {
    if (size_ == 0) return kNone;
    return slots_[slot_of(key)].value;
  }

  // Makes the next insert_or_assign() one that cannot throw. Throws std::bad_alloc.
  void reserve_one() {
    if ((size_ + 1) * 4 > slots_.size() * 3) resize(slots_.empty() ? 8 : slots_.size() * 2);
  }

  // Returns whether the key is new. Room must have been reserved.
  bool insert_or_assign(uint32_t key, uint32_t value) {
    Slot& slot = slots_[slot_of(key)];
    const bool is_new = slot.value == kNone;
    slot = {key, value};
    size_ += is_new;
    return is_new;
  }

  // Returns whether the key was there.
  bool erase(uint32_t key) {
    if (size_ == 0) return false;
    size_t hole = slot_of(key);
    if (slots_[hole].value == kNone) return false;
    // Later keys of the same run move up into the hole, unless their own place is behind it.
    for (size_t at = next(hole);; at = next(at)) {
      if (slots_[at].value == kNone) break;
      const size_t home = mix_hash(slots_[at].key) & mask();
      if (((at - home) & mask()) >= ((at - hole) & mask())) {
        slots_[hole] = slots_[at];
        hole = at;
      }
    }
    slots_[hole].value = kNone;
    --size_;
    return true;
  }

  // Calls f(key, value) for each entry, in no order.
  template <class F>
  void for_each(F&& f) const {
    for (const Slot& slot : slots_)
      if (slot.value != kNone) f(slot.key, slot.value);
  }

 private:
  struct Slot {
    uint32_t key = 0;
    uint32_t value = kNone;
  };

  size_t mask() const { return slots_.size() - 1; }
  size_t next(size_t at) const { return (at + 1) & mask(); }

  // Where the key is, or the free slot where it would go.
  size_t slot_of(uint32_t key) const {
    size_t at = mix_hash(key) & mask();
    while (slots_[at].value != kNone && slots_[at].key != key) at = next(at);
    return at;
  }

  void resize(size_t capacity) {
    std::vector<Slot> old(capacity);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.value != kNone) slots_[slot_of(slot.key)] = slot;
  }

  std::vector<Slot> slots_;  // a power of two, at most three quarters full
  size_t size_ = 0;
};

}  // namespace headroom
