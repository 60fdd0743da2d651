#include "headroom/net/icmp_error.hh"

#include <algorithm>
#include <cstring>

#include "headroom/net/checksum.hh"

namespace headroom {
namespace {

constexpr uint32_t kHeaders = sizeof(IpHeader) + sizeof(IcmpHeader);

// RFC 1812, 5.3.7 and 4.2.2.11: addresses that no single host has.
bool is_no_host(IPAddress address) {
  const uint32_t first = address.host_order() >> 24;
  return first == 0 || address.is_loopback() || first >= 224;
}

bool is_query(uint8_t type) {
  switch (type) {
    case kIcmpEchoReply:
    case kIcmpEcho:
    case kIcmpRouterAdvertisement:
    case kIcmpRouterSolicitation:
    case kIcmpTimestamp:
    case kIcmpTimestampReply:
    case 15:  // information request and reply, address mask request and reply
    case 16:
    case 17:
    case 18:
      return true;
    default:
      return false;
  }
}

}  // namespace

IcmpErrorRefusal icmp_error_refusal(const uint8_t* bytes, uint32_t length) {
  if (length < sizeof(IpHeader)) return IcmpErrorRefusal::bad_header;
  const auto& ip = *reinterpret_cast<const IpHeader*>(bytes);
  const uint32_t header_length = ip.header_length();
  if (ip.version() != 4 || header_length < sizeof(IpHeader) || header_length > length)
    return IcmpErrorRefusal::bad_header;
  if (ip.is_later_fragment()) return IcmpErrorRefusal::later_fragment;
  if (ip.protocol == kIpProtocolIcmp &&
      (length == header_length || !is_query(bytes[header_length])))
    return IcmpErrorRefusal::icmp_error;
  if (ip.destination.is_broadcast() || ip.destination.is_multicast())
    return IcmpErrorRefusal::destination_group;
  if (is_no_host(ip.source)) return IcmpErrorRefusal::bad_source;
  return IcmpErrorRefusal::none;
}

uint32_t icmp_error_length(const IcmpError& error, uint32_t length) {
  return std::min(kHeaders + length, error.max_length);
}

void make_icmp_error(std::span<uint8_t> to, const IcmpError& error, const uint8_t* original) {
  const auto& old = *reinterpret_cast<const IpHeader*>(original);
  auto& ip = *reinterpret_cast<IpHeader*>(to.data());
  std::memset(to.data(), 0, kHeaders);
  ip.set_header_length(sizeof ip);
  // RFC 1812, 4.3.2.5: the same type of service, with the precedence of internetwork control; and
  // not ECN-capable.
  ip.tos = static_cast<uint8_t>((old.tos & 0x1c) | 0xc0);
  ip.total_length = static_cast<uint16_t>(to.size());
  ip.id = error.id;
  ip.ttl = 255;
  ip.protocol = kIpProtocolIcmp;
  ip.source = error.source;
  ip.destination = old.source;
  set_ip_header_checksum(ip);

  auto& icmp = *reinterpret_cast<IcmpHeader*>(to.data() + sizeof ip);
  icmp.type = error.type;
  icmp.code = error.code;
  if (error.type == kIcmpUnreachable && error.code == kIcmpFragmentationNeeded)
    icmp.next_hop_mtu() = error.mtu;
  if (error.type == kIcmpParameterProblem && error.code == 0) icmp.set_pointer(error.pointer);
  if (error.type == kIcmpRedirect) icmp.set_gateway(error.gateway);
  std::memcpy(to.data() + kHeaders, original, to.size() - kHeaders);
  icmp.checksum = internet_checksum(&icmp, to.size() - sizeof ip);
}

}  // namespace headroom
