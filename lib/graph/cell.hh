// A counter that one worker writes and anyone reads: a plain load and store, never a locked
// instruction.
#pragma once

#include <atomic>
#include <cstdint>

namespace headroom {

class Cell {
 public:
  void add(uint64_t count) {
    value_.store(value_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }
  void subtract(uint64_t count) {
    value_.store(value_.load(std::memory_order_relaxed) - count, std::memory_order_relaxed);
  }
  void set(uint64_t value) { value_.store(value, std::memory_order_relaxed); }
  uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

}  // namespace headroom
