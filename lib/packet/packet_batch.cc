#include "headroom/packet/packet_batch.hh"

#include <cstdio>
#include <cstdlib>

namespace headroom {

void PacketBatch::leak([[maybe_unused]] const char* culprit) {
  leaked_.fetch_add(size_, std::memory_order_relaxed);
#ifndef NDEBUG
  std::fprintf(stderr, "headroom: %u packets leaked by %s\n", size_, culprit);
  std::abort();
#else
  kill();
#endif
}

}  // namespace headroom
