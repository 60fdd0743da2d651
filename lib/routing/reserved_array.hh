// An array of zero-initialised 32-bit entries in address space that is reserved at once and backed
// by memory where it is touched.
//
// The route tables lie in these: entries never move, so readers need no lock when the table grows,
// and an empty table costs a few page table entries. Asks for huge pages.
//
//   ReservedArray entries(1 << 24, 1 << 24);
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace headroom {

class ReservedArray {
 public:
  // Reserves `capacity` entries, a multiple of 2^19 (2 MB), of which the first `usable` can be
  // touched. Throws std::bad_alloc.
  ReservedArray(size_t capacity, size_t usable);
  ~ReservedArray();
  ReservedArray(const ReservedArray&) = delete;
  ReservedArray& operator=(const ReservedArray&) = delete;

  // Makes the first `count` entries usable, count <= capacity. Throws std::bad_alloc.
  void grow(size_t count);
  size_t usable() const { return usable_; }

  // Entries are read and written by these only, so that a reader on another thread sees the old
  // value or the new one. A loop that also writes elsewhere reads by a view, which no such write
  // can change.
  class View {
   public:
    uint32_t load(size_t index, std::memory_order order = std::memory_order_relaxed) const {
      return std::atomic_ref<uint32_t>(entries_[index]).load(order);
    }

   private:
    friend class ReservedArray;
    explicit View(uint32_t* entries) : entries_(entries) {}
    uint32_t* entries_;
  };
  View view() const { return View(entries_); }
  uint32_t load(size_t index, std::memory_order order = std::memory_order_relaxed) const {
    return view().load(index, order);
  }
  void store(size_t index, uint32_t value, std::memory_order order = std::memory_order_release) {
    std::atomic_ref<uint32_t>(entries_[index]).store(value, order);
  }

 private:
  void* mapping_;
  size_t mapping_size_;
  uint32_t* entries_;
  size_t capacity_;
  size_t usable_ = 0;
};

}  // namespace headroom
