// Pseudo-random numbers that are the same in every run and on every machine for the same seed.
//
// For faults and samples that a test must be able to repeat; not for secrets. (splitmix64)
//
//   Random random(42);
//   if (random.happens(0.01)) ...   // once in a hundred
#pragma once

#include <cstdint>

namespace headroom {

class Random {
 public:
  explicit Random(uint64_t seed = 1) : state_(seed) {}

  uint64_t next() {
    uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
  }
  // At least 0 and less than `bound`, which is not 0. Its bias is bound / 2^64.
  uint64_t below(uint64_t bound) { return next() % bound; }
  // At least 0 and less than 1.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  // True with this probability: never for 0, always for 1.
  bool happens(double probability) { return uniform() < probability; }

 private:
  uint64_t state_;
};

}  // namespace headroom
