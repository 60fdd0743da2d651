// The mempool operations of sanitizer builds; see poison_ops.cc.
#pragma once

namespace headroom {

inline constexpr const char* kPoisonOps = "headroom_poison";

// Makes the operations known to DPDK; exists in sanitizer builds only.
void register_poison_ops();

}  // namespace headroom
