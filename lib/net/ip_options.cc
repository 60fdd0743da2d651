#include "headroom/net/ip_options.hh"

#include <algorithm>
#include <cstring>

namespace headroom {
namespace {

// One option with a length: its bytes, and where they begin in the header.
struct Option {
  std::span<uint8_t> bytes;
  unsigned offset;

  uint8_t at(unsigned index) const { return static_cast<uint8_t>(offset + index); }
  // Pointers count from 1, at the option's first byte.
  unsigned pointer() const { return bytes[2]; }
};

void store_address(uint8_t* to, IPAddress address) { std::memcpy(to, &address, 4); }

bool is_mine(IPAddress address, const RouterOptions& router) {
  return address == router.address ||
         std::find(router.others.begin(), router.others.end(), address) != router.others.end();
}

RouterOptionsResult record_route(const Option& option, const RouterOptions& router) {
  if (option.bytes.size() < 3) return {.bad_octet = option.at(1)};
  const unsigned pointer = option.pointer();
  if (pointer < 4) return {.bad_octet = option.at(2)};
  if (pointer > option.bytes.size()) return {};  // full
  if (pointer + 3 > option.bytes.size()) return {.bad_octet = option.at(2)};
  store_address(&option.bytes[pointer - 1], router.address);
  option.bytes[2] = static_cast<uint8_t>(pointer + 4);
  return {.changed = true};
}

RouterOptionsResult record_timestamp(const Option& option, const RouterOptions& router) {
  if (option.bytes.size() < 4) return {.bad_octet = option.at(1)};
  enum : uint8_t { kTimeOnly = 0, kAddressAndTime = 1, kPrespecified = 3 };
  const unsigned pointer = option.pointer();
  const unsigned flag = option.bytes[3] & 15U;
  if (flag != kTimeOnly && flag != kAddressAndTime && flag != kPrespecified)
    return {.bad_octet = option.at(3)};
  if (pointer < 5) return {.bad_octet = option.at(2)};
  const unsigned size = flag == kTimeOnly ? 4 : 8;
  if (pointer > option.bytes.size()) {
    // Full: the number of routers that found no room counts up, and must not start anew.
    if (flag == kPrespecified) return {};
    if (option.bytes[3] >> 4 == 15) return {.bad_octet = option.at(3)};
    option.bytes[3] = static_cast<uint8_t>(option.bytes[3] + 16);
    return {.changed = true};
  }
  if (pointer - 1 + size > option.bytes.size()) return {.bad_octet = option.at(2)};
  uint8_t* to = &option.bytes[pointer - 1];
  if (flag == kPrespecified) {
    IPAddress asked;
    std::memcpy(&asked, to, 4);
    if (!is_mine(asked, router)) return {};
  } else if (flag == kAddressAndTime) {
    store_address(to, router.address);
  }
  store_big<uint32_t>(to + size - 4, router.milliseconds);
  option.bytes[2] = static_cast<uint8_t>(pointer + size);
  return {.changed = true};
}

}  // namespace

RouterOptionsResult update_router_options(IpHeader& ip, const RouterOptions& router) {
  auto* header = reinterpret_cast<uint8_t*>(&ip);
  const unsigned end = ip.header_length();
  RouterOptionsResult result;
  for (unsigned at = sizeof(IpHeader); at < end && header[at] != kIpOptionEnd;) {
    if (header[at] == kIpOptionNop) {
      ++at;
      continue;
    }
    if (at + 1 == end) {
      result.bad_octet = static_cast<uint8_t>(at);
      return result;
    }
    const unsigned length = header[at + 1];
    if (length < 2 || at + length > end) {
      result.bad_octet = static_cast<uint8_t>(at + 1);
      return result;
    }
    const Option option{{header + at, length}, at};
    RouterOptionsResult one;
    if (header[at] == kIpOptionRecordRoute) one = record_route(option, router);
    if (header[at] == kIpOptionTimestamp) one = record_timestamp(option, router);
    result.changed |= one.changed;
    result.bad_octet = one.bad_octet;
    if (result.bad()) return result;
    at += length;
  }
  return result;
}

}  // namespace headroom
