// Bytes that were stripped off a packet's front, put back.
//
//   packet.pull(14);
//   ...
//   if (!restore_front(packet, 14)) return no_room;
#pragma once

#include "headroom/packet/packet.hh"

namespace headroom {

// Adds the n bytes that lie before the first, as they are. False, with nothing done, when there is
// not so much headroom. Nothing is written, so packets that share their bytes need no copy, which
// would not have all the bytes in front of them anyway.
inline bool restore_front(Packet& packet, uint32_t n) {
  if (n > packet.headroom()) return false;
  rte_pktmbuf_prepend(packet.mbuf(), static_cast<uint16_t>(n));
  packet.fence();
  return true;
}

}  // namespace headroom
