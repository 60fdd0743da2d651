#include "headroom/net/ip_options.hh"

#include <algorithm>
#include <cstring>

namespace headroom {
namespace {

constexpr uint8_t kCopied = 0x80;
constexpr unsigned kAddress = 4;

void store_address(uint8_t* to, IPAddress address) {
  store_big<uint32_t>(to, address.host_order());
}

// Option bytes: type, length, pointer (from 4 on, counted from 1), addresses.
GatewayOptions record_route(uint8_t* option, unsigned length, unsigned offset, IPAddress mine) {
  if (length < 3) return {.problem = static_cast<uint8_t>(offset + 1)};
  const unsigned pointer = option[2];
  if (pointer < 4) return {.problem = static_cast<uint8_t>(offset + 2)};
  if (pointer > length) return {};  // full
  if (pointer + kAddress - 1 > length) return {.problem = static_cast<uint8_t>(offset + 2)};
  store_address(option + pointer - 1, mine);
  option[2] = static_cast<uint8_t>(pointer + kAddress);
  return {.changed = true};
}

// Option bytes: type, length, pointer (from 5 on), overflow count and flag, entries.
GatewayOptions timestamp(uint8_t* option, unsigned length, unsigned offset, IPAddress mine,
                         std::span<const IPAddress> others, uint32_t milliseconds) {
  enum : uint8_t { kTimeOnly = 0, kWithAddress = 1, kPrespecified = 3 };
  if (length < 4) return {.problem = static_cast<uint8_t>(offset + 1)};
  const unsigned pointer = option[2];
  if (pointer < 5) return {.problem = static_cast<uint8_t>(offset + 2)};
  const uint8_t flag = option[3] & 15U;
  if (flag != kTimeOnly && flag != kWithAddress && flag != kPrespecified)
    return {.problem = static_cast<uint8_t>(offset + 3)};
  if (pointer > length) {
    // Those whom the sender named had their turn; nobody else counts.
    if (flag == kPrespecified) return {};
    if (option[3] >> 4 == 15) return {.problem = static_cast<uint8_t>(offset + 3)};
    option[3] = static_cast<uint8_t>(option[3] + 0x10);
    return {.changed = true};
  }
  const unsigned size = flag == kTimeOnly ? 4 : 8;
  if (pointer + size - 1 > length) return {.problem = static_cast<uint8_t>(offset + 2)};
  uint8_t* entry = option + pointer - 1;
  if (flag == kPrespecified) {
    const auto named = IPAddress::from_host_order(load_big<uint32_t>(entry));
    if (named != mine && std::find(others.begin(), others.end(), named) == others.end()) return {};
  }
  if (flag == kWithAddress) store_address(entry, mine);
  store_big<uint32_t>(entry + size - 4, milliseconds);
  option[2] = static_cast<uint8_t>(pointer + size);
  return {.changed = true};
}

}  // namespace

bool IpOptionReader::next() {
  at_ += length_;
  if (at_ >= end_ || bytes_[at_] == kIpOptionEnd) return false;
  length_ = 1;
  if (bytes_[at_] == kIpOptionNop) return true;
  if (at_ + 1 < end_ && bytes_[at_ + 1] >= 2 && at_ + bytes_[at_ + 1] <= end_) {
    length_ = bytes_[at_ + 1];
    return true;
  }
  problem_ = at_ + 1 < end_ ? at_ + 1 : at_;
  at_ = end_;
  return false;
}

GatewayOptions process_gateway_options(IpHeader& header, IPAddress mine,
                                       std::span<const IPAddress> others, uint32_t milliseconds) {
  auto* bytes = reinterpret_cast<uint8_t*>(&header);
  GatewayOptions all;
  IpOptionReader options(header);
  while (options.next()) {
    const unsigned offset = options.offset();
    GatewayOptions one;
    if (options.type() == kIpOptionRecordRoute)
      one = record_route(bytes + offset, options.length(), offset, mine);
    else if (options.type() == kIpOptionTimestamp)
      one = timestamp(bytes + offset, options.length(), offset, mine, others, milliseconds);
    all.changed |= one.changed;
    all.problem = one.problem;
    if (all.problem != 0) return all;
  }
  all.problem = static_cast<uint8_t>(options.problem());
  return all;
}

unsigned copy_header_for_fragments(const IpHeader& header, uint8_t* to) {
  std::memcpy(to, &header, sizeof header);
  unsigned length = sizeof header;
  IpOptionReader options(header);
  while (options.next()) {
    if ((options.type() & kCopied) == 0) continue;
    std::memcpy(to + length, reinterpret_cast<const uint8_t*>(&header) + options.offset(),
                options.length());
    length += options.length();
  }
  while (length % 4 != 0) to[length++] = kIpOptionEnd;
  reinterpret_cast<IpHeader*>(to)->set_header_length(length);
  return length;
}

}  // namespace headroom
