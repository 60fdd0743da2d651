#include "headroom/click/names.hh"

#include <netdb.h>

#include <utility>
#include <vector>

#include "headroom/click/arg_types.hh"
#include "headroom/click/arguments.hh"
#include "headroom/click/locator.hh"

namespace headroom::click {
namespace {

std::string_view path_of(std::string_view element) {
  const std::size_t slash = element.rfind('/');
  return slash == std::string_view::npos ? "" : element.substr(0, slash + 1);
}

struct BuiltinPort {
  std::string_view name;
  uint16_t number;
};
constexpr BuiltinPort kBuiltinPorts[] = {
    {"ftp-data", 20}, {"ftp", 21},    {"ssh", 22},    {"telnet", 23}, {"smtp", 25},
    {"domain", 53},   {"dns", 53},    {"bootps", 67}, {"bootpc", 68}, {"tftp", 69},
    {"finger", 79},   {"www", 80},    {"http", 80},   {"pop3", 110},  {"sunrpc", 111},
    {"auth", 113},    {"nntp", 119},  {"ntp", 123},   {"snmp", 161},  {"snmp-trap", 162},
    {"irc", 194},     {"imap3", 220}, {"https", 443}, {"imaps", 993}, {"pop3s", 995}};

// The places are those of lib/packet/annotations.hh, which this room does not see.
struct BuiltinAnnotation {
  std::string_view name;
  AnnotationRange range;
};
constexpr BuiltinAnnotation kBuiltinAnnotations[] = {
    {"DST_IP", {0, 4}},           {"DST_IP6", {0, 16}},       {"ICMP_PARAMPROB", {16, 1}},
    {"PAINT", {17, 1}},           {"FIX_IP_SRC", {19, 1}},    {"VLAN_TCI", {20, 2}},
    {"AGGREGATE", {20, 4}},       {"EXTRA_PACKETS", {26, 2}}, {"EXTRA_LENGTH", {28, 4}},
    {"FIRST_TIMESTAMP", {32, 8}}, {"PACKET_NUMBER", {32, 4}}, {"IPSEC_SPI", {32, 4}},
    {"SEQUENCE_NUMBER", {36, 4}}, {"PERFCTR", {40, 8}}};

template <class T>
std::optional<T> parsed(std::string_view text) {
  T value{};
  std::string error;
  if (!ArgType<T>::parse(text, value, error)) return std::nullopt;
  return value;
}

void merge(NamedAddresses& into, const NamedAddresses& from) {
  const auto take = [](auto& a, const auto& b) {
    if (b) a = b;
  };
  take(into.ip, from.ip);
  take(into.prefix, from.prefix);
  take(into.ip6, from.ip6);
  take(into.prefix6, from.prefix6);
  take(into.ether, from.ether);
  take(into.gateway, from.gateway);
}

std::optional<NamedAddresses> parse_any_address(const std::string& word, const NameScope& scope) {
  NamedAddresses made;
  if (word.find('/') != std::string::npos) {
    if (const auto prefix = parsed<IPPrefix>(word)) {
      made.prefix = prefix;
      if (prefix->address != prefix->network()) made.ip = prefix->address;
      return made;
    }
    if (const auto prefix = parsed<IP6Prefix>(word)) {
      made.prefix6 = prefix;
      if (prefix->address != prefix->network()) made.ip6 = prefix->address;
      return made;
    }
    return std::nullopt;
  }
  made.ip = parsed<IPAddress>(word);
  if (!made.ip) made.ether = parsed<EtherAddress>(word);
  if (!made.ip && !made.ether) made.ip6 = parsed<IP6Address>(word);
  if (made.ip || made.ether || made.ip6) return made;
  return scope.addresses(word);
}

// Calls `function(words, report)` for every argument; report(message) speaks of that argument.
template <class Function>
void for_each_argument(const FlatElement& element, Diagnostics& diagnostics, Function&& function) {
  const Diagnostics::Context context(
      diagnostics,
      "While configuring '" + element.name + " :: " + element.class_name + "':", element.where);
  Locator locator(element.config_where, element.config);
  for (const Argument& argument : split_arguments(element.config)) {
    const SourceLocation where = locator.at(argument.offset);
    function(split_words(argument.text), [&](std::string message) {
      diagnostics.error(where.known() ? where : element.where, std::move(message));
    });
  }
}

}  // namespace

// --- tables ---

void NameTables::add(const FlatGraph& graph, Diagnostics& diagnostics) {
  for (const FlatElement& element : graph.elements()) {
    if (element.class_name == "AddressInfo") add_address_info(element, diagnostics);
    if (element.class_name == "PortInfo") add_port_info(element, diagnostics);
    if (element.class_name == "AnnotationInfo") add_annotation_info(element, diagnostics);
  }
}

void NameTables::add_addresses(std::string_view scope, std::string_view name,
                               const NamedAddresses& addresses) {
  merge(addresses_[std::string(scope) + std::string(name)], addresses);
}

void NameTables::add_address_info(const FlatElement& element, Diagnostics& diagnostics) {
  const std::string_view path = path_of(element.name);
  const NameScope scope(*this, element.name);
  for_each_argument(element, diagnostics,
                    [&](const std::vector<std::string>& words, const auto& report) {
                      if (words.empty()) return report("expected 'NAME [ADDRS]'");
                      NamedAddresses made;
                      for (std::size_t i = 1; i < words.size(); ++i) {
                        const auto address = parse_any_address(words[i], scope);
                        if (!address) {
                          report("'" + words[i] + "' is no address");
                        } else {
                          merge(made, *address);
                        }
                      }
                      if (words.size() > 1) add_addresses(path, words[0], made);
                    });
}

void NameTables::add_port_info(const FlatElement& element, Diagnostics& diagnostics) {
  const std::string path(path_of(element.name));
  for_each_argument(
      element, diagnostics, [&](const std::vector<std::string>& words, const auto& report) {
        if (words.size() < 2) return report("expected 'NAME PORT[/PROTOCOL]'");
        for (std::size_t i = 1; i < words.size(); ++i) {
          const std::size_t slash = words[i].find('/');
          const std::string protocol = slash == std::string::npos ? "" : words[i].substr(slash + 1);
          const auto number = parsed<uint16_t>(words[i].substr(0, slash));
          const bool tcp = protocol.empty() || protocol == "tcp";
          const bool udp = protocol.empty() || protocol == "udp";
          if (!number || (!tcp && !udp)) {
            report("expected 'NAME PORT[/PROTOCOL]'");
            continue;
          }
          Ports& ports = ports_[path + words[0]];
          if (tcp) ports.tcp = number;
          if (udp) ports.udp = number;
        }
      });
}

void NameTables::add_annotation_info(const FlatElement& element, Diagnostics& diagnostics) {
  const std::string path(path_of(element.name));
  for_each_argument(
      element, diagnostics, [&](const std::vector<std::string>& words, const auto& report) {
        const bool counted = words.size() == 2 || words.size() == 3;
        const auto offset = counted ? parsed<uint8_t>(words[1]) : std::nullopt;
        const auto size = words.size() == 3 ? parsed<uint8_t>(words[2]) : std::optional<uint8_t>(0);
        if (!offset || !size || *offset + *size > 48) {
          return report("expected 'NAME OFFSET [SIZE]', within 48 bytes");
        }
        annotations_[path + words[0]] = {*offset, *size};
      });
}

// --- scopes ---

NameScope::NameScope(const NameTables& tables, std::string_view element)
    : tables_(&tables), path_(path_of(element)) {}

template <class Table>
const typename Table::mapped_type* NameScope::find(const Table& table,
                                                   std::string_view name) const {
  if (table.empty()) return nullptr;
  std::string_view path = path_;
  for (;;) {
    const auto found = table.find(std::string(path) + std::string(name));
    if (found != table.end()) return &found->second;
    if (path.empty()) return nullptr;
    path = path_of(path.substr(0, path.size() - 1));
  }
}

std::optional<NamedAddresses> NameScope::addresses(std::string_view name) const {
  if (!tables_ || name.empty()) return std::nullopt;
  const std::size_t colon = name.rfind(':');
  const std::string_view suffix = colon == std::string_view::npos ? "" : name.substr(colon + 1);
  name = name.substr(0, colon);

  std::optional<NamedAddresses> all;
  if (const NamedAddresses* found = find(tables_->addresses_, name)) {
    all = *found;
  } else {
    const std::string device(name);
    all = tables_->device ? tables_->device(device) : system_device(device);
  }
  if (!all || suffix.empty()) return all;

  NamedAddresses one;
  if (suffix == "ip") {
    one.ip = all->ip;
  } else if (suffix == "ipnet") {
    one.prefix = all->prefix;
  } else if (suffix == "ip6") {
    one.ip6 = all->ip6;
  } else if (suffix == "ip6net") {
    one.prefix6 = all->prefix6;
  } else if (suffix == "eth") {
    one.ether = all->ether;
  } else if (suffix == "bcast" && all->prefix) {
    one.ip = all->prefix->last();
  } else if (suffix == "gw" && all->gateway) {
    one.ip = all->gateway;
  } else if (suffix == "gw" && all->prefix && all->prefix->length < 31) {
    one.ip = IPAddress::from_host_order(all->prefix->network().host_order() + 1);
  } else {
    return std::nullopt;
  }
  return one;
}

std::optional<uint16_t> NameScope::port(std::string_view name, PortProtocol protocol) const {
  const bool tcp = protocol == PortProtocol::tcp;
  if (tables_) {
    if (const auto* found = find(tables_->ports_, name)) {
      if (tcp ? found->tcp : found->udp) return tcp ? found->tcp : found->udp;
    }
  }
  for (const BuiltinPort& builtin : kBuiltinPorts) {
    if (name == builtin.name) return builtin.number;
  }
  if (name.empty() || name.find('\0') != std::string_view::npos) return std::nullopt;
  // /etc/services. The entry is static; configurations are read by one thread.
  const servent* entry = getservbyname(std::string(name).c_str(), tcp ? "tcp" : "udp");
  if (!entry) return std::nullopt;
  return ntohs(static_cast<uint16_t>(entry->s_port));
}

std::optional<AnnotationRange> NameScope::annotation(std::string_view name) const {
  if (tables_) {
    if (const auto* found = find(tables_->annotations_, name)) return *found;
  }
  for (const BuiltinAnnotation& builtin : kBuiltinAnnotations) {
    if (name == builtin.name) return builtin.range;
  }
  return std::nullopt;
}

}  // namespace headroom::click
