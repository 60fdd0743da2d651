#include <cstdio>
#include <cstring>

#include "headroom/graph/element.hh"
#include "headroom/net/ether.hh"

namespace headroom {

class EtherEncap final : public PacketElement<EtherEncap> {
 public:
  static constexpr ElementSpec spec{
      .name = "EtherEncap",
      .doc = "Puts an Ethernet header in front of packets, always the same.",
      .writes = true};

  Arg<uint16_t> type{
      *this,
      "ETHERTYPE",
      {.doc = "The EtherType, such as 0x0800 for IPv4.", .positional = true, .mandatory = true}};
  Arg<EtherAddress> source{
      *this,
      "SRC",
      {.doc = "The source address.", .positional = true, .mandatory = true, .live = true}};
  Arg<EtherAddress> destination{
      *this,
      "DST",
      {.doc = "The destination address.", .positional = true, .mandatory = true, .live = true}};

  ReadHandler type_value{*this, "ethertype", "The EtherType.", [this] {
                           char text[8];
                           std::snprintf(text, sizeof text, "0x%04x", *type);
                           return std::string(text);
                         }};
  WriteHandler type_set{*this, "ethertype", "", [this](std::string_view value, std::string& error) {
                          return type.read(value, error) && make_header();
                        }};
  bool reconfigure(std::string&) override { return make_header(); }

  bool configure(SetupContext&) override { return make_header(); }

  Verdict process(Packet& packet) {
    if (!packet.push(sizeof header_)) [[unlikely]]
      return no_buffer;
    std::memcpy(packet.data(), &header_, sizeof header_);
    packet.set_mac_header(0);
    return to(0);
  }

 private:
  bool make_header() {
    header_ = {*destination, *source, *type};
    return true;
  }

  EtherHeader header_;
};

HEADROOM_ELEMENT(EtherEncap);

}  // namespace headroom
