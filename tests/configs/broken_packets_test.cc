// What becomes of broken and unusual packets in configs/ipv4-router.click. Each has the outcome
// that the RFC named beside it wants: an ICMP error, a drop with a name, or that it is forwarded.
#include "ipv4_router.hh"

namespace headroom::test {
namespace {

struct Kind {
  std::string name;
  Bytes frame;
  std::string outcome;
};
using Kinds = std::vector<Kind>;

constexpr char kForwarded[] = "right 10.0.1.2 > 10.0.2.2 ttl 63";
constexpr char kErrorStart[] = "left 10.0.1.1 > 10.0.1.2 icmp ";

std::string error_of(std::string_view type_and_code) {
  return kErrorStart + std::string(type_and_code);
}

Datagram to(const char* destination, uint8_t ttl = 64) {
  return {.source = {10, 0, 1, 2}, .destination = *IPAddress::parse(destination), .ttl = ttl};
}
Bytes udp_to(const char* destination = "10.0.2.2", uint8_t ttl = 64) {
  return udp_datagram(30, to(destination, ttl));
}
// With the byte at `at` changed, and the header checksum right again.
Bytes with(Bytes ip, std::size_t at, uint8_t value) {
  ip.at(at) = value;
  fix_ip_checksum(ip);
  return ip;
}
Bytes from(const char* source, Bytes ip) {
  const IPAddress address = *IPAddress::parse(source);
  std::memcpy(&ip.at(12), &address, sizeof address);
  fix_ip_checksum(ip);
  return ip;
}
Bytes with_length(Bytes ip, uint16_t length) {
  ip[2] = static_cast<uint8_t>(length >> 8);
  return with(std::move(ip), 3, static_cast<uint8_t>(length));
}
// `field` is the flags and the offset in units of 8 bytes.
Bytes fragment(Bytes ip, uint16_t field) {
  ip[6] = static_cast<uint8_t>(field >> 8);
  return with(std::move(ip), 7, static_cast<uint8_t>(field));
}
constexpr uint16_t kMore = 0x2000;
constexpr uint16_t kDont = 0x4000;

Bytes with_options(Bytes options, const char* destination = "10.0.2.2", uint8_t ttl = 64) {
  options.resize((options.size() + 3) / 4 * 4, kIpOptionEnd);
  Datagram datagram = to(destination, ttl);
  datagram.options = options.size();
  Bytes ip = udp_datagram(30, datagram);
  std::copy(options.begin(), options.end(), ip.begin() + 20);
  fix_ip_checksum(ip);
  return ip;
}

// RFC 1812, 5.2.2: what is checked before anything else.
Kinds broken_headers() {
  Kinds kinds;
  const auto add = [&](std::string name, const Bytes& ip, std::string_view reason) {
    kinds.push_back({std::move(name), ip_frame(ip), "CheckIPHeader " + std::string(reason)});
  };
  const Bytes good = udp_to();
  for (std::size_t length = 0; length < 20; ++length)
    add("ends after byte " + std::to_string(length), first_bytes(good, length), "too-short");
  for (uint8_t version = 0; version < 16; ++version)
    if (version != 4)
      add("version " + std::to_string(version),
          with(good, 0, static_cast<uint8_t>(version << 4 | 5)), "bad-version");
  for (uint8_t words = 0; words < 5; ++words) {
    Bytes ip = good;  // its checksum cannot be right
    ip[0] = static_cast<uint8_t>(0x40 | words);
    add("header of " + std::to_string(words) + " words", ip, "bad-header-length");
  }
  for (uint8_t words = 6; words < 16; ++words) {
    Bytes ip = first_bytes(good, words * 4U - 1);
    ip[0] = static_cast<uint8_t>(0x40 | words);
    add("ends in its options of " + std::to_string(words - 5) + " words", ip, "too-short");
  }
  for (uint8_t words = 6; words < 15; ++words)
    add("options beyond the total length, " + std::to_string(words - 5) + " words",
        with_length(with(good, 0, static_cast<uint8_t>(0x40 | words)),
                    static_cast<uint16_t>(words * 4 - 1)),
        "bad-length");
  for (const uint16_t length : {0, 1, 8, 19, 59, 60, 1500, 32768, 65535})
    add("total length " + std::to_string(length), with_length(good, length), "bad-length");
  for (unsigned bit = 0; bit < 16; ++bit) {
    Bytes ip = good;
    ip[10 + bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    add("checksum with bit " + std::to_string(bit) + " wrong", ip, "bad-checksum");
  }
  for (const std::size_t at : {1, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 19}) {
    Bytes ip = good;
    ip[at] ^= 0x10;
    add("byte " + std::to_string(at) + " damaged on the way", ip, "bad-checksum");
  }
  add("all bytes zero", Bytes(58, 0), "bad-version");
  add("all bits one", Bytes(58, 0xff), "bad-version");
  return kinds;
}

// RFC 1812, 5.3.7 and 4.2.2.11: addresses that no packet may come from or go to.
Kinds martians() {
  Kinds kinds;
  for (const char* source :
       {"0.0.0.0", "0.1.2.3", "0.255.255.255", "127.0.0.1", "127.255.255.254", "224.0.0.1",
        "232.1.2.3", "239.255.255.255", "240.0.0.1", "255.255.255.254", "255.255.255.255"})
    for (const char* destination : {"10.0.2.2", "10.0.1.1", "192.0.2.1"})
      kinds.push_back({"from " + std::string(source) + " to " + destination,
                       ip_frame(from(source, udp_to(destination))), "IPFilter denied"});
  kinds.push_back({"from the network's broadcast address", ip_frame(from("10.0.1.255", udp_to())),
                   "CheckIPHeader bad-source"});
  for (const char* destination : {"0.0.0.0", "0.1.2.3", "127.0.0.1", "127.1.2.3"})
    kinds.push_back(
        {"to " + std::string(destination), ip_frame(udp_to(destination)), "IPFilter denied"});
  // No error about what went to many: RFC 1812, 4.3.2.7.
  for (const char* destination :
       {"255.255.255.255", "10.0.1.255", "10.0.2.255", "224.0.0.1", "224.0.0.5", "239.255.255.250"})
    for (const uint8_t ttl : {1, 64})
      kinds.push_back({"to " + std::string(destination) + ", TTL " + std::to_string(ttl),
                       ip_frame(udp_to(destination, ttl)), "groups Discard"});
  kinds.push_back({"ping of a broadcast address",
                   ip_frame(icmp_datagram(kIcmpEcho, numbered(8), to("10.0.1.255"))),
                   "groups Discard"});
  // Class E has no host, and no route.
  kinds.push_back({"to class E", ip_frame(udp_to("240.0.0.1")), error_of("3/0")});
  return kinds;
}

// RFC 1812, 5.3.4: what came as a broadcast of the link is not forwarded, nor answered.
Kinds link_groups() {
  Kinds kinds;
  for (const EtherAddress& group : {EtherAddress::broadcast(), EtherAddress(1, 0, 0x5e, 0, 0, 1),
                                    EtherAddress(0x33, 0x33, 0, 0, 0, 1)}) {
    const auto add = [&](std::string name, const Bytes& ip, std::string outcome) {
      kinds.push_back({name + ", as a frame to " + group.to_string(),
                       ether_frame(group, kLeftHost, kEtherTypeIp, ip), std::move(outcome)});
    };
    add("to the other side", udp_to(), "DropBroadcasts link-broadcast");
    add("with no TTL left", udp_to("10.0.2.2", 1), "DropBroadcasts link-broadcast");
    add("without a route", udp_to("192.0.2.1"), "ICMPError link-broadcast");
    add("to a port of the router", udp_to("10.0.1.1"), "ICMPError link-broadcast");
  }
  return kinds;
}

Kinds frames() {
  Kinds kinds;
  const Bytes good = ip_frame(udp_to());
  for (const std::size_t length : {1, 2, 6, 12, 13})
    kinds.push_back({"frame of " + std::to_string(length) + " bytes", first_bytes(good, length),
                     "HostEtherFilter too-short"});
  for (const uint16_t type :
       {0, 46, 0x05dc, 0x0600, 0x0801, 0x8035, 0x8100, 0x86dd, 0x8847, 0x88a8, 0x88cc, 0xffff})
    kinds.push_back({"EtherType " + std::to_string(type),
                     ether_frame(kLeftPort, kLeftHost, type, udp_to()), "Classifier no-match"});
  for (const EtherAddress& other :
       {kLeftHost, kRightPort, EtherAddress(2, 0, 0, 0, 1, 3), EtherAddress()})
    kinds.push_back({"to " + other.to_string(),
                     ether_frame(other, kLeftHost, kEtherTypeIp, udp_to()),
                     "HostEtherFilter to-other-host"});
  return kinds;
}

// RFC 1812, 5.3.1, and 4.3.2.7 on when there is no error.
Kinds time_to_live() {
  Kinds kinds;
  const auto add = [&](std::string name, const Bytes& ip, std::string outcome) {
    kinds.push_back({std::move(name), ip_frame(ip), std::move(outcome)});
  };
  for (const uint8_t ttl : {0, 1}) {
    const std::string with_ttl = ", TTL " + std::to_string(ttl);
    add("UDP" + with_ttl, udp_to("10.0.2.2", ttl), error_of("11/0"));
    add("TCP" + with_ttl, tcp_datagram(0, to("10.0.2.2", ttl)), error_of("11/0"));
    add("first fragment" + with_ttl, fragment(udp_to("10.0.2.2", ttl), kMore), error_of("11/0"));
    add("later fragment" + with_ttl, fragment(udp_to("10.0.2.2", ttl), 3),
        "ICMPError later-fragment");
    for (const uint8_t query : {0, 8, 9, 10, 13, 14, 15, 16, 17, 18})
      add("ICMP query " + std::to_string(query) + with_ttl,
          icmp_datagram(query, numbered(8), to("10.0.2.2", ttl)), error_of("11/0"));
    for (const uint8_t error : {3, 4, 5, 11, 12, 42, 255})
      add("ICMP error " + std::to_string(error) + with_ttl,
          icmp_datagram(error, numbered(28), to("10.0.2.2", ttl)), "ICMPError icmp-error");
    Bytes no_type = ip_datagram(kIpProtocolIcmp, {}, to("10.0.2.2", ttl));
    add("ICMP without a type" + with_ttl, no_type, "ICMPError icmp-error");
  }
  add("TTL 1 to the router", icmp_datagram(kIcmpEcho, numbered(8), to("10.0.1.1", 1)),
      "left 10.0.1.1 > 10.0.1.2 icmp 0");
  return kinds;
}

// RFC 791, 3.1; RFC 1812, 4.2.2.1 and 5.2.4.1; the pointer is RFC 792's.
Kinds options() {
  Kinds kinds;
  const auto add = [&](std::string name, const Bytes& bytes, std::string outcome) {
    kinds.push_back({std::move(name), ip_frame(with_options(bytes)), std::move(outcome)});
  };
  add("only no-operations", {1, 1, 1, 1}, kForwarded);
  add("rubbish behind the end of options", {0, 7, 200, 1}, kForwarded);
  add("option without its length", {1, 1, 1, 7}, error_of("12/0 at 23"));
  add("option of length 0", {7, 0, 4, 0}, error_of("12/0 at 21"));
  add("option of length 1", {7, 1, 4, 0}, error_of("12/0 at 21"));
  add("unknown option of length 0", {99, 0, 1, 1}, error_of("12/0 at 21"));
  add("option beyond the header", {7, 39, 4, 0}, error_of("12/0 at 21"));
  add("option of length 255", {68, 255, 5, 0}, error_of("12/0 at 21"));
  add("second option beyond the header", {1, 1, 148, 4, 0, 0, 7, 7}, error_of("12/0 at 27"));
  add("unknown option", {99, 4, 1, 2}, kForwarded);
  add("router alert", {148, 4, 0, 0}, kForwarded);
  add("security", {130, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0}, kForwarded);
  add("record route of length 2", {7, 2, 1, 1}, error_of("12/0 at 21"));
  for (const uint8_t pointer : {0, 1, 2, 3})
    add("record route from " + std::to_string(pointer), {7, 7, pointer, 0, 0, 0, 0},
        error_of("12/0 at 22"));
  for (const uint8_t pointer : {5, 6, 7})
    add("record route with half an address left, from " + std::to_string(pointer),
        {7, 7, pointer, 0, 0, 0, 0}, error_of("12/0 at 22"));
  for (const uint8_t pointer : {8, 255})
    add("record route that is full, pointer " + std::to_string(pointer),
        {7, 7, pointer, 1, 2, 3, 4}, kForwarded);
  add("record route", {7, 7, 4, 0, 0, 0, 0}, kForwarded);
  add("timestamp of length 3", {68, 3, 5, 0}, error_of("12/0 at 21"));
  for (const uint8_t pointer : {0, 1, 4})
    add("timestamp from " + std::to_string(pointer), {68, 8, pointer, 0, 0, 0, 0, 0},
        error_of("12/0 at 22"));
  add("timestamp with half a place left", {68, 8, 6, 0, 0, 0, 0, 0}, error_of("12/0 at 22"));
  add("timestamp with room for half of a pair", {68, 8, 5, 1, 0, 0, 0, 0}, error_of("12/0 at 22"));
  for (const uint8_t flag : {2, 4, 7, 15})
    add("timestamp with flag " + std::to_string(flag), {68, 8, 5, flag, 0, 0, 0, 0},
        error_of("12/0 at 23"));
  add("timestamp that is full", {68, 8, 9, 0, 0, 0, 0, 0}, kForwarded);
  add("timestamp that 15 had no room in", {68, 8, 9, 0xf0, 0, 0, 0, 0}, error_of("12/0 at 23"));
  add("timestamp", {68, 8, 5, 0, 0, 0, 0, 0}, kForwarded);
  // The packet is in error, but it went to many, or is not the first fragment.
  kinds.push_back({"bad option to a broadcast address",
                   ip_frame(with_options({7, 0, 0, 0}, "10.0.2.255")), "groups Discard"});
  kinds.push_back({"bad option in a later fragment",
                   ip_frame(fragment(with_options({7, 0, 0, 0}), 3)), "ICMPError later-fragment"});
  return kinds;
}

// RFC 1812, 5.2.6 and 4.3.3.1; RFC 1191.
Kinds long_packets() {
  Kinds kinds;
  const auto big = [](std::size_t payload) { return udp_datagram(payload, to("10.0.2.2")); };
  kinds.push_back({"1,500 bytes that must not be fragmented", ip_frame(fragment(big(1472), kDont)),
                   kForwarded});
  kinds.push_back({"1,501 bytes that must not be fragmented", ip_frame(fragment(big(1473), kDont)),
                   error_of("3/4 mtu 1500")});
  kinds.push_back({"1,501 bytes", ip_frame(big(1473)), std::string(kForwarded) + " x2"});
  kinds.push_back({"long later fragment that must not be fragmented",
                   ip_frame(fragment(big(1480), kDont | 5)), "ICMPError later-fragment"});
  kinds.push_back({"reserved flag", ip_frame(fragment(udp_to(), 0x8000)), kForwarded});
  kinds.push_back(
      {"flags against each other", ip_frame(fragment(udp_to(), kDont | kMore)), kForwarded});
  // A router in between does not judge fragments.
  kinds.push_back(
      {"fragment that ends beyond 65,535", ip_frame(fragment(udp_to(), 8191)), kForwarded});
  kinds.push_back(
      {"total length of the header alone", ip_frame(with_length(udp_to(), 20)), kForwarded});
  Bytes padded = ip_frame(udp_to());
  padded.resize(padded.size() + 17, 0xee);
  kinds.push_back({"bytes behind the datagram", padded, kForwarded});
  for (const uint8_t protocol : {0, 50, 255})
    kinds.push_back({"protocol " + std::to_string(protocol) + " in transit",
                     ip_frame(with(udp_to(), 9, protocol)), kForwarded});
  kinds.push_back({"no route", ip_frame(udp_to("192.0.2.1")), error_of("3/0")});
  kinds.push_back({"no route for an ICMP error",
                   ip_frame(icmp_datagram(3, numbered(28), to("192.0.2.1"))),
                   "ICMPError icmp-error"});
  kinds.push_back({"to a neighbour of the sender", ip_frame(udp_to("10.0.1.2")),
                   error_of("5/1 use 10.0.1.2") + ", left 10.0.1.2 > 10.0.1.2 ttl 63"});
  return kinds;
}

// RFC 1122 and RFC 1812, 4.2.2.1: as a host.
Kinds to_the_router() {
  Kinds kinds;
  const auto add = [&](std::string name, const Bytes& ip, std::string outcome) {
    kinds.push_back({std::move(name), ip_frame(ip), std::move(outcome)});
  };
  const auto echo = [] { return icmp_datagram(kIcmpEcho, numbered(24), to("10.0.1.1")); };
  add("ping", echo(), "left 10.0.1.1 > 10.0.1.2 icmp 0");
  add("ping at its other address", icmp_datagram(kIcmpEcho, numbered(24), to("10.0.2.1")),
      "left 10.0.2.1 > 10.0.1.2 icmp 0");
  Bytes damaged = echo();
  damaged.back() ^= 1;
  add("ping with a wrong checksum", damaged, "CheckICMPHeader bad-checksum");
  add("ICMP of 4 bytes", ip_datagram(kIpProtocolIcmp, {8, 0, 0xf7, 0xff}, to("10.0.1.1")),
      "CheckICMPHeader bad-length");
  add("ICMP of no byte", ip_datagram(kIpProtocolIcmp, {}, to("10.0.1.1")),
      "CheckICMPHeader bad-length");
  Bytes code = echo();
  code[21] = 1;
  fix_transport_checksum(code, 2);
  add("ping with a code", code, "local/unheard Discard");
  for (const uint8_t type : {0, 3, 5, 11, 13, 42})
    add("ICMP " + std::to_string(type), icmp_datagram(type, numbered(28), to("10.0.1.1")),
        "local/unheard Discard");
  add("UDP", udp_to("10.0.1.1"), error_of("3/3"));
  add("TCP", tcp_datagram(5, to("10.0.1.1")), error_of("3/3"));
  Bytes udp = udp_to("10.0.1.1");
  udp.back() ^= 1;
  add("UDP with a wrong checksum", udp, "CheckUDPHeader bad-checksum");
  Bytes tcp = tcp_datagram(5, to("10.0.1.1"));
  tcp.back() ^= 1;
  add("TCP with a wrong checksum", tcp, "CheckTCPHeader bad-checksum");
  add("UDP of 7 bytes", ip_datagram(kIpProtocolUdp, numbered(7), to("10.0.1.1")),
      "CheckUDPHeader bad-length");
  add("TCP of 19 bytes", ip_datagram(kIpProtocolTcp, numbered(19), to("10.0.1.1")),
      "CheckTCPHeader bad-length");
  for (const uint8_t protocol : {0, 2, 4, 41, 47, 50, 89, 132, 255})
    add("protocol " + std::to_string(protocol), with(udp_to("10.0.1.1"), 9, protocol),
        error_of("3/2"));
  // Fragments: RFC 791, 3.2; the ping of death; nothing that cannot be a fragment is kept.
  add("fragment that ends beyond 65,535", fragment(echo(), 8191), "IPReassembler bad-fragment");
  add("fragment of 31 bytes, and more to come",
      fragment(with_length(first_bytes(echo(), 51), 51), kMore), "IPReassembler bad-fragment");
  add("fragment without data", fragment(with_length(first_bytes(echo(), 20), 20), kMore),
      "IPReassembler bad-fragment");
  add("last fragment without data", fragment(with_length(first_bytes(echo(), 20), 20), 3),
      "IPReassembler bad-fragment");
  return kinds;
}

// RFC 826, "Packet Reception"; RFC 1812, 3.3.2; RFC 5227.
Kinds arp_packets() {
  Kinds kinds;
  const Arp good{.operation = kArpRequest,
                 .sender_ip = "10.0.1.2",
                 .sender_ether = kLeftHost,
                 .target_ip = "10.0.1.1",
                 .target_ether = {}};
  const auto add = [&](std::string name, const Bytes& frame, std::string outcome) {
    kinds.push_back({std::move(name), frame, std::move(outcome)});
  };
  // A request goes both ways: it is answered, and heard by the querier.
  const auto both = [](const std::string& reason) {
    return "ARPQuerier " + reason + ", ARPResponder " + reason;
  };
  const auto with_byte = [](Bytes frame, std::size_t at, uint8_t value) {
    frame.at(at) = value;
    return frame;
  };
  constexpr char kAnswered[] = "left arp reply from 10.0.1.1";
  add("request", good.build(), kAnswered);
  Bytes padded = good.build();
  padded.resize(60, 0xee);
  add("request with padding", padded, kAnswered);
  Arp to_port = good;
  to_port.target_ether = kLeftPort;
  add("request that knows the answer", to_port.build(), kAnswered);

  const Bytes request = good.build();
  for (const std::size_t length : {14, 15, 20, 21})
    add("ends after byte " + std::to_string(length), first_bytes(request, length),
        "Classifier no-match");
  for (const std::size_t length : {22, 28, 32, 38, 41})
    add("ends after byte " + std::to_string(length), first_bytes(request, length),
        both("too-short"));
  for (const uint8_t hardware : {0, 6, 15})
    add("hardware type " + std::to_string(hardware), with_byte(request, 15, hardware),
        both("arp-hardware"));
  add("hardware type 257", with_byte(request, 14, 1), both("arp-hardware"));
  for (const uint8_t length : {0, 5, 8, 255})
    add("hardware addresses of " + std::to_string(length), with_byte(request, 18, length),
        both("arp-hardware"));
  add("protocol type 0x0806", with_byte(request, 17, 6), both("arp-protocol"));
  add("protocol type 0x86dd", with_byte(with_byte(request, 16, 0x86), 17, 0xdd),
      both("arp-protocol"));
  for (const uint8_t length : {0, 3, 16, 255})
    add("protocol addresses of " + std::to_string(length), with_byte(request, 19, length),
        both("arp-protocol"));
  for (const uint16_t operation : {0, 3, 4, 8, 9, 23, 258, 65535}) {
    Arp other = good;
    other.operation = operation;
    add("operation " + std::to_string(operation), other.build(), "Classifier no-match");
  }
  for (const EtherAddress& sender :
       {EtherAddress(), EtherAddress::broadcast(), EtherAddress(1, 0, 0x5e, 0, 0, 1)}) {
    Arp arp = good;
    arp.sender_ether = sender;
    add("request from " + sender.to_string(), arp.build(), both("sender-ether"));
    arp.operation = kArpReply;
    arp.target_ether = kLeftPort;
    add("reply from " + sender.to_string(), arp.build(), "ARPQuerier sender-ether");
  }
  for (const char* sender : {"127.0.0.1", "224.0.0.1", "239.1.1.1", "255.255.255.255"}) {
    Arp arp = good;
    arp.sender_ip = sender;
    add("request from " + std::string(sender), arp.build(), both("sender-ip"));
    arp.operation = kArpReply;
    arp.target_ether = kLeftPort;
    add("reply from " + std::string(sender), arp.build(), "ARPQuerier sender-ip");
  }
  Arp nobody = good;
  nobody.operation = kArpReply;
  nobody.target_ether = kLeftPort;
  nobody.sender_ip = "0.0.0.0";
  add("reply from 0.0.0.0", nobody.build(), "ARPQuerier sender-ip");

  Arp probe = good;
  probe.sender_ip = "0.0.0.0";
  add("probe for the router's address", probe.build(),
      "ARPQuerier arp-probe, " + std::string(kAnswered));
  Arp other = good;
  other.target_ip = "10.0.1.9";
  add("request for another host", other.build(), "ARPResponder not-ours");
  other.target_ip = "10.0.2.1";
  add("request for the router's address on the other side", other.build(), "ARPResponder not-ours");
  Arp stranger = good;
  stranger.sender_ip = "10.0.1.77";
  add("request from a stranger", stranger.build(),
      "ARPQuerier not-asked, " + std::string(kAnswered));
  stranger.operation = kArpReply;
  stranger.target_ether = kLeftPort;
  add("reply that nobody asked for", stranger.build(), "ARPQuerier not-asked");
  Arp thief = good;
  thief.sender_ip = "10.0.1.1";
  thief.target_ip = "10.0.1.1";
  add("announcement of the router's address", thief.build(),
      "ARPQuerier own-address, " + std::string(kAnswered));
  thief.operation = kArpReply;
  thief.target_ether = kLeftPort;
  add("reply with the router's address", thief.build(), "ARPQuerier own-address");
  Arp for_other = good;
  for_other.operation = kArpReply;
  for_other.target_ether = EtherAddress(2, 0, 0, 0, 1, 9);
  add("reply to another host", for_other.build(), "HostEtherFilter to-other-host");
  return kinds;
}

Kinds all_kinds() {
  Kinds all;
  for (Kinds (*group)() : {broken_headers, martians, link_groups, frames, time_to_live, options,
                           long_packets, to_the_router, arp_packets}) {
    Kinds kinds = group();
    all.insert(all.end(), kinds.begin(), kinds.end());
  }
  return all;
}

TEST(BrokenPackets, EachEndsAsItShould) {
  Ipv4RouterTest router;
  const Kinds kinds = all_kinds();
  EXPECT_GE(kinds.size(), 200U);
  for (const Kind& kind : kinds)
    EXPECT_EQ(to_text(router.send({kind.frame})), kind.outcome) << kind.name;
  // The router is as good as before.
  EXPECT_EQ(to_text(router.send({ip_frame(udp_to())})), kForwarded);
}

// All at once: what happens to one has nothing to do with the others of its batch.
TEST(BrokenPackets, TogetherTheyEndAsAlone) {
  for (const uint32_t batch_size : {1U, 64U, 256U}) {
    SCOPED_TRACE(batch_size);
    Ipv4RouterTest alone;
    Ipv4RouterTest::Outcome expected;
    std::vector<Bytes> frames;
    for (const Kind& kind : all_kinds()) {
      frames.push_back(kind.frame);
      for (const auto& [name, count] : alone.send({kind.frame})) expected[name] += count;
    }
    Ipv4RouterTest together;
    EXPECT_EQ(to_text(together.send(frames, 1'000'000'000, batch_size)), to_text(expected));
  }
}

// Their places among good packets change nothing for those.
TEST(BrokenPackets, GoodOnesBetweenThemPass) {
  Ipv4RouterTest router;
  std::vector<Bytes> frames;
  for (const Kind& kind : all_kinds()) {
    frames.push_back(kind.frame);
    frames.push_back(
        ip_frame(tcp_datagram(3, {.source = {10, 0, 1, 44}, .destination = {10, 0, 2, 2}})));
  }
  auto outcome = router.send(frames, 1'000'000'000);
  EXPECT_EQ(outcome["right 10.0.1.44 > 10.0.2.2 ttl 63"], frames.size() / 2);
}

// RFC 1812, 4.3.2.8: errors have a limit, and what is beyond it has a name.
TEST(BrokenPackets, ErrorsAreLimited) {
  Ipv4RouterTest router;
  const std::vector<Bytes> frames(5000, ip_frame(udp_to("192.0.2.1")));
  uint64_t errors = 0;
  uint64_t dropped = 0;
  for (int i = 0; i < 10; ++i) {
    const auto outcome = router.send(std::vector<Bytes>(500, frames[0]), 100'000'000);
    for (const auto& [name, count] : outcome)
      (name.starts_with("left ") ? errors : dropped) += count;
    for (const auto& [name, count] : outcome)
      EXPECT_TRUE(name == error_of("3/0") || name == "Queue queue-full") << name << count;
  }
  EXPECT_GE(errors, 900U);
  EXPECT_LE(errors, 1400U);
  // One more, and time for all.
  for (const auto& [name, count] : router.send({frames[0]}, 1'000'000'000))
    if (name.starts_with("left ")) errors += count;
  EXPECT_EQ(errors + dropped, 5001U);
}

}  // namespace
}  // namespace headroom::test
