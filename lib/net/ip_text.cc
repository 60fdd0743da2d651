#include "headroom/net/ip_text.hh"

#include <algorithm>
#include <cstring>

#include "headroom/net/icmp.hh"
#include "headroom/net/icmp_names.hh"
#include "headroom/net/ip.hh"
#include "headroom/net/tcp.hh"
#include "headroom/net/udp.hh"

namespace headroom {
namespace {

using Bytes = std::span<const uint8_t>;

template <class Header>
bool read(Bytes bytes, Header& header) {
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return true;
}

std::string number(uint64_t value) { return std::to_string(value); }

std::string named(std::string_view name, const char* what, unsigned value) {
  return name.empty() ? what + number(value) : std::string(name);
}

// "A > B: ", with ports when they are known.
std::string addresses(const IpHeader& ip) {
  return ip.source.to_string() + " > " + ip.destination.to_string() + ": ";
}
std::string addresses(const IpHeader& ip, uint16_t source_port, uint16_t destination_port) {
  return ip.source.to_string() + "." + number(source_port) + " > " + ip.destination.to_string() +
         "." + number(destination_port) + ": ";
}

// The flags that open and close, and what is left of the length for data.
std::string tcp_text(const IpHeader& ip, Bytes payload, uint32_t packet_length) {
  if (payload.size() < 4) return addresses(ip) + "truncated-tcp";
  const std::string from_to =
      addresses(ip, load_big<uint16_t>(payload.data()), load_big<uint16_t>(payload.data() + 2));
  TcpHeader tcp;
  if (!read(payload, tcp)) return from_to + "truncated-tcp";
  std::string flags;
  if (tcp.flags & kTcpSyn) flags += 'S';
  if (tcp.flags & kTcpFin) flags += 'F';
  if (tcp.flags & kTcpRst) flags += 'R';
  if (tcp.flags & kTcpPsh) flags += 'P';
  if (flags.empty()) flags = ".";
  // Of a malformed packet it can come out as anything.
  uint32_t length = ip.total_length - ip.header_length() - tcp.header_length();
  if (tcp.flags & kTcpSyn) ++length;
  if (tcp.flags & kTcpFin) ++length;
  std::string text = from_to + flags + " " + number(tcp.sequence) + ":" +
                     number(static_cast<uint32_t>(tcp.sequence + length)) + "(" + number(length) +
                     "," + number(packet_length) + "," + number(ip.total_length) + ")";
  if (tcp.flags & kTcpAck) text += " ack " + number(tcp.acknowledgement);
  return text + " win " + number(tcp.window);
}

std::string udp_text(const IpHeader& ip, Bytes payload) {
  if (payload.size() < 4) return addresses(ip) + "truncated-udp";
  const std::string from_to =
      addresses(ip, load_big<uint16_t>(payload.data()), load_big<uint16_t>(payload.data() + 2));
  UdpHeader udp;
  if (!read(payload, udp)) return from_to + "truncated-udp";
  return from_to + "udp " + number(udp.length);
}

std::string unreachable_text(const IcmpHeader& icmp, Bytes about) {
  IpHeader ip;
  if (!read(about, ip)) return "truncated-icmp";
  std::string text = "icmp " + ip.destination.to_string() + " unreachable " +
                     named(icmp_code_name(icmp.type, icmp.code), "code ", icmp.code);
  if (icmp.code == kIcmpProtocolUnreachable) text += " " + number(ip.protocol);
  if (icmp.code == kIcmpFragmentationNeeded && icmp.next_hop_mtu() != 0)
    text += " mtu " + number(icmp.next_hop_mtu());
  const Bytes transport = about.subspan(std::min<std::size_t>(about.size(), ip.header_length()));
  if (icmp.code == kIcmpPortUnreachable && transport.size() >= 4)
    text += " " + number(load_big<uint16_t>(transport.data() + 2));
  return text;
}

std::string icmp_text(const IpHeader& ip, Bytes payload, bool swap) {
  IcmpHeader icmp{};
  if (payload.size() < 2) return addresses(ip) + "truncated-icmp";
  std::memcpy(&icmp, payload.data(), std::min(payload.size(), sizeof icmp));
  const std::string name = named(icmp_type_name(icmp.type), "type ", icmp.type);
  if (icmp.type == kIcmpEcho || icmp.type == kIcmpEchoReply) {
    if (payload.size() < sizeof icmp) return addresses(ip) + "truncated-icmp";
    const auto shown = [&](be16 value) { return number(swap ? value.raw() : value.value()); };
    return addresses(ip) + "icmp " + name + " (" + shown(icmp.id()) + ", " +
           shown(icmp.sequence()) + ")";
  }
  if (icmp.type == kIcmpUnreachable)
    return addresses(ip) + unreachable_text(icmp, payload.subspan(std::min<std::size_t>(
                                                      payload.size(), sizeof icmp)));
  const std::string_view code = icmp_code_name(icmp.type, icmp.code);
  std::string text = addresses(ip) + "icmp " + name;
  if (!code.empty()) text += " " + std::string(code);
  if (icmp.type == kIcmpRedirect && payload.size() >= sizeof icmp)
    text += " to " + icmp.gateway().to_string();
  return text;
}

std::string protocol_name(uint8_t protocol) {
  switch (protocol) {
    case kIpProtocolTcp:
      return "tcp";
    case kIpProtocolUdp:
      return "udp";
    case kIpProtocolIcmp:
      return "icmp";
    default:
      return "protocol " + number(protocol);
  }
}

}  // namespace

std::string ip_text(Bytes bytes, uint32_t packet_length, const IpTextOptions& options) {
  IpHeader ip;
  if (!read(bytes, ip)) return "truncated-ip";
  std::string text;
  if (options.id) text += "id " + number(ip.id) + " ";
  if (options.ttl) text += "ttl " + number(ip.ttl) + " ";
  if (options.tos) text += "tos " + number(ip.tos) + " ";
  if (options.length) text += "length " + number(ip.total_length) + " ";
  if (ip.header_length() < sizeof ip || ip.header_length() > bytes.size() ||
      ip.header_length() > ip.total_length)
    return text + addresses(ip) + "truncated-ip";
  // What lies behind the datagram (Ethernet padding) is none of it.
  bytes = bytes.first(std::min<std::size_t>(bytes.size(), ip.total_length));
  const Bytes payload = bytes.subspan(ip.header_length());
  if (ip.is_later_fragment()) {
    text += addresses(ip) + protocol_name(ip.protocol);
  } else if (ip.protocol == kIpProtocolTcp) {
    text += tcp_text(ip, payload, packet_length);
  } else if (ip.protocol == kIpProtocolUdp) {
    text += udp_text(ip, payload);
  } else if (ip.protocol == kIpProtocolIcmp) {
    text += icmp_text(ip, payload, options.swap);
  } else {
    text += addresses(ip) + protocol_name(ip.protocol);
  }
  if (ip.is_fragment())
    text += " (frag " + number(ip.id) + ":" + number(ip.total_length - ip.header_length()) + "@" +
            number(ip.fragment_offset()) + (ip.more_fragments() ? "+)" : ")");
  return text;
}

std::string dump_text(Bytes bytes, DumpForm form) {
  if (form == DumpForm::none) return {};
  constexpr char kDigits[] = "0123456789abcdef";
  const std::size_t per_line = form == DumpForm::hex ? 24 : 48;
  const std::size_t group = form == DumpForm::hex ? 4 : 8;
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % per_line == 0)
      text += "\n  ";
    else if (i % group == 0)
      text += ' ';
    const uint8_t byte = bytes[i];
    if (form == DumpForm::hex) {
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    } else {
      text += byte >= 32 && byte < 127 ? static_cast<char>(byte) : '.';
    }
  }
  return text;
}

}  // namespace headroom
