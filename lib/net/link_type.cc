#include "headroom/net/link_type.hh"

#include "headroom/net/byte_order.hh"
#include "headroom/net/ether.hh"
#include "headroom/net/ip.hh"

namespace headroom {
namespace {

using Bytes = std::span<const uint8_t>;

struct Name {
  std::string_view name;
  int type;
};
constexpr Name kNames[] = {
    {"ETHER", kLinkEther},  {"IP", kLinkRaw},
    {"IP", kLinkIp4},       {"NULL", kLinkNull},
    {"PPP", kLinkPpp},      {"PPP_HDLC", kLinkPppHdlc},
    {"802_11", kLink80211}, {"802_11_RADIO", kLink80211Radio},
    {"LOOP", kLinkLoop},    {"LINUX_SLL", kLinkCooked},
    {"SLL", kLinkCooked},   {"LINUX_SLL2", kLinkCooked2},
};

constexpr uint16_t kTypeIp4 = 0x0800;
constexpr uint16_t kTypeVlan = 0x8100;
constexpr uint16_t kTypeServiceVlan = 0x88a8;
constexpr uint16_t kPppIp4 = 0x0021;
constexpr uint16_t kPppAddressAndControl = 0xff03;
constexpr uint32_t kFamilyIp4 = 2;

uint16_t u16(Bytes bytes, std::size_t at) {
  return at + 2 <= bytes.size() ? load_big<uint16_t>(bytes.data() + at) : uint16_t{0};
}

// Behind headers whose type field is at `at`, and its tags.
std::optional<uint32_t> behind_ether_type(Bytes packet, uint32_t at) {
  while (u16(packet, at) == kTypeVlan || u16(packet, at) == kTypeServiceVlan) at += 4;
  return u16(packet, at) == kTypeIp4 ? std::optional(at + 2) : std::nullopt;
}

std::optional<uint32_t> start_of(int type, Bytes packet) {
  switch (type) {
    case kLinkRaw:
    case kLinkIp4:
      return 0;
    case kLinkEther:
      return behind_ether_type(packet, 12);
    case kLinkCooked:
      return behind_ether_type(packet, 14);
    case kLinkCooked2:
      return u16(packet, 0) == kTypeIp4 ? std::optional<uint32_t>(20) : std::nullopt;
    case kLinkPpp:
    case kLinkPppHdlc: {
      const uint32_t at = u16(packet, 0) == kPppAddressAndControl ? 2 : 0;
      return u16(packet, at) == kPppIp4 ? std::optional(at + 2) : std::nullopt;
    }
    case kLinkNull:
    case kLinkLoop: {
      if (packet.size() < 4) return std::nullopt;
      const auto family = load_big<uint32_t>(packet.data());
      const bool ip4 = family == kFamilyIp4 || family == kFamilyIp4 << 24;
      return ip4 ? std::optional<uint32_t>(4) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string link_type_name(int type) {
  for (const Name& name : kNames)
    if (name.type == type) return std::string(name.name);
  return std::to_string(type);
}

std::optional<int> link_type_by_name(std::string_view name) {
  for (const Name& known : kNames)
    if (known.name == name) return known.type;
  return std::nullopt;
}

std::vector<std::string_view> link_type_names() {
  std::vector<std::string_view> names;
  for (const Name& name : kNames) names.push_back(name.name);
  return names;
}

std::optional<uint32_t> ip_offset(int type, Bytes packet) {
  const auto start = start_of(type, packet);
  if (!start || *start >= packet.size()) return std::nullopt;
  const Bytes ip = packet.subspan(*start);
  const std::size_t length = (ip[0] & 15U) * 4;
  if (ip[0] >> 4 != 4 || length < sizeof(IpHeader) || length > ip.size()) return std::nullopt;
  return start;
}

}  // namespace headroom
