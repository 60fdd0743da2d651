#include "headroom/graph/hand_off.hh"

#include "headroom/net/flow_hash.hh"

namespace headroom {

bool Inlet::deliver() {
  PacketBatch batch;
  batch.set_size(ring_.pop(batch.mbufs(), limit_));
  if (batch.empty()) return false;
  OutputPort::deliver(to_, port_, batch);
  return true;
}

void HandOff::push(uint32_t, PacketBatch& batch) {
  if (ways_.size() == 1) return send(ways_.front(), batch);
  static const FlowHash hash_of(FlowHash::kSymmetricKey);
  // Few ways, so one pass over the batch for each.
  uint8_t chosen[PacketBatch::kCapacity];
  const uint32_t size = batch.size();
  const auto ways = static_cast<uint32_t>(ways_.size());
  for (uint32_t i = 0; i < size; ++i) {
    const Packet& packet = batch[i];
    // The high bits are as good as the low ones, and need no division.
    const uint64_t hash = hash_of.of_frame(packet.data(), packet.contiguous());
    chosen[i] = static_cast<uint8_t>(hash * ways >> 32);
  }
  for (uint32_t way = 0; way < ways; ++way) {
    PacketBatch part;
    for (uint32_t i = 0; i < size; ++i)
      if (chosen[i] == way) part.push_back(batch[i]);
    if (!part.empty()) send(ways_[way], part);
  }
  batch.release();
}

void HandOff::send(const Way& way, PacketBatch& batch) {
  if (way.here != nullptr) return OutputPort::deliver(*way.here, way.port, batch);
  const uint32_t size = batch.size();
  const uint32_t sent = way.inlet->ring().push(batch.mbufs(), size);
  if (sent < size) [[unlikely]] {
    from_.outputs_[port_].packets_.subtract(size - sent);
    for (uint32_t i = sent; i < size; ++i) full_.drop(batch[i]);
  }
  batch.release();
}

}  // namespace headroom
