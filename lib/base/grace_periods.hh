// Waiting until nobody uses any more what was taken out of shared state.
//
// Readers take no lock, so they may use for a moment longer what a writer has just taken out. A
// grace period ends when every reader has since been where it uses nothing, which is between two
// batches. Rcu (headroom/graph/rcu.hh) knows that of workers. Retired keeps indexes until then:
//
//   Retired retired(readers);
//   retired.add(index);                                               // it is in no table now
//   retired.reclaim([&](uint32_t index) { free.push_back(index); });  // it can be given out again
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom {

// Any thread may call these.
class GracePeriods {
 public:
  virtual ~GracePeriods() = default;
  // Begins a grace period for everything that was taken out before.
  virtual uint64_t begin() = 0;
  virtual bool ended(uint64_t period) = 0;
};

// Not for use by several threads: it belongs to the writer.
class Retired {
 public:
  // Null: there are no readers on other threads, so nothing is kept.
  explicit Retired(GracePeriods* readers) : readers_(readers) {}

  // Makes the next add() calls, up to `count` in all, ones that cannot throw. Throws
  // std::bad_alloc.
  void reserve(std::size_t count) {
    if (indexes_.capacity() < count) indexes_.reserve(2 * count);
  }
  void add(uint32_t index) { indexes_.push_back(index); }

  // Calls f(index) for those that nobody can use any more. Never waits.
  template <class F>
  void reclaim(F&& f) {
    if (indexes_.empty() || (waiting_ != 0 && !readers_->ended(period_))) return;
    const std::size_t unused = readers_ == nullptr ? indexes_.size() : waiting_;
    for (std::size_t i = 0; i < unused; ++i) f(indexes_[i]);
    indexes_.erase(indexes_.begin(), indexes_.begin() + static_cast<std::ptrdiff_t>(unused));
    waiting_ = indexes_.size();
    if (waiting_ != 0) period_ = readers_->begin();
  }

  std::size_t size() const { return indexes_.size(); }

 private:
  GracePeriods* readers_;
  std::vector<uint32_t> indexes_;
  std::size_t waiting_ = 0;  // the first so many wait for the end of `period_`
  uint64_t period_ = 0;
};

}  // namespace headroom
