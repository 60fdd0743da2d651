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
      *this, "SRC", {.doc = "The source address.", .positional = true, .mandatory = true}};
  Arg<EtherAddress> destination{
      *this, "DST", {.doc = "The destination address.", .positional = true, .mandatory = true}};

  Drop too_short{*this, "too-short", "It is shorter than an Ethernet header."};

  ReadHandler source_value{*this, "src", "The source address.",
                           [this] { return source->to_string(); }};
  WriteHandler source_set{*this, "src", "", [this](std::string_view value, std::string& error) {
                            return set(source, value, error);
                          }};
  ReadHandler destination_value{*this, "dst", "The destination address.",
                                [this] { return destination->to_string(); }};
  WriteHandler destination_set{*this, "dst", "",
                               [this](std::string_view value, std::string& error) {
                                 return set(destination, value, error);
                               }};

  bool configure(SetupContext&) override {
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
  bool set(Arg<EtherAddress>& arg, std::string_view value, std::string& error) {
    if (!arg.read(value, error)) return false;
    make_addresses();
    return true;
  }

  void make_addresses() {
    std::memcpy(addresses_, destination->data(), 6);
    std::memcpy(addresses_ + 6, source->data(), 6);
  }

  uint8_t addresses_[12];  // as they lie in the packet, so that two stores write them
};

HEADROOM_ELEMENT(EtherRewrite);

}  // namespace headroom
