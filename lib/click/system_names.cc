// What the system knows of its network devices, for names that a configuration does not define.
#include <ifaddrs.h>
#include <netinet/in.h>
#include <netpacket/packet.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

#include "headroom/click/names.hh"

namespace headroom::click {
namespace {

// The first default route through the device; the kernel prints addresses as it stores them.
std::optional<IPAddress> gateway_of(const std::string& name) {
  std::ifstream routes("/proc/net/route");
  std::string line;
  while (std::getline(routes, line)) {
    std::istringstream fields(line);
    std::string device;
    uint32_t destination = 0, gateway = 0;
    fields >> device >> std::hex >> destination >> gateway;
    if (fields && device == name && destination == 0 && gateway != 0) {
      return IPAddress::from_network_order(gateway);
    }
  }
  return std::nullopt;
}

// The structure behind a sockaddr of that family.
template <class Address>
Address address_in(const sockaddr* generic) {
  Address address;
  std::memcpy(&address, generic, sizeof(address));
  return address;
}

void add(const ifaddrs& entry, NamedAddresses& found) {
  if (entry.ifa_addr->sa_family == AF_INET && !found.ip && entry.ifa_netmask) {
    const auto address = address_in<sockaddr_in>(entry.ifa_addr);
    const auto mask = address_in<sockaddr_in>(entry.ifa_netmask);
    found.ip = IPAddress::from_network_order(address.sin_addr.s_addr);
    const auto length = IPAddress::from_network_order(mask.sin_addr.s_addr).mask_length();
    if (length) found.prefix = IPPrefix(*found.ip, *length);
  } else if (entry.ifa_addr->sa_family == AF_INET6 && !found.ip6 && entry.ifa_netmask) {
    const auto address = address_in<sockaddr_in6>(entry.ifa_addr);
    const auto mask = address_in<sockaddr_in6>(entry.ifa_netmask);
    found.ip6 = IP6Address::from_bytes(&address.sin6_addr);
    const auto length = IP6Address::from_bytes(&mask.sin6_addr).mask_length();
    if (length) found.prefix6 = IP6Prefix(*found.ip6, *length);
  } else if (entry.ifa_addr->sa_family == AF_PACKET) {
    const auto address = address_in<sockaddr_ll>(entry.ifa_addr);
    if (address.sll_halen == 6) found.ether = EtherAddress::from_bytes(address.sll_addr);
  }
}

}  // namespace

std::optional<NamedAddresses> system_device(const std::string& name) {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return std::nullopt;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, &freeifaddrs);
  std::optional<NamedAddresses> found;
  for (const ifaddrs* entry = list; entry; entry = entry->ifa_next) {
    if (!entry->ifa_addr || name != entry->ifa_name) continue;
    if (!found) found.emplace();
    add(*entry, *found);
  }
  if (found) found->gateway = gateway_of(name);
  return found;
}

}  // namespace headroom::click
