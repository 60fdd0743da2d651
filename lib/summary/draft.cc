#include "headroom/summary/draft.hh"

#include <algorithm>
#include <cstring>
#include <span>

#include "headroom/base/random.hh"
#include "headroom/net/byte_order.hh"
#include "headroom/net/checksum.hh"
#include "headroom/net/icmp.hh"
#include "headroom/net/tcp.hh"
#include "headroom/net/udp.hh"

namespace headroom::summary {
namespace {

constexpr uint32_t kMaxLength = 65535;

using Bytes = std::vector<uint8_t>;

void append(Bytes& bytes, std::span<const uint8_t> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}
// Options end with zeroes, at a multiple of four bytes.
void append_options(Bytes& bytes, std::size_t from, const Bytes& options, unsigned header_length) {
  append(bytes, options);
  const std::size_t padded = (bytes.size() - from + 3) / 4 * 4;
  bytes.resize(from + std::max<std::size_t>(padded, header_length));
}

void set_checksums(Bytes& bytes, std::size_t transport) {
  auto& ip = *reinterpret_cast<IpHeader*>(bytes.data());
  set_ip_header_checksum(ip);
  if (ip.is_fragment()) return;
  const auto length = static_cast<uint16_t>(bytes.size() - transport);
  uint8_t* header = bytes.data() + transport;
  InternetSum sum = ip_pseudo_header(ip.source, ip.destination, ip.protocol, length);
  if (ip.protocol == kIpProtocolTcp && length >= sizeof(TcpHeader)) {
    auto& tcp = *reinterpret_cast<TcpHeader*>(header);
    tcp.checksum = 0;
    sum.add(header, length);
    tcp.checksum = sum.checksum();
  } else if (ip.protocol == kIpProtocolUdp && length >= sizeof(UdpHeader)) {
    auto& udp = *reinterpret_cast<UdpHeader*>(header);
    // A length that the dump says may be wrong on purpose; there is no right checksum then.
    if (udp.length != length) return;
    udp.checksum = 0;
    sum.add(header, length);
    udp.checksum = sum.udp_checksum();
  } else if (ip.protocol == kIpProtocolIcmp && length >= sizeof(IcmpHeader)) {
    auto& icmp = *reinterpret_cast<IcmpHeader*>(header);
    icmp.checksum = 0;
    icmp.checksum = internet_checksum(header, length);
  }
}

}  // namespace

Made Draft::make(const MakeOptions& options) const {
  Made made;
  Bytes& bytes = made.bytes;
  append(bytes, ip);
  append_options(bytes, 0, ip_options, header_length);
  made.header_length = static_cast<uint32_t>(bytes.size());

  const uint8_t carried = final_protocol();
  const bool later = (load_big<uint16_t>(&ip[6]) & kIpFragmentOffsetMask) != 0;
  // The ICMP header is part of what the field `payload` is about.
  const bool is_icmp = carried == kIpProtocolIcmp && !later;
  if (!later && carried == kIpProtocolTcp) {
    append(bytes, tcp);
    append_options(bytes, made.header_length, tcp_options, tcp_header_length);
    bytes[made.header_length + 12] = static_cast<uint8_t>(
        (bytes.size() - made.header_length) / 4 << 4 | (tcp[12] & 15U));  // the NS flag stays
  } else if (!later && carried == kIpProtocolUdp) {
    append(bytes, udp);
  }
  const auto headers = static_cast<uint32_t>(bytes.size());

  if (payload) append(bytes, {reinterpret_cast<const uint8_t*>(payload->data()), payload->size()});
  if (is_icmp) {
    const std::size_t told = payload ? payload->size() : 0;
    bytes.resize(std::max<std::size_t>(bytes.size(), headers + icmp.size()));
    // The fields of the header go before what the payload says of it.
    for (std::size_t i = 0; i < icmp.size(); ++i)
      if (i >= told || (icmp_given >> i & 1) != 0) bytes[headers + i] = icmp[i];
  }
  bytes.resize(std::min<std::size_t>(bytes.size(), kMaxLength));

  uint32_t length = static_cast<uint32_t>(bytes.size());
  if (total_length)
    length = *total_length;
  else if (payload_length)
    length = std::min(headers + *payload_length, kMaxLength);
  const uint32_t whole = std::max(length, made.header_length);
  uint32_t here = std::min(static_cast<uint32_t>(bytes.size()), whole);
  if (options.checksum)
    here = whole;
  else if (capture_length)
    here = std::min(*capture_length, whole);
  const std::size_t told = bytes.size();
  bytes.resize(here);
  if (options.noise != 0) {
    Random random(options.noise);
    for (std::size_t i = told; i < here; ++i) bytes[i] = static_cast<uint8_t>(random.next());
  }
  made.extra_length = length > here ? length - here : 0;

  // Also where the packet ends in the middle of them.
  const auto put = [&bytes](std::size_t offset, std::span<const uint8_t> value) {
    for (std::size_t i = 0; i < value.size() && offset + i < bytes.size(); ++i)
      bytes[offset + i] = value[i];
  };
  const uint8_t first[] = {static_cast<uint8_t>(0x40 | made.header_length / 4)};
  const uint8_t protocol_byte[] = {carried};
  uint8_t number[2];
  put(0, first);
  store_big(number, static_cast<uint16_t>(length));
  put(2, number);
  put(9, protocol_byte);
  if (!later && carried == kIpProtocolUdp) {
    const uint32_t implied = length > made.header_length ? length - made.header_length : 0;
    store_big(number, udp_length.value_or(static_cast<uint16_t>(implied)));
    put(made.header_length + 4, number);
  }
  if (options.checksum) set_checksums(bytes, made.header_length);
  return made;
}

}  // namespace headroom::summary
