#include "headroom/traffic/traffic_pattern.hh"

#include <algorithm>
#include <utility>

#include "headroom/base/random.hh"
#include "headroom/net/ether.hh"
#include "headroom/net/ip.hh"
#include "headroom/net/ip6.hh"
#include "headroom/net/udp.hh"

namespace headroom {
namespace {

// Fewer frames than this would let a processor learn by heart what comes next.
constexpr std::size_t kFewestFrames = 4096;
constexpr uint16_t kDestinationPort = 9;     // discard, RFC 863
constexpr uint16_t kFirstSourcePort = 1024;  // those below are for services
constexpr uint8_t kHops = 64;

// Shuffled, by Fisher and Yates.
template <class T>
void shuffle(std::vector<T>& values, Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

// Sizes in their exact proportions, in random order.
std::vector<uint32_t> sizes_for(const TrafficOptions& options, std::size_t frames, Random& random) {
  std::vector<uint32_t> cycle;
  for (const TrafficOptions::Size& size : options.sizes)
    cycle.insert(cycle.end(), size.weight, size.bytes - TrafficOptions::kFcs);
  std::vector<uint32_t> lengths(frames);
  for (std::size_t i = 0; i < frames; ++i) lengths[i] = cycle[i % cycle.size()];
  shuffle(lengths, random);
  return lengths;
}

IPAddress destination_of(const TrafficOptions& options, Random& random) {
  if (options.destinations.empty()) {
    // 1.0.0.0 to 223.255.255.255, without the loopback network.
    IPAddress address;
    do {
      address = IPAddress::from_host_order(
          static_cast<uint32_t>(0x01000000 + random.below(uint64_t{0xdf} << 24)));
    } while (address.is_loopback());
    return address;
  }
  const IPPrefix& prefix = options.destinations[random.below(options.destinations.size())];
  const unsigned bits = 32 - prefix.length;
  const uint64_t count = uint64_t{1} << bits;
  // The first and the last address of a network are no hosts (RFC 1122, 3.2.1.3).
  const uint64_t host = count > 2 ? 1 + random.below(count - 2) : random.below(count);
  const auto base = static_cast<uint32_t>(prefix.address.host_order() & ~(count - 1));
  return IPAddress::from_host_order(base + static_cast<uint32_t>(host));
}

IP6Address destination6_of(const TrafficOptions& options, Random& random) {
  const uint64_t high = random.next();
  const uint64_t low = random.next() | 1;  // never the anycast address of routers
  // 2000::/3 is what global unicast addresses are taken from (RFC 4291, 2.4).
  if (options.destinations6.empty())
    return IP6Address::from_halves(high >> 3 | uint64_t{1} << 61, low);
  const IP6Prefix& prefix = options.destinations6[random.below(options.destinations6.size())];
  const IP6Address mask = prefix.mask();
  return IP6Address::from_halves((prefix.address.high() & mask.high()) | (high & ~mask.high()),
                                 (prefix.address.low() & mask.low()) | (low & ~mask.low()));
}

// What tells flows apart: an address of 198.18.0.0/15, which is for benchmarks (RFC 2544), and a
// port.
constexpr uint64_t kSources = (1U << 17) - 2;
uint32_t source_number(uint64_t flow) { return static_cast<uint32_t>(1 + flow % kSources); }
uint16_t source_port(uint64_t flow) {
  return static_cast<uint16_t>(kFirstSourcePort + flow / kSources % (65536 - kFirstSourcePort));
}

template <class Header>
Header& header_at(uint8_t* bytes) {
  return *reinterpret_cast<Header*>(bytes);
}

void write_udp(UdpHeader& udp, uint64_t flow, uint16_t length, InternetSum sum) {
  udp.source_port = source_port(flow);
  udp.destination_port = kDestinationPort;
  udp.length = length;
  udp.checksum = 0;
  sum.add(&udp, sizeof udp);  // and the payload is zero
  udp.checksum = sum.udp_checksum();
}

}  // namespace

uint32_t TrafficPattern::least_size(TrafficOptions::Kind kind) {
  const std::size_t ip = kind == TrafficOptions::Kind::ipv4 ? sizeof(IpHeader) : sizeof(Ip6Header);
  const std::size_t least = sizeof(EtherHeader) + ip + sizeof(UdpHeader) + TrafficOptions::kFcs;
  return static_cast<uint32_t>(std::max<std::size_t>(least, 64));  // IEEE 802.3's shortest frame
}

TrafficPattern::TrafficPattern(const TrafficOptions& options) {
  Random random(options.seed);
  // Every flow occurs equally often.
  const std::size_t rounds = (kFewestFrames + options.flows - 1) / options.flows;
  const std::size_t frames = rounds * options.flows;
  const std::vector<uint32_t> lengths = sizes_for(options, frames, random);
  longest_ = *std::max_element(lengths.begin(), lengths.end());

  struct Flow {
    uint64_t number;
    IPAddress destination;
    IP6Address destination6;
  };
  std::vector<Flow> flows(options.flows);
  for (std::size_t i = 0; i < flows.size(); ++i)
    flows[i] = {options.first_flow + uint64_t{options.flow_step} * i,
                destination_of(options, random), destination6_of(options, random)};
  std::vector<uint32_t> order(frames);
  for (std::size_t i = 0; i < frames; ++i) order[i] = static_cast<uint32_t>(i % options.flows);
  shuffle(order, random);

  slots_.reserve(frames);
  bytes_.resize(frames * kHeaders);
  for (std::size_t i = 0; i < frames; ++i) {
    const Flow& flow = flows[order[i]];
    uint8_t* const frame = bytes_.data() + i * kHeaders;
    auto& ether = header_at<EtherHeader>(frame);
    ether.destination = options.ether_destination;
    ether.source = options.ether_source;
    const bool is_ip6 = options.kind == TrafficOptions::Kind::ipv6 ||
                        (options.kind == TrafficOptions::Kind::mixed && order[i] % 2 == 1);
    const auto length = static_cast<uint16_t>(lengths[i]);
    if (is_ip6)
      write_ip6(frame, flow.number, flow.destination6, length);
    else
      write_ip(frame, flow.number, flow.destination, length);
    slots_.push_back({length, !is_ip6});
  }
}

TrafficPattern::TrafficPattern(std::span<const std::vector<uint8_t>> frames) {
  for (const auto& frame : frames)
    longest_ = std::max(longest_, static_cast<uint32_t>(frame.size()));
  // Whole cache lines, and more than one: one is how next() knows headers alone.
  stride_ = std::max<std::size_t>((longest_ + 63U) / 64 * 64, 2 * kHeaders);
  bytes_.resize(frames.size() * stride_);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    std::copy(frames[i].begin(), frames[i].end(),
              bytes_.begin() + static_cast<std::ptrdiff_t>(i * stride_));
    slots_.push_back({static_cast<uint16_t>(frames[i].size()), false});
  }
}

void TrafficPattern::write_ip(uint8_t* frame, uint64_t flow, IPAddress destination,
                              uint16_t length) {
  header_at<EtherHeader>(frame).type = kEtherTypeIp;
  auto& ip = header_at<IpHeader>(frame + sizeof(EtherHeader));
  const auto total = static_cast<uint16_t>(length - sizeof(EtherHeader));
  ip.version_and_length = 0x45;
  ip.tos = 0;
  ip.total_length = total;
  ip.id = 0;
  ip.fragment = 0;
  ip.ttl = kHops;
  ip.protocol = kIpProtocolUdp;
  ip.source = IPAddress::from_host_order(0xc6120000 + source_number(flow));
  ip.destination = destination;
  set_ip_header_checksum(ip);
  const auto udp_length = static_cast<uint16_t>(total - sizeof(IpHeader));
  write_udp(header_at<UdpHeader>(frame + sizeof(EtherHeader) + sizeof(IpHeader)), flow, udp_length,
            ip_pseudo_header(ip.source, destination, kIpProtocolUdp, udp_length));
}

void TrafficPattern::write_ip6(uint8_t* frame, uint64_t flow, const IP6Address& destination,
                               uint16_t length) {
  header_at<EtherHeader>(frame).type = kEtherTypeIp6;
  auto& ip = header_at<Ip6Header>(frame + sizeof(EtherHeader));
  const auto udp_length = static_cast<uint16_t>(length - sizeof(EtherHeader) - sizeof(Ip6Header));
  ip.set_version_class_flow(0, static_cast<uint32_t>(flow & 0xfffff));
  ip.payload_length = udp_length;
  ip.next_header = kIpProtocolUdp;
  ip.hop_limit = kHops;
  // 2001:2::/48 is for benchmarks (RFC 5180, 8).
  ip.source = IP6Address::from_halves(0x2001000200000000, source_number(flow));
  ip.destination = destination;
  write_udp(header_at<UdpHeader>(frame + sizeof(EtherHeader) + sizeof(Ip6Header)), flow, udp_length,
            ip6_pseudo_header(ip.source, destination, kIpProtocolUdp, udp_length));
}

double TrafficPattern::mean_length() const {
  uint64_t sum = 0;
  for (const Slot& slot : slots_) sum += slot.length;
  return static_cast<double>(sum) / static_cast<double>(slots_.size());
}

}  // namespace headroom
