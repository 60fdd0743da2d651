// Mempool operations for sanitizer builds: a freed packet's whole buffer is poisoned until it is
// handed out again. Freed packets are reused in the order of their freeing, so that a stale pointer
// is caught for as long as possible.
#include "headroom/packet/poison_ops.hh"

#include "headroom/packet/poison.hh"

#if HEADROOM_POISON

#include <rte_mbuf.h>
#include <rte_mempool.h>

#include <cerrno>
#include <deque>
#include <mutex>

namespace headroom {
namespace {

struct Stock {
  std::mutex mutex;
  std::deque<void*> free;
};

Stock& stock(const rte_mempool* pool) { return *static_cast<Stock*>(pool->pool_data); }

int alloc_stock(rte_mempool* pool) {
  pool->pool_data = new Stock;
  return 0;
}

void free_stock(rte_mempool* pool) {
  // The memory goes back to DPDK's heap, which other code will use.
  for (void* object : stock(pool).free) unpoison(object, pool->elt_size);
  delete static_cast<Stock*>(pool->pool_data);
}

int enqueue(rte_mempool* pool, void* const* objects, unsigned count) {
  std::lock_guard lock(stock(pool).mutex);
  for (unsigned i = 0; i < count; ++i) {
    poison(static_cast<char*>(objects[i]) + sizeof(rte_mbuf), pool->elt_size - sizeof(rte_mbuf));
    stock(pool).free.push_back(objects[i]);
  }
  return 0;
}

int dequeue(rte_mempool* pool, void** objects, unsigned count) {
  std::lock_guard lock(stock(pool).mutex);
  auto& free = stock(pool).free;
  if (free.size() < count) return -ENOBUFS;
  for (unsigned i = 0; i < count; ++i) {
    objects[i] = free.front();
    free.pop_front();
    unpoison(objects[i], pool->elt_size);
  }
  return 0;
}

unsigned count_free(const rte_mempool* pool) {
  std::lock_guard lock(stock(pool).mutex);
  return static_cast<unsigned>(stock(pool).free.size());
}

const rte_mempool_ops kOps = [] {
  rte_mempool_ops ops{};
  __builtin_strncpy(ops.name, kPoisonOps, sizeof ops.name - 1);
  ops.alloc = alloc_stock;
  ops.free = free_stock;
  ops.enqueue = enqueue;
  ops.dequeue = dequeue;
  ops.get_count = count_free;
  return ops;
}();

}  // namespace

void register_poison_ops() {
  [[maybe_unused]] static const int registered = rte_mempool_register_ops(&kOps);
}

}  // namespace headroom

#endif
