// A token bucket: tokens come in at a rate and are kept up to a capacity. Exact: no fraction of a
// token is ever lost to rounding, however often it is looked at.
//
// For what happens so many times a second. Times are a Clock's.
//
//   TokenBucket bucket(1000, 10);                  // a thousand a second, at most ten at once
//   bucket.start(now, 1);
//   const uint64_t allowed = std::min(bucket.tokens(now), wanted);
//   bucket.take(allowed);
//   if (allowed == 0) timer.schedule_at(bucket.time_of(1));
#pragma once

#include <algorithm>
#include <cstdint>

namespace headroom {

class TokenBucket {
 public:
  TokenBucket() = default;
  TokenBucket(uint32_t rate, uint32_t capacity) { configure(rate, capacity); }

  // Tokens a second, and how many it holds at most. Those that it has stay, as far as they fit.
  void configure(uint32_t rate, uint32_t capacity) {
    rate_ = rate;
    full_ = capacity * kToken;
    level_ = std::min(level_, full_);
    time_to_fill_ = rate == 0 ? INT64_MAX : static_cast<int64_t>(full_ / rate + 1);
  }
  // From `time` on, with so many tokens.
  void start(int64_t time, uint32_t tokens) {
    time_ = time;
    level_ = std::min(tokens * kToken, full_);
  }

  uint32_t rate() const { return rate_; }
  // The tokens there are at `time`. Time that goes backwards brings nothing.
  uint64_t tokens(int64_t time) {
    refill(time);
    return level_ / kToken;
  }
  // Takes n tokens, which there must be.
  void take(uint64_t n) { level_ -= n * kToken; }
  // When there will be n tokens if none is taken before; INT64_MAX is never.
  int64_t time_of(uint64_t n) const {
    const uint64_t wanted = n * kToken;
    if (level_ >= wanted) return time_;
    if (rate_ == 0 || wanted > full_) return INT64_MAX;
    return time_ + static_cast<int64_t>((wanted - level_ + rate_ - 1) / rate_);
  }

 private:
  // The level is counted in parts of a token, of which the rate gives a whole number each
  // nanosecond.
  static constexpr uint64_t kToken = 1'000'000'000;

  void refill(int64_t time) {
    if (time <= time_) return;
    const int64_t passed = time - time_;
    time_ = time;
    // Cannot overflow: what passed brings at most a full bucket and the tokens of a nanosecond.
    level_ = passed >= time_to_fill_
                 ? full_
                 : std::min(full_, level_ + static_cast<uint64_t>(passed) * rate_);
  }

  uint64_t level_ = 0;
  uint64_t full_ = 0;
  int64_t time_ = 0;
  int64_t time_to_fill_ = INT64_MAX;
  uint32_t rate_ = 0;
};

// How many packets at once a rate in packets a second allows by default: a hundredth of a second's,
// and two where that is less.
constexpr uint32_t burst_of_rate(uint32_t rate) { return rate < 200 ? 2 : rate / 100; }

}  // namespace headroom
