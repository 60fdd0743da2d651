// What a writer of IP summary dumps sees of the packet that a draft became.
#pragma once

#include <span>

#include "headroom/summary/draft.hh"
#include "headroom/summary/packet_view.hh"

namespace headroom::summary {

// `bytes` outlive the view; `extra` is what the IPv4 header says beyond them.
inline PacketView view_of(const Draft& draft, std::span<const uint8_t> bytes, uint32_t extra) {
  PacketView view;
  view.network = bytes;
  view.length = static_cast<uint32_t>(bytes.size());
  view.extra_length = extra;
  view.timestamp = draft.timestamp;
  view.first_timestamp = draft.first_timestamp;
  view.extra_packets = draft.count - 1;
  view.aggregate = draft.aggregate;
  view.paint = draft.paint;
  return view;
}

}  // namespace headroom::summary
