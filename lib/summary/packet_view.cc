#include "headroom/summary/packet_view.hh"

#include <algorithm>

#include "headroom/net/byte_order.hh"
#include "headroom/net/ip.hh"
#include "headroom/net/tcp.hh"
#include "headroom/net/udp.hh"

namespace headroom::summary {

bool PacketView::has_ip() const {
  return !network.empty() && network[0] >> 4 == 4 && header_length() >= sizeof(IpHeader);
}

std::optional<uint32_t> PacketView::total_length() const {
  if (!has_ip() || network.size() < 4) return std::nullopt;
  return load_big<uint16_t>(network.data() + 2);
}

uint32_t PacketView::datagram_length() const {
  const auto whole = static_cast<uint32_t>(network.size()) + extra_length;
  const auto total = total_length();
  // A total length that is shorter than the header says nothing.
  return total && *total >= header_length() ? std::min(*total, whole) : whole;
}

std::span<const uint8_t> PacketView::datagram() const {
  return network.first(std::min<std::size_t>(network.size(), datagram_length()));
}

bool PacketView::is_later_fragment() const {
  const uint8_t* fragment = ip(6, 2);
  return fragment != nullptr && (load_big<uint16_t>(fragment) & kIpFragmentOffsetMask) != 0;
}

std::optional<uint8_t> PacketView::protocol() const {
  const uint8_t* protocol = ip(9, 1);
  return protocol != nullptr ? std::optional(*protocol) : std::nullopt;
}

const uint8_t* PacketView::ip(std::size_t offset, std::size_t size) const {
  if (!has_ip() || offset + size > std::min<std::size_t>(network.size(), header_length()))
    return nullptr;
  return network.data() + offset;
}

const uint8_t* PacketView::transport(uint8_t wanted, std::size_t offset, std::size_t size) const {
  if (protocol() != wanted || is_later_fragment()) return nullptr;
  const std::size_t start = header_length() + offset;
  return start + size > datagram().size() ? nullptr : network.data() + start;
}

std::optional<uint32_t> PacketView::payload_offset() const {
  const auto carried = protocol();
  if (!carried) return std::nullopt;
  unsigned length = 0;
  if (*carried == kIpProtocolTcp && !is_later_fragment()) {
    const uint8_t* data_offset = transport(kIpProtocolTcp, 12, 1);
    if (data_offset == nullptr || *data_offset >> 4 < 5) return std::nullopt;
    length = (*data_offset >> 4) * 4U;
  } else if (*carried == kIpProtocolUdp && !is_later_fragment()) {
    length = sizeof(UdpHeader);
  }
  const uint32_t offset = header_length() + length;
  return offset <= datagram_length() ? std::optional(offset) : std::nullopt;
}

const char* PacketView::fault() const {
  if (network.empty()) return "no IP header";
  if (network[0] >> 4 != 4) return "IP version";
  if (header_length() < sizeof(IpHeader)) return "IP header length";
  if (network.size() < header_length()) return "truncated IP header";
  if (total_length() < header_length()) return "IP length";
  if (is_later_fragment()) return "";
  if (protocol() == kIpProtocolTcp) {
    const uint8_t* data_offset = transport(kIpProtocolTcp, 12, 1);
    if (data_offset == nullptr) return "truncated TCP header";
    if (*data_offset >> 4 < 5) return "TCP header length";
    if (transport(kIpProtocolTcp, 0, (*data_offset >> 4) * 4U) == nullptr)
      return "truncated TCP header";
  }
  if (protocol() == kIpProtocolUdp && transport(kIpProtocolUdp, 0, sizeof(UdpHeader)) == nullptr)
    return "truncated UDP header";
  return "";
}

}  // namespace headroom::summary
