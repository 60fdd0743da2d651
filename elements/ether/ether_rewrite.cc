#include <cstring>

#include "headroom/graph/element.hh"
#include "headroom/net/ether.hh"

namespace headroom {

class EtherRewrite final : public PacketElement<EtherRewrite> {
 public:
  static constexpr ElementSpec spec{
      .name = "EtherRewrite",
      .doc = "Writes both addresses of the Ethernet header at the front of packets.",
      .writes = true,
      .contiguous = sizeof(EtherHeader)};

  Arg<EtherAddress> source{
      *this,
      "SRC",
      {.doc = "The source address.", .positional = true, .mandatory = true, .live = true}};
  Arg<EtherAddress> destination{
      *this,
      "DST",
      {.doc = "The destination address.", .positional = true, .mandatory = true, .live = true}};

  Drop too_short{*this, "too-short", "It is shorter than an Ethernet header."};

  bool configure(SetupContext&) override {
    make_addresses();
    return true;
  }

  bool reconfigure(std::string&) override {
    make_addresses();
    return true;
  }

  Verdict process(Packet& packet) {
    if (packet.length() < sizeof(EtherHeader)) [[unlikely]]
      return too_short;
    std::memcpy(packet.data(), addresses_, sizeof addresses_);
    return to(0);
  }

 private:
  void make_addresses() {
    std::memcpy(addresses_, destination->data(), 6);
    std::memcpy(addresses_ + 6, source->data(), 6);
  }

  uint8_t addresses_[12];  // as they lie in the packet, so that two stores write them
};

HEADROOM_ELEMENT(EtherRewrite);

}  // namespace headroom
