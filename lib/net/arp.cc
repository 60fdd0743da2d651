#include "headroom/net/arp.hh"

namespace headroom {

ArpFault find_arp_fault(const uint8_t* bytes, uint32_t length) {
  if (length < sizeof(ArpFrame)) return ArpFault::too_short;
  const auto& [ether, arp] = *reinterpret_cast<const ArpFrame*>(bytes);
  if (ether.type != kEtherTypeArp) return ArpFault::not_arp;
  if (arp.hardware_type != kArpHardwareEther || arp.hardware_length != 6) return ArpFault::hardware;
  if (arp.protocol_type != kEtherTypeIp || arp.protocol_length != 4) return ArpFault::protocol;
  if (arp.operation != kArpRequest && arp.operation != kArpReply) return ArpFault::operation;
  if (arp.sender_ether.is_zero() || arp.sender_ether.is_group()) return ArpFault::sender_ether;
  if (arp.sender_ip.is_broadcast() || arp.sender_ip.is_multicast() || arp.sender_ip.is_loopback() ||
      (arp.sender_ip.is_zero() && arp.operation == kArpReply))
    return ArpFault::sender_ip;
  return ArpFault::none;
}

void make_arp_request(ArpFrame& frame, const EtherAddress& sender_ether, IPAddress sender_ip,
                      IPAddress target_ip) {
  frame.ether.destination = EtherAddress::broadcast();
  frame.ether.source = sender_ether;
  frame.ether.type = kEtherTypeArp;
  frame.arp.set_ether_ip();
  frame.arp.operation = kArpRequest;
  frame.arp.sender_ether = sender_ether;
  frame.arp.sender_ip = sender_ip;
  frame.arp.target_ether = EtherAddress();
  frame.arp.target_ip = target_ip;
}

void make_arp_reply(ArpFrame& frame, const EtherAddress& ether) {
  const IPAddress asked = frame.arp.target_ip;
  frame.ether.destination = frame.arp.sender_ether;
  frame.ether.source = ether;
  frame.arp.operation = kArpReply;
  frame.arp.target_ether = frame.arp.sender_ether;
  frame.arp.target_ip = frame.arp.sender_ip;
  frame.arp.sender_ether = ether;
  frame.arp.sender_ip = asked;
}

}  // namespace headroom
