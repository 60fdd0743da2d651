#include <cstring>

#include "headroom/graph/element.hh"

namespace headroom {

class Unstrip final : public BatchElement<Unstrip> {
 public:
  static constexpr ElementSpec spec{
      .name = "Unstrip",
      .doc =
          "Puts bytes back to the front of packets. They are those that Strip took off; where none "
          "were taken off they are undefined, and zeroes when room had to be made for them."};

  Arg<uint32_t> bytes{
      *this,
      "LENGTH",
      {.doc = "Bytes to put back.", .unit = "bytes", .positional = true, .mandatory = true}};

  void process(PacketBatch& batch) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < batch.size(); ++i)
      if (Packet* packet = unstrip(batch[i])) [[likely]]
        batch.set(kept++, *packet);
    batch.set_size(kept);
  }

 private:
  Packet* unstrip(Packet& packet) {
    if (*bytes > packet.headroom()) [[unlikely]]
      return make_room(packet);
    // Nothing is written, so packets that share their bytes need no copy, which would not have the
    // bytes in front of them anyway.
    rte_pktmbuf_prepend(packet.mbuf(), static_cast<uint16_t>(*bytes));
    packet.fence();
    return &packet;
  }

  Packet* make_room(Packet& original) {
    Packet* packet = prepare(original, true, 0);
    if (packet == nullptr) return nullptr;
    if (!packet->push(*bytes)) {
      no_buffer.drop(*packet);
      return nullptr;
    }
    std::memset(packet->data(), 0, *bytes);
    return packet;
  }
};

HEADROOM_ELEMENT(Unstrip);

}  // namespace headroom
