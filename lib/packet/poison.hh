// Sanitizer builds: bytes that a packet does not own are poisoned, so that reading one too far
// aborts.
//
// A mempool hands out the same buffers again and again, so without this no sanitizer sees an
// overrun or the use of a freed packet. In ordinary builds everything here is empty. The sanitizer
// sees units of eight bytes and can close the end of one only: up to seven bytes before data() stay
// open.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define HEADROOM_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEADROOM_POISON 1
#endif
#endif
#ifndef HEADROOM_POISON
#define HEADROOM_POISON 0
#endif

#if HEADROOM_POISON
#include <sanitizer/asan_interface.h>
#endif

namespace headroom {

inline constexpr bool kPoison = HEADROOM_POISON != 0;

inline void poison([[maybe_unused]] const void* start, [[maybe_unused]] std::size_t size) {
#if HEADROOM_POISON
  __asan_poison_memory_region(start, size);
#endif
}

inline void unpoison([[maybe_unused]] const void* start, [[maybe_unused]] std::size_t size) {
#if HEADROOM_POISON
  __asan_unpoison_memory_region(start, size);
#endif
}

}  // namespace headroom
