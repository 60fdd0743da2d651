#include "headroom/graph/rcu.hh"

#include <new>

namespace headroom {
namespace {

constexpr std::align_val_t kAlignment{RTE_CACHE_LINE_SIZE};

}  // namespace

void Rcu::Delete::operator()(rte_rcu_qsbr* state) const {
  ::operator delete(static_cast<void*>(state), kAlignment);
}

Rcu::Rcu(uint32_t readers)
    : state_(static_cast<rte_rcu_qsbr*>(
          ::operator new(rte_rcu_qsbr_get_memsize(readers), kAlignment))) {
  rte_rcu_qsbr_init(state_.get(), readers);
}

// Only those that are online are registered, because a writer looks at all that are.
void Rcu::online(uint32_t reader) {
  rte_rcu_qsbr_thread_register(state_.get(), reader);
  rte_rcu_qsbr_thread_online(state_.get(), reader);
}

void Rcu::offline(uint32_t reader) {
  rte_rcu_qsbr_thread_offline(state_.get(), reader);
  rte_rcu_qsbr_thread_unregister(state_.get(), reader);
}

bool Rcu::ended(uint64_t period) { return rte_rcu_qsbr_check(state_.get(), period, false) == 1; }

}  // namespace headroom
