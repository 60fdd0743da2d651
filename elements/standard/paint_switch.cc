#include "headroom/graph/element.hh"

namespace headroom {

class PaintSwitch final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "PaintSwitch",
      .ports = "1/1-",
      .processing = "h/h",
      .doc =
          "Sends every packet to the output whose number is its paint annotation. Paint 255 sends "
          "a copy to each output."};

  Arg<click::Annotation<1>> annotation{
      *this,
      "ANNO",
      click::Annotation<1>{anno::kPaint.offset},
      {.doc = "The annotation to go by: any of one byte.", .positional = true}};

  Drop no_output{*this, "no-such-output", "There is no output with the number of its paint."};

  bool configure(SetupContext& context) override {
    return noutputs() <= kAll || context.error("it can have at most 255 outputs");
  }

  void push(uint32_t, PacketBatch& batch) override {
    while (!batch.empty()) {
      PacketBatch rest;  // behind a packet for all outputs, so that every output sees the order
      Packet* for_all = split(batch, rest);
      if (for_all == nullptr) continue;
      send_to_all(*for_all);
      batch.append(rest);
    }
  }

 private:
  static constexpr uint32_t kAll = 255;

  // Sends the packets up to the first that is for all outputs, and returns that one if there is.
  Packet* split(PacketBatch& batch, PacketBatch& rest) {
    Split others;
    Packet* for_all = nullptr;
    rte_mbuf** const slots = batch.mbufs();
    const uint32_t size = batch.size();
    uint32_t kept = 0;
    for (uint32_t i = 0; i < size; ++i) {
      Packet& packet = batch[i];
      const uint32_t paint = packet.anno_u8(annotation->offset);
      if (paint == likely_) [[likely]] {
        slots[kept++] = slots[i];
      } else if (paint == kAll) {
        for_all = &packet;
        while (++i < size) rest.push_back(batch[i]);
      } else {
        others.add(packet, paint < noutputs() ? Verdict::to(paint) : Verdict(no_output));
      }
    }
    batch.set_size(kept);
    if (others.size() == 0)
      output(likely_).push(batch);
    else
      dispatch(batch, others, likely_);
    return for_all;
  }

  void send_to_all(Packet& packet) {
    for (uint32_t port = 0; port + 1 < noutputs(); ++port) {
      count_created(1);
      Packet* clone = packet.clone();
      if (clone == nullptr) [[unlikely]]
        no_buffer.count_lost(1);
      else
        output(port).push(*clone);
    }
    output(noutputs() - 1).push(packet);
  }

  uint32_t likely_ = 0;
};

HEADROOM_ELEMENT(PaintSwitch);

}  // namespace headroom
