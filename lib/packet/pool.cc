#include "headroom/packet/pool.hh"

#include <rte_errno.h>

#include <bit>
#include <cstdio>

#include "headroom/base/text.hh"
#include "headroom/packet/packet.hh"
#include "headroom/packet/poison_ops.hh"

namespace headroom {
namespace {

uint16_t buffer_size(uint32_t data_room) {
  return static_cast<uint16_t>(data_room + RTE_PKTMBUF_HEADROOM);
}

// Sanitizer builds: poisons all memory of the pool but the objects' headers and mbuf structures,
// which DPDK reads; so that a full packet cannot be overrun either. Or gives everything back to
// DPDK, packets that never came home included.
void fence_gaps(rte_mempool* mempool, bool on) {
  if constexpr (!kPoison) return;
  rte_mempool_mem_iter(
      mempool,
      [](rte_mempool*, void* fence, rte_mempool_memhdr* chunk, unsigned) {
        (fence != nullptr ? poison : unpoison)(chunk->addr, chunk->len);
      },
      on ? mempool : nullptr);
  if (!on) return;
  rte_mempool_obj_iter(
      mempool,
      [](rte_mempool*, void*, void* object, unsigned) {
        unpoison(static_cast<uint8_t*>(object) - sizeof(rte_mempool_objhdr),
                 sizeof(rte_mempool_objhdr) + sizeof(rte_mbuf));
      },
      nullptr);
}

}  // namespace

uint32_t Pool::bytes_per_packet(uint32_t data_room) {
  rte_mempool_objsz size;
  return rte_mempool_calc_obj_size(sizeof(rte_mbuf) + buffer_size(data_room), 0, &size);
}

std::unique_ptr<Pool> Pool::create(const PoolOptions& options, std::string& error) {
  if (options.data_room > UINT16_MAX - RTE_PKTMBUF_HEADROOM) {
    error = "a data room of " + grouped(options.data_room) + " bytes is more than the " +
            grouped(UINT16_MAX - RTE_PKTMBUF_HEADROOM) + " that a packet's segment can have";
    return nullptr;
  }
  // A core's cache holds up to one and a half times its size; DPDK refuses pools smaller than that.
  uint32_t cache = options.cache;
  while (cache > 0 && options.packets < cache + cache / 2) cache /= 2;
  if constexpr (kPoison) {
    cache = 0;  // every free must reach the operations that poison
    register_poison_ops();
  }
  rte_mempool* mempool = rte_pktmbuf_pool_create_by_ops(
      options.name.c_str(), options.packets, cache, 0, buffer_size(options.data_room),
      options.socket, kPoison ? kPoisonOps : "ring_mp_mc");
  if (mempool == nullptr) {
    const uint64_t bytes = uint64_t{options.packets} * bytes_per_packet(options.data_room);
    error = "cannot make the pool '" + options.name + "': " + grouped(options.packets) +
            " packets x " + grouped(bytes_per_packet(options.data_room)) +
            " bytes = " + grouped((bytes + (1 << 20) - 1) >> 20) +
            " MB: " + rte_strerror(rte_errno) +
            (rte_errno == ENOMEM ? "; give more memory (eal.memory_mb or hugepages), or lower "
                                   "pools.packets, pools.data_room or the ports' descriptors"
                                 : "");
    return nullptr;
  }
  fence_gaps(mempool, true);
  return std::unique_ptr<Pool>(new Pool(mempool, options));
}

Pool::~Pool() {
  fence_gaps(mempool_, false);
  rte_mempool_free(mempool_);
}

uint64_t PoolPlan::needed() const {
  uint64_t sum = 0;
  for (const Term& term : terms_) sum += term.packets;
  return sum;
}

uint32_t PoolPlan::packets() const {
  return static_cast<uint32_t>(std::bit_ceil(needed() + 1) - 1);
}

std::string PoolPlan::arithmetic() const {
  std::string text;
  auto line = [&text](uint64_t number, const std::string& what) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "  %12s  ", grouped(number).c_str());
    text += digits + what + "\n";
  };
  for (const Term& term : terms_) line(term.packets, term.what);
  line(needed(), "in all");
  return text;
}

}  // namespace headroom
