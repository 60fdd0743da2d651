// What an element decided about one packet: an output port, a named drop, or that it keeps the
// packet.
#pragma once

#include <cstdint>

namespace headroom {

class Verdict {
 public:
  constexpr Verdict() = default;
  // Ports that no element can have are one and the same, so that to(-1) is never mistaken for held.
  static constexpr Verdict to(uint32_t port) {
    return Verdict(static_cast<int32_t>(port <= INT32_MAX ? port : INT32_MAX));
  }
  static constexpr Verdict held() { return Verdict(-1); }
  static constexpr Verdict drop(uint32_t reason) {
    return Verdict(-2 - static_cast<int32_t>(reason));
  }

  constexpr bool is_port() const { return code_ >= 0; }
  constexpr bool is_held() const { return code_ == -1; }
  constexpr bool is_drop() const { return code_ < -1; }
  constexpr uint32_t port() const { return static_cast<uint32_t>(code_); }
  constexpr uint32_t reason() const { return static_cast<uint32_t>(-2 - code_); }

  friend constexpr bool operator==(Verdict, Verdict) = default;

 private:
  explicit constexpr Verdict(int32_t code) : code_(code) {}
  int32_t code_ = 0;
};

}  // namespace headroom
