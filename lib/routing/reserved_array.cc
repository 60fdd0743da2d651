#include "headroom/routing/reserved_array.hh"

#include <sys/mman.h>

#include <algorithm>
#include <memory>
#include <new>

namespace headroom {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

}  // namespace

ReservedArray::ReservedArray(size_t capacity, size_t usable)
    : mapping_size_(capacity * sizeof(uint32_t) + 2 * kHugePage), capacity_(capacity) {
  // Without access, the reservation does not count as committed memory.
  mapping_ =
      mmap(nullptr, mapping_size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping_ == MAP_FAILED) throw std::bad_alloc();
  void* aligned = mapping_;
  size_t space = mapping_size_;
  entries_ =
      static_cast<uint32_t*>(std::align(kHugePage, mapping_size_ - kHugePage, aligned, space));
  try {
    grow(usable);
  } catch (...) {
    munmap(mapping_, mapping_size_);
    throw;
  }
}

ReservedArray::~ReservedArray() { munmap(mapping_, mapping_size_); }

void ReservedArray::grow(size_t count) {
  if (count <= usable_) return;
  // Whole huge pages, and at least half as much again: every call splits or extends a mapping.
  constexpr size_t step = kHugePage / sizeof(uint32_t);
  count = std::min(std::max(count, usable_ + usable_ / 2), capacity_);
  count = (count + step - 1) / step * step;
  char* from = reinterpret_cast<char*>(entries_ + usable_);
  const size_t bytes = (count - usable_) * sizeof(uint32_t);
  if (mprotect(from, bytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  (void)madvise(from, bytes, MADV_HUGEPAGE);  // a wish: without huge pages it is slower
  usable_ = count;
}

}  // namespace headroom
