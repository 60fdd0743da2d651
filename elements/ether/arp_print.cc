#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>

#include "headroom/graph/element.hh"
#include "headroom/net/arp.hh"

namespace headroom {

class ARPPrint final : public BatchElement<ARPPrint> {
 public:
  static constexpr ElementSpec spec{
      .name = "ARPPrint",
      .doc =
          "Prints a line for every ARP packet to standard error, as tcpdump does. The ARP packet "
          "begins at the network header, or behind an Ethernet header when that is not set."};

  Arg<std::string> label{
      *this, "LABEL", "", {.doc = "Text at the start of the line.", .positional = true}};
  Arg<bool> timestamp{
      *this, "TIMESTAMP", true, {.doc = "Whether the packet's timestamp is shown."}};
  Arg<bool> ether{
      *this, "ETHER", false, {.doc = "Whether the addresses of the Ethernet header are shown."}};
  Arg<bool> active{*this, "ACTIVE", true, {.doc = "Whether anything is printed.", .live = true}};

  void process(PacketBatch& batch) {
    if (!*active) return;
    text_.clear();
    for (uint32_t i = 0; i < batch.size(); ++i) add_line(batch[i]);
    std::fwrite(text_.data(), 1, text_.size(), stderr);
  }

 private:
  void add_line(const Packet& packet) {
    if (!label->empty()) text_ += *label + ": ";
    if (*timestamp) {
      const int64_t time = packet.timestamp_anno();
      char part[64];
      std::snprintf(part, sizeof part, "%" PRId64 ".%06" PRId64 ": ", time / 1'000'000'000,
                    time % 1'000'000'000 / 1000);
      text_ += part;
    }
    const int64_t offset =
        packet.has_network_header() ? packet.network_header_offset() : int64_t{sizeof(EtherHeader)};
    EtherHeader header;
    if (*ether && offset >= int64_t{sizeof header} &&
        packet.copy_out(static_cast<uint32_t>(offset - int64_t{sizeof header}), &header,
                        sizeof header))
      text_ += header.source.to_string() + " > " + header.destination.to_string() + ": ";
    ArpHeader arp;
    if (offset >= 0 && packet.copy_out(static_cast<uint32_t>(offset), &arp, sizeof arp))
      add_arp(arp);
    else
      text_ +=
          "truncated-arp (" + std::to_string(std::max<int64_t>(packet.length() - offset, 0)) + ")";
    text_ += '\n';
  }

  void add_arp(const ArpHeader& arp) {
    if (arp.is_ether_ip() && arp.operation == kArpRequest) {
      text_ += "arp who-has " + arp.target_ip.to_string();
      if (!arp.target_ether.is_zero()) text_ += " (" + arp.target_ether.to_string() + ")";
      text_ += " tell " + arp.sender_ip.to_string();
    } else if (arp.is_ether_ip() && arp.operation == kArpReply) {
      text_ += "arp reply " + arp.sender_ip.to_string() + " is-at " + arp.sender_ether.to_string();
    } else {
      text_ += "arp-#" + std::to_string(arp.operation) + " for proto #" +
               std::to_string(arp.protocol_type) + " (" + std::to_string(arp.protocol_length) +
               ") hardware #" + std::to_string(arp.hardware_type) + " (" +
               std::to_string(arp.hardware_length) + ")";
    }
  }

  std::string text_;
};

HEADROOM_ELEMENT(ARPPrint);

}  // namespace headroom
