// Names that a configuration gives to addresses, ports and annotations (AddressInfo, PortInfo,
// AnnotationInfo), and their scopes.
//
// Names are scoped by compound element: what an element a/b/x means by a name is looked for in
// a/b/, in a/ and at the top, then among built-in names and the system's. NameTables has all names
// of a configuration, a NameScope is the view of one element, and parse_argument() takes it.
//
//   NameTables tables;
//   tables.add_addresses("a/info", "gateway 10.0.0.1", error);
//   NameScope scope(tables, "a/b/x");
//   IPAddress address;
//   parse_argument("gateway:ip", address, error, scope);
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "headroom/net/addresses.hh"

namespace headroom::click {

// What one name may stand for; each kind on its own.
struct NamedAddresses {
  std::optional<IPAddress> ip;
  std::optional<IPPrefix> prefix;
  std::optional<IP6Address> ip6;
  std::optional<IP6Prefix> prefix6;
  std::optional<EtherAddress> ether;
  std::optional<IPAddress> gateway;  // a device's; otherwise the lowest host address of the prefix
};

// The packet's user bytes, among which annotations lie.
inline constexpr unsigned kAnnotationBytes = 48;

// Where an annotation lies, and how wide it is; of size 0, it fits any use.
struct AnnotationRange {
  uint8_t offset = 0;
  uint8_t size = 0;

  friend bool operator==(const AnnotationRange&, const AnnotationRange&) = default;
};
// The built-in name of an annotation, or nothing.
std::string_view builtin_annotation(AnnotationRange range);

class NameTables {
 public:
  // Define what one argument of an information element says, in the scope of that element. False,
  // with the reason in `error`, when it says nothing of the kind.
  bool add_addresses(std::string_view element, std::string_view text, std::string& error);
  bool add_ports(std::string_view element, std::string_view text, std::string& error);
  bool add_annotation(std::string_view element, std::string_view text, std::string& error);

  // Asks the system about a network device; nothing when there is none. Replaced in tests.
  std::function<std::optional<NamedAddresses>(const std::string& device)> device;

 private:
  friend class NameScope;
  struct Ports {
    std::optional<uint16_t> tcp;
    std::optional<uint16_t> udp;
  };
  // By scope and name together, "a/b/name".
  std::unordered_map<std::string, NamedAddresses> addresses_;
  std::unordered_map<std::string, Ports> ports_;
  std::unordered_map<std::string, AnnotationRange> annotations_;
};

enum class PortProtocol : uint8_t { tcp, udp };

class NameScope {
 public:
  // Without tables only built-in names are known.
  NameScope() = default;
  NameScope(const NameTables& tables, std::string_view element);

  // A name with or without a suffix: "net", "net:bcast", "eth0:eth". Without one, every kind of
  // address that it stands for; with one, that kind alone.
  std::optional<NamedAddresses> addresses(std::string_view name) const;
  std::optional<uint16_t> port(std::string_view name, PortProtocol protocol) const;
  std::optional<AnnotationRange> annotation(std::string_view name) const;

 private:
  template <class Table>
  const typename Table::mapped_type* find(const Table& table, std::string_view name) const;

  const NameTables* tables_ = nullptr;
  std::string path_;  // "a/b/" of an element a/b/x
};

// What the system knows of one of its network devices.
std::optional<NamedAddresses> system_device(const std::string& name);

}  // namespace headroom::click
